"""Background work that one process at a time does, over all that share a store.

A lease in the graph says whose turn it is; its fencing number goes into every statement, so that one who lost
the lease without noticing changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from graphmem.errors import GraphMemError
from graphmem.graph.meta_store import Lease, MetaStore
from graphmem.service.leases import LEASE_SECONDS, RENEW_SECONDS, give_back, kept

LONGEST_PAUSE_SECONDS = 10.0
"""Between two tries while something is away."""

GIVES_WAY_SECONDS = 6.0
"""Longest wait for something more urgent."""

OWN_SECONDS = 0.75
"""Time in which the work goes on without waiting after so long a wait; a step that began is ended."""

_log = logging.getLogger(__name__)

Work = Callable[[Lease], Awaitable[int]]
"""One step under the lease; how much it did, 0 when there is nothing to do."""


class LeasedLoop:
    """Does a kind of work for as long as it runs, whenever it is asked to or time has come.

    Args:
        name: Name of the work; also of its lease.
        holder: Name of this process among all.
        idle_seconds: How often it looks for work that nobody announced.
        quiet: Returns when nothing more urgent is going on; each step waits for it, but not for long.
    """

    def __init__(
        self,
        name: str,
        holder: str,
        meta: MetaStore,
        work: Work,
        *,
        idle_seconds: float = 1.0,
        quiet: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.name = name
        self._holder = holder
        self._meta = meta
        self._work = work
        self._idle_seconds = idle_seconds
        self._quiet = quiet
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._lease: Lease | None = None
        self._renew_at = 0.0
        self._own_until = 0.0
        self.problem: str | None = None

    def start(self) -> None:
        """Begins to work."""
        self._task = asyncio.create_task(self._run(), name=self.name)

    def ask(self) -> None:
        """Says that there is work."""
        self._asked.set()

    async def close(self) -> None:
        """Ends the work at the next step and gives the lease back."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if self._lease is not None:
            await give_back(self._meta, self._lease)

    async def _run(self) -> None:
        pause = self._idle_seconds
        while True:
            await self._give_way()
            self._asked.clear()
            try:
                done = await self._step()
            except Exception as problem:  # the loop outlives every failure; status shows it
                self.problem = str(problem)
                expected = isinstance(problem, GraphMemError)
                _log.warning("%s failed: %s", self.name, problem, exc_info=not expected)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
                await asyncio.sleep(pause)
                continue
            self.problem, pause = None, self._idle_seconds
            if not done:
                await self._wait()

    async def _step(self) -> int:
        if self._lease is None or time.monotonic() >= self._renew_at:
            began = time.monotonic()
            self._lease = await self._meta.take_lease(f"lease/{self.name}", self._holder, LEASE_SECONDS)
            self._renew_at = began + RENEW_SECONDS
        if self._lease is None:
            return 0
        async with kept(self._meta, self._lease):
            return await self._work(self._lease)

    async def _give_way(self) -> None:
        if self._quiet is None or time.monotonic() < self._own_until:
            return
        try:
            async with asyncio.timeout(GIVES_WAY_SECONDS):
                await self._quiet()
        except TimeoutError:
            self._own_until = time.monotonic() + OWN_SECONDS

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self._idle_seconds):
                await self._asked.wait()
        except TimeoutError:
            return
