"""What Examples/TokenServer asks of providers, beside what the providers' own clients ask."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import json
import os
import signal
import warnings
from datetime import datetime, timedelta
from urllib.parse import urlparse

from google import genai
from google.genai import types
from openai import AsyncOpenAI

warnings.simplefilter("ignore")
TOKEN = "0123456789abcdef"


@contextlib.asynccontextmanager
async def provider(answer):
    """A provider that answers the same to everything; yields its address and what it was asked."""
    asked = []

    async def serve(reader, writer):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                fields = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
                body = json.loads(await reader.readexactly(int(fields["content-length"])))
                asked.append((head[0].rsplit(" ", 1)[0], fields, body))
                text = json.dumps(answer).encode()
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: "
                             + str(len(text)).encode() + b"\r\n\r\n" + text)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked
    finally:
        server.close()


@contextlib.asynccontextmanager
async def token_server(server, **variables):
    """The token server, in a process of its own; yields a function that posts."""
    program = os.path.join(os.path.dirname(server.program), "TokenServer")
    process = await asyncio.create_subprocess_exec(
        program, "--port", "0", stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "YOOB_EXAMPLE_TOKEN": f"ada:{TOKEN}", **variables})
    address = (await process.stdout.readline()).decode().split()[2].rstrip(".")

    async def post(path):
        port = urlparse(address).port
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write((f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
                      "Content-Length: 0\r\nConnection: close\r\n\r\n").encode())
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        assert head.split()[1] == b"200", (head, body)
        return json.loads(body)

    try:
        yield post
    finally:
        process.terminate()
        log, _ = await asyncio.wait_for(process.communicate(), 10)
    assert process.returncode == 0
    assert log.decode().splitlines()[-1] == "Stopped."
    for value in variables.values():
        assert value not in log.decode()


async def test_gemini_token_is_asked_for_as_genai_asks(server):
    async with provider({"name": "auth_tokens/1"}) as (address, asked):
        async with token_server(server, GEMINI_API_KEY="gm-secret", GEMINI_BASE_URL=address,
                                GEMINI_VOICE="Kore", GEMINI_INSTRUCTIONS="Be kind.") as post:
            assert await post("/gemini-token") == {"name": "auth_tokens/1"}
        ours = asked.pop()
        now = datetime.fromisoformat(ours[2]["expireTime"].replace("Z", "+00:00")) - timedelta(minutes=30)
        client = genai.Client(
            api_key="gm-secret", http_options=types.HttpOptions(base_url=address, api_version="v1alpha"))
        token = await client.aio.auth_tokens.create(config=types.CreateAuthTokenConfig(
            uses=1, expire_time=now + timedelta(minutes=30), new_session_expire_time=now + timedelta(minutes=1),
            live_connect_constraints=types.LiveConnectConstraints(
                model="gemini-3.8-live", config=types.LiveConnectConfig(
                    response_modalities=["AUDIO"], system_instruction="Be kind.",
                    speech_config=types.SpeechConfig(voice_config=types.VoiceConfig(
                        prebuilt_voice_config=types.PrebuiltVoiceConfig(voice_name="Kore"))))),
            lock_additional_fields=[]))
        assert token.name == "auth_tokens/1"
        theirs = asked.pop()
    assert ours[0] == theirs[0] == "POST /v1alpha/auth_tokens"
    assert ours[1]["x-goog-api-key"] == theirs[1]["x-goog-api-key"] == "gm-secret"
    assert normal(ours[2]) == normal(theirs[2])


def normal(value):
    """In camel case, with times as numbers."""
    if isinstance(value, dict):
        camel = {name.split("_")[0] + "".join(p.title() for p in name.split("_")[1:]): v
                 for name, v in value.items()}
        return {name: datetime.fromisoformat(v.replace("Z", "+00:00")).timestamp()
                if name.endswith("Time") else normal(v) for name, v in camel.items()}
    return [normal(v) for v in value] if isinstance(value, list) else value


async def test_openai_secret_is_asked_for_as_openai_asks(server):
    answer = {"value": "ek_1", "expires_at": 1, "session": {
        "type": "realtime", "model": "gpt-realtime", "object": "realtime.session", "id": "s"}}
    async with provider(answer) as (address, asked):
        async with token_server(server, OPENAI_API_KEY="sk-secret", OPENAI_BASE_URL=address + "/v1",
                                OPENAI_VOICE="marin", OPENAI_INSTRUCTIONS="Be kind.") as post:
            assert await post("/openai-secret") == {"value": "ek_1", "expires_at": 1}
        ours = asked.pop()
        client = AsyncOpenAI(api_key="sk-secret", base_url=address + "/v1")
        secret = await client.realtime.client_secrets.create(
            expires_after={"anchor": "created_at", "seconds": 60},
            session={"type": "realtime", "model": "gpt-realtime", "instructions": "Be kind.",
                     "audio": {"output": {"voice": "marin"}}})
        assert secret.value == "ek_1"
        theirs = asked.pop()
    assert ours[0] == theirs[0] == "POST /v1/realtime/client_secrets"
    assert ours[1]["authorization"] == theirs[1]["authorization"] == "bearer sk-secret"
    assert ours[2] == theirs[2]


async def test_livekit_token_is_signed(server):
    def decoded(part):
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))

    async with token_server(server, LIVEKIT_URL="wss://rooms.example", LIVEKIT_API_KEY="API1",
                            LIVEKIT_API_SECRET="lk-secret") as post:
        grant = await post("/livekit-token")
    head, claims, signature = grant["token"].split(".")
    expected = hmac.new(b"lk-secret", f"{head}.{claims}".encode(), hashlib.sha256).digest()
    assert hmac.compare_digest(decoded(signature), expected)
    assert json.loads(decoded(head)) == {"alg": "HS256", "typ": "JWT"}
    claims = json.loads(decoded(claims))
    assert claims["video"]["room"] == grant["room"] and claims["video"]["roomJoin"]
    assert claims["iss"] == "API1" and claims["exp"] - claims["nbf"] == 60


@contextlib.asynccontextmanager
async def silent_provider():
    """A provider that never answers; yields its address and an event that is set when it was asked."""
    asked = asyncio.Event()

    async def serve(reader, writer):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            asked.set()
            await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked
    finally:
        server.close()


async def ask_and_end(server, *signals, meanwhile=None):
    """Sends the signals to a token server with a request at work; its status, its log and the request's answer."""
    async with silent_provider() as (address, asked):
        process = await asyncio.create_subprocess_exec(
            os.path.join(os.path.dirname(server.program), "TokenServer"), "--port", "0",
            stdout=asyncio.subprocess.PIPE, env={
                **os.environ, "YOOB_EXAMPLE_TOKEN": f"ada:{TOKEN}", "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": address})
        port = urlparse((await process.stdout.readline()).decode().split()[2].rstrip(".")).port
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write((f"POST /openai-secret HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
                      "Content-Length: 0\r\n\r\n").encode())
        await asked.wait()
        if meanwhile:
            try:
                await meanwhile(process.pid)
            except BaseException:
                process.kill()
                raise
        process.send_signal(signals[0])
        for number in signals[1:]:
            # Once nobody new is served, the first signal has come.
            while await is_served(port):
                await asyncio.sleep(0.05)
            process.send_signal(number)
        answer = b""
        with contextlib.suppress(ConnectionError):
            answer = await reader.read()
        log, _ = await process.communicate()
        writer.close()
        return process.returncode, log.decode(), answer.decode()


