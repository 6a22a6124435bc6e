"""What the page does with a server whose every word and sound is known."""

import asyncio
import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

import fake_server
from harness import FIXTURES, ROOT, case, expect, microphone_wav

SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="yoob-browser-"))
QUESTION = microphone_wav(SCRATCH, "question.wav", FIXTURES / "question-france.wav", 60)
BARGE_IN = microphone_wav(
    SCRATCH, "barge-in.wav", FIXTURES / "question-france.wav", 1.5, FIXTURES / "interruption.wav", 60
)
SILENCE = microphone_wav(SCRATCH, "silence.wav", 60)


@contextlib.asynccontextmanager
async def setting(needs):
    """A scripted server for one case."""
    pages = pathlib.Path(__file__).resolve().parent / "pages"
    roots = {"/": ROOT / "web/dist/demo", "/dist/": ROOT / "web/dist", "/pages/": pages}
    characters = needs.get("characters")
    if "readme" in needs:
        roots["/readme/"] = readme_page(needs["readme"])
    roots["/characters/luna-anime/"] = characters() if characters else ROOT / "characters/luna-anime/pack"
    server = fake_server.FakeServer(roots)
    server.repeats = needs.get("repeats", 1)
    server.busy = needs.get("busy", False)
    server.refuses = needs.get("refuses", False)
    await server.start()
    try:
        yield f"http://127.0.0.1:{server.port}", server
    finally:
        await server.stop()


def readme_page(file):
    """A folder with the last TypeScript example of a README as a page of its own."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
    text = (ROOT / file).read_text(encoding="utf-8")
    example = text.split("```ts\n")[-1].split("```")[0]
    command = ["esbuild", "--loader=ts", "--target=es2022"]
    script = subprocess.run(command, input=example, capture_output=True, text=True, check=True).stdout
    # What the example takes from the page around it: elements by their ids, and speech.
    (folder / "page.js").write_text(f"globalThis.pcm = new Int16Array(24000).fill(900);\n{script}")
    (folder / "index.html").write_text(
        """<!doctype html><script type=importmap>{"imports": {"@yoob/avatar": "/dist/index.js"}}</script>
        <div id=character style="height: 300px"></div><script>globalThis.container = character</script>
        <p id=note></p><p id=user></p><p id=luna></p><button id=talkButton>Talk</button>
        <button id=sayButton>Say</button><script type=module src=page.js></script>"""
    )
    return folder


def sent(server, kind):
    return [event for event in server.received if event["type"] == kind]


@case("Luna's poster is on the page before anything larger is asked for, and her face follows")
async def poster_first(page, context, server):
    await page.open()
    state = await page.ready()
    order = await page.page.evaluate("""Object.fromEntries(performance.getEntriesByType("resource")
      .map((e) => [e.name.split("/").pop(), [e.startTime, e.responseEnd]]))""")
    expect(order["poster.jpg"][1] <= order["atlas.png"][0], f"the atlas was asked for first: {order}")
    shown = await page.page.evaluate("document.querySelector('#character img:last-child').naturalWidth")
    expect(shown > 0, "the poster did not show")
    painted = await page.page.evaluate("testRecorder.posterMs()")
    expect(painted is not None, "no frame shows the poster")
    print(f"      the poster shows {painted:.0f} ms after the page was asked for")
    expect(state["renderer"] in ("webgpu", "webgl2"), "nothing draws")


async def still_and_live(page):
    """What the character's element shows before and after the face is drawn."""
    waiting = asyncio.Event()

    async def hold(route):
        await waiting.wait()
        await route.continue_()

    await page.page.route("**/atlas.png", hold)
    await page.open()
    end = time.monotonic() + 30
    while await page.page.evaluate("testRecorder.posterMs()") is None:
        expect(time.monotonic() < end, "the still picture did not show")
        await asyncio.sleep(0.05)
    # The bar and its end would differ.
    await page.page.add_style_tag(url="/pages/no-progress.css")
    still = await page.picture("#character")
    waiting.set()
    await page.ready()
    await asyncio.sleep(0.5)
    return still, await page.picture("#character")


