"""Runs `yoob bench turn` beside busy neighbours.

Usage: scripts/python-tests Tests/cli   (needs the release build and the prepared models)
"""

import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
YOOB = Path(os.environ.get("YOOB_BINARY", ROOT / ".build/release/yoob"))
COMMAND = [str(YOOB), "bench", "turn", "--rounds", "1", "--quiet", "--neighbours"]


def children(pid):
    """Processes that `pid` has started; none once it is gone."""
    try:
        return [int(word) for tasks in Path(f"/proc/{pid}/task").iterdir()
                for word in (tasks / "children").read_text().split()]
    except OSError:
        return []


def runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():
        time.sleep(0.1)
    return condition()


class BusyNeighbours(unittest.TestCase):
    def test_they_end_with_the_benchmark_however_it_ends(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number=number):
                bench = subprocess.Popen(COMMAND + ["2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    self.assertTrue(wait(lambda: len(children(bench.pid)) == 2))
                    neighbours = children(bench.pid)
                    bench.send_signal(number)
                    bench.wait(30)
                    self.assertTrue(wait(lambda: not any(map(runs, neighbours))))
                finally:
                    bench.kill()
                    bench.wait()

    def test_how_many_there_may_be_is_told(self):
        result = subprocess.run(COMMAND + ["0"], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--neighbours", result.stderr)


if __name__ == "__main__":
    unittest.main()