async def is_served(port):
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
        return bool(answer)
    except ConnectionError:
        return False


async def test_a_signal_answers_what_is_at_work_within_the_patience(server):
    status, log, answer = await ask_and_end(server, signal.SIGTERM)
    assert status == 0 and log.splitlines()[-1] == "Stopped."
    assert answer.startswith("HTTP/1.1 503 ") and '"code":"stopping"' in answer, answer
    assert [line for line in log.splitlines() if "/openai-secret" in line][0].endswith(
        " POST /openai-secret 503 - ms user=-: stopping"), log


async def test_a_second_signal_of_either_kind_ends_at_once(server):
    for signals in [(signal.SIGTERM, signal.SIGTERM), (signal.SIGTERM, signal.SIGINT), (signal.SIGINT, signal.SIGTERM)]:
        status, log, answer = await ask_and_end(server, *signals)
        assert status == -signals[1] and "Stopped." not in log, (status, log)
        assert answer == ""


async def test_a_request_at_work_takes_no_processor_time(server):
    def seconds(pid):
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def measure(pid):
        await asyncio.sleep(0.5)
        before = seconds(pid)
        await asyncio.sleep(3)
        # A loop that turns in vain takes all of it.
        assert seconds(pid) - before < 0.3, seconds(pid) - before

    await ask_and_end(server, signal.SIGTERM, signal.SIGTERM, meanwhile=measure)
