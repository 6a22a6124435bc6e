"""Runs `yoob bench face` and the program that counts what a frame allocates.

Usage: scripts/python-tests Tests/cli   (needs the release build)
"""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
YOOB = Path(os.environ.get("YOOB_BINARY", ROOT / ".build/release/yoob"))
COUNTER = YOOB.resolve().parent / "YoobFaceAllocations"
PACK = ROOT / "characters/luna-anime/pack"


def bench(*arguments, path):
    """Runs `bench face` with a PATH; returns its status, its output and its metrics."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        result = subprocess.run(
            [str(YOOB), "bench", "face", *arguments, "--json", str(report)], capture_output=True, text=True,
            timeout=400, env={**os.environ, "PATH": path},
        )
        metrics = json.loads(report.read_text())["metrics"] if report.exists() else {}
        return result.returncode, result.stdout + result.stderr, metrics


class FaceFrames(unittest.TestCase):
    def test_computing_and_drawing_a_frame_allocates_nothing(self):
        result = subprocess.run([str(COUNTER), str(PACK)], capture_output=True, text=True, timeout=180)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        frames, advancing, drawing = map(int, result.stdout.split())
        self.assertGreater(frames, 100)
        self.assertEqual((advancing, drawing), (0, 0))

    def test_a_pack_that_is_not_there_is_an_error(self):
        result = subprocess.run([str(COUNTER), "/nowhere"], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 1)

    def test_the_baseline_is_compiled_and_run_beside_the_face(self):
        status, out, metrics = bench("--baseline", path=os.environ["PATH"])
        # 1: a budget is not kept, which a busy machine may do.
        self.assertIn(status, (0, 1), out)
        self.assertEqual(metrics["baseline_cpu_ms"]["n"], 360)
        self.assertEqual(metrics["frame_cpu_ms"]["n"], 360)
        self.assertAlmostEqual(
            metrics["baseline_p95_ratio"], metrics["baseline_cpu_ms"]["p95"] / metrics["draw_cpu_ms"]["p95"],
            delta=0.02)
        self.assertEqual(metrics["frame_allocations"], 0)
        self.assertRegex(out, r"(PASS|FAIL): baseline_p95_ratio [\d.]+, at least 1\.7")

    def test_without_a_compiler_the_bench_says_so(self):
        status, out, metrics = bench("--baseline", path="/nowhere")
        self.assertIn(status, (0, 1), out)
        self.assertIn("SKIP: baseline_p95_ratio was not measured: there is no C compiler (cc) on PATH", out)
        self.assertNotIn("baseline_cpu_ms", metrics)


if __name__ == "__main__":
    unittest.main()
