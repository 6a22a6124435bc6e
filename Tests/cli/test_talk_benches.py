"""The benchmarks of turn taking over a few recordings: what they count.

Usage: scripts/python-tests Tests/cli   (needs the release build and the prepared models)
"""

import json
import shutil
import tempfile
import unittest
import wave
from pathlib import Path

from test_commands import FIXTURES, run


class TalkBenches(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for path in FIXTURES.glob("*.wav"):
            shutil.copy(path, self.folder)

    def recordings(self, name, *lines):
        text = "".join(
            json.dumps({"id": f"{index}", "voice": "flite:slt", **line}) + "\n" for index, line in enumerate(lines))
        (self.folder / f"dev-{name}.jsonl").write_text(text)

    def bench(self, *words):
        report = self.folder / "report.json"
        status, out, err = run("bench", *words, "--data", self.folder, "--quiet", "--json", report, timeout=300)
        self.assertEqual(status, 0, out + err)
        return json.loads(report.read_text())

    def test_a_sentence_with_a_pause_is_one_message(self):
        self.recordings("pauses", {
            "kind": "inside", "text": "What is the capital of France?", "wav": "question-france.wav", "pauses": [],
            "end": 60})
        found = self.bench("reopening")["metrics"]
        self.assertEqual(found["sentences"], 1)
        # Its end is told to lie after everything, so that the turn counts as taken in the pause.
        self.assertEqual(found["taken"], 1)
        self.assertEqual(found["not_one_message"], 0)
        self.assertEqual(found["without_both_ends"], 0)
        self.assertGreater(found["wrong_reply_ms"]["p50"], 1000)

    def test_an_interruption_is_measured_by_what_the_loudspeaker_gave(self):
        self.recordings("interruptions", {"kind": "words", "text": "Stop.", "wav": "question-rain.wav"})
        self.recordings("listening", {"kind": "noise", "text": "nothing", "wav": "silence.wav"})
        with wave.open(str(self.folder / "silence.wav"), "wb") as file:
            file.setparams((1, 2, 16000, 0, "NONE", ""))
            file.writeframes(bytes(16000))
        report = self.bench("interruption", "--count", 2, "--minutes", 0, "--real-time", 0)
        found = report["metrics"]
        self.assertEqual((found["interruptions"], found["missed"], found["false_stops"]), (2, 0, 0))
        self.assertLess(found["late_max_ms"], 3000)
        self.assertEqual(found["words_voice_cases"], 2)
        self.assertEqual((found["sample_faults"], found["other_text"]), (0, 0))
        self.assertEqual((found["noise_cases"], found["noise_untouched"]), (1, 1))
        self.assertEqual(sorted(report["groups"]["delays"]), ["220 ms", "45 ms"])

    def test_a_long_conversation_is_looked_at_every_half_minute(self):
        self.recordings("questions", {"kind": "question", "text": "", "wav": "question-france.wav"})
        self.recordings("interruptions", {"kind": "words", "text": "Stop.", "wav": "question-rain.wav"})
        report = self.bench("soak", "--minutes", 2, "--fast")
        self.assertGreaterEqual(len(report["series"]["memory_mb"]), 4)
        self.assertEqual({len(values) for values in report["series"].values()}, {len(report["series"]["seconds"])})
        self.assertEqual(report["metrics"]["turns_lost"], 0)
        self.assertGreater(report["metrics"]["turns_held"], 2)
        self.assertEqual(report["metrics"]["tasks_after_close"], 0)
        self.assertGreater(min(report["series"]["threads"]), 1)


if __name__ == "__main__":
    unittest.main()
