"""The mouth of bad and of long recordings, and the lip sync benchmark over a small list.

Usage: scripts/python-tests Tests/cli   (needs the release build)
"""

import array
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
YOOB = Path(os.environ.get("YOOB_BINARY", ROOT / ".build/release/yoob"))
FIXTURES = ROOT / "Tests/Fixtures"
PACK = ROOT / "characters/luna-anime/pack"

# Runs a command and prints its exit code and the most memory it held, in MB.
PEAK = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""


def run(*arguments):
    result = subprocess.run([str(YOOB), *map(str, arguments)], capture_output=True, text=True, timeout=300)
    return result.returncode, result.stdout, result.stderr


def speech():
    with wave.open(str(FIXTURES / "question-sky.wav")) as file:
        return array.array("h", file.readframes(file.getnframes()))


def write(path, samples, rate=16000):
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(array.array("h", (max(-32768, min(32767, round(s))) for s in samples)).tobytes())


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="yoob-mouth-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def mouth(self, *recordings):
        """What `render --visemes` writes of recordings."""
        path = self.folder / "mouth.json"
        status, out, err = run("render", *recordings, "--visemes", path, "--quiet")
        self.assertEqual((status, out, err), (0, "", ""))
        return path.read_text()


class BadSound(Case):
    def test_any_sound_gives_a_mouth_within_its_range(self):
        chance, said = random.Random(3), speech()
        chord = (220, 277.18, 329.63, 440)
        for name, samples, rate in (
            ("clipped", [100 * s for s in said], 16000),
            ("music", [3000 * sum(math.sin(2 * math.pi * f * k / 16000) for f in chord) for k in range(32000)], 16000),
            ("two at once", [(a + b) / 2 for a, b in zip(said, reversed(said))], 16000),
            ("noise", [chance.uniform(-32768, 32767) for _ in range(16000)], 8000),
            ("one sample", [1000], 192000),
        ):
            path = self.folder / "in.wav"
            write(path, samples, rate)
            found = json.loads(self.mouth(path))
            self.assertEqual(len(found["frames"]), math.ceil(len(samples) / rate * 100), name)
            for frame in found["frames"]:
                self.assertTrue(all(0 <= weight <= 1 for weight in frame), name)
                self.assertAlmostEqual(sum(frame), 1, delta=0.001, msg=name)
            for morph, values in found["morphs"].items():
                self.assertEqual(len(values), len(found["frames"]), (name, morph))
                self.assertTrue(all(0 <= value <= 1 for value in values), (name, morph))

    def test_silence_is_still(self):
        path = self.folder / "in.wav"
        write(path, [0] * 16000)
        found = json.loads(self.mouth(path))
        self.assertTrue(all(frame[0] == 1 for frame in found["frames"]))
        self.assertFalse(any(any(values) for values in found["morphs"].values()))

    def test_8_and_192_kilohertz_move_the_mouth_as_the_same_sound_at_16(self):
        narrow, wide, slow = (self.folder / name for name in ("8.wav", "192.wav", "16.wav"))
        with wave.open(str(FIXTURES / "question-sky.wav")) as file:
            self.assertEqual(file.getframerate(), 16000)
        convert = ["ffmpeg", "-v", "error", "-y", "-i"]
        subprocess.run([*convert, FIXTURES / "question-sky.wav", "-ar", "8000", narrow], check=True)
        for path, rate in ((slow, "16000"), (wide, "192000")):
            subprocess.run([*convert, narrow, "-ar", rate, path], check=True)
        wanted = json.loads(self.mouth(slow))["frames"]
        for path in (narrow, wide):
            found = json.loads(self.mouth(path))["frames"]
            away = [sum(abs(a - b) for a, b in zip(*pair)) / 2 for pair in zip(wanted, found)]
            self.assertLess(sum(away) / len(away), 0.03, path.name)

    def test_damaged_weights_are_named_and_nothing_is_written(self):
        pack = self.folder / "pack"
        shutil.copytree(PACK, pack)
        data = bytearray((pack / "mouth.bin").read_bytes())
        data[len(data) // 2] ^= 0x10
        (pack / "mouth.bin").write_bytes(data)
        for command in (["--visemes", self.folder / "v.json"], ["--output", self.folder / "o.mp4"]):
            status, out, err = run("render", FIXTURES / "question-sky.wav", "--pack", pack, *command)
            self.assertEqual((status, out), (1, ""), err)
            self.assertIn("mouth.bin", err)
            self.assertEqual(len(err.splitlines()), 1, err)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["pack"])


