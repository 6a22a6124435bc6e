"""The list of recordings to measure lip sync by, and how dialogue is read out of the game."""

import collections
import importlib.util
import json
import os
import struct
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "training", "real_speech")


def module(name):
    """A module of the folder under a name of its own: other folders have a `fetch` too."""
    path = os.path.join(FOLDER, name + ".py")
    spec = importlib.util.spec_from_file_location("real_speech_" + name, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


class Manifest(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(FOLDER, "manifest.jsonl"), encoding="utf8") as file:
            self.lines = [json.loads(line) for line in file]

    def test_parts_share_no_speaker_and_no_text(self):
        for key in ("speaker", "text"):
            parts = collections.defaultdict(set)
            for line in self.lines:
                parts[line[key]].add(line["part"])
            self.assertEqual([], [value for value, found in parts.items() if len(found) > 1], key)

    def test_there_are_enough_speakers_and_women_in_what_is_measured(self):
        measured = [line for line in self.lines if line["part"] in ("dev", "blind")]
        self.assertGreaterEqual(len({line["speaker"] for line in measured}), 8)
        for part in ("dev", "blind"):
            women = {line["speaker"] for line in measured if line["part"] == part and line["sex"] == "f"}
            self.assertGreaterEqual(len(women), 2, part)

    def test_every_recording_is_named_once_with_its_digest_licence_and_a_pinned_package(self):
        with open(os.path.join(FOLDER, "packages.txt")) as file:
            pinned = {line.split()[1] for line in file if not line.startswith("#")}
        self.assertEqual(len(self.lines), len({line["id"] for line in self.lines}))
        for line in self.lines:
            self.assertRegex(line["sha256"], "^[0-9a-f]{64}$")
            self.assertIn(line["package"], pinned)
            self.assertTrue(line["licence"] and line["text"] and line["seconds"] > 0)


class Words(unittest.TestCase):
    def test_marks_go_and_small_numbers_are_written_out(self):
        words = module("words").words
        self.assertEqual("press two to well un mute i'm here".split(), words("Press 2 to... well, un-mute: 'I'm here'!"))
        self.assertEqual(["number", "number42"], words("number 42"))


class Dialogue(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, FOLDER)
        self.addCleanup(sys.path.remove, FOLDER)
        taken = sys.modules.pop("fetch", None)
        if taken:
            self.addCleanup(sys.modules.__setitem__, "fetch", taken)
        self.addCleanup(sys.modules.pop, "fetch", None)
        self.sources = module("sources")

    def string(self, number, text):
        data = struct.pack(">HHB", 0, number, len(text)) + text
        return data + bytes(-len(data) % 4)

    def test_lines_are_read_behind_the_tree_of_choices(self):
        header = struct.pack(">hHHHH", 1, 7, 42, 2, 1) + bytes(32 + 96 - 10)
        data = header + self.string(6, b"Hello.*15") + self.string(0, b"") + self.string(6, b"Who?*04Me?*01")
        key, mine, others = self.sources.dialogue(data)
        self.assertEqual(42, key)
        self.assertEqual([(6, "Hello.*15"), (0, "")], mine)
        self.assertEqual([(6, "Who?*04Me?*01")], others)

    def test_a_line_is_said_by_one_file_a_piece_and_is_left_out_when_one_is_missing(self):
        lines = [(6, "Who?*04Me?*01"), (0xA6, "Gone.*01")]
        found = self.sources._lines({"420006P1.SB", "420006P2.SB"}, 42, "P", lines)
        self.assertEqual([(["420006P1.SB", "420006P2.SB"], "Who? Me?")], list(found))


if __name__ == "__main__":
    unittest.main()
