#!/usr/bin/env python3
"""Compares voice agents on one virtual sound card; `run` prepares what it needs and starts it."""

import argparse
import datetime
import hashlib
import json
import os
import platform
import signal
import sys

import agents
import measures
from faults import AgentFault

ROWS = [
    ("last voiced sample to first audible sample, p50", "answer_p50_ms", "%.0f ms"),
    ("the same, p95", "answer_p95_ms", "%.0f ms"),
    ("answers that these come from", "answers", "%d"),
    ("questions cut off, of all", ("cut_offs", "asked"), "%d of %d"),
    ("questions without an answer", "unanswered", "%d"),
    ("0.7 s pause inside a sentence: split into two messages", ("pauses_split", "pauses"), "%d of %d"),
    ("… answered over", ("pauses_answered_over", "pauses"), "%d of %d"),
    ("… wrong reply heard, in all", "wrong_reply_ms", "%d ms"),
    ("… last voiced sample to first audible sample, p50", "pause_answer_p50_ms", "%.0f ms"),
    ("interruption: onset of the user's speech to silence, p50", "stop_p50_ms", "%.0f ms"),
    ("… the longest", "stop_max_ms", "%.0f ms"),
    ("… missed", ("interruptions_missed", "interruptions"), "%d of %d"),
    ("CPU time from the question to the first sound (median)", "cpu_first_s", "%.2f s"),
    ("CPU time of the whole turn (median)", "cpu_turn_s", "%.2f s"),
    ("length of the reply (median)", "reply_s", "%.1f s"),
    ("listening to silence, share of a core", "idle_share", "%.1f %%"),
    ("memory at most, agent and language model", "memory_mb", "%.0f MB"),
    ("start to ready (median)", "start_s", "%.1f s"),
]


def parse(words):
    parser = argparse.ArgumentParser(
        prog="Benchmarks/peers/run", description="Pipecat, LiveKit Agents and yoob on the same models, "
        "recordings and virtual sound card, one after another. About 20 minutes; it can be interrupted and "
        "goes on where it was. The machine should have nothing else to do.")
    parser.add_argument("--only", choices=agents.NAMES, metavar="NAME", action="append",
                        help=f"one agent ({', '.join(agents.NAMES)}); may be given again for another")
    parser.add_argument("--rounds", type=int, default=3, metavar="N",
                        help="the recordings are dealt out over so many rounds, in each of which every agent "
                        "has its turn (default 3)")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N recordings of each kind")
    parser.add_argument("--max-tokens", type=int, default=24, metavar="N", help="length of replies (default 24)")
    parser.add_argument("--compute", default="int8", metavar="TYPE",
                        help="number type of the peers' Whisper (default int8, as in the product)")
    parser.add_argument("--threads", type=int, default=2, metavar="N",
                        help="threads of the peers' llama-server (default 2)")
    parser.add_argument("--patience", type=int, default=12, metavar="N",
                        help="how long an answer is waited for, in seconds (default 12)")
    parser.add_argument("--fresh", action="store_true", help="begin anew, whatever an earlier run has left")
    parser.add_argument("--json", metavar="FILE", help="the result as JSON there too")
    options = parser.parse_args(words)
    for name in ("rounds", "limit", "max_tokens", "threads", "patience"):
        value = getattr(options, name)
        if value is not None and value < 1:
            parser.error(f"--{name.replace('_', '-')} takes a whole number from 1 on")
    options.only = [name for name in agents.NAMES if not options.only or name in options.only]
    return options


def note(text):
    print(text, file=sys.stderr, flush=True)


def plans(index, rounds, limit):
    """What is played in each round: recordings by kind."""
    kinds = {}
    for item in index:
        kinds.setdefault(item["kind"], []).append(item)
    kinds["interruption"] = [
        (place, opener, item)
        for place, (opener, item) in enumerate(zip(kinds["opener"], kinds["interruption"]))]
    warm_up = kinds["question"][3]
    dealt = {kind: measures.deal(kinds[kind][:limit], rounds) for kind in ("question", "pause", "interruption")}
    return [{"warm-up": warm_up, **{kind: dealt[kind][turn] for kind in dealt}} for turn in range(rounds)]


def digest(*paths):
    """Short hash of files."""
    whole = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            whole.update(file.read())
    return whole.hexdigest()[:16]


