"""Copies of the training speech keep its times, and training finds the ones that it asks for. Needs numpy, scipy
and ffmpeg with rubberband."""

import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../training"))

import numpy as np

import copies
import make_data

RATE = copies.RATE


def man(seconds):
    """Half of the time a voice of 110 Hz, half silence."""
    time = np.arange(int(seconds * RATE)) / RATE
    tone = sum(np.sin(2 * np.pi * 110 * k * time) / k for k in range(1, 20))
    return (4000 * tone * ((time * 2).astype(int) % 2)).astype(np.int16)


def pitch(samples):
    part = samples[int(0.6 * RATE):int(0.9 * RATE)].astype(float)
    alike = np.correlate(part, part, "full")[len(part) - 1:]
    return RATE / (60 + np.argmax(alike[60:200]))


def entry(kind, sex="f", part="train"):
    return dict(voice=kind, kind=kind, sex=sex, part=part, samples=man(2), labels=np.zeros(200, np.int8))


@unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
class CopiesTests(unittest.TestCase):
    def setUp(self):
        self.entries = [entry("real", "m"), entry("real", "f"), entry("luna"), entry("luna", part="texts")]
        make_data.add_copies(self.entries)

    def test_men_are_raised_and_women_are_not(self):
        raised = [e for e in self.entries if e["kind"] == "raised"]
        self.assertEqual([(e["voice"], e["sex"]) for e in raised], [("real:raised", "f")])
        ratio = pitch(raised[0]["samples"]) / pitch(self.entries[0]["samples"])
        self.assertGreater(ratio, 1.35)
        self.assertLess(ratio, 1.9)

    def test_what_training_sends_through_a_codec_is_there(self):
        for e in self.entries:
            self.assertEqual("poor" in e, e["part"] == "train" and e["kind"] != "real", e["kind"])

    def test_copies_keep_length_and_times(self):
        plain = man(2)
        envelope = lambda sound: np.convolve(np.abs(sound.astype(float)), np.ones(160) / 160, "same")
        for e in self.entries:
            for made in [e["samples"], e.get("poor", e["samples"])]:
                self.assertEqual(len(made), len(plain))
                self.assertEqual(made.dtype, np.int16)
                onset = np.argmax(envelope(made) > 0.3 * envelope(made).max())
                self.assertLess(abs(onset - RATE / 2), 0.02 * RATE, e["kind"])


if __name__ == "__main__":
    unittest.main()
