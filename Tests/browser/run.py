"""Browser tests: `run.py [--scripted | --live] [WORDS of the cases to run]`."""

import asyncio
import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys

import harness


def cut_network():
    """Goes on in a network of its own, where nothing but this machine's loopback can be reached."""
    if os.environ.get("YOOB_CUT") is None:
        unshare = [shutil.which("unshare") or "unshare", "-rn"] if os.geteuid() else ["unshare", "-n"]
        if subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode == 0:
            os.environ["YOOB_CUT"] = "1"
            os.execvp(unshare[0], [*unshare, sys.executable, *sys.argv])
        return
    with socket.socket() as any_socket:
        request = struct.pack("16sH14s", b"lo", 0x41, b"")  # IFF_UP and IFF_RUNNING
        fcntl.ioctl(any_socket, 0x8914, request)  # SIOCSIFFLAGS


async def main(arguments):
    words = [word for word in arguments if not word.startswith("--")]
    passed = failed = 0
    suites = []
    if "--live" not in arguments:
        import scripted_cases
        import drawing_cases  # noqa: F401

        suites.append((scripted_cases.setting, list(harness.CASES)))
        harness.CASES.clear()
    if "--scripted" not in arguments:
        import live_cases

        suites.append((live_cases.setting, list(harness.CASES)))
    for setting, cases in suites:
        chosen = [each for each in cases if not words or any(word in each[0] for word in words)]
        more_passed, more_failed = await harness.run_cases(chosen, setting)
        passed, failed = passed + more_passed, failed + more_failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


cut_network()
sys.exit(asyncio.run(main(sys.argv[1:])))
