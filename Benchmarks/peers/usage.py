"""CPU time and memory of processes, from /proc and the kernel's clocks."""

import glob
import time


def tree(pid):
    """A process and all that descend from it."""
    found = [pid]
    for children in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(children, encoding="ascii") as file:
                found += [each for child in file.read().split() for each in tree(int(child))]
        except OSError:
            pass  # the thread has ended meanwhile
    return found


def cpu_seconds(pids):
    """CPU seconds that the processes have used so far, to the nanosecond."""
    total = 0.0
    for pid in pids:
        try:
            total += time.clock_gettime((~pid << 3) | 2)  # CPUCLOCK_SCHED of a whole process
        except OSError:
            pass
    return total


def peak_megabytes(pids):
    """Sum of the largest resident sizes."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
                total += next((int(line.split()[1]) for line in status if line.startswith("VmHWM")), 0)
        except OSError:
            pass
    return total / 1024


def busy_seconds():
    """CPU seconds of the whole machine that were not idle."""
    with open("/proc/stat", encoding="ascii") as stat:
        fields = [int(field) for field in stat.readline().split()[1:]]
    return (sum(fields[:3]) + sum(fields[5:8])) / 100
