"""Raw WebSocket clients, well-behaved and otherwise."""

import asyncio
import json

import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from harness import Client


def client_frame(event):
    """A text message as a client sends it, its mask all zero."""
    data = json.dumps(event).encode()
    head = bytes([0x81, 0x80 | len(data)]) if len(data) < 126 else \
        bytes([0x81, 0xFE]) + len(data).to_bytes(2, "big")
    return head + bytes(4) + data


async def close_code(socket):
    try:
        while True:
            await asyncio.wait_for(socket.recv(), 20)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


async def test_errors_keep_the_socket_open(server):
    async with server.connect() as socket:
        client = Client(socket)
        await client.until("session.created")
        for text, code, param in [
            ("{", "invalid_json", None), ("[]", "invalid_json", None),
            ('{"event_id": "a"}', "missing_required_parameter", "type"),
            ('{"type": "nonsense"}', "invalid_value", "type"),
            ('{"type": "session.update", "session": {}}', "missing_required_parameter", "session.type"),
            ('{"type": "session.update", "session": {"type": "realtime", "instructions": 1}}',
             "invalid_type", "session.instructions"),
            ('{"type": "input_audio_buffer.append", "audio": "?"}', "invalid_value", "audio"),
            ('{"type": "input_audio_buffer.commit"}', "input_audio_buffer_commit_empty", None),
        ]:
            await socket.send(text)
            error = await client.next()
            assert error["type"] == "error", error
            assert (error["error"]["code"], error["error"]["param"]) == (code, param), error
        await socket.send(b"\0\1")
        assert (await client.next())["error"]["code"] == "invalid_json"
        await client.say("hello")
        assert (await client.until("response.done"))[-1]["response"]["status"] == "completed"


async def test_a_browser_offers_its_key_as_a_subprotocol(server):
    origin = f"http://127.0.0.1:{server.port}"
    async with server.connect(
        subprotocols=["realtime", "openai-insecure-api-key.x"], origin=origin) as socket:
        assert socket.subprotocol == "realtime"
        await Client(socket).until("session.created")


async def test_foreign_origins_hosts_and_paths_are_refused(server):
    async def status(url=None, **options):
        try:
            async with websockets.connect(url or server.url(), **options):
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    assert await status(origin="https://evil.example") == 403
    assert await status(additional_headers={"Host": "evil.example"}) in (400, 403)
    assert await status(server.url("/other")) == 404
    assert await status() == 101


async def test_a_second_conversation_is_told_that_luna_is_busy(server):
    async with server.connect() as first:
        await Client(first).until("session.created")
        async with server.connect() as second:
            error = await Client(second).next()
            assert error["error"]["code"] == "yoob_busy"
            assert error["error"]["message"].startswith("Luna is already talking")
            assert await close_code(second) == 1013
        await Client(first).say("hello")
        await Client(first).until("response.done")
    async with server.connect() as third:
        await Client(third).until("session.created")


async def test_extensions_come_to_those_who_ask(server):
    async with server.connect() as socket:
        client = Client(socket)
        await client.until("session.created")
        await client.say("plain client")
        types = {event["type"] for event in await client.until("response.done")}
        assert not any(type.startswith("yoob.") for type in types)
        await client.send(type="session.update", session={
            "type": "realtime",
            "include": ["yoob.words", "yoob.visemes", "yoob.prosody", "yoob.partials", "yoob.metrics"]})
        await client.say("curious client")
        events = {e["type"]: e for e in await client.until("yoob.metrics")}
        item = events["response.output_item.added"]["item"]["id"]
        assert events["yoob.words"]["item_id"] == item
        assert events["yoob.words"]["words"][0] == {"text": "curious", "start_ms": 0, "end_ms": 200}
        assert events["yoob.visemes"]["rate"] == 100
        assert len(events["yoob.visemes"]["frames"][0]) == 15
        assert events["yoob.prosody"]["item_id"] == item
        told = {key: events["yoob.prosody"][key] for key in ("start_ms", "rate", "pitch", "marks")}
        assert told == {"start_ms": 0, "rate": 50, "pitch": [0, 180], "marks": [0, 1]}
        assert events["yoob.metrics"]["response_id"] == events["response.created"]["response"]["id"]
        await client.send(type="input_audio_buffer.append", audio="AAAA" * 16_000)
        assert (await client.until("yoob.partial"))[-1]["text"] == "what"


