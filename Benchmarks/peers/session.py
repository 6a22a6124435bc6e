"""One agent's share of a round: starts it, plays the recordings to it, measures, ends it."""

import os
import time

import agents
import measures
import recordings
import usage
from card import Card
from faults import AgentFault

IDLE_SECONDS = 6
# Seconds of the reply that are heard before an interruption, in turns.
INTERRUPT_AFTER = (0.8, 1.1, 1.4)


class Share:
    """An agent, its server and its sound card, and what they used."""

    def __init__(self, name, places, settings, folder, mark):
        log = os.path.join(folder, f"{mark}-{name}")
        self.places = places
        self.patience = settings["patience"]
        self.server = None if name == "yoob" else agents.Server(
            places, settings["threads"], log + "-server.log")
        try:
            self.card = Card(
                agents.command(name, places, settings, self.server), agents.environment(), log + ".log")
        except OSError:
            self.close()
            raise

    def wait_until_ready(self):
        """Seconds from the start until both agent and server are ready."""
        server = self.server.wait_until_ready() if self.server else 0
        return max(server, self.card.wait_until_ready(timeout=300))

    @property
    def pids(self):
        servers = [self.server.process.pid] if self.server else []
        return usage.tree(self.card.process.pid) + servers

    def cpu(self):
        return usage.cpu_seconds(self.pids)

    def say(self, item):
        """Speaks a recording; returns the times of its start and its first and last voiced sample."""
        start = self.card.say(recordings.read(os.path.join(self.places.recordings, item["file"])))
        return start, start + item["first"], start + item["last"]

    def close(self):
        if hasattr(self, "card"):
            self.card.close()
        if self.server:
            self.server.close()


def measure(name, places, settings, plan, folder, mark, tell):
    """The part of an agent in a round: `plan` has the recordings by kind; `tell(text)` reports progress."""
    share = Share(name, places, settings, folder, mark)
    try:
        part = {"name": name, "start_s": share.wait_until_ready()}
        tell("ready after %.1f s" % part["start_s"])
        card = share.card
        # What only the first exchange of a process costs is nobody's subject here.
        share.say(plan["warm-up"])
        card.wait_for(lambda: card.heard.last_end > 0, share.patience)
        card.wait_until_quiet()
        busy, own, began = usage.busy_seconds(), share.cpu() + time.process_time(), time.monotonic()
        part["idle_share"] = idle_share(share)
        part["questions"] = [told(tell, question(share, item)) for item in plan["question"]]
        part["pauses"] = [told(tell, pause(share, item)) for item in plan["pause"]]
        part["interruptions"] = [
            told(tell, interruption(share, opener, item, index))
            for index, opener, item in plan["interruption"]]
        spent = time.monotonic() - began
        others = usage.busy_seconds() - busy - (share.cpu() + time.process_time() - own)
        part["other_work"] = max(0.0, others / spent)
        part["memory_mb"] = usage.peak_megabytes(share.pids)
        part["late_p99_ms"] = measures.percentile(card.late_ms, 99)
        part["errors"] = card.errors[:20]
        return part
    except AgentFault as fault:
        raise AgentFault(f"{agents.TITLES[name]}: {fault}") from None
    finally:
        share.close()


def told(tell, result):
    """Reports an item in a line."""
    shown = [f"{key} {value}" for key, value in result.items()
             if key in ("answer_ms", "cut_off", "messages", "wrong_ms", "outcome", "stop_ms")]
    tell(f"{result['file']}: {', '.join(shown)}")
    return result


def idle_share(share):
    """Share of a core while nobody speaks."""
    before, began = share.cpu(), time.monotonic()
    share.card.wait(IDLE_SECONDS)
    return (share.cpu() - before) / (time.monotonic() - began)


def ask(share, item):
    """Speaks and waits for the answer's first sound: (last voiced sample, first sound or None, result so far)."""
    card, before = share.card, share.card.history()
    cpu = share.cpu()
    start, first, last = share.say(item)
    card.wait_for(lambda: card.heard.first(last) is not None, last + share.patience - time.monotonic())
    sound = card.heard.first(last)
    result = {
        "file": item["file"], "said": item["text"],
        "answer_ms": round((sound - last) * 1000) if sound else None,
        "cpu_first_s": share.cpu() - cpu if sound else None,
        # What was heard before the user had finished.
        "wrong_ms": card.heard.milliseconds(first, last),
    }
    return (start, first, last, sound), result, before, cpu


def settle(share, result, before):
    """Waits for the end of the reply, and adds what came into the history."""
    result["is_settled"] = share.card.wait_until_quiet()
    after = share.card.history()
    texts = measures.user_messages(before, after)
    result["messages"] = len(texts)
    result["heard_texts"] = texts
    replies = [message["content"] for message in after if message["role"] == "assistant"]
    result["reply"] = replies[-1] if replies else ""


def question(share, item):
    """A question, and its answer to the end."""
    (_, _, last, sound), result, before, cpu = ask(share, item)
    settle(share, result, before)
    # The second of quiet behind the reply is everybody's.
    result["cpu_turn_s"] = share.cpu() - cpu if sound else None
    result["reply_s"] = round(share.card.heard.last_end - sound, 2) if sound else None
    result["cut_off"] = result["messages"] > 1 or result["wrong_ms"] > 0
    return result


def pause(share, item):
    """A sentence with a pause inside."""
    _, result, before, _ = ask(share, item)
    settle(share, result, before)
    return result


def interruption(share, opener, item, index):
    """A question whose answer is interrupted."""
    card = share.card
    (_, _, last, sound), asked, before, _ = ask(share, opener)
    asked["cut_off"] = asked["wrong_ms"] > 0
    result = {"file": item["file"], "said": item["text"], "question": asked, "outcome": "no answer", "stop_ms": None}
    if sound is None:
        settle(share, asked, before)
        return result
    delay = INTERRUPT_AFTER[index % len(INTERRUPT_AFTER)]
    card.wait(max(0, sound + delay - time.monotonic()))
    early = card.history()
    asked["cut_off"] |= len(measures.user_messages(before, early)) > 1
    _, onset, end = share.say(item)
    card.wait(max(0, end + 0.3 - time.monotonic()))
    card.wait_for(lambda: any(moment > onset for moment in card.interruptions), 1)
    result["outcome"], result["stop_ms"] = measures.stop(card.heard, card.interruptions, onset, end)
    card.wait_for(lambda: card.heard.first(end + 0.3) is not None, share.patience)
    settle(share, result, early)
    return result
