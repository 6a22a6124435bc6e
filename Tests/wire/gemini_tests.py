"""The unmodified google-genai client against the scripted Gemini Live service."""

import asyncio
import atexit
import os
import subprocess
import tempfile
import warnings

import client_tests
import websockets
from google import genai
from google.genai import errors, types

warnings.simplefilter("ignore")
MODEL = "gemini-3.8-live"
_certificate = []


def certificate():
    """A folder with a certificate that signs itself, the same for all tests."""
    if not _certificate:
        folder = tempfile.TemporaryDirectory()
        atexit.register(folder.cleanup)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", f"{folder.name}/key.pem", "-out", f"{folder.name}/cert.pem"],
            check=True, stderr=subprocess.DEVNULL)
        _certificate.append(folder)
        # The client trusts what this names.
        os.environ["SSL_CERT_FILE"] = f"{folder.name}/cert.pem"
    return _certificate[0].name


class Service:
    """The scripted service, in a process of its own."""

    def __init__(self, server):
        self.program = server.program

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            self.program, "--gemini", certificate(), stdout=asyncio.subprocess.PIPE)
        self.address = (await self.process.stdout.readline()).decode().strip()
        return self

    async def __aexit__(self, *_):
        assert self.process.returncode is None, "the service died"
        self.process.terminate()
        assert await asyncio.wait_for(self.process.wait(), 10) == 0

    def connect(self, key="k", version="v1beta", model=MODEL, **config):
        client = genai.Client(
            api_key=key, http_options=types.HttpOptions(base_url=self.address, api_version=version))
        config = {"response_modalities": ["AUDIO"], "input_audio_transcription": {},
                  "output_audio_transcription": {}, "session_resumption": {}, **config}
        return client.aio.live.connect(model=model, config=config)


async def until(session, is_last):
    """The messages up to the first one of that kind."""
    messages = []
    while True:
        message = await asyncio.wait_for(session._receive(), 20)
        messages.append(message)
        if is_last(message):
            return messages


def is_turn_complete(message):
    return message.server_content is not None and message.server_content.turn_complete


def has_handle(message):
    return message.session_resumption_update is not None


def audio(messages):
    return b"".join(m.data for m in messages if m.data)


def said(messages):
    contents = [m.server_content for m in messages if m.server_content]
    return "".join(c.output_transcription.text for c in contents if c.output_transcription)


async def test_genai_sends_a_text_and_gets_speech(server):
    async with Service(server) as service:
        async with service.connect(
                system_instruction="Be kind.", speech_config={
                    "voice_config": {"prebuilt_voice_config": {"voice_name": "Kore"}}},
                realtime_input_config={
                    "automatic_activity_detection": {
                        "start_of_speech_sensitivity": "START_SENSITIVITY_HIGH", "prefix_padding_ms": 100,
                        "silence_duration_ms": 450},
                    "activity_handling": "START_OF_ACTIVITY_INTERRUPTS"},
                context_window_compression={"sliding_window": {}}) as session:
            await session.send_realtime_input(text="good morning")
            messages = await until(session, is_turn_complete)
            assert len(audio(messages)) == 24_000
            assert said(messages) == "You said: good morning"
            assert messages[-1].usage_metadata.total_token_count == 7
            assert any(m.server_content and m.server_content.generation_complete for m in messages)
            part = next(m for m in messages if m.data).server_content.model_turn.parts[0]
            assert part.inline_data.mime_type == "audio/pcm;rate=24000"
            # `receive` of the client ends with the turn.
            await session.send_client_content(turns={"role": "user", "parts": [{"text": "again"}]})
            turn = [message async for message in session.receive()]
            assert said(turn) == "You said: again"


async def test_genai_speaks_and_is_transcribed(server):
    async with Service(server) as service, service.connect() as session:
        for _ in range(50):
            await session.send_realtime_input(
                audio=types.Blob(data=bytes(640), mime_type="audio/pcm;rate=16000"))
        messages = await until(session, is_turn_complete)
        heard = [m.server_content.input_transcription for m in messages
                 if m.server_content and m.server_content.input_transcription]
        assert "".join(h.text for h in heard) == "what time is it" and heard[-1].finished
        assert said(messages) == "You said: what time is it"


async def test_genai_marks_its_own_turns(server):
    async with Service(server) as service, service.connect(
            realtime_input_config={"automatic_activity_detection": {"disabled": True}}) as session:
        await session.send_realtime_input(activity_start=types.ActivityStart())
        for _ in range(10):
            await session.send_realtime_input(
                audio=types.Blob(data=bytes(640), mime_type="audio/pcm;rate=16000"))
        await session.send_realtime_input(activity_end=types.ActivityEnd())
        assert said(await until(session, is_turn_complete)) == "You said: what time is it"


