"""What the page does with the real voice server, models and all, on a machine whose network is cut."""

import asyncio
import atexit
import contextlib
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile

from harness import FIXTURES, ROOT, Page, case, expect, microphone_wav

SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="yoob-browser-"))
YOOB = ROOT / ".build/release/yoob"
QUESTION = microphone_wav(SCRATCH, "question.wav", 1, FIXTURES / "question-france.wav", 120)
INTERRUPTION = microphone_wav(SCRATCH, "interruption.wav", 1, FIXTURES / "interruption.wav", 120)
SILENCE = microphone_wav(SCRATCH, "silence.wav", 120)
TEXTS = dict(line.split("\t") for line in (FIXTURES / "texts.tsv").read_text().splitlines() if "\t" in line)
VISEMES = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"]
# What the server may take, with every model loaded and after every conversation.
MOST_MEMORY_MB = 700
_server = None
_process = None


def server_address():
    """Starts the server once and returns the page's address."""
    global _server, _process
    if _server is not None:
        return _server
    expect(YOOB.exists(), f"{YOOB} is not built: run ./run once")
    process = subprocess.Popen(
        [YOOB, "serve", "--demo", "--port", "0"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    atexit.register(process.terminate)
    _process = process
    for line in process.stdout:
        found = re.search(r"http://\S+", line)
        if found:
            _server = found.group(0).rstrip("/")
            return _server
    expect(False, "the server ended before Luna was ready; run .build/release/yoob serve --demo to see why")


@contextlib.asynccontextmanager
async def setting(needs):
    yield await asyncio.to_thread(server_address), None


def words(text):
    return re.findall(r"[a-z0-9']+", text.lower())


def difference(reference, heard):
    """Word errors: the edit distance over the number of words of the reference."""
    a, b = words(reference), words(heard)
    row = list(range(len(b) + 1))
    for i, word in enumerate(a, 1):
        row, last = [i], row
        for j, other in enumerate(b, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (word != other)))
    return row[-1] / max(1, len(a))


def said(state, role):
    return [line["text"] for line in state["captions"] if line["role"] == role and line["final"]]


async def transcript(path):
    result = await asyncio.to_thread(
        subprocess.run, [YOOB, "transcribe", path, "--json"], cwd=ROOT, capture_output=True, text=True
    )
    expect(result.returncode == 0, f"transcribe failed: {result.stderr.strip()}")
    return json.loads(result.stdout)["text"]


@case(
    "with the network cut, a spoken question is transcribed, and the answer's sound says its caption",
    microphone=QUESTION,
    limit=300,
)
async def talk(page, context, _):
    with contextlib.closing(socket.socket()) as outside:
        outside.settimeout(2)
        expect(outside.connect_ex(("192.0.2.1", 80)) != 0, "the network is there")
    interfaces = set(os.listdir("/sys/class/net")) if os.environ.get("YOOB_CUT") else {"lo"}
    expect(os.environ.get("YOOB_CUT") == "1", f"the network could not be cut; interfaces {interfaces}")
    # The small model now and then answers in French, which an English voice and recognizer cannot judge.
    for chance in range(3):
        await page.open()
        await page.ready()
        await page.page.click("#talk")
        state = await page.reply(200)
        question = " ".join(said(state, "user"))
        expect(
            difference(TEXTS["question-france.wav"], question) <= 0.34, f"the question was heard as '{question}'"
        )
        target = SCRATCH / "answer.wav"
        await page.sound(target)
        answer, heard = said(state, "assistant")[0], await transcript(target)
        error = difference(answer, heard)
        if error <= 0.2:
            break
        print(f"      chance {chance + 1}: '{answer}' sounds like '{heard}'")
    expect(error <= 0.2, f"{error:.0%} of the words differ: '{answer}' sounds like '{heard}'")
    expect(0 < state["metrics"]["heard_ms"] < 60000, f"timings {state['metrics']}")
    print(f"      heard after {state['metrics']['heard_ms']} ms; stages {json.dumps(state['metrics'])}")


def shape_times(page, item):
    """Runs of one mouth shape by the voice's own phone times: (shape, start, end) in seconds."""
    frames = {}
    for event in page.frames:
        if event["type"] == "yoob.visemes" and event["item_id"] == item:
            for index, frame in enumerate(event["frames"]):
                time = event["start_ms"] / 1000 + index / event["rate"]
                frames[round(time * 100)] = max(range(15), key=lambda k: frame[k])
    runs = []
    for index in sorted(frames):
        shape, time = VISEMES[frames[index]], index / 100
        if runs and runs[-1][0] == shape and time - runs[-1][2] < 0.011:
            runs[-1][2] = time
        else:
            runs.append([shape, time, time])
    return [(shape, start, end + 0.01) for shape, start, end in runs]


@case(
    "the lips follow the voice's phone times: shut at p, b, m and in silence, open at vowels, ou narrow",
    limit=400,
)
async def lips(page, context, _):
    await page.open()
    await page.ready()
    await page.page.fill("#text", "Tell me a short story about a little boy, a big moon and a blue boat.")
    await page.page.press("#text", "Enter")
    await page.reply(300)
    await asyncio.sleep(0.5)
    every = await page.page.evaluate("testRecorder.lips()")
    frames = [f for f in every if f["time"] >= 0]
    items = [event["item_id"] for event in page.frames if event["type"] == "yoob.visemes"]
    expect(items, "the server sent no mouth shapes")
    runs = shape_times(page, items[0])
    gaps, widths, closures = {}, {}, []
    for shape, start, end in runs:
        inside = [
            f for f in frames if start + (end - start) * 0.25 <= f["time"] <= end - (end - start) * 0.25
        ]
        gaps.setdefault(shape, []).extend(f["gap"] for f in inside)
        widths.setdefault(shape, []).extend(f["width"] for f in inside)
        around = [f["gap"] for f in frames if start <= f["time"] <= end]
        if shape == "PP" and around:
            closures.append(min(around))

    def mean(values, what):
        expect(len(values) >= 2, f"only {len(values)} frames show {what}")
        return sum(values) / len(values)

    vowels = gaps.get("aa", []) + gaps.get("oh", []) + gaps.get("E", [])
    open_gap = mean(vowels, "open vowels")
    expect(
        mean(closures, "p, b or m") < 0.25 * open_gap, f"at p, b and m: {closures}; at vowels {open_gap:.1f}"
    )
    shut = sum(1 for gap in closures if gap < 0.35 * open_gap) / len(closures)
    expect(shut >= 0.8, f"the lips close at {shut:.0%} of p, b and m only: {closures}")
    pauses = [(start, end) for shape, start, end in runs if shape == "sil" and end - start >= 0.15]
    quiet = {
        "the time before the reply": [f["gap"] for f in every if f["at"] < frames[0]["at"]][-5:],
        # The lips glide out of one shape and into the next at the edges of a pause.
        "pauses": [
            f["gap"] for start, end in pauses for f in frames if start + 0.04 <= f["time"] <= end - 0.05
        ],
        "the time after the reply": [f["gap"] for f in every if f["at"] > frames[-1]["at"] + 100],
    }
    for what, silence in quiet.items():
        # A short story may have few pauses that a frame falls into; before and after it there are always some.
        shut = mean(silence, what) if what != "pauses" else sum(silence) / max(1, len(silence))
        expect(shut < 0.1 * open_gap, f"the mouth is open in {what}: {silence}")
    ou, e = mean(widths.get("ou", []), "ou"), mean(widths.get("E", []), "E")
    expect(ou < e, f"ou ({ou:.1f}) is not narrower than E ({e:.1f})")
    shown = f"closures {mean(closures, 'p'):.1f}, vowels {open_gap:.1f}, ou {ou:.1f} and E {e:.1f} wide"
    counts = ", ".join(f"{len(silence)} in {what}" for what, silence in quiet.items())
    print(f"      {shown}; {len(frames)} frames, {counts}")


@case(
    "speaking into the reply stops its sound, and only what was heard is kept", microphone=INTERRUPTION, limit=300
)
async def barge_in(page, context, _):
    await page.open()
    await page.page.fill("#text", "Tell me a long story about a little dragon.")
    await page.page.press("#text", "Enter")
    await page.until(lambda s: s["state"] == "speaking", "the reply", 150)
    # The microphone opens into the reply, and the user speaks at once.
    await page.page.click("#talk")
    await page.until(lambda s: s["state"] != "speaking", "the interruption", 60)
    truncated = None
    for _ in range(100):
        truncated = next((e for e in page.frames if e["type"] == "conversation.item.truncated"), None)
        if truncated:
            break
        await asyncio.sleep(0.05)
    expect(truncated is not None, "the reply was not cut where it was heard")
    expect(truncated["audio_end_ms"] > 0, f"truncated {truncated}")
    state = await page.state()
    await asyncio.sleep(0.8)
    blocks = [level for at, level, _ in await page.loudness() if state["now"] + 150 < at < state["now"] + 700]
    expect(blocks, "no sound was recorded after the interruption, not even silence")
    expect(max(blocks) < 0.002, "the sound went on")
    item, kind = truncated["item_id"], "response.output_audio_transcript.delta"
    deltas = [e["delta"] for e in page.frames if e["type"] == kind and e["item_id"] == item]
    written = words("".join(deltas))
    kept = [line for line in (await page.state())["captions"] if line["role"] == "assistant"][0]
    expect(kept["final"], f"the caption of the interrupted reply is still open: {kept}")
    heard = words(kept["text"])
    expect(0 < len(heard) < len(written), f"{len(heard)} of {len(written)} words were kept")
    expect(heard == written[: len(heard)], f"'{kept['text']}' does not begin '{' '.join(written)}'")
    print(f"      {len(heard)} of {len(written)} words were heard, {truncated['audio_end_ms']} ms")


@case("a second page is told that Luna is busy, and the first keeps talking", microphone=SILENCE, limit=200)
async def busy(page, context, _):
    await page.open()
    await page.page.click("#talk")
    await page.until(lambda s: s["state"] == "listening", "the conversation", 60)
    other = Page(await context.new_page(), page.address)
    await other.open()
    await other.page.click("#talk")
    state = await other.until(lambda s: s["alert"] != "", "the message")
    expect("another page" in state["alert"], state["alert"])
    expect((await page.state())["state"] == "listening", "the first page lost its conversation")


@case(
    "Luna answers a written message by keyboard alone, without a microphone", microphone="refused", limit=200
)
async def written(page, context, _):
    await page.open()
    await page.page.focus("#text")
    await page.page.keyboard.type("What is your name?")
    await page.page.keyboard.press("Enter")
    state = await page.until(lambda s: s["playedMs"] > 300, "the answer's sound", 150)
    answer = [line["text"] for line in state["captions"] if line["role"] == "assistant"]
    expect(answer and answer[0].strip(), "the answer has no caption")


@case("the server has stayed within its memory through every conversation")
async def memory(page, context, _):
    status = pathlib.Path(f"/proc/{_process.pid}/status").read_text()
    megabytes = int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1)) / 1000
    print(f"      the server took {megabytes:.0f} MB at most")
    expect(megabytes <= MOST_MEMORY_MB, f"{megabytes:.0f} MB are more than {MOST_MEMORY_MB} MB")
