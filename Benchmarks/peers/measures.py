"""What is audible, and what the numbers of a comparison are made of. No clock, no process."""

import bisect
import math

# A block of 10 ms counts as voice from here on: RMS -46 dBFS; speech has about -20.
AUDIBLE = 0.005
BLOCK = 0.01


def levels(samples, rate):
    """RMS of each 10 ms of a list of samples; a last piece of less than half a block belongs to none."""
    size = rate // 100
    pieces = [samples[at:at + size] for at in range(0, len(samples), size)]
    return [math.sqrt(sum(sample * sample for sample in piece) / len(piece))
            for piece in pieces if len(piece) * 2 >= size]


def voiced(samples, rate):
    """Seconds to the first and behind the last audible block; None where there is none."""
    loud = [index for index, level in enumerate(levels(samples, rate)) if level > AUDIBLE]
    return (round(loud[0] * BLOCK, 2), round((loud[-1] + 1) * BLOCK, 2)) if loud else None


class Track:
    """When a loudspeaker was audible."""

    def __init__(self):
        self._starts = []
        self.last_end = 0.0

    def add(self, start, block_levels):
        """Blocks that sound from `start` on; they come in the order of time."""
        for index, level in enumerate(block_levels):
            if level > AUDIBLE:
                self._starts.append(start + index * BLOCK)
                self.last_end = self._starts[-1] + BLOCK

    def first(self, since, until=math.inf):
        """The first audible moment in a span, or None."""
        place = bisect.bisect_left(self._starts, since)
        return self._starts[place] if place < len(self._starts) and self._starts[place] <= until else None

    def last(self, since, until=math.inf):
        """The end of the last audible block that begins in a span, or None."""
        place = bisect.bisect_right(self._starts, until) - 1
        return self._starts[place] + BLOCK if place >= 0 and self._starts[place] >= since else None

    def milliseconds(self, since, until):
        """How much of a span was audible."""
        return round(1000 * BLOCK * (bisect.bisect_left(self._starts, until)
                                     - bisect.bisect_left(self._starts, since)))


def stop(track, told, onset, end):
    """What an interruption did to the reply, and the milliseconds from its onset to silence where it stopped it.

    The user spoke from `onset` to `end`; `told` are the moments at which the agent said that it was interrupted.
    """
    # Silence between two sentences of a reply is not its end.
    if track.last(onset - 0.4, onset + 0.2) is None:
        return "reply was over", None
    silent = track.last(onset - 0.4, end + 0.2)
    if silent > end:
        return "missed", None
    if not any(onset < moment < end + 1.3 for moment in told):
        return "reply was over", None
    return "stopped", round(max(0.0, silent - onset) * 1000)


def percentile(values, percent):
    """Linear between the two nearest; None of no values."""
    if not values:
        return None
    ranked = sorted(values)
    place = (len(ranked) - 1) * percent / 100
    low = math.floor(place)
    high = min(low + 1, len(ranked) - 1)
    return ranked[low] + (ranked[high] - ranked[low]) * (place - low)


def user_messages(before, after):
    """The texts of the user that came into a history; an agent may have put them into its last one."""
    old = [message["content"] for message in before if message["role"] == "user"]
    new = [message["content"] for message in after if message["role"] == "user"]
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    return new[same:]


def deal(items, rounds):
    """The items of each round, taken in turns."""
    return [items[index::rounds] for index in range(rounds)]


def order(names, turn):
    """Who comes when in a round: each round begins with another one."""
    shift = turn % len(names)
    return names[shift:] + names[:shift]


def summary(parts):
    """The numbers of one agent from its parts (`compare` writes them), None where there is nothing to count."""
    questions = [item for part in parts for item in part["questions"]]
    pauses = [item for part in parts for item in part["pauses"]]
    interruptions = [item for part in parts for item in part["interruptions"]]
    asked = questions + [item["question"] for item in interruptions]
    answers = [item["answer_ms"] for item in asked if item["answer_ms"] is not None and not item["cut_off"]]
    stops = [item["stop_ms"] for item in interruptions if item["outcome"] == "stopped"]

    def median(values):
        return percentile([value for value in values if value is not None], 50)

    return {
        "answers": len(answers),
        "answer_p50_ms": percentile(answers, 50),
        "answer_p95_ms": percentile(answers, 95),
        "unanswered": sum(item["answer_ms"] is None for item in asked),
        "asked": len(asked),
        "cut_offs": sum(item["cut_off"] for item in asked),
        "pauses": len(pauses),
        "pauses_split": sum(item["messages"] > 1 for item in pauses),
        "pauses_answered_over": sum(item["wrong_ms"] > 0 for item in pauses),
        "wrong_reply_ms": sum(item["wrong_ms"] for item in pauses),
        "pause_answer_p50_ms": median([item["answer_ms"] for item in pauses]),
        "interruptions": sum(item["outcome"] in ("stopped", "missed") for item in interruptions),
        "interruptions_missed": sum(item["outcome"] == "missed" for item in interruptions),
        "stop_p50_ms": percentile(stops, 50),
        "stop_max_ms": max(stops, default=None),
        "cpu_first_s": median([item["cpu_first_s"] for item in questions]),
        "cpu_turn_s": median([item["cpu_turn_s"] for item in questions]),
        "reply_s": median([item["reply_s"] for item in questions]),
        "idle_share": median([part["idle_share"] for part in parts]),
        "memory_mb": max([part["memory_mb"] for part in parts], default=None),
        "start_s": median([part["start_s"] for part in parts]),
        "other_work": max([part["other_work"] for part in parts], default=None),
        "microphone_late_p99_ms": max([part["late_p99_ms"] for part in parts], default=None),
    }
