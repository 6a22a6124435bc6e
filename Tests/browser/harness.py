"""Runs cases in headless Chromium and counts them."""

import asyncio
import base64
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time
import traceback
import wave

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests" / "Fixtures"
HOME = pathlib.Path(os.environ.get("YOOB_HOME", pathlib.Path.home() / ".cache" / "yoob"))
sys.path.insert(0, str(HOME / "tools" / "web"))

from playwright.async_api import async_playwright  # noqa: E402

GRAPHICS = [
    "--enable-unsafe-webgpu",
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
    "--use-angle=swiftshader",
]
FAKE_MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]

# Runs in the page before its own script: records the sound that leaves for the loudspeaker (as loudness by
# time, and whole, by the browser's own encoder, which a busy page does not disturb), and each frame of
# the lips, and the first frame that shows the poster.
RECORDER = """
(() => {
  const heard = [];
  const pieces = [];
  let recorder;
  const level = (samples) => Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
  const connect = AudioNode.prototype.connect;
  const tapped = new WeakSet();
  AudioNode.prototype.connect = function (target, ...rest) {
    const context = this.context;
    if (target === context.destination && this instanceof AudioWorkletNode && !tapped.has(this)) {
      tapped.add(this);
      const tap = context.createScriptProcessor(2048, 1, 1);
      tap.onaudioprocess = ({ inputBuffer }) =>
        heard.push([performance.now(), level(inputBuffer.getChannelData(0)), inputBuffer.duration]);
      connect.call(this, tap);
      const stream = context.createMediaStreamDestination();
      connect.call(this, stream);
      const options = { mimeType: "audio/webm;codecs=opus", audioBitsPerSecond: 96000 };
      recorder = new MediaRecorder(stream.stream, options);
      recorder.ondataavailable = ({ data }) => pieces.push(data);
      recorder.start(500);
      connect.call(tap, context.destination);
    }
    return connect.call(this, target, ...rest);
  };
  const lips = [];
  const nextFrame = window.requestAnimationFrame.bind(window);
  let poster;
  const watch = () => {
    const picture = document.querySelector("#character img:last-child");
    if (picture?.naturalWidth > 0 && picture.parentElement.style.opacity === "1") poster ??= performance.now();
    const now = window.yoobDemo?.lips();
    const last = lips[lips.length - 1];
    if (now && (last === undefined || now.time !== last.time || now.time < 0)) {
      if (lips.length < 20000) lips.push({ ...now, at: performance.now() });
    }
    nextFrame(watch);
  };
  nextFrame(watch);
  const base64 = async (blob) => {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(text);
  };
  window.testRecorder = {
    lips: () => lips,
    posterMs: () => poster ?? null,
    blocks: () => heard,
    sound: async () => {
      const stopped = new Promise((resolve) => (recorder.onstop = resolve));
      recorder.stop();
      await stopped;
      return base64(new Blob(pieces));
    },
  };
})();
"""

STATE = """() => ({
  phase: yoobDemo.phase, state: yoobDemo.state, playedMs: yoobDemo.playedMs, microphone: yoobDemo.microphone,
  renderer: yoobDemo.renderer ?? null, captions: yoobDemo.captions(), metrics: yoobDemo.metrics,
  now: performance.now(),
  alert: document.querySelector("#alert").hidden ? "" : document.querySelector("#alert p").textContent,
  status: document.querySelector("#status").textContent,
})"""

CASES = []


class Failure(Exception):
    """What a case expected and did not find."""


def case(name, **needs):
    """Registers a case; `needs` choose its browser: microphone (a WAV, None, or "refused"), reduced, size."""

    def register(function):
        CASES.append((name, needs, function))
        return function

    return register


def expect(condition, message):
    if not condition:
        raise Failure(message)


