"""Borders of an aligner are taken over where both name the same phones. Needs numpy and scipy."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../training"))

import numpy as np

import phone_borders

VOICE = [("", 0, 0.1), ("s", 0.1, 0.2), ("i", 0.2, 0.3), (" ", 0.3, 0.3), ("m", 0.3, 0.4), ("A", 0.4, 0.6)]


class CorrectedTests(unittest.TestCase):
    def test_borders_of_the_same_phones_move(self):
        heard = [(0, 0.08, "SIL"), (0.08, 0.22, "S"), (0.22, 0.31, "IY"), (0.31, 0.38, "M"), (0.38, 0.6, "EY")]
        found = phone_borders.corrected(VOICE, heard)
        self.assertEqual([name for name, _, _ in found], [name for name, _, _ in VOICE])
        self.assertEqual([start for _, start, _ in found], [0, 0.08, 0.22, 0.31, 0.31, 0.38])

    def test_borders_that_lie_far_away_or_have_other_phones_stay(self):
        heard = [(0, 0.01, "SIL"), (0.01, 0.25, "S"), (0.25, 0.3, "P"), (0.3, 0.42, "M"), (0.42, 0.6, "EY")]
        found = dict((name, start) for name, start, _ in phone_borders.corrected(VOICE, heard))
        self.assertEqual(found["s"], 0.1)
        self.assertEqual(found["i"], 0.2)
        self.assertEqual(found["A"], 0.42)

    def test_no_phone_is_turned_round(self):
        heard = [(0, 0.17, "SIL"), (0.17, 0.18, "S"), (0.18, 0.35, "IY"), (0.35, 0.36, "M"), (0.36, 0.6, "EY")]
        for _, start, end in phone_borders.corrected(VOICE, heard):
            self.assertLessEqual(start, end)


class FitTests(unittest.TestCase):
    def test_each_part_scores_its_own_frames_best(self):
        rng = np.random.default_rng(4)
        time = np.arange(8000) / 16000
        tone = lambda hertz: 0.2 * np.sin(2 * np.pi * hertz * time)
        samples = np.concatenate([tone(300), tone(2500)]) + rng.standard_normal(16000) * 0.01
        spoken = [(samples.astype(np.float32), [("m", 0, 0.5), ("s", 0.5, 1.0)])]
        rows = dict(phone_borders.fit(spoken))
        self.assertEqual({name: len(parts) for name, parts in rows.items()}, {"m": 3, "s": 3})
        frames = phone_borders._stack(phone_borders.features.features(spoken[0][0]))
        score = lambda name, part: frames @ rows[name][part][0] + rows[name][part][1]
        self.assertTrue((score("m", 1)[20:30] > score("s", 1)[20:30]).all())
        self.assertTrue((score("s", 1)[70:80] > score("m", 1)[70:80]).all())


if __name__ == "__main__":
    unittest.main()
