"""A voice server with a script instead of models, for tests of the page: HTTP files and /v1/realtime.

Speech of the microphone is found by its loudness; the answer is a fixed sound with mouth frames and
word times that are known exactly. Standard library only.
"""

import array
import asyncio
import base64
import hashlib
import json
import math
import pathlib
import time
import urllib.parse

RATE = 24000
VISEMES = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"]
# What the scripted answer says: word, mouth shapes with milliseconds.
SCRIPT = [
    ("Papa", [("PP", 100), ("aa", 220), ("PP", 100), ("aa", 220)]),
    ("moos", [("PP", 120), ("ou", 300), ("SS", 120)]),
    ("", [("sil", 500)]),
    ("eases", [("E", 320), ("SS", 120), ("E", 240), ("SS", 120)]),
    ("mobs.", [("PP", 120), ("oh", 260), ("PP", 120), ("SS", 100)]),
]
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".bin": "application/octet-stream",
}


def script_sound(repeats=1):
    """The answer: samples, words, mouth frames (100 a second), shapes with their times."""
    samples, words, frames, shapes = array.array("h"), [], [], []
    clock = 0
    tones = {"aa": 220, "E": 260, "ih": 280, "oh": 200, "ou": 180}
    for _ in range(repeats):
        for word, parts in SCRIPT:
            start = clock
            for shape, ms in parts:
                shapes.append({"shape": shape, "start_ms": clock, "end_ms": clock + ms})
                for n in range(RATE * ms // 1000):
                    level = 0 if shape == "sil" else 9000 if shape in tones else 700
                    edge = min(1, n / 240, (RATE * ms // 1000 - n) / 240)
                    phase = 2 * math.pi * tones.get(shape, 140) * n / RATE
                    samples.append(int(level * edge * math.sin(phase)))
                frame = [0.0] * 15
                frame[VISEMES.index(shape)] = 1.0
                frames += [frame] * (ms // 10)
                clock += ms
            if word:
                words.append({"text": word, "start_ms": start, "end_ms": clock})
    return samples, words, frames, shapes


class Connection:
    """One conversation."""

    def __init__(self, server, send):
        self.server, self.send = server, send
        self.input_ms, self.loud, self.quiet, self.speaking = 0, 0, 0, False
        self.count, self.reply = 0, None
        self.include = []

    async def start(self):
        await self.send({"type": "session.created", "session": {"type": "realtime", "id": "sess_1"}})

    async def receive(self, event):
        kind = event.get("type")
        self.server.received.append(event if kind != "input_audio_buffer.append" else {"type": kind})
        del self.server.received[:-500]
        if kind == "session.update":
            self.include = event["session"].get("include", [])
            await self.send({"type": "session.updated", "session": event["session"]})
        elif kind == "input_audio_buffer.append":
            await self.hear(base64.b64decode(event["audio"]))
        elif kind == "conversation.item.create":
            await self.send({"type": "conversation.item.added", "item": event["item"]})
        elif kind == "response.create":
            self.begin_reply()
        elif kind == "response.cancel":
            if self.reply is None or self.reply.done():
                error = {
                    "type": "invalid_request_error",
                    "code": "response_cancel_not_active",
                    "message": "none",
                }
                await self.send({"type": "error", "error": error})
            else:
                self.reply.cancel()
        elif kind == "test.drop":
            self.server.drop_all()

    async def hear(self, pcm):
        samples = array.array("h", pcm)
        level = math.sqrt(sum(s * s for s in samples) / max(1, len(samples)))
        self.input_ms += len(samples) * 1000 // RATE
        self.loud = self.loud + 1 if level > 900 else 0
        self.quiet = 0 if level > 900 else self.quiet + 1
        if not self.speaking and self.loud >= 5:
            self.speaking = True
            if self.reply is not None:
                self.reply.cancel()
            await self.send(
                {
                    "type": "input_audio_buffer.speech_started",
                    "audio_start_ms": self.input_ms - 100,
                    "item_id": f"user_{self.count}",
                }
            )
        if self.speaking and self.loud == 0 and self.quiet >= 25:
            self.speaking = False
            item = f"user_{self.count}"
            await self.send(
                {
                    "type": "input_audio_buffer.speech_stopped",
                    "audio_end_ms": self.input_ms - 500,
                    "item_id": item,
                }
            )
            await self.send({"type": "yoob.partial", "item_id": item, "text": "Hello"})
            await self.send(
                {
                    "type": "conversation.item.input_audio_transcription.completed",
                    "item_id": item,
                    "content_index": 0,
                    "transcript": "Hello Luna.",
                }
            )
            self.begin_reply()

    def begin_reply(self):
        self.count += 1
        self.reply = asyncio.ensure_future(self.speak(f"resp_{self.count}", f"item_{self.count}"))

    async def speak(self, response, item):
        base = {"response_id": response, "item_id": item, "output_index": 0, "content_index": 0}
        samples, words, frames, _ = script_sound(self.server.repeats)
        status = "completed"
        await self.send({"type": "response.created", "response": {"id": response, "status": "in_progress"}})
        try:
            await asyncio.sleep(0.1)
            await self.send({"type": "yoob.words", "item_id": item, "words": words})
            if "yoob.visemes" in self.include:
                await self.send(
                    {"type": "yoob.visemes", "item_id": item, "start_ms": 0, "rate": 100, "frames": frames}
                )
            if "yoob.prosody" in self.include:
                hertz = [200 + 12 * max(0, 8 - abs(frame % 50 - 25)) for frame in range(len(frames) // 2)]
                await self.send(
                    {"type": "yoob.prosody", "item_id": item, "start_ms": 0, "rate": 50, "pitch": hertz,
                     "marks": [0] * len(hertz)}
                )
            text = " ".join(word["text"] for word in words)
            await self.send({"type": "response.output_audio_transcript.delta", **base, "delta": text})
            for at in range(0, len(samples), RATE // 5):
                piece = samples[at : at + RATE // 5].tobytes()
                await self.send(
                    {"type": "response.output_audio.delta", **base, "delta": base64.b64encode(piece).decode()}
                )
                await asyncio.sleep(0.05)
            await self.send(
                {
                    "type": "yoob.metrics",
                    "response_id": response,
                    "stages": {
                        "endpoint_ms": 500,
                        "stt_ms": 120,
                        "llm_first_token_ms": 60,
                        "tts_first_audio_ms": 70,
                        "first_audio_ms": 750,
                    },
                }
            )
            await self.send({"type": "response.output_audio.done", **base})
            await self.send({"type": "response.output_audio_transcript.done", **base, "transcript": text})
        except asyncio.CancelledError:
            status = "cancelled"
        await self.send(
            {"type": "response.done", "response": {"id": response, "status": status, "output": []}}
        )


class FakeServer:
    """Files under `roots` ({prefix: folder}) and conversations."""

    def __init__(self, roots):
        self.roots = {prefix: pathlib.Path(folder).resolve() for prefix, folder in roots.items()}
        self.received, self.repeats, self.writers, self.busy = [], 1, set(), False
        # Connections that were opened, the most at a time, and whether new ones wait for their greeting.
        self.opened, self.most, self.silent = 0, 0, False
        # Whether the handshake of a conversation is answered with 403.
        self.refuses = False
        self.server = self.loop = None
        self.connections = set()
        self.port = 0

    async def start(self, port=0):
        self.loop = asyncio.get_running_loop()
        self.server = await asyncio.start_server(self.handle, "127.0.0.1", port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def stop(self):
        self.server.close()
        self.drop_all()

    async def tell(self, event):
        """Sends an event to every conversation."""
        for connection in self.connections:
            await connection.send(event)

    def drop_all(self):
        for writer in list(self.writers):
            writer.transport.abort()

    async def handle(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:])}
                path = urllib.parse.unquote(urllib.parse.urlsplit(head[0].split(" ")[1]).path)
                if headers.get("upgrade", "").lower() == "websocket":
                    return await self.upgrade(reader, writer, headers)
                self.file(writer, path)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def file(self, writer, path):
        status, body, kind = "404 Not Found", b"not found", "text/plain"
        if path == "/v1/realtime":
            status = "426 Upgrade Required"
        prefix = max((p for p in self.roots if path.startswith(p)), key=len, default=None)
        if prefix is not None:
            root = self.roots[prefix]
            target = (root / (path[len(prefix) :] or "index.html")).resolve()
            if target.is_file() and root in target.parents:
                status, body, kind = "200 OK", target.read_bytes(), TYPES.get(target.suffix, "text/plain")
        fields = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\nCache-Control: no-store"
        head = f"HTTP/1.1 {status}\r\n{fields}\r\n\r\n"
        writer.write(head.encode() + body)

    async def upgrade(self, reader, writer, headers):
        if self.refuses:
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            return await writer.drain()
        key = headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        writer.write(
            (
                f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Accept: {accept}\r\nSec-WebSocket-Protocol: realtime\r\n\r\n"
            ).encode()
        )
        if self.busy:
            writer.write(b"\x88\x06" + (1013).to_bytes(2, "big") + b"busy")
            return await writer.drain()
        self.writers.add(writer)
        self.opened += 1
        self.most = max(self.most, len(self.writers))

        async def send(event):
            data = json.dumps(event).encode()
            size = len(data)
            head = bytes([0x81]) + (
                bytes([size])
                if size < 126
                else b"\x7e" + size.to_bytes(2, "big") if size < 65536 else b"\x7f" + size.to_bytes(8, "big")
            )
            writer.write(head + data)

        connection = Connection(self, send)
        self.connections.add(connection)
        try:
            if not self.silent:
                await connection.start()
            while True:
                message = await self.message(reader)
                if message is None:
                    return
                await connection.receive(json.loads(message))
        finally:
            self.writers.discard(writer)
            self.connections.discard(connection)
            if connection.reply is not None:
                connection.reply.cancel()

    async def message(self, reader):
        data = b""
        while True:
            first, second = await reader.readexactly(2)
            size = second & 127
            if size > 125:
                size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
            mask = await reader.readexactly(4)
            payload = await reader.readexactly(size)
            mask = (mask * (size // 4 + 1))[:size]
            payload = (
                (int.from_bytes(payload, "big") ^ int.from_bytes(mask, "big")).to_bytes(size, "big")
                if size
                else b""
            )
            if first & 15 == 8:
                return None
            data += payload
            if first & 128:
                return data


if __name__ == "__main__":
    import sys

    async def main():
        root = pathlib.Path(__file__).resolve().parents[2]
        server = FakeServer(
            {
                "/": root / "web/dist/demo",
                "/characters/": sys.argv[2] if len(sys.argv) > 2 else root / "characters",
            }
        )
        await server.start(int(sys.argv[1]) if len(sys.argv) > 1 else 8931)
        print(f"http://127.0.0.1:{server.port}/", flush=True)
        while True:
            await asyncio.sleep(3600)

    asyncio.run(main())
