"""A wire to a server that a test can cut or clog at a chosen message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

COMMIT = b"\x00\x02\xb0\x12\x00\x00"
"""The COMMIT message of Bolt, with its length before and the end mark behind it."""


@dataclass(eq=False, slots=True)
class _Wire:
    """The two ends of one connection."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    cut_at_answer: bool = False

    def cut(self) -> None:
        self.client.transport.abort()
        self.server.transport.abort()


class Proxy:
    """Passes bytes both ways between its own port and the server.

    Attributes:
        url: Where clients connect.
        cuts: How often the wire will still be cut.
        connections: Connections that were opened so far.
    """

    def __init__(self, server_url: str) -> None:
        target = urlsplit(server_url)
        self._target = (target.hostname or "", target.port or 0)
        self._scheme = target.scheme
        self._listener: asyncio.Server | None = None
        self._wires: set[_Wire] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._marker = b""
        self._deliver = False
        self._clogged = False
        self.cuts = 0
        self.connections = 0
        self.port = 0
        self.url = ""

    def cut_at(self, marker: bytes, *, times: int = 1, deliver: bool = False) -> None:
        """Cuts the wire when a client sends ``marker``; with ``deliver`` only once the server answered it."""
        self._marker, self._deliver, self.cuts = marker, deliver, times

    def clog(self) -> None:
        """From now on nothing arrives any more, though every connection stays open."""
        self._clogged = True

    async def listen(self) -> None:
        """Takes connections, at the port that it had before or at any that is free."""
        self._listener = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = int(self._listener.sockets[0].getsockname()[1])
        self.url = f"{self._scheme}://127.0.0.1:{self.port}"

    async def hang_up(self) -> None:
        """Takes no more connections and cuts those there are."""
        assert self._listener is not None
        self._listener.close()
        for wire in self._wires:
            wire.cut()
        await asyncio.gather(*self._tasks)
        await self._listener.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        answers, server = await asyncio.open_connection(*self._target)
        wire = _Wire(writer, server)
        self._wires.add(wire)
        for passing in (self._questions(reader, wire), self._answers(answers, wire)):
            task = asyncio.create_task(passing)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _questions(self, reader: asyncio.StreamReader, wire: _Wire) -> None:
        async with self._held(wire):
            while data := await reader.read(65_536):
                if self._clogged:
                    continue
                if self.cuts and self._marker in data:
                    self.cuts -= 1
                    if not self._deliver:
                        return
                    wire.cut_at_answer = True
                wire.server.write(data)
                await wire.server.drain()

    async def _answers(self, reader: asyncio.StreamReader, wire: _Wire) -> None:
        async with self._held(wire):
            while data := await reader.read(65_536):
                if wire.cut_at_answer:
                    return
                if not self._clogged:
                    wire.client.write(data)
                    await wire.client.drain()

    @asynccontextmanager
    async def _held(self, wire: _Wire) -> AsyncIterator[None]:
        """Whichever end goes first, the other goes too."""
        try:
            with suppress(ConnectionError):
                yield
        finally:
            wire.cut()
            self._wires.discard(wire)


@asynccontextmanager
async def proxied(server_url: str) -> AsyncIterator[Proxy]:
    """A proxy before the server, gone when the block ends."""
    proxy = Proxy(server_url)
    await proxy.listen()
    try:
        yield proxy
    finally:
        await proxy.hang_up()
