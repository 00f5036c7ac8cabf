"""Guards of request bodies: how large they may be, and how long they may take to arrive.

The server itself waits for ever and reads everything; without these a few slow clients hold it. A client that
is answered early may still be sending: what it sends is thrown away for a while, since a connection that is
closed under it would swallow the answer.
"""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphmem.api.answers import bad_request, too_large


class StalledBody(Exception):
    """A streamed body stopped coming; nothing of it that was not stored yet will be."""


class WholeBody:
    """Hands on a request once its whole body is there: at most ``limit`` bytes, within ``seconds``."""

    def __init__(self, app: ASGIApp, *, limit: int, seconds: float) -> None:
        self._app = app
        self._limit = limit
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        incoming = _Incoming(receive, self._seconds)
        declared = Headers(scope=scope).get("content-length", "0")
        if declared.isdecimal() and int(declared) > self._limit:
            await too_large(self._limit)(scope, receive, incoming.answering(send))
            return
        try:
            async with asyncio.timeout(self._seconds):
                body = await self._read(incoming)
        except TimeoutError:
            message = f"the body did not arrive within {self._seconds:g} seconds"
            await bad_request(408, message, headers={"Connection": "close"})(scope, receive, send)
            return
        if body is None:
            await too_large(self._limit)(scope, receive, incoming.answering(send))
            return
        await self._app(scope, _replayed(body, receive), send)

    async def _read(self, incoming: _Incoming) -> bytes | None:
        """The body, or None once it is too large."""
        parts: list[bytes] = []
        size = 0
        while not incoming.ended:
            parts.append((await incoming.receive()).get("body", b""))
            size += len(parts[-1])
            if size > self._limit:
                return None
        return b"".join(parts)


class SteadyBody:
    """Ends a request whose streamed body pauses for more than ``seconds``; its size is not limited."""

    def __init__(self, app: ASGIApp, *, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        incoming = _Incoming(receive, self._seconds)

        async def steady() -> Message:
            if incoming.ended:
                return await receive()
            try:
                async with asyncio.timeout(self._seconds):
                    return await incoming.receive()
            except TimeoutError:
                incoming.ended = True
                raise StalledBody(f"the body paused for more than {self._seconds:g} seconds") from None

        await self._app(scope, steady, incoming.answering(send))


class _Incoming:
    """A body on its way in.

    Attributes:
        ended: The last piece is there, or no more of it is waited for.
    """

    def __init__(self, receive: Receive, seconds: float) -> None:
        self._receive = receive
        self._seconds = seconds
        self.ended = False

    async def receive(self) -> Message:
        message = await self._receive()
        self.ended = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    def answering(self, send: Send) -> Send:
        """A ``send`` that ends an answer only when the body has ended, or after ``seconds``."""

        async def answer(message: Message) -> None:
            last = message["type"] == "http.response.body" and not message.get("more_body", False)
            if not last or self.ended:
                await send(message)
                return
            await send({**message, "more_body": True})
            await self._throw_away()
            await send({"type": "http.response.body", "body": b"", "more_body": False})

        return answer

    async def _throw_away(self) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                while not self.ended:
                    await self.receive()
        except TimeoutError:
            self.ended = True


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives the body once, then whatever the connection says."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay
