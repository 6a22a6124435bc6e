"""What our own clients send, read by the openai client's types."""

import asyncio
import json
import typing

import pydantic
from openai.types.realtime import RealtimeClientEvent


async def events_of(server, client):
    process = await asyncio.create_subprocess_exec(
        server.program, "--client-script", client, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    assert process.returncode == 0
    return [json.loads(line) for line in output.splitlines()]


def types():
    """The type of each client event, by its name."""
    union = typing.get_args(RealtimeClientEvent)[0]
    return {typing.get_args(t.model_fields["type"].annotation)[0]: t for t in typing.get_args(union)}


def unknown(value, path=""):
    """Paths of members that no type knows."""
    if isinstance(value, pydantic.BaseModel):
        for name in value.model_extra or {}:
            yield f"{path}.{name}"
        for name in type(value).model_fields:
            yield from unknown(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from unknown(element, f"{path}[{index}]")


async def check(server, client):
    known = types()
    events = await events_of(server, client)
    for event in events:
        parsed = known[event["type"]].model_validate(event, strict=True)
        assert not list(unknown(parsed)), (list(unknown(parsed)), event)
    return {event["type"] for event in events}


async def test_client_sends_what_openai_knows(server):
    assert await check(server, "realtime") == {
        "session.update", "input_audio_buffer.append", "conversation.item.create",
        "conversation.item.delete", "conversation.item.truncate", "response.create", "response.cancel"}


async def test_hosted_client_sends_what_openai_knows(server):
    assert "session.update" in await check(server, "realtime-hosted")