def settings_of(options, places):
    """Everything that a result depends on; a run goes on only with the same."""
    scripts = sorted(entry.path for entry in os.scandir(agents.FOLDER) if entry.name.endswith(".py"))
    return {
        "agents": options.only, "rounds": options.rounds, "limit": options.limit,
        "max_tokens": options.max_tokens, "compute": options.compute,
        "threads": options.threads, "patience": options.patience,
        "recordings": digest(os.path.join(places.recordings, "index.json")), "scripts": digest(*scripts),
        "command": digest(places.yoob) if os.path.exists(places.yoob) else None,
    }


def run_folder(places, settings, fresh):
    """The folder of an unfinished run with these settings, or a new one; and whether it goes on."""
    os.makedirs(places.runs, exist_ok=True)
    for name in sorted(os.listdir(places.runs), reverse=True):
        folder = os.path.join(places.runs, name)
        known = load(os.path.join(folder, "settings.json"))
        if not fresh and known == settings and not os.path.exists(os.path.join(folder, "result.json")):
            return folder, True
    stamp = datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
    folder = os.path.join(places.runs, stamp)
    os.makedirs(folder)
    save(os.path.join(folder, "settings.json"), settings)
    return folder, False


def load(path):
    """A JSON file, or None where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def save(path, value):
    """A JSON file, whole or not there."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")
    os.replace(path + ".part", path)


def table(result):
    """Markdown, one column an agent."""
    names = result["settings"]["agents"]
    heads = [f"{agents.TITLES[name]} {result['versions'][name]}" for name in names]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(names)]
    for title, keys, form in ROWS:
        cells = [cell(result["summary"][name], keys, form) for name in names]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(numbers, keys, form):
    """One cell; a dash where nothing was measured."""
    values = [numbers[key] for key in (keys if isinstance(keys, tuple) else (keys,))]
    if None in values or isinstance(keys, tuple) and values[1] == 0:
        return "-"
    if keys == "idle_share":
        values = [100 * values[0]]
    return form % tuple(values)


def machine():
    """The machine in words."""
    model = platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return f"{model}, {os.cpu_count()} cores"


def compare(options, places):
    import session  # needs numpy, which only the environment has; --help does without

    index = load(os.path.join(places.recordings, "index.json"))
    settings = settings_of(options, places)
    folder, goes_on = run_folder(places, settings, options.fresh)
    note(f"{'Going on with' if goes_on else 'Run'} {folder}")
    rounds = plans(index, options.rounds, options.limit)
    steps = [(turn, name) for turn in range(options.rounds) for name in measures.order(options.only, turn)]
    parts = {name: [] for name in options.only}
    for done, (turn, name) in enumerate(steps):
        path = os.path.join(folder, f"{turn + 1}-{name}.json")
        part = load(path)
        if part is None:
            head = f"[{done}/{len(steps)}] round {turn + 1}, {agents.TITLES[name]}"
            note(head)
            part = session.measure(
                name, places, settings, rounds[turn], folder, turn + 1, lambda text: note(f"  {text}"))
            save(path, part)
        parts[name].append(part)
    result = {
        "date": datetime.date.today().isoformat(), "machine": machine(), "resumed": goes_on,
        "settings": settings, "versions": {name: agents.version(name, places) for name in options.only},
        "summary": {name: measures.summary(parts[name]) for name in options.only}, "parts": parts,
    }
    save(os.path.join(folder, "result.json"), result)
    if options.json:
        save(options.json, result)
    print(f"{result['date']}, {result['machine']}\n\n{table(result)}\n")
    others = max(result["summary"][name]["other_work"] for name in options.only)
    print(f"Other work on the machine: at most {others:.2f} of a core in any part.")
    if others > 0.2:
        print("That is too much for numbers to keep: run again on a quiet machine.")
    late = max(result["summary"][name]["microphone_late_p99_ms"] for name in options.only)
    print(f"The microphone's 20 ms came at most {late:.1f} ms late (p99).")
    print(f"JSON: {os.path.join(folder, 'result.json')}")


def main(words):
    options = parse(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    places = agents.Places(os.environ["YOOB_HOME"], os.environ["YOOB_CHECKOUT"])
    if lacking := agents.missing(options.only, places):
        note("peers: missing " + ", ".join(lacking) + ". Start Benchmarks/peers/run, which makes it.")
        return 1
    try:
        compare(options, places)
    except AgentFault as fault:
        note(f"peers: {fault}. What was measured is kept; start again to go on.")
        return 1
    except KeyboardInterrupt:
        note("\npeers: stopped; the next start goes on from here.")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
