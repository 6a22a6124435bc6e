"""The agent's end of the virtual sound card: frames on standard input and output.

A frame is a letter, the length of the body in four bytes (little-endian), and the body:

    a   sound, PCM16 mono. To the agent: 20 ms at 16 kHz. From it: four bytes of sample rate, then the samples.
    e   from the agent: one JSON object, {"type": "ready" | "state" | "interrupted" | "history" | "error", …}
    h   to the agent: asks for a "history" event, whose "messages" are what the language model sees

A peer's adapter uses `Link` and `run`; our own session speaks the same frames from `yoob bench pipe`.
"""

import argparse
import asyncio
import json
import os
import struct
import sys
import threading
import time

MICROPHONE_RATE = 16_000
HEAD = struct.Struct("<cI")


def read_frame(stream):
    """(kind, body) of the next frame, or None at the end of the stream."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, size = HEAD.unpack(head)
    body = stream.read(size)
    return (kind, body) if len(body) == size else None


def frame(kind, body):
    """The bytes of one frame."""
    return HEAD.pack(kind, len(body)) + body


class Link:
    """Standard input and output of an adapter, kept from libraries that print."""

    def __init__(self):
        self._input = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
        self._output = os.dup(1)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self._order = threading.Lock()
        self._card_end = 0.0

    def start(self, on_sound, on_history, on_end):
        """Reads frames in a thread: calls `on_sound(bytes)`, `on_history()`, and at last `on_end()`."""
        def read():
            while (received := read_frame(self._input)) is not None:
                kind, body = received
                if kind == b"a":
                    on_sound(body)
                elif kind == b"h":
                    on_history()
            on_end()
        threading.Thread(target=read, daemon=True).start()

    async def converse(self, push, history):
        """Tells that the agent is ready; then gives its sound to `push(pcm, loop)` from a thread, and tells what
        `history()` returns in this loop when asked for it. Returns when the card hangs up."""
        loop, ending = asyncio.get_running_loop(), asyncio.Event()
        self.event("ready")
        self.start(
            on_sound=lambda pcm: push(pcm, loop),
            on_history=lambda: loop.call_soon_threadsafe(lambda: self.event("history", messages=history())),
            on_end=lambda: loop.call_soon_threadsafe(ending.set))
        await ending.wait()

    def event(self, kind, **fields):
        """Tells of something that happened."""
        self._send(b"e", json.dumps({"type": kind, **fields}).encode())

    def play(self, pcm, rate):
        """Gives the card a block of PCM16 and blocks until it begins to sound, as a sound card does."""
        start = max(time.monotonic(), self._card_end)
        self._card_end = start + len(pcm) / 2 / rate
        self._send(b"a", struct.pack("<I", rate) + pcm)
        wait = start - time.monotonic()
        if wait > 0:
            time.sleep(wait)

    @property
    def card_end(self):
        """When the card has played all that it was given, by `time.monotonic()`."""
        return self._card_end

    def _send(self, kind, body):
        data = memoryview(frame(kind, body))
        with self._order:
            while data:
                data = data[os.write(self._output, data):]


def run(main, description):
    """Runs `main(options)` with the options that every adapter takes, and ends the program."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--whisper", required=True)
    parser.add_argument("--llm", required=True)
    parser.add_argument("--compute", default="int8")
    parser.add_argument("--max-tokens", type=int, default=24)
    parser.add_argument("--system-prompt", default="")
    asyncio.run(main(parser.parse_args()))
    os._exit(0)  # threads of the libraries may outlive the conversation