async def test_genai_interrupts_by_text_and_by_voice(server):
    async with Service(server) as service, service.connect() as session:
        await session.send_realtime_input(text="long")
        await until(session, lambda m: m.data)
        await session.send_realtime_input(text="stop")
        messages = await until(session, is_turn_complete)
        assert any(m.server_content and m.server_content.interrupted for m in messages)
        assert said(await until(session, is_turn_complete)).endswith("You said: stop")
        await until(session, has_handle)
        await session.send_realtime_input(text="long")
        await until(session, lambda m: m.data)
        for _ in range(50):
            await session.send_realtime_input(
                audio=types.Blob(data=bytes(640), mime_type="audio/pcm;rate=16000"))
        await until(session, lambda m: m.server_content and m.server_content.interrupted)


async def test_genai_answers_a_tool_call(server):
    tools = [{"function_declarations": [{
        "name": "time", "description": "Tells the time.",
        "parameters": {"type": "OBJECT", "properties": {"zone": {"type": "STRING"}}}}]}]
    async with Service(server) as service, service.connect(tools=tools) as session:
        await session.send_realtime_input(text="tool")
        call = (await until(session, lambda m: m.tool_call))[-1].tool_call.function_calls[0]
        assert (call.name, call.args) == ("time", {"zone": "UTC"})
        await session.send_tool_response(function_responses=types.FunctionResponse(
            id=call.id, name=call.name, response={"output": "noon"}))
        assert said(await until(session, is_turn_complete)) == "The answer is noon"
        await session.send_realtime_input(text="tool cancelled")
        messages = await until(session, lambda m: m.tool_call_cancellation)
        call = next(m for m in messages if m.tool_call).tool_call.function_calls[0]
        assert messages[-1].tool_call_cancellation.ids == [call.id]


async def test_genai_resumes_a_session(server):
    async with Service(server) as service:
        async with service.connect() as session:
            await session.send_realtime_input(text="my name is Ada")
            update = (await until(session, has_handle))[-1].session_resumption_update
            assert update.resumable
        async with service.connect(session_resumption={"handle": update.new_handle}) as session:
            await session.send_realtime_input(text="recall")
            text = said(await until(session, is_turn_complete))
            assert text == "I know: user: my name is Ada | model: You said: my name is Ada"
        try:
            async with service.connect(session_resumption={"handle": "nobody's"}):
                raise AssertionError("it was opened")
        except errors.APIError as error:
            assert error.code == 1008


async def test_genai_is_told_that_the_connection_ends(server):
    async with Service(server) as service, service.connect() as session:
        await session.send_realtime_input(text="go away")
        message = (await until(session, lambda m: m.go_away))[-1]
        assert message.go_away.time_left == "1s"
        assert said(await until(session, is_turn_complete)) == "I have to go."
        try:
            await until(session, is_turn_complete)
            raise AssertionError("it stayed open")
        except errors.APIError as error:
            assert error.code == 1001


async def test_genai_sees_close_codes(server):
    async with Service(server) as service:
        for code, reason in [(1007, "Invalid."), (1008, "Denied."), (1011, "Internal error encountered.")]:
            async with service.connect() as session:
                await session.send_realtime_input(text=f"close {code} {reason}")
                try:
                    await until(session, is_turn_complete)
                    raise AssertionError("it stayed open")
                except errors.APIError as error:
                    assert error.code == code
        async with service.connect() as session:
            await session.send_realtime_input(text="drop")
            try:
                await until(session, is_turn_complete)
                raise AssertionError("it stayed open")
            except errors.APIError as error:
                assert error.code == 1011
        try:
            async with service.connect(model="no-such-model"):
                raise AssertionError("it was opened")
        except errors.APIError as error:
            assert error.code == 1008


async def test_genai_uses_a_token_once(server):
    async with Service(server) as service:
        async with service.connect(key="auth_tokens/one", version="v1alpha") as session:
            await session.send_realtime_input(text="hello")
            assert said(await until(session, is_turn_complete)) == "You said: hello"
        # The client passes on what its socket says here.
        for token, words in [("one", "too many times"), ("expired", "401")]:
            try:
                async with service.connect(key=f"auth_tokens/{token}", version="v1alpha"):
                    raise AssertionError("it was opened")
            except (errors.APIError, websockets.exceptions.WebSocketException) as error:
                assert words in str(error), error


async def test_client_sends_what_genai_knows(server):
    kinds = set()
    for event in await client_tests.events_of(server, "gemini"):
        # The client's type of a setup message lacks this part; it sends it all the same.
        if "setup" in event:
            part = types.RealtimeInputConfig.model_validate(event["setup"].pop("realtimeInputConfig"))
            assert not list(client_tests.unknown(part)), event
        message = types.LiveClientMessage.model_validate(event)
        assert not list(client_tests.unknown(message)), event
        kinds |= message.model_fields_set
    assert kinds == {"setup", "client_content", "realtime_input", "tool_response"}