async def test_a_client_that_does_not_read_is_closed(server):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
    writer.write((
        "GET /v1/realtime?model=luna HTTP/1.1\r\n"
        f"Host: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
    await reader.readuntil(b"\r\n\r\n")
    for event in [
        {"type": "conversation.item.create", "item": {
            "type": "message", "role": "user",
            "content": [{"type": "input_text", "text": "flood"}]}},
        {"type": "response.create"},
    ]:
        payload = json.dumps(event).encode()
        writer.write(bytes([0x81, 0x80 | 126]) + len(payload).to_bytes(2, "big") + bytes(4) + payload)
    # The place is free again when the server has given the client up.
    for _ in range(100):
        async with server.connect() as socket:
            event = await Client(socket).next()
            if event["type"] == "session.created":
                break
        await asyncio.sleep(0.2)
    else:
        raise AssertionError("the client that does not read keeps its place")
    writer.close()


async def test_a_failing_agent_ends_its_conversation_only(server):
    for text, code in [("crash", "script"), ("quit", "agent_ended")]:
        async with server.connect() as socket:
            client = Client(socket)
            await client.until("session.created")
            await client.say(text)
            events = await client.until("error")
            assert events[-1]["error"]["code"] == code
            assert await close_code(socket) == 1011
    async with server.connect() as socket:
        await Client(socket).until("session.created")


async def test_a_large_message_is_refused(server):
    async with server.connect() as socket:
        await Client(socket).until("session.created")
        await socket.send("x" * (2 << 20))
        assert await close_code(socket) == 1009


async def test_text_that_is_not_utf8_is_refused(server):
    async with server.connect() as socket:
        await Client(socket).until("session.created")
        await socket.send(b"\xff\xfe", text=True)
        assert await close_code(socket) == 1007


async def test_a_client_that_comes_early_waits(server):
    async with server.connect() as socket:
        await Client(socket).say("early")
        events = await Client(socket).until("response.done")
        assert events[0]["type"] == "session.created"


test_a_client_that_comes_early_waits.options = {"starts_after": 1}


async def test_a_client_that_leaves_early_frees_its_place(server):
    async with server.connect():
        pass
    for _ in range(50):
        async with server.connect() as socket:
            await asyncio.sleep(0.1)
            if socket.state is websockets.State.OPEN:
                return
    raise AssertionError("the place is still taken")


test_a_client_that_leaves_early_frees_its_place.options = {"starts_after": 600, "stays_up": False}


async def test_stopping_says_goodbye(server):
    async with server.connect() as socket:
        await Client(socket).until("session.created")
        server.process.terminate()
        assert await close_code(socket) == 1001
    await server.process.wait()
    assert server.process.returncode == 0


test_stopping_says_goodbye.options = {"stays_up": False}


async def test_stopping_waits_for_no_client(server):
    """Neither one that does not read nor one that does not answer the goodbye."""
    reader, writer = await server.open_raw()
    writer.write(client_frame({"type": "conversation.item.create", "item": {
        "type": "message", "role": "user", "content": [{"type": "input_text", "text": "long"}]}}))
    writer.write(client_frame({"type": "response.create"}))
    await reader.readuntil(b"response.output_audio.delta")
    server.process.terminate()
    await asyncio.wait_for(server.process.wait(), 3)
    assert server.process.returncode == 0
    rest = await reader.read()
    assert b"The server is stopping." in rest and rest.index((1001).to_bytes(2, "big") + b"The server")
    writer.close()


test_stopping_waits_for_no_client.options = {"stays_up": False}


async def test_many_connections_leave_nothing_behind(server):
    for _ in range(50):
        async with server.connect() as socket:
            await Client(socket).next()
    async with server.connect() as socket:
        await Client(socket).until("session.created")