class Page:
    """The demo page, with what a case asks of it."""

    def __init__(self, page, address):
        self.page, self.address = page, address
        self.problems, self.frames = [], []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("websocket", self._socket)

    def _socket(self, socket):
        def keep(payload):
            with contextlib.suppress(ValueError, TypeError):
                event = json.loads(payload)
                if event.get("type") not in ("response.output_audio.delta", "input_audio_buffer.append"):
                    self.frames.append(event)

        socket.on("framereceived", keep)

    async def open(self, path="/"):
        self.opened = time.monotonic()
        await self.page.goto(self.address + path)

    async def state(self):
        return await self.page.evaluate(STATE)

    async def until(self, condition, what, seconds=20):
        """Polls the page: its security policy allows no scripts from text inside it."""
        end = time.monotonic() + seconds
        while True:
            state = await self.state()
            if condition(state):
                return state
            expect(time.monotonic() < end, f"{what} did not happen within {seconds} s; the page says {state}")
            await asyncio.sleep(0.05)

    async def ready(self):
        return await self.until(lambda s: s["phase"] in ("ready", "speaking"), "the face", 60)

    async def reply(self, seconds=60, count=1):
        """Waits until `count` replies were heard to the end."""

        def finished(state):
            replies = [line for line in state["captions"] if line["role"] == "assistant" and line["final"]]
            return len(replies) >= count and state["state"] in ("listening", "idle", "ended")

        return await self.until(finished, "the reply", seconds)

    async def picture(self, selector):
        """What an element shows, an eighth of its size, as bytes of red, green and blue."""
        png = await self.page.locator(selector).screenshot()
        scaling = "-vf scale=iw/8:ih/8:flags=area -f rawvideo -pix_fmt rgb24"
        command = f"ffmpeg -loglevel error -i pipe:0 {scaling} pipe:1".split()
        return subprocess.run(command, input=png, capture_output=True, check=True).stdout

    async def sound(self, target):
        """Writes the sound that left for the loudspeaker as a WAV of 16 kHz; recording ends with that."""
        data = base64.b64decode(await self.page.evaluate("testRecorder.sound()"))
        command = [
            "ffmpeg",
            "-loglevel",
            "error",
            "-y",
            "-i",
            "pipe:0",
            "-ac",
            "1",
            "-ar",
            "16000",
            "-c:a",
            "pcm_s16le",
            target,
        ]
        subprocess.run(command, input=data, check=True)

    async def loudness(self):
        """[time of the page, root mean square, seconds] of each block that left for the loudspeaker."""
        return await self.page.evaluate("testRecorder.blocks()")

    async def lips(self):
        """Every frame of the lips while an utterance was heard."""
        return [frame for frame in await self.page.evaluate("testRecorder.lips()") if frame["time"] >= 0]


def microphone_wav(folder, name, *parts):
    """A WAV of recordings (16 kHz mono PCM16) and pauses (seconds) one after the other."""
    target = pathlib.Path(folder) / name
    with wave.open(str(target), "wb") as out:
        out.setparams((1, 2, 16000, 0, "NONE", "not compressed"))
        for part in parts:
            if isinstance(part, (int, float)):
                out.writeframes(bytes(2 * int(part * 16000)))
                continue
            with wave.open(str(part), "rb") as recording:
                expect(recording.getparams()[:3] == (1, 2, 16000), f"{part} is not 16 kHz mono PCM16")
                out.writeframes(recording.readframes(recording.getnframes()))
    return target


@contextlib.asynccontextmanager
async def browser_page(playwright, address, needs):
    """A fresh browser with the page's address, closed afterwards."""
    arguments = ["--no-sandbox", *needs.get("graphics", GRAPHICS), "--autoplay-policy=user-gesture-required"]
    microphone = needs.get("microphone")
    if microphone == "refused":
        arguments += ["--use-fake-device-for-media-stream"]
    elif microphone is not None:
        arguments += [*FAKE_MICROPHONE, f"--use-file-for-fake-audio-capture={microphone}%noloop"]
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    browser = await playwright.chromium.launch(executable_path=chromium, args=arguments)
    try:
        width, height = needs.get("size", (1280, 800))
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            permissions=["microphone"] if microphone not in (None, "refused") else [],
            reduced_motion="reduce" if needs.get("reduced") else "no-preference",
        )
        await context.add_init_script(RECORDER)
        yield Page(await context.new_page(), address), context
    finally:
        await browser.close()


async def run_cases(cases, setting):
    """Runs cases one after another; `setting(needs)` is a context manager that gives (address, extra)."""
    passed = failed = 0
    async with async_playwright() as playwright:
        for name, needs, function in cases:
            started = time.monotonic()
            try:
                async with setting(needs) as (address, extra):
                    async with browser_page(playwright, address, needs) as (page, context):
                        await asyncio.wait_for(function(page, context, extra), needs.get("limit", 150))
                        expect(not page.problems, f"the page's script failed: {page.problems}")
                passed += 1
                print(f"ok    {name} ({time.monotonic() - started:.1f} s)", flush=True)
            except (
                Exception
            ) as error:  # noqa: BLE001 - every failure of a case is reported, and the next runs
                failed += 1
                print(f"FAIL  {name}: {error}", flush=True)
                if not isinstance(error, Failure):
                    traceback.print_exc()
    return passed, failed
