"""A server under test, and raw clients for it."""

import asyncio
import json
import os
import tempfile
from urllib.parse import urlparse

import websockets


class Server:
    """Starts the program on a free port with a small web folder; stops it at the end."""

    def __init__(self, program, starts_after=0, stays_up=True):
        self.program, self.starts_after, self.stays_up = program, starts_after, stays_up

    async def __aenter__(self):
        self.folder = tempfile.TemporaryDirectory()
        root = self.folder.name
        self.web = os.path.join(root, "web")
        os.makedirs(os.path.join(self.web, "lib"))
        with open(os.path.join(root, "secret.txt"), "w") as file:
            file.write("secret")
        for name, content in {
            "index.html": b"<!doctype html><title>Luna</title>",
            "app.js": b"0123456789",
            "lib/core.wasm": b"\0asm",
            "lib/types.d.ts": b"export {};",
            ".hidden": b"hidden",
        }.items():
            with open(os.path.join(self.web, name), "wb") as file:
                file.write(content)
        os.symlink(os.path.join(root, "secret.txt"), os.path.join(self.web, "out.txt"))
        os.symlink(root, os.path.join(self.web, "up"))
        os.symlink("app.js", os.path.join(self.web, "alias.js"))
        self.process = await asyncio.create_subprocess_exec(
            self.program, "--port", "0", "--web", self.web,
            "--starts-after", str(self.starts_after), stdout=asyncio.subprocess.PIPE)
        self.address = (await self.process.stdout.readline()).decode().strip()
        self.port = urlparse(self.address).port
        return self

    async def __aexit__(self, *_):
        is_running = self.process.returncode is None
        if is_running:
            self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), 10)
        except asyncio.TimeoutError:
            self.process.kill()
            raise AssertionError("the server did not stop")
        self.folder.cleanup()
        if self.stays_up:
            assert is_running and self.process.returncode == 0, "the server died"

    def url(self, path="/v1/realtime?model=luna"):
        return f"ws://127.0.0.1:{self.port}{path}"

    def connect(self, **options):
        """A raw WebSocket client."""
        return websockets.connect(self.url(), max_size=None, **options)

    async def open_raw(self):
        """The streams of a WebSocket that nobody answers for: no pong, no goodbye."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(
            (f"GET /v1/realtime HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head
        return reader, writer

    async def request(self, text):
        """Sends raw bytes of HTTP; returns the status, the header fields and the body."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(text.encode() if isinstance(text, str) else text)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = {}
        for line in head[1:]:
            if ":" in line:
                name, value = line.split(":", 1)
                fields[name.lower()] = value.strip()
        is_head = text.startswith("HEAD" if isinstance(text, str) else b"HEAD")
        length = 0 if is_head else int(fields.get("content-length", 0))
        body = await reader.readexactly(length)
        writer.close()
        return int(head[0].split()[1]), fields, body

    async def get(self, path, method="GET", host=None, **fields):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        return await self.request("\r\n".join(lines) + "\r\n\r\n")


class Client:
    """Realtime events over a raw WebSocket."""

    def __init__(self, socket):
        self.socket = socket

    async def send(self, **event):
        await self.socket.send(json.dumps(event))

    async def next(self):
        return json.loads(await asyncio.wait_for(self.socket.recv(), 20))

    async def until(self, type):
        """The events up to the first one of the type; an error event fails unless awaited."""
        events = []
        while True:
            event = await self.next()
            events.append(event)
            if event["type"] == type:
                return events
            assert event["type"] != "error", event

    async def say(self, text):
        await self.send(
            type="conversation.item.create",
            item={"type": "message", "role": "user",
                  "content": [{"type": "input_text", "text": text}]})
        await self.send(type="response.create")
