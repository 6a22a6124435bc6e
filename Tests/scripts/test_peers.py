"""The pure parts of Benchmarks/peers."""

import io
import json
import os
import subprocess
import sys
import unittest

from scratch import ROOT

sys.path.insert(0, os.path.join(ROOT, "Benchmarks", "peers"))

import compare  # noqa: E402
import link  # noqa: E402
import measures  # noqa: E402


def silence(seconds):
    return [0.0] * round(seconds * 1000)


def voice(seconds):
    return [0.1, -0.1] * round(seconds * 500)


def said(*texts):
    return [{"role": "user", "content": text} for text in texts]


class LevelTests(unittest.TestCase):
    def test_the_voice_is_found_inside_silence(self):
        self.assertEqual(measures.voiced(silence(0.2) + voice(0.5) + silence(0.3), 1000), (0.2, 0.7))

    def test_silence_has_no_voice(self):
        self.assertIsNone(measures.voiced(silence(1), 1000))

    def test_noise_below_the_limit_is_silence(self):
        self.assertIsNone(measures.voiced([0.0049] * 1000, 1000))


class TrackTests(unittest.TestCase):
    def setUp(self):
        self.track = measures.Track()
        self.track.add(10.0, measures.levels(silence(0.1) + voice(0.2), 1000))
        self.track.add(12.0, measures.levels(voice(0.1), 1000))

    def test_first_sound_leaves_out_silence_that_was_played(self):
        self.assertAlmostEqual(self.track.first(9), 10.1)
        self.assertAlmostEqual(self.track.first(11), 12.0)
        self.assertIsNone(self.track.first(13))
        self.assertIsNone(self.track.first(10.5, until=11.5))

    def test_last_sound_of_a_span_ends_behind_its_block(self):
        self.assertAlmostEqual(self.track.last(9, 11), 10.3)
        self.assertAlmostEqual(self.track.last(9), 12.1)
        self.assertIsNone(self.track.last(10.5, 11.5))

    def test_only_the_audible_part_of_a_span_counts(self):
        self.assertEqual(self.track.milliseconds(10, 13), 300)
        self.assertEqual(self.track.milliseconds(10.2, 11), 100)


class StopTests(unittest.TestCase):
    """The user speaks from 10 to 12."""

    def outcome(self, *spans, told=()):
        track = measures.Track()
        for start, seconds in spans:
            track.add(start, measures.levels(voice(seconds), 1000))
        return measures.stop(track, told, 10, 12)

    def test_a_reply_that_ends_in_the_interruption_was_stopped(self):
        self.assertEqual(self.outcome((8, 2.6), told=[10.6]), ("stopped", 600))

    def test_a_reply_that_goes_on_was_not(self):
        self.assertEqual(self.outcome((8, 5), told=[10.6]), ("missed", None))

    def test_a_reply_that_ends_by_itself_was_not_stopped(self):
        self.assertEqual(self.outcome((8, 2.6)), ("reply was over", None))
        self.assertEqual(self.outcome((8, 1), told=[10.6]), ("reply was over", None))

    def test_an_interruption_between_two_sentences_counts_from_its_onset(self):
        self.assertEqual(self.outcome((8, 1.8), told=[10.2]), ("stopped", 0))


class NumberTests(unittest.TestCase):
    def test_percentiles_are_linear_between_neighbours(self):
        self.assertEqual(measures.percentile([30, 10, 20], 50), 20)
        self.assertEqual(measures.percentile([10, 20], 95), 19.5)
        self.assertIsNone(measures.percentile([], 50))

    def test_new_messages_of_the_user_are_those_behind_the_old(self):
        before = said("one") + [{"role": "assistant", "content": "yes"}]
        self.assertEqual(measures.user_messages(before, before + said("two", "three")), ["two", "three"])

    def test_a_message_that_was_made_longer_counts_once(self):
        self.assertEqual(measures.user_messages(said("one", "two"), said("one", "two and")), ["two and"])

    def test_every_recording_is_dealt_to_one_round(self):
        dealt = measures.deal(list(range(7)), 3)
        self.assertEqual(sorted(sum(dealt, [])), list(range(7)))
        self.assertEqual([len(part) for part in dealt], [3, 2, 2])

    def test_each_round_begins_with_another_agent(self):
        self.assertEqual([measures.order("abc", turn) for turn in range(4)], ["abc", "bca", "cab", "abc"])