for width, height, scheme in ((1280, 800, "light"), (1800, 700, "light"), (1280, 800, "dark"), (390, 844, "light")):

    @case(
        f"the still picture and the live face are in the same place at {width} x {height}, {scheme}",
        size=(width, height),
        reduced=True,
    )
    async def same_place(page, context, server, scheme=scheme, width=width, height=height):
        await page.page.emulate_media(color_scheme=scheme)
        still, live = await still_and_live(page)
        expect(len(still) == len(live), "the sizes differ")
        differences = [abs(a - b) for a, b in zip(still, live)]
        mean = sum(differences) / len(still)
        # Sizes that differ by a tenth differ by 22 here.
        expect(mean < 6, f"a number of the picture differs by {mean:.2f} in the mean")
        # A seam, or another scene at the edges, is a column of its own; she does not reach there.
        line = 3 * (await page.page.evaluate("document.querySelector('#character').clientWidth") // 8)
        columns = [differences[x::line] for x in [*range(12), *range(line - 12, line)]]
        worst = max(sum(column) / len(column) for column in columns)
        if width > height:
            expect(worst < 2.5, f"at an edge a number differs by {worst:.2f} in the mean")
        print(f"      a number differs by {mean:.2f} in the mean, at the edges by {worst:.2f}")


@case(
    "a spoken question is transcribed and answered aloud, and captions keep to what is heard",
    microphone=QUESTION,
)
async def talk(page, context, server):
    await page.open()
    await page.ready()
    await page.page.click("#talk")
    _, words, _, _ = fake_server.script_sound()
    samples = []
    while True:
        state = await page.state()
        samples.append(state)
        replies = [line for line in state["captions"] if line["role"] == "assistant"]
        if replies and replies[-1]["final"]:
            break
        expect(len(samples) < 1500, f"no reply: {state}")
        await asyncio.sleep(0.02)
    expect(
        any(l["text"] == "Hello Luna." and l["final"] for l in state["captions"]),
        "the question has no caption",
    )
    expect(replies[-1]["text"] == "Papa moos eases mobs.", f"the reply's caption is {replies[-1]['text']}")
    for sample in samples:
        shown = [l["text"] for l in sample["captions"] if l["role"] == "assistant" and not l["final"]]
        if shown:
            last = words[len(shown[0].split()) - 1]
            expect(
                last["start_ms"] <= sample["playedMs"] + 1,
                f"'{last['text']}' shows at {sample['playedMs']:.0f} ms",
            )
    seconds = sum(duration for _, level, duration in await page.loudness() if level > 0.02)
    expect(1.2 < seconds < 2.2, f"{seconds:.2f} s of sound were heard")
    expect(state["metrics"].get("heard_ms", 0) > 500, f"the turn's time is {state['metrics']}")
    expect(state["metrics"].get("stt_ms") == 120, "the server's stages are missing")
    expect(await page.page.locator("details.timing").count() == 1, "the turn's time is not shown")


@case("the lips close at p and b, open at vowels, differ between ou and E, and rest in silence", repeats=6)
async def lips(page, context, server):
    await page.open()
    await page.ready()
    await page.page.fill("#text", "Say it")
    await page.page.press("#text", "Enter")
    await page.reply()
    frames = await page.lips()
    _, _, _, shapes = fake_server.script_sound(6)
    seen = {}
    for shape in shapes:
        start, end = shape["start_ms"] / 1000, shape["end_ms"] / 1000
        # The middle of a shape: its edges glide into its neighbours.
        margin = (end - start) * 0.3
        inside = [f for f in frames if start + margin <= f["time"] <= end - margin]
        seen.setdefault(shape["shape"], []).extend(inside)

    def mean(name, key):
        values = [frame[key] for frame in seen[name]]
        expect(len(values) >= 3, f"only {len(values)} frames show {name}")
        return sum(values) / len(values)

    gaps = {name: mean(name, "gap") for name in ("PP", "aa", "oh", "E", "sil")}
    report = json.dumps({name: round(value, 1) for name, value in gaps.items()})
    expect(gaps["PP"] < 0.3 * gaps["aa"], f"the lips do not close: {report}")
    expect(gaps["sil"] < 0.2 * gaps["aa"], f"the mouth is open in silence: {report}")
    expect(gaps["oh"] > gaps["PP"] + 5 and gaps["E"] > gaps["PP"] + 5, f"vowels do not open: {report}")
    ou, e = mean("ou", "width"), mean("E", "width")
    expect(ou < e - 5, f"ou ({ou:.1f}) is not narrower than E ({e:.1f})")


@case("the stop button silences Luna, and the server learns what was heard", repeats=3)
async def stop_button(page, context, server):
    await page.open()
    await page.page.fill("#text", "Go on")
    await page.page.click("button[aria-label=Send]")
    await page.until(lambda s: s["playedMs"] > 900, "the reply")
    before = await page.state()
    await page.page.click("#hush")
    stopped = await page.until(lambda s: s["state"] == "listening", "the stop", 5)
    await asyncio.sleep(0.8)
    late = [level for at, level, _ in await page.loudness() if at > stopped["now"] + 250]
    expect(late and max(late) < 0.001, "the sound went on")
    [cut] = sent(server, "conversation.item.truncate")
    expect(cut["content_index"] == 0 and cut["item_id"] == "item_1", f"truncated {cut}")
    expect(cut["audio_end_ms"] >= before["playedMs"] - 50, f"{cut} at {before['playedMs']}")
    expect(abs(cut["audio_end_ms"] - stopped["playedMs"]) < 2, f"{cut} at {stopped['playedMs']}")
    kinds = [event["type"] for event in server.received]
    if "response.cancel" in kinds:
        expect(
            kinds.index("conversation.item.truncate") < kinds.index("response.cancel"),
            "the reply was cancelled before the server knew what was heard",
        )
    state = await page.state()
    reply = state["captions"][-1]
    expect(reply["final"] and len(reply["text"].split()) < 12, "unheard words stay")
    expect(reply["cutOff"], "the reply is not marked as cut off")
    heard = await page.page.locator("#log li.assistant").last.text_content()
    expect("(interrupted)" in heard, f"a screen reader hears '{heard}'")
    mark = await page.page.evaluate(
        "getComputedStyle(document.querySelector('#log li.cut .bubble'), '::after').content"
    )
    expect("—" in mark, f"the eye sees {mark}")


@case("a held reply is silent with closed lips, then goes on with the next sample", repeats=4)
async def hold(page, context, server):
    async def tell(held):
        event = {"type": "yoob.hold", "response_id": "resp_1", "item_id": "item_1", "held": held}
        await server.tell(event)

    await page.open()
    await page.ready()
    await page.page.fill("#text", "Go on")
    await page.page.press("#text", "Enter")
    await page.until(lambda s: s["playedMs"] > 900, "the reply")
    await tell(True)
    await asyncio.sleep(0.6)
    before = await page.state()
    await asyncio.sleep(0.8)
    after = await page.state()
    expect(after["state"] == "speaking", f"the conversation is {after['state']}")
    expect(after["playedMs"] == before["playedMs"], f"{before['playedMs']} became {after['playedMs']}")
    quiet = [level for at, level, _ in await page.loudness() if before["now"] < at < after["now"]]
    expect(quiet and max(quiet) < 0.001, "held sound is heard")
    lips = await page.page.evaluate("window.yoobDemo.lips()")
    frames = await page.lips()
    widest = max(frame["gap"] for frame in frames)
    expect(lips["gap"] < 0.25 * widest, f"the mouth stays open: {lips['gap']:.1f} of {widest:.1f}")
    await tell(False)
    await page.reply()
    state = await page.state()
    _, words, _, _ = fake_server.script_sound(4)
    expect(abs(state["playedMs"] - words[-1]["end_ms"]) < 300, f"{state['playedMs']} ms were heard")
    expect(not sent(server, "conversation.item.truncate"), "the server was told of an interruption")


@case("the user's voice stops the sound of the reply", microphone=BARGE_IN, repeats=4)
async def barge_in(page, context, server):
    await page.open()
    await page.page.click("#talk")
    await page.until(lambda s: s["state"] == "speaking", "the reply")
    state = await page.until(lambda s: s["state"] != "speaking", "the interruption", 15)
    await asyncio.sleep(0.6)
    levels = [level for at, level, _ in await page.loudness() if state["now"] + 200 < at < state["now"] + 600]
    expect(max(levels) < 0.001, "the sound went on")
    cut = sent(server, "conversation.item.truncate")
    expect(len(cut) == 1 and cut[0]["audio_end_ms"] > 100, f"the server was told {cut}")
    expect(not sent(server, "response.cancel"), "the server cancels by itself when the user speaks")


@case("without permission the page says so, and writing still works", microphone="refused")
async def refused(page, context, server):
    await page.open()
    await page.page.click("#talk")
    state = await page.until(lambda s: s["alert"] != "", "a message")
    expect("microphone" in state["alert"] and "write" in state["alert"], state["alert"])
    await page.page.fill("#text", "Hello")
    await page.page.press("#text", "Enter")
    await page.reply()


@case("a page that comes second is told that Luna is busy", microphone=SILENCE, busy=True)
async def busy(page, context, server):
    await page.open()
    await page.page.click("#talk")
    state = await page.until(lambda s: s["alert"] != "", "a message")
    expect("busy" in state["alert"], state["alert"])
    expect(state["state"] == "ended", state["state"])


@case("a typed message that finds Luna busy is marked as not sent, and can be sent again", busy=True)
async def typed_busy(page, context, server):
    await page.open()
    await page.ready()
    await page.page.fill("#text", "Hello")
    await page.page.press("#text", "Enter")
    state = await page.until(lambda s: s["captions"] and s["captions"][0]["unsent"], "the mark")
    expect("busy" in state["alert"] and "Talk" not in state["alert"], state["alert"])
    expect("Not sent" in await page.page.locator("#log").text_content(), "the log does not say so")
    await page.page.get_by_role("button", name="Send again").click()
    state = await page.until(lambda s: s["alert"] != "", "the second refusal")
    state = await page.until(lambda s: s["captions"] and s["captions"][0]["unsent"], "the mark")
    expect(len(state["captions"]) == 1, f"the message shows twice: {state['captions']}")
    server.busy = False
    await page.page.get_by_role("button", name="Send again").click()
    state = await page.reply()
    expect([line["text"] for line in state["captions"]] == ["Hello", "Papa moos eases mobs."], f"{state['captions']}")
    expect(not any(line["unsent"] for line in state["captions"]), "the mark stays")
    expect(await page.page.locator("#log li.note").count() == 0, "nothing had been said that could be forgotten")


@case("when the server goes while Luna speaks, the caption ends at the last word that was heard", repeats=6)
async def dropped_reply(page, context, server):
    await page.open()
    await page.ready()
    await page.page.fill("#text", "Go on")
    await page.page.press("#text", "Enter")
    await page.until(lambda s: s["playedMs"] > 900, "the reply", 60)
    await server.stop()
    state = await page.until(lambda s: s["captions"][-1]["final"], "the end of the sound that had arrived", 60)
    reply = state["captions"][-1]
    _, words, _, _ = fake_server.script_sound(6)
    heard = [word["text"] for word in words if word["start_ms"] <= state["playedMs"]]
    expect(len(heard) < len(words), "the whole reply had arrived")
    expect(reply["text"] == " ".join(heard), f"'{reply['text']}' at {state['playedMs']:.0f} ms")
    expect(reply["cutOff"], "the reply is not marked as cut off")


@case("a lost connection is opened again by itself", microphone=SILENCE)
async def reconnect(page, context, server):
    await page.open()
    await page.page.click("#talk")
    await page.until(lambda s: s["state"] == "listening", "the conversation")
    server.drop_all()
    state = await page.until(lambda s: s["state"] == "connecting", "the loss")
    expect("lost" in state["alert"], f"the message is '{state['alert']}'")
    state = await page.until(lambda s: s["state"] == "listening", "the new connection")
    expect(len(sent(server, "session.update")) == 2, "the session was not set up again")
    expect(state["alert"] == "", "the message stays")


@case("Luna says after a reconnection that she does not remember", microphone=SILENCE)
async def forgotten(page, context, server):
    await page.open()
    await page.page.click("#talk")
    await page.until(lambda s: s["state"] == "listening", "the conversation")
    notes = page.page.locator("#log li.note")
    server.drop_all()
    await page.until(lambda s: s["state"] == "connecting", "the loss")
    await page.until(lambda s: s["state"] == "listening", "the new connection")
    expect(await notes.count() == 0, "nothing was said that could be forgotten")
    await page.page.fill("#text", "Hello")
    await page.page.press("#text", "Enter")
    await page.reply()
    server.drop_all()
    await page.until(lambda s: s["state"] == "connecting", "the loss")
    await page.until(lambda s: s["state"] == "listening", "the new connection")
    expect(await notes.count() == 1, "the log does not say that the conversation is new")
    expect("does not remember" in await notes.first.text_content(), await notes.first.text_content())
    expect(len((await page.state())["captions"]) == 2, "what was said went away")


@case("End during start-up frees the server's only place, and Talk works again", microphone=SILENCE)
async def stop_while_connecting(page, context, server):
    await page.open()
    server.silent = True
    await page.page.click("#talk")
    await page.until(lambda s: len(server.writers) == 1 and s["state"] == "connecting", "the connection")
    await page.page.click("#talk")
    state = await page.until(lambda s: not server.writers, "the end of the connection", 5)
    expect(state["state"] == "ended" and state["alert"] == "", f"the page says {state}")
    server.silent = False
    await page.page.click("#talk")
    await page.until(lambda s: s["state"] == "listening" and s["microphone"] == "live", "the conversation")
    expect((server.opened, server.most) == (2, 1), f"{server.opened} opened, {server.most} at a time")


@case("all of it works by keyboard, with a focus that can be seen", microphone=SILENCE, repeats=3)
async def keyboard(page, context, server):
    await page.open()
    seen = []
    for _ in range(12):
        await page.page.keyboard.press("Tab")
        seen.append(await page.page.evaluate("document.activeElement.id || document.activeElement.className"))
        outline = await page.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        expect(outline != "none" or seen[-1] in ("", "skip"), f"no visible focus on {seen[-1]}")
        if seen[-1] == "talk":
            break
    expect(seen[-1] == "talk" and "text" in seen, f"the order is {seen}")
    await page.page.keyboard.press("Enter")
    await page.until(lambda s: s["state"] == "listening" and s["microphone"] == "live", "the conversation")
    await page.page.keyboard.press("Tab")
    await page.page.keyboard.press("Space")
    await page.until(lambda s: s["microphone"] == "muted", "mute")
    dot = "getComputedStyle(document.querySelector('#status'), '::before').backgroundColor"
    end = time.monotonic() + 5
    while await page.page.evaluate(dot) != "rgba(0, 0, 0, 0)":
        expect(time.monotonic() < end, "the dot of a muted microphone looks like that of one that listens")
        await asyncio.sleep(0.05)
    await page.page.focus("#text")
    await page.page.keyboard.type("Hello")
    await page.page.keyboard.press("Enter")
    await page.until(lambda s: s["state"] == "speaking", "the reply")
    await page.page.keyboard.press("Escape")
    await page.until(lambda s: s["state"] == "listening", "the stop", 5)
    await page.page.focus("#talk")
    await page.page.keyboard.press("Enter")
    await page.until(lambda s: s["state"] == "ended" and s["microphone"] == "off", "the end")


@case("a screen reader finds a name on every control, and live regions for what happens")
async def names(page, context, server):
    await page.open()
    await page.ready()
    nameless = await page.page.evaluate(
        """[...document.querySelectorAll("button, input, select, [role=img], [role=meter]")]
      .filter((e) => e.offsetParent !== null)
      .filter((e) => !(e.getAttribute("aria-label") || e.labels?.length || e.textContent.trim()))
      .map((e) => e.outerHTML)"""
    )
    expect(not nameless, f"no name on {nameless}")
    roles = await page.page.evaluate(
        "[...document.querySelectorAll('[role]')].map((e) => e.getAttribute('role'))"
    )
    expect({"log", "status", "alert", "img", "meter"} <= set(roles), f"roles {roles}")
    label = await page.page.evaluate(
        "document.querySelector('#character [role=img]').getAttribute('aria-label')"
    )
    expect(label == "Luna", f"the character is called {label}")


OUTSIDE = """[...document.querySelectorAll("button:not([hidden]), input, select")]
  .filter((e) => e.offsetParent !== null && e.closest("#log") === null)
  .filter((e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
  })
  .map((e) => e.id)"""


@case("a phone's screen holds every control without scrolling", size=(390, 844))
async def phone(page, context, server):
    await page.open()
    await page.ready()
    outside = await page.page.evaluate(OUTSIDE)
    expect(not outside, f"outside of the screen: {outside}")
    expect(
        await page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
        "the page scrolls sideways",
    )
    small = await page.page.evaluate(
        """[...document.querySelectorAll("button:not([hidden])")].filter((e) => e.offsetParent !== null)
      .filter((e) => e.getBoundingClientRect().height < 44).map((e) => e.id)"""
    )
    expect(not small, f"too small for a thumb: {small}")


# Canvas units of Luna's lips: their middle, and below the lower one.
LIPS = ((540, 895), (540, 935))
VISIBLE = """(points) => points.every(([x, y]) => {
  const box = document.querySelector("#character img:last-child").getBoundingClientRect();
  const seen = document.elementFromPoint(box.left + x / 1080 * box.width, box.top + y / 1920 * box.height);
  return seen?.closest("#character") != null;
})"""


@case("Luna's mouth is in view at every size, with a long reply and an error too", repeats=4)
async def small_screens(page, context, server):
    await page.open()
    await page.ready()
    await page.page.fill("#text", "A question that takes up two lines at least on a narrow screen, and maybe more")
    await page.page.press("#text", "Enter")
    await page.until(lambda s: s["captions"][-1]["role"] == "assistant", "the reply")
    await page.reply()
    sizes = ((320, 480), (320, 568), (360, 640), (390, 844), (430, 932), (480, 480), (667, 375), (768, 1024), (1280, 800))
    for alert in (False, True):
        if alert:
            server.drop_all()
            server.busy = True
            await page.until(lambda s: "busy" in s["alert"], "the error")
        for width, height in sizes:
            await page.page.set_viewport_size({"width": width, "height": height})
            size = f"{width} x {height}{', with an error' if alert else ''}"
            end = time.monotonic() + 5
            while not await page.page.evaluate(VISIBLE, [list(p) for p in LIPS]):
                expect(time.monotonic() < end, f"the mouth is hidden at {size}")
                await asyncio.sleep(0.05)
            log = await page.page.evaluate("document.querySelector('#log').clientHeight")
            expect(log >= 48, f"the log is {log} pixels high at {size}")
            outside = await page.page.evaluate(OUTSIDE)
            expect(not outside, f"outside of the screen at {size}: {outside}")


@case("the log fades at the edge behind which there is more", size=(390, 844), repeats=3)
async def fading_log(page, context, server):
    await page.open()
    await page.ready()
    fades = """(() => { const style = getComputedStyle(document.querySelector("#log"));
      return [style.maskImage !== "none", style.getPropertyValue("--top"), style.getPropertyValue("--bottom")]; })()"""
    expect((await page.page.evaluate(fades))[0] is False, "an empty log fades")
    await page.page.fill("#text", "and so it goes on and on " * 20)
    await page.page.press("#text", "Enter")
    await page.reply()
    seen = await page.page.evaluate(fades)
    expect(seen[0] and seen[1] != "0px" and seen[2] == "0px", f"at its end: {seen}")
    await page.page.locator("#log").evaluate("(log) => { log.scrollTop = 0; }")
    end = time.monotonic() + 5
    while True:
        seen = await page.page.evaluate(fades)
        if seen[0] and seen[1] == "0px" and seen[2] != "0px":
            break
        expect(time.monotonic() < end, f"at its top: {seen}")
        await asyncio.sleep(0.05)


@case("who may begin sees a green dot, and the times of a turn say that stages overlap")
async def dot_and_times(page, context, server):
    await page.open()
    await page.ready()
    dot = "getComputedStyle(document.querySelector('#status'), '::before').backgroundColor"
    good = "getComputedStyle(document.documentElement).getPropertyValue('--good')"
    expect(await page.page.evaluate(good) == "#2f8f63", "another green")
    for _ in range(2):
        end = time.monotonic() + 5
        while (colour := await page.page.evaluate(dot)) != "rgb(47, 143, 99)":
            expect(time.monotonic() < end, f"the dot is {colour}: {(await page.state())['status']}")
            await asyncio.sleep(0.05)
        await page.page.fill("#text", "Hello")
        await page.page.press("#text", "Enter")
        await page.reply()
    times = page.page.locator("details.timing").first
    await times.locator("summary").click()
    text = await times.inner_text()
    expect("overlap" in text, f"no word on the overlap: {text}")
    totals = await times.locator("dt:not(.part)").all_inner_texts()
    expect(len(totals) == 2 and await times.locator("dt.part").count() == 4, f"{totals} are the totals")


@case("a long talk on a phone scrolls in its log alone, and the newest message stays in view", size=(390, 844))
async def long_talk(page, context, server):
    await page.open()
    await page.page.wait_for_selector("#log li")
    for number in range(25):
        await page.page.fill("#text", f"Message {number}: " + "and so it goes on and on " * 8)
        await page.page.press("#text", "Enter")
        if number % 5 == 0:
            await page.until(lambda s: s["captions"][-1]["role"] == "assistant", "an answer")
    sizes = await page.page.evaluate(
        """(() => {
      const log = document.querySelector("#log"), last = log.lastElementChild.getBoundingClientRect();
      const box = log.getBoundingClientRect();
      document.documentElement.scrollTop = document.body.scrollTop = 500;
      return { page: document.documentElement.scrollHeight, body: document.body.scrollHeight,
        moved: document.documentElement.scrollTop + document.body.scrollTop + scrollY, height: innerHeight,
        log: log.scrollHeight / log.clientHeight, above: last.bottom - box.bottom, below: box.top - last.bottom };
    })()"""
    )
    expect(sizes["page"] <= sizes["height"] and sizes["body"] <= sizes["height"], f"the page is too long: {sizes}")
    expect(sizes["moved"] == 0, f"the page scrolls: {sizes}")
    expect(sizes["log"] > 3, f"the log does not scroll: {sizes}")
    expect(sizes["above"] <= 1 and sizes["below"] < 0, f"the newest message is out of sight: {sizes}")
    # Who reads back is left there, until they write: the reply to this message grows below their view.
    await page.until(lambda s: s["captions"][-1]["final"] and s["state"] != "speaking", "the end of the reply")
    await page.page.fill("#text", "One more message")
    await page.page.press("#text", "Enter")
    await page.page.evaluate("document.querySelector('#log').scrollTop = 100")
    await page.until(
        lambda s: s["captions"][-1]["role"] == "assistant" and s["captions"][-1]["final"], "the next reply"
    )
    expect(await page.page.evaluate("document.querySelector('#log').scrollTop") == 100, "the log jumped")


@case("a server that refuses the page is not said to be out of reach", microphone=SILENCE, refuses=True)
async def refused_page(page, context, server):
    await page.open()
    await page.page.click("#talk")
    state = await page.until(lambda s: s["alert"] != "", "a message")
    expect("running" in state["alert"] and "refuses this page" in state["alert"], state["alert"])
    expect(state["state"] == "ended", state["state"])


async def example(page, context, server):
    await page.open("/readme/")
    await page.page.wait_for_selector("#character canvas")
    note = page.page.locator("#note")
    await page.page.click("#sayButton")
    end = time.monotonic() + 20
    while not any(level > 0.01 for _, level, _ in await page.loudness()):
        expect(time.monotonic() < end, f"nothing was heard: {await note.text_content()}")
        await asyncio.sleep(0.05)
    await page.page.click("#talkButton")
    end = time.monotonic() + 20
    while not await note.text_content():
        expect(time.monotonic() < end, "the page does not say that it may not listen")
        await asyncio.sleep(0.05)
    # A failure that nobody caught would be a problem of the page by now.
    await asyncio.sleep(0.2)


for readme in ("README.md", "web/README.md"):
    case(f"the example of {readme} runs as it is written", microphone="refused", readme=readme)(example)


def damaged_pack():
    """A pack with one wrong byte of the right size."""
    target = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
    shutil.copytree(ROOT / "characters/luna-anime/pack", target / "pack")
    puppet = target / "pack/puppet.bin"
    data = bytearray(puppet.read_bytes())
    data[len(data) // 2] ^= 1
    puppet.write_bytes(data)
    return target / "pack"


@case("a pack with a wrong byte is refused with words, and the voice still works", characters=damaged_pack)
async def damaged(page, context, server):
    await page.open()
    state = await page.until(lambda s: s["phase"] == "failed", "the refusal")
    expect("puppet.bin" in state["alert"], f"the message is '{state['alert']}'")
    await page.page.fill("#text", "Hello")
    await page.page.press("#text", "Enter")
    await page.reply()
