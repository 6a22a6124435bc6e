"""The recordings of turns: real speakers, the lengths of pauses, and what the parts may share."""

import importlib.machinery
import importlib.util
import io
import json
import os
import random
import sys
import tempfile
import unittest
from contextlib import redirect_stdout

import numpy as np

SCRIPTS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "scripts")


def script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), os.path.join(SCRIPTS, name))
    sys.dont_write_bytecode = True
    made = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(made)
    return made


talk = script("make-talk-corpus")
turns = talk.turns


def voice(*stretches):
    """A tone from each start to each end in seconds, with silence between and half a second after."""
    samples = np.zeros(round((stretches[-1][1] + 0.5) * turns.RATE))
    for start, end in stretches:
        at = np.arange(round(start * turns.RATE), round(end * turns.RATE))
        samples[at] = 0.5 * np.sin(at * 2 * np.pi * 200 / turns.RATE)
    return samples


class RealSpeakers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, turns, "HOME", turns.HOME)
        turns.HOME = folder.name
        self.lines = []

    def add(self, speaker, text, phones, samples):
        folder = os.path.join(turns.HOME, "lipsync")
        os.makedirs(os.path.join(folder, "dev"), exist_ok=True)
        wav = f"dev/{len(self.lines)}.wav"
        turns.write(os.path.join(folder, wav), samples)
        self.lines.append({"speaker": speaker, "text": text, "wav": wav, "phones": phones})
        with open(os.path.join(folder, "dev.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in self.lines)

    def found(self):
        return turns.real("dev", lambda recording: True)

    def test_pauses_of_a_fifth_of_a_second_are_inside_and_the_last_phone_is_the_end(self):
        phones = [[0, 0.3, "SIL"], [0.3, 1, "AA"], [1, 1.25, "SIL"], [1.25, 2, "B"], [2, 2.1, "SIL"], [2.1, 2.5, "IY"],
                  [2.5, 3, "SIL"]]
        self.add("queen:a", "well hello there", phones, voice((0.3, 1), (1.25, 2), (2.1, 2.5)))
        recording, = self.found()
        self.assertEqual("real:queen:a", recording.voice)
        self.assertEqual([(1, 1.25)], recording.pauses)
        self.assertEqual((0.3, 2.5), (recording.start, recording.end))

    def test_a_pause_is_the_longest_silence_between_two_phones(self):
        phones = [[0.3, 1, "AA"], [1, 2, "SIL"], [2, 3, "B"], [3, 3.4, "SIL"], [3.4, 4, "IY"]]
        self.add("queen:a", "well hello there", phones, voice((0.3, 1), (1.1, 1.2), (1.95, 3), (3.15, 3.3), (3.4, 4)))
        recording, = self.found()
        self.assertEqual([(1.2, 1.95)], recording.pauses)

    def test_recordings_are_left_out_whose_times_do_not_fit_the_sound_or_that_break_off(self):
        whole = [[0, 0.3, "SIL"], [0.3, 2, "AA"]]
        self.add("queen:a", "it goes on", whole, voice((0.3, 2.2)))
        self.add("queen:a", "it began before", whole, voice((0.1, 2)))
        self.add("queen:a", "it speaks there", [[0.3, 1, "AA"], [1, 1.6, "SIL"], [1.6, 2, "AA"]], voice((0.3, 2)))
        self.add("queen:a", "saved to", whole, voice((0.3, 2)))
        self.add("queen:a", "this one holds", whole, voice((0.3, 2)))
        self.assertEqual(["this one holds"], [recording.text for recording in self.found()])

    def test_speakers_take_turns_as_long_as_they_have_recordings(self):
        whole = [[0.3, 2, "AA"]]
        for speaker, count in (("a", 9), ("b", 2), ("c", 5)):
            for number in range(count):
                self.add(speaker, f"word {speaker} {number}", whole, voice((0.3, 2)))
        chosen = turns.balanced(self.found(), 10, random.Random(1))
        self.assertEqual({"real:a": 4, "real:b": 2, "real:c": 4},
                         {name: sum(one.voice == name for one in chosen) for name in ("real:a", "real:b", "real:c")})
        again = turns.balanced(self.found(), 10, random.Random(1))
        self.assertEqual([one.text for one in chosen], [one.text for one in again])

    def test_without_recordings_a_line_says_how_they_are_made(self):
        said = io.StringIO()
        with redirect_stdout(said):
            self.assertEqual([], self.found())
        self.assertEqual(1, said.getvalue().count("\n"))
        self.assertIn("training/real_speech/prepare dev", said.getvalue())

    def test_signs_of_listening_single_words_and_short_sounds_interrupt_nobody(self):
        for text, end in (("oh okay", 2), ("not yet", 1.1), ("wait a minute", 2), ("stop", 2)):
            self.add("queen:a", text, [[0.3, end, "AA"]], voice((0.3, end)))
        self.assertEqual(["wait a minute"], [one.text for one in turns.real("dev", talk.interrupts)])


class Turns(unittest.TestCase):
    def test_pauses_are_as_long_as_those_of_conversation(self):
        pick = random.Random(1)
        lengths = [turns.pause(pick) for _ in range(5000)]
        self.assertGreaterEqual(min(lengths), turns.SHORTEST_PAUSE)
        self.assertLessEqual(max(lengths), turns.LONGEST_PAUSE)
        for share, length in ((0.5, 0.51), (0.7, 0.70), (0.877, 1.0)):
            self.assertAlmostEqual(length, np.quantile(lengths, share), delta=0.04)

    def test_a_pause_lasts_from_the_end_of_the_voice_as_long_as_it_should(self):
        samples = voice((0.1, 1), (1.1, 2))
        sound, pauses, end = turns.compose(samples, [round(1.05 * turns.RATE)], [0.6], random.Random(1))
        (start, over), = pauses
        self.assertAlmostEqual(2, start, delta=0.02)
        self.assertAlmostEqual(0.6, over - start, delta=0.02)
        self.assertAlmostEqual(turns.voiced_end(sound), end, delta=0.02)

    def test_parts_have_their_turns_and_share_no_sentence_and_no_voice_but_the_products(self):
        texts = {}
        for part, (seed, voices) in turns.PARTS.items():
            made = turns.turns(part, random.Random(seed))
            self.assertGreaterEqual(len(made) + turns.REAL_TURNS, 320)
            self.assertEqual({"inside", "end", "digits", "spelling"}, {kind for kind, _, _ in made})
            texts[part] = {text for _, text, _ in made}
        self.assertFalse(texts["dev"] & texts["blind"])
        self.assertFalse(set(turns.PARTS["dev"][1]) & set(turns.PARTS["blind"][1]))


if __name__ == "__main__":
    unittest.main()