def part(**more):
    question = {"answer_ms": 700, "cut_off": False, "cpu_first_s": 0.5, "cpu_turn_s": 1.0, "reply_s": 4.0}
    return {
        "questions": [question, {**question, "answer_ms": None, "cpu_first_s": None},
                      {**question, "answer_ms": 100, "cut_off": True}],
        "pauses": [{"messages": 2, "wrong_ms": 0, "answer_ms": 900},
                   {"messages": 1, "wrong_ms": 120, "answer_ms": None}],
        "interruptions": [
            {"question": question, "outcome": "stopped", "stop_ms": 600},
            {"question": question, "outcome": "missed", "stop_ms": None},
            {"question": question, "outcome": "reply was over", "stop_ms": None}],
        "idle_share": 0.05, "memory_mb": 600, "start_s": 3.0, "other_work": 0.1, "late_p99_ms": 1.0, **more}


class SummaryTests(unittest.TestCase):
    def test_answers_to_cut_off_questions_do_not_count_as_fast(self):
        numbers = measures.summary([part()])
        self.assertEqual((numbers["answers"], numbers["answer_p50_ms"]), (4, 700))
        self.assertEqual((numbers["cut_offs"], numbers["asked"], numbers["unanswered"]), (1, 6, 1))

    def test_pauses_count_what_was_split_and_what_was_answered_over(self):
        numbers = measures.summary([part(), part()])
        self.assertEqual((numbers["pauses_split"], numbers["pauses_answered_over"], numbers["pauses"]), (2, 2, 4))
        self.assertEqual((numbers["wrong_reply_ms"], numbers["pause_answer_p50_ms"]), (240, 900))

    def test_a_reply_that_was_over_is_no_interruption(self):
        numbers = measures.summary([part()])
        self.assertEqual((numbers["interruptions"], numbers["interruptions_missed"]), (2, 1))
        self.assertEqual((numbers["stop_p50_ms"], numbers["stop_max_ms"]), (600, 600))

    def test_what_was_not_measured_is_a_dash(self):
        numbers = measures.summary([part(questions=[], pauses=[], interruptions=[])])
        self.assertEqual(compare.cell(numbers, "answer_p50_ms", "%.0f ms"), "-")
        self.assertEqual(compare.cell(numbers, ("pauses_split", "pauses"), "%d of %d"), "-")
        self.assertEqual(compare.cell(numbers, "idle_share", "%.1f %%"), "5.0 %")


class PlanTests(unittest.TestCase):
    def test_a_limit_holds_for_each_kind_and_openers_stay_with_their_interruptions(self):
        index = [{"kind": kind, "file": f"{kind}-{number}"}
                 for kind in ("question", "pause", "opener", "interruption") for number in range(5)]
        first, second = compare.plans(index, rounds=2, limit=3)
        self.assertEqual([item["file"] for item in first["pause"]], ["pause-0", "pause-2"])
        self.assertEqual([item["file"] for item in second["pause"]], ["pause-1"])
        (place, opener, item), = second["interruption"]
        self.assertEqual((place, opener["file"], item["file"]), (1, "opener-1", "interruption-1"))


class FrameTests(unittest.TestCase):
    def test_frames_are_read_one_by_one(self):
        stream = io.BytesIO(link.frame(b"a", b"12") + link.frame(b"h", b""))
        self.assertEqual(link.read_frame(stream), (b"a", b"12"))
        self.assertEqual(link.read_frame(stream), (b"h", b""))
        self.assertIsNone(link.read_frame(stream))

    def test_a_frame_that_breaks_off_is_the_end(self):
        self.assertIsNone(link.read_frame(io.BytesIO(link.frame(b"a", b"1234")[:-1])))


ADAPTER = """
import link

LINK = link.Link()
print("a library prints this")
heard = []


def push(pcm, loop):
    loop.call_soon_threadsafe(heard.append, len(pcm))


async def main(options):
    await LINK.converse(push, lambda: [options.llm, options.max_tokens, *heard])


link.run(main, "An adapter.")
"""


class AdapterTests(unittest.TestCase):
    def test_an_adapter_takes_sound_tells_its_history_and_ends_with_the_card(self):
        adapter = subprocess.run(
            [sys.executable, "-c", ADAPTER, "--whisper", "w", "--llm", "l"],
            input=link.frame(b"a", b"1234") + link.frame(b"h", b""), capture_output=True, timeout=60,
            env={**os.environ, "PYTHONPATH": os.path.dirname(link.__file__)})
        self.assertEqual(adapter.returncode, 0, adapter.stderr)
        stream = io.BytesIO(adapter.stdout)
        told = [link.read_frame(stream), link.read_frame(stream)]
        self.assertEqual([(kind, json.loads(body)) for kind, body in told], [
            (b"e", {"type": "ready"}), (b"e", {"type": "history", "messages": ["l", 24, 4]})])
        self.assertIsNone(link.read_frame(stream))


if __name__ == "__main__":
    unittest.main()
