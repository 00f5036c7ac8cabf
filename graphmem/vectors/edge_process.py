"""A vector worker that is always there: watched, started again when it dies, and called.

A call that was running when the worker died is sent once more to the next one, since every request may be
repeated; when that fails too, the caller gets ``Unavailable``.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil

from graphmem.errors import GraphMemError, InvalidInput, Misconfigured, Unavailable
from graphmem.vectors.edge_link import Link, Reply, WorkerGone, WorkerPlace
from graphmem.vectors.frames import Header

log = logging.getLogger("graphmem.vectors")

RESTART_WAIT_S = 15.0
"""Seconds that a call waits for a worker that is being restarted."""

FIRST_DELAY_S, LONGEST_DELAY_S = 0.1, 10.0
"""Pause before a restart; doubles at each until a worker has run for ``STEADY_S``."""

STEADY_S = 60.0


class EdgeProcess:
    """The worker of one folder, whichever process that is just now.

    Args:
        place: Where it works.
        prepare: Called with each new worker before any other call reaches it.
    """

    def __init__(self, place: WorkerPlace, prepare: Callable[[Link], Awaitable[None]]) -> None:
        self._place = place
        self._prepare = prepare
        self._link: Link | None = None
        self._problem = "it was not started"
        self._changed = asyncio.Condition()
        self._keeper: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The worker's process id, while one runs."""
        return None if self._link is None else self._link.process.pid

    def resident_bytes(self) -> int | None:
        """The worker's share of physical memory; ``None`` while none runs.

        Edge maps each vector file twice and the plain resident size counts it twice, so on Linux this is the
        proportional share.
        """
        if self.pid is None:
            return None
        try:
            memory = psutil.Process(self.pid).memory_full_info()
        except psutil.Error:
            return None
        return int(getattr(memory, "pss", memory.rss))

    async def start(self) -> None:
        """Starts the first worker, and keeps one running from now on.

        Raises:
            Misconfigured: another process holds the folder.
            Unavailable: the worker ends before it is ready.
        """
        self._link = await self._next()
        self._keeper = asyncio.create_task(self._keep(), name="vector worker")

    async def call(self, header: Header, body: bytes = b"") -> Reply:
        """The reply of the worker that runs now, or of the next one.

        Raises:
            InvalidInput: the filter holds a condition that the worker is not taught.
            Misconfigured: the collection has another width.
            Unavailable: no worker answers, or the engine cannot do it.
        """
        for _ in range(2):
            link = await self._running()
            try:
                reply, reply_body = await link.call(header, body)
            except WorkerGone:
                continue
            if "error" in reply:
                raise _error(header, reply, self._place.folder)
            return reply, reply_body
        raise Unavailable(f"the vector worker ended twice during {header['op']}; see {self._place.log_file}")

    async def close(self) -> None:
        """Ends the worker and stops restarting it."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.cancel()
            await asyncio.wait([keeper])
        link, self._link = self._link, None
        self._problem = "it was closed"
        async with self._changed:
            self._changed.notify_all()
        if link is not None:
            await link.end()

    async def _running(self) -> Link:
        """The worker, once there is one; a call waits for a restart, not for ever."""
        if self._usable() is None:
            try:
                async with asyncio.timeout(RESTART_WAIT_S), self._changed:
                    await self._changed.wait_for(lambda: self._usable() is not None or self._keeper is None)
            except TimeoutError:
                log.info("no vector worker within %g s", RESTART_WAIT_S)
        link = self._usable()
        if link is None:
            raise Unavailable(f"the vector worker does not run: {self._problem}")
        return link

    def _usable(self) -> Link | None:
        return None if self._link is None or self._link.gone.is_set() else self._link

    async def _keep(self) -> None:
        """Restarts the worker whenever it dies, until cancelled."""
        delay = FIRST_DELAY_S
        while True:
            started = time.monotonic()
            while (link := self._link) is not None:
                await link.gone.wait()
                self._problem = await self._burial(link)
                self._link = None
            if time.monotonic() - started > STEADY_S:
                delay = FIRST_DELAY_S
            log.warning("the vector worker does not run: %s; restart in %g s", self._problem, delay)
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_DELAY_S)
            try:
                self._link = await self._next()
            except (GraphMemError, OSError) as error:
                self._problem = str(error)
                continue
            async with self._changed:
                self._changed.notify_all()

    async def _burial(self, link: Link) -> str:
        """Waits for the end of a worker whose socket is closed, and says how it ended."""
        await link.end()
        pid, code = link.process.pid, link.process.returncode
        return f"process {pid} ended with code {code}; see {self._place.log_file}"

    async def _next(self) -> Link:
        """A worker that is ready and prepared."""
        link = await Link.start(self._place)
        try:
            await self._prepare(link)
        except BaseException as error:
            await asyncio.shield(link.end())
            if isinstance(error, WorkerGone):
                raise Unavailable(f"the vector worker ended early; see {self._place.log_file}") from error
            raise
        return link


def _error(header: Header, reply: dict[str, Any], folder: Path) -> GraphMemError:
    """The worker's refusal as one of our errors."""
    message, collection = str(reply["message"]), header.get("collection")
    match reply["error"]:
        case "WrongWidth":
            return Misconfigured(
                f"the collection {collection} has {message}, the embedder gives {header['width']}; "
                "use the embedder it was made with, or run: graphmem reindex"
            )
        case "UnknownCondition":
            return InvalidInput("where", f"holds a condition that is not supported: {message}")
        case "NotOpen":
            return Unavailable(f"the collection {collection} is not open")
        case "DiskNearlyFull":
            return Unavailable(message)
        case "Failed" if header["op"] == "open":
            return Unavailable(
                f"the collection {collection} does not open: {message}; "
                f"remove {folder / str(collection)} and run: graphmem reindex"
            )
    return Unavailable(f"the vector index failed at {header['op']}: {message}")
