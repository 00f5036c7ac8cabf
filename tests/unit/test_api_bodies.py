"""Request bodies: how large, and how slow."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from graphmem.api.bodies import StalledBody, SteadyBody, WholeBody


class Connection:
    """One request whose body comes in pieces, and then no more."""

    def __init__(self, pieces: Sequence[bytes], *, whole: bool = True, headers: Sequence[str] = ()) -> None:
        self._pieces = list(pieces)
        self._whole = whole
        self.scope: Scope = {
            "type": "http",
            "method": "POST",
            "path": "/graphql",
            "query_string": b"",
            "headers": [tuple(part.strip().encode() for part in header.split(":")) for header in headers],
        }
        self.sent: list[Message] = []
        self.taken = 0
        self.taken_before_answer = 0

    async def receive(self) -> Message:
        if not self._pieces:
            await asyncio.Event().wait()
        piece = self._pieces.pop(0)
        self.taken += len(piece)
        return {"type": "http.request", "body": piece, "more_body": bool(self._pieces) or not self._whole}

    async def send(self, message: Message) -> None:
        if not self.sent:
            self.taken_before_answer = self.taken
        self.sent.append(message)

    @property
    def status(self) -> int:
        status = self.sent[0]["status"]
        assert isinstance(status, int)
        return status

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent[1:])


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    await PlainTextResponse(body)(scope, receive, send)


async def through(connection: Connection, *, limit: int = 10, seconds: float = 5) -> Connection:
    await WholeBody(echo, limit=limit, seconds=seconds)(connection.scope, connection.receive, connection.send)
    return connection


async def test_a_body_of_exactly_the_limit_is_handed_on_whole() -> None:
    answered = await through(Connection([b"12345", b"67890"]))

    assert (answered.status, answered.body) == (200, b"1234567890")


async def test_one_byte_more_gets_413_with_the_limit() -> None:
    answered = await through(Connection([b"12345", b"678901"]))

    assert answered.status == 413
    assert b'"LIMIT_EXCEEDED"' in answered.body
    assert b"larger than 10 bytes" in answered.body


async def test_a_body_that_says_its_size_is_answered_before_a_byte_is_read() -> None:
    answered = await through(Connection([b"x" * 11], headers=["content-length: 11"]))

    assert (answered.status, answered.taken_before_answer) == (413, 0)


async def test_a_body_without_end_is_answered_at_the_limit_and_then_thrown_away_for_a_while() -> None:
    answered = await through(Connection([b"x" * 6] * 1_000, whole=False), seconds=0.05)

    assert (answered.status, answered.taken_before_answer, answered.taken) == (413, 12, 6_000)
    assert answered.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


async def test_half_a_body_gets_408_after_the_deadline() -> None:
    answered = await through(Connection([b"123"], whole=False), seconds=0.05)

    assert answered.status == 408
    assert b"did not arrive within 0.05 seconds" in answered.body


async def test_a_streamed_body_may_be_large_as_long_as_it_comes() -> None:
    connection = Connection([b"x" * 1_000] * 50)

    await SteadyBody(echo, seconds=5)(connection.scope, connection.receive, connection.send)

    assert (connection.status, len(connection.body)) == (200, 50_000)


async def test_a_streamed_body_that_pauses_is_given_up() -> None:
    connection = Connection([b"123"], whole=False)

    with pytest.raises(StalledBody, match=r"the body paused for more than 0\.05 seconds"):
        await SteadyBody(echo, seconds=0.05)(connection.scope, connection.receive, connection.send)


async def test_a_client_that_is_refused_while_it_sends_may_finish_and_then_reads_why() -> None:
    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("no", status_code=401)(scope, receive, send)

    connection = Connection([b"x" * 1_000] * 50)

    await SteadyBody(refuse, seconds=5)(connection.scope, connection.receive, connection.send)

    assert (connection.status, connection.body, connection.taken) == (401, b"no", 50_000)
    assert connection.taken_before_answer == 0
