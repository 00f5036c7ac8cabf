"""The managed Neo4j: started with GraphMem, watched, restarted after a crash, stopped with GraphMem.

How it comes up is the matter of ``starting``; nothing here knows what is stored.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from types import TracebackType

import psutil

from graphmem.errors import GraphMemError, Unavailable
from graphmem.local import processes, server, starting
from graphmem.local.disk import require_room_to_start
from graphmem.local.layout import Layout, Tuning
from graphmem.local.processes import HomeLock
from graphmem.local.progress import Progress
from graphmem.local.ready import Neo4jAddress, has_stopped
from graphmem.local.server import Server
from graphmem.local.starting import Wanted

PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Before each restart of a row; after the last one it gives up."""

HEALTHY_S = 60.0
"""A server that ran for so long begins a new row of restarts."""

CHECK_S = 10.0
"""Between two looks at a database whose process goes on."""

STOPPED_S = 5.0
"""Grace of a server whose database has stopped: what it has not written by then it cannot write."""

ROOM_POLL_S = 1.0
"""Between two looks at a disk that is full."""

log = logging.getLogger("graphmem.local")


class State(StrEnum):
    """What the managed Neo4j is doing."""

    STOPPED = "stopped"
    STARTING = "starting"
    RUNNING = "running"
    RESTARTING = "restarting"
    FAILED = "failed"


class ManagedNeo4j:
    """Neo4j Community in a JVM of its own, for one home folder.

    Args:
        home: Folder of the data; ``neo4j/`` and ``logs/neo4j/`` in it are used.
        cache: Folder of the jars and class data, shared by all homes.
        bolt_port: None takes 7687, or any free port when that is taken.
        http_port: None takes 7474, or any free port when that is taken.
        heap: Upper limit of the Java heap.
        pagecache: Memory for pages of the store, beside the heap.
        progress: Sees the download before the first start.
        guide_url: Page that Neo4j Browser opens after login.
        on_restart: Called after each restart that followed a crash.
        class_data: Whether to make class data, once, so that every later start takes half the time.
    """

    def __init__(
        self,
        home: Path,
        cache: Path,
        *,
        bolt_port: int | None = None,
        http_port: int | None = None,
        heap: str = "512m",
        pagecache: str = "128m",
        progress: Progress | None = None,
        guide_url: str | None = None,
        on_restart: Callable[[Neo4jAddress], None] | None = None,
        class_data: bool = True,
    ) -> None:
        self._layout = Layout(home.expanduser().absolute())
        tuning = Tuning(heap, pagecache, guide_url)
        cache = cache.expanduser().absolute()
        self._wanted = Wanted(self._layout, cache, bolt_port, http_port, tuning, class_data)
        self._progress = progress
        self._on_restart = on_restart
        self._state = State.STOPPED
        self._failure: str | None = None
        self._server: Server | None = None
        self._lock: HomeLock | None = None
        self._watcher: asyncio.Task[None] | None = None

    @property
    def state(self) -> State:
        """What it is doing now."""
        return self._state

    @property
    def failure(self) -> str | None:
        """Why the last start or restart failed, or waits; None when it did not."""
        return self._failure

    @property
    def address(self) -> Neo4jAddress:
        """Where it answers.

        Raises:
            Unavailable: None runs.
        """
        if self._server is None:
            raise Unavailable(f"the managed Neo4j is {self._state}")
        return self._server.address

    @property
    def pid(self) -> int | None:
        """The JVM's process number; None when none runs."""
        return None if self._server is None else self._server.process.pid

    @property
    def log_path(self) -> Path:
        """What the JVM prints; Neo4j's own logs are beside it."""
        return self._layout.console

    def resident_bytes(self) -> int | None:
        """Memory of the JVM that is in RAM; None when none runs."""
        if self._server is None:
            return None
        try:
            memory: int = self._server.process.memory_info().rss
        except psutil.NoSuchProcess:
            return None
        return memory

    async def start(self) -> Neo4jAddress:
        """Where it answers: the server of this home, new or left behind by a GraphMem that was killed.

        Raises:
            Misconfigured: A port that was set is taken, the home is in use, or its password is lost.
            Unavailable: The jars cannot be fetched, or the server does not start; shows the end of its log.
        """
        if self._watcher is not None:
            raise RuntimeError(f"this managed Neo4j is {self._state} already")
        self._state, self._failure = State.STARTING, None
        try:
            self._lock = processes.home_lock(self._layout.folder)
            self._server = await starting.start(self._wanted, self._progress)
        except BaseException as error:
            await self.stop()
            self._state, self._failure = State.FAILED, str(error)
            raise
        self._state = State.RUNNING
        self._watcher = asyncio.create_task(self._watch(), name="managed-neo4j")
        self._watcher.add_done_callback(self._watched)
        return self._server.address

    async def stop(self) -> None:
        """Ends the server and the watching; the home is free afterwards. Doing it twice does nothing."""
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.wait([self._watcher])
            self._watcher = None
        if self._server is not None:
            await server.end(self._layout, self._server)
            self._server = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        self._state = State.STOPPED

    async def __aenter__(self) -> ManagedNeo4j:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _watch(self) -> None:
        """Restarts the server whenever it ends, until that has failed too often in a row."""
        used = 0
        while self._server is not None:
            running, since = self._server, time.monotonic()
            while not await processes.ended(running.process, CHECK_S):
                if time.monotonic() - since >= HEALTHY_S:
                    used = 0
                if await has_stopped(running.address, running.process):
                    log.error("Neo4j's database stopped by an error inside it; see debug.log beside its log")
                    await server.end(self._layout, running, STOPPED_S)
            log.warning("Neo4j (process %d) has ended; its log is %s", running.process.pid, self.log_path)
            self._state, self._server = State.RESTARTING, None
            for pause in PAUSES_S[used:]:
                used += 1
                await asyncio.sleep(pause)
                await self._until_there_is_room()
                if await self._restarted(running):
                    break
        self._state = State.FAILED
        log.error("Neo4j stays down after %d restarts", used)

    async def _until_there_is_room(self) -> None:
        """Waits as long as the disk is full: starting would fail, and in the end be given up."""
        waiting = False
        while True:
            try:
                return require_room_to_start(self._layout.folder)
            except Unavailable as error:
                self._failure = str(error)
                if not waiting:
                    log.error("Neo4j waits for room: %s", error)
                waiting = True
            await asyncio.sleep(ROOM_POLL_S)

    async def _restarted(self, crashed: Server) -> bool:
        """Whether a new server took the place of one that ended."""
        try:
            self._server = await starting.restart(self._wanted, crashed)
        except (GraphMemError, OSError) as error:
            self._failure = str(error)
            log.error("Neo4j did not come back: %s", error)
            return False
        self._state, self._failure = State.RUNNING, None
        if self._on_restart is not None:
            self._on_restart(self._server.address)
        return True

    def _watched(self, watcher: asyncio.Task[None]) -> None:
        """Makes an error in the watching itself visible."""
        error = None if watcher.cancelled() else watcher.exception()
        if error is not None:
            log.error("the watch over Neo4j ended", exc_info=error)
            self._state, self._failure = State.FAILED, str(error)