class LongRecordings(Case):
    def test_the_document_is_compact_json_with_sorted_keys_and_four_digits(self):
        text = self.mouth(FIXTURES / "question-sky.wav", FIXTURES / "question-rain.wav")
        document = json.loads(text)
        self.assertEqual(
            text, json.dumps(document, separators=(",", ":"), sort_keys=True, ensure_ascii=False) + "\n")
        numbers = [x for frame in document["frames"] for x in frame]
        self.assertEqual(numbers, [round(x, 4) for x in numbers])
        self.assertEqual(sorted(document), ["frames", "morphs", "rate", "visemes"])
        self.assertEqual(len(document["morphs"]), 17)

    def test_a_long_recording_needs_hardly_more_memory_than_a_short_one(self):
        said = speech().tobytes()
        peaks = []
        for seconds in (4, 420):
            path = self.folder / ("%d.wav" % seconds)
            with wave.open(str(path), "wb") as file:
                file.setparams((1, 2, 16000, 0, "NONE", ""))
                file.writeframes((said * (1 + seconds * 32000 // len(said)))[:seconds * 32000])
            shown = subprocess.run(
                [sys.executable, "-c", PEAK, YOOB, "render", path, "--visemes", self.folder / "v.json"],
                capture_output=True, text=True, timeout=500, check=True).stdout.split()
            self.assertEqual(shown[0], "0")
            peaks.append(float(shown[1]))
            with open(self.folder / "v.json") as file:
                self.assertEqual(len(json.load(file)["frames"]), seconds * 100)
        self.assertLess(peaks[1], peaks[0] + 30)

    def test_what_was_there_stays_when_a_recording_cannot_be_read(self):
        old = self.folder / "mouth.json"
        old.write_text("old")
        status, _, err = run("render", FIXTURES / "question-sky.wav", FIXTURES / "cut-header.wav", "--visemes", old)
        self.assertEqual(status, 1)
        self.assertIn("cut-header.wav", err)
        self.assertEqual(old.read_text(), "old")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["mouth.json"])

    def test_a_link_stays_a_link_and_its_target_keeps_its_permissions(self):
        target, link = self.folder / "target.json", self.folder / "link.json"
        target.write_text("old")
        target.chmod(0o640)
        link.symlink_to(target)
        status, _, err = run("render", FIXTURES / "question-sky.wav", "--visemes", link)
        self.assertEqual(status, 0, err)
        self.assertTrue(link.is_symlink())
        self.assertEqual(target.stat().st_mode & 0o777, 0o640)
        self.assertEqual(json.loads(target.read_text())["rate"], 100)

    def test_subtitles_without_a_film_are_refused(self):
        status, _, err = run("render", FIXTURES / "question-sky.wav", "--visemes", self.folder / "v.json",
                             "--subtitles", self.folder / "s.srt")
        self.assertEqual(status, 2)
        self.assertIn("--subtitles needs", err)


class Benchmarks(Case):
    def test_voices_are_scored_by_speaker_and_language_without_what_pocketsphinx_hears(self):
        (self.folder / "voices").mkdir()
        lines = []
        for name, language in (("sky", "en"), ("rain", "sv")):
            shutil.copy(FIXTURES / ("question-%s.wav" % name), self.folder / "voices")
            with wave.open(str(FIXTURES / ("question-%s.wav" % name))) as file:
                seconds = file.getnframes() / file.getframerate()
            lines.append(dict(
                id=name, part="voices", speaker="voice " + name, sex="f", language=language, text="",
                wav="voices/question-%s.wav" % name, seconds=seconds, phones=[[0.1, 0.2, "P"], [0.2, 1, "AA"]]))
        (self.folder / "voices.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        report = self.folder / "report.json"
        bench = ["bench", "lipsync", "--part", "voices", "--data", self.folder, "--no-mesh", "--json", report]
        status, out, err = run(*bench, "--by-speaker")
        self.assertEqual(status, 0, err)
        self.assertIn("voice rain", out)
        self.assertNotIn("PocketSphinx", out)
        found = json.loads(report.read_text())
        self.assertNotIn("pocketsphinx_class8_exact", found["metrics"])
        self.assertEqual(sorted(found["groups"]["speakers"]), ["voice rain", "voice sky"])
        self.assertEqual(sorted(found["groups"]["languages"]), ["en", "sv"])
        for scores in found["groups"]["speakers"].values():
            self.assertEqual(scores["recordings"], 1)
            self.assertTrue(0 <= scores["class8_exact"] <= 1)
        status, out, _ = run(*bench)
        self.assertEqual(status, 0)
        self.assertNotIn("voice rain", out)

    def test_a_result_is_never_written_over_the_recordings(self):
        shutil.copy(FIXTURES / "question-sky.wav", self.folder)
        line = dict(id="sky", part="dev", speaker="s", sex="f", wav="question-sky.wav", seconds=2, phones=[[0, 1, "P"]])
        for name in ("dev", "voices"):
            (self.folder / (name + ".jsonl")).write_text(json.dumps(line) + "\n")
        before = {path: path.read_bytes() for path in self.folder.iterdir()}
        for path in before:
            status, out, err = run("bench", "lipsync", "--data", self.folder, "--no-mesh", "--json", path)
            self.assertEqual((status, out), (2, ""), err)
            self.assertIn("named twice", err)
        self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_a_face_that_listens_keeps_its_memory(self):
        report = self.folder / "report.json"
        status, out, err = run("bench", "stream", "--minutes", 1, "--json", report)
        self.assertEqual(status, 0, out + err)
        metrics = json.loads(report.read_text())["metrics"]
        self.assertEqual(metrics["buffered_growth_bytes"], 0)
        self.assertGreater(metrics["buffered_bytes"], 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
