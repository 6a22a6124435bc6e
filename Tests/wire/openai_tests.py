"""The unmodified openai client."""

import base64

from openai import AsyncOpenAI


def connect(server):
    client = AsyncOpenAI(api_key="x", base_url=f"http://127.0.0.1:{server.port}/v1")
    return client.realtime.connect(model="luna")


async def until(connection, type):
    events = []
    async for event in connection:
        events.append(event)
        if event.type == type:
            return events
        assert event.type != "error", event


async def say(connection, text):
    await connection.conversation.item.create(
        item={"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
    await connection.response.create()


async def test_openai_updates_the_session(server):
    async with connect(server) as connection:
        created = (await until(connection, "session.created"))[-1]
        assert created.session.audio.input.turn_detection.type == "server_vad"
        await connection.session.update(session={
            "type": "realtime", "output_modalities": ["audio"], "instructions": "Be brief.",
            "audio": {
                "input": {"format": {"type": "audio/pcm", "rate": 24000},
                          "turn_detection": {"type": "server_vad", "silence_duration_ms": 700}},
                "output": {"format": {"type": "audio/pcm", "rate": 24000}, "speed": 1.2}}})
        session = (await until(connection, "session.updated"))[-1].session
        assert session.instructions == "Be brief."
        assert session.audio.input.turn_detection.silence_duration_ms == 700
        assert session.audio.output.speed == 1.2
        await connection.session.update(session={
            "type": "realtime", "audio": {"input": {"turn_detection": None}}})
        session = (await until(connection, "session.updated"))[-1].session
        assert session.audio.input.turn_detection is None


async def test_openai_sends_a_text_and_gets_speech(server):
    async with connect(server) as connection:
        await until(connection, "session.created")
        await say(connection, "good morning")
        events = await until(connection, "response.done")
        audio = b"".join(
            base64.b64decode(e.delta) for e in events if e.type == "response.output_audio.delta")
        assert len(audio) == 48_000
        text = "".join(
            e.delta for e in events if e.type == "response.output_audio_transcript.delta")
        assert text == "You said: good morning"
        response = events[-1].response
        assert response.status == "completed"
        assert response.output[0].content[0].type == "output_audio"
        assert response.output[0].content[0].transcript == text
        assert response.usage.total_tokens is not None


async def test_openai_speaks_and_is_transcribed(server):
    async with connect(server) as connection:
        await until(connection, "session.created")
        for _ in range(50):
            await connection.input_audio_buffer.append(
                audio=base64.b64encode(bytes(960)).decode())
        events = await until(connection, "response.done")
        types = [e.type for e in events]
        started = events[types.index("input_audio_buffer.speech_started")]
        committed = events[types.index("input_audio_buffer.committed")]
        completed = next(e for e in events if e.type.endswith("transcription.completed"))
        assert started.item_id == committed.item_id == completed.item_id
        assert completed.transcript == "what time is it"
        assert committed.previous_item_id is None
        assert types.index("input_audio_buffer.committed") < types.index("response.created")


async def test_openai_cancels_a_response(server):
    async with connect(server) as connection:
        await until(connection, "session.created")
        await say(connection, "long")
        events = await until(connection, "response.output_audio.delta")
        await connection.response.cancel()
        events += await until(connection, "response.done")
        assert events[-1].response.status == "cancelled"
        assert events[-1].response.status_details.reason == "client_cancelled"
        await say(connection, "again")
        events = await until(connection, "response.done")
        assert events[-1].response.status == "completed"


async def test_openai_truncates_what_was_not_heard(server):
    async with connect(server) as connection:
        await until(connection, "session.created")
        await say(connection, "one two three four five")
        events = await until(connection, "response.done")
        item = events[-1].response.output[0].id
        await connection.conversation.item.truncate(item_id=item, content_index=0, audio_end_ms=0)
        truncated = (await until(connection, "conversation.item.truncated"))[-1]
        assert (truncated.item_id, truncated.audio_end_ms) == (item, 0)


async def test_openai_takes_a_message_back_until_it_is_answered(server):
    async with connect(server) as connection:
        await until(connection, "session.created")
        for id in ("first", "second"):
            await connection.conversation.item.create(item={
                "id": id, "type": "message", "role": "user", "content": [{"type": "input_text", "text": id}]})
        await connection.conversation.item.delete(item_id="first")
        assert (await until(connection, "conversation.item.deleted"))[-1].item_id == "first"
        await connection.response.create()
        reply = (await until(connection, "response.done"))[-1].response.output[0]
        assert reply.content[0].transcript == "You said: second"
        await connection.conversation.item.delete(item_id="second")
        error = (await anext(aiter(connection))).error
        assert (error.code, error.param) == ("not_supported", "item_id")


async def test_openai_sees_errors_and_keeps_its_connection(server):
    async with connect(server) as connection:
        await until(connection, "session.created")
        await connection.response.cancel(event_id="mine")
        error = await anext(aiter(connection))
        assert (error.type, error.error.code) == ("error", "response_cancel_not_active")
        assert error.error.event_id == "mine"
        await connection.conversation.item.delete(item_id="nobody", event_id="gone")
        error = (await anext(aiter(connection))).error
        assert (error.type, error.code) == ("invalid_request_error", "item_delete_invalid_item_id")
        assert (error.param, error.event_id) == ("item_id", "gone")
        await connection.conversation.item.create(item={"type": "message", "role": "tool", "content": []}, event_id="tool")
        error = (await anext(aiter(connection))).error
        assert (error.code, error.param, error.event_id) == ("invalid_value", "item.role", "tool")
        await say(connection, "still here")
        assert (await until(connection, "response.done"))[-1].response.status == "completed"
