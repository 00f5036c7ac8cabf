"""The managed Neo4j: started with GraphMem, watched, restarted after a crash, stopped with GraphMem.

What one JVM is and needs is the matter of ``server``; nothing here knows what is stored.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from types import TracebackType

import psutil

from graphmem.errors import GraphMemError, Misconfigured, Unavailable
from graphmem.local import class_data, password, processes, server
from graphmem.local.jars import ensure_jars
from graphmem.local.java import Program
from graphmem.local.layout import Layout, Ports, Tuning
from graphmem.local.processes import HomeLock
from graphmem.local.progress import Progress
from graphmem.local.ready import Neo4jAddress
from graphmem.local.server import Crashed, Server

BOLT_PORT = 7687
HTTP_PORT = 7474
"""Neo4j's own default ports, taken when they are free."""

PORT_TRIES = 3
"""Starts in which another process was faster in taking a port that was free."""

START_S = 300.0
"""Limit of one start; the long case is the recovery of many changes after a crash."""

PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Before each restart of a row; after the last one it gives up."""

HEALTHY_S = 60.0
"""A server that ran for so long begins a new row of restarts."""

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
        prepare: Whether to make class data, once, so that every later start takes half the time.
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
        prepare: bool = True,
    ) -> None:
        self._layout = Layout(home.expanduser().absolute())
        self._cache = cache.expanduser().absolute()
        self._bolt_port = bolt_port
        self._http_port = http_port
        self._tuning = Tuning(heap, pagecache, guide_url)
        self._progress = progress
        self._on_restart = on_restart
        self._prepare = prepare
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
        """Why the last start or restart failed; None when it did not."""
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
            program = Program(tuple(await self._jars()))
            self._server = await self._adopt_or_launch(program)
        except BaseException as error:
            await self.stop()
            self._state, self._failure = State.FAILED, str(error)
            raise
        self._state = State.RUNNING
        self._watcher = asyncio.create_task(self._watch(program), name="managed-neo4j")
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

    async def _jars(self) -> list[Path]:
        cancel = threading.Event()
        try:
            return await asyncio.to_thread(ensure_jars, self._cache, self._progress, cancel=cancel)
        except asyncio.CancelledError:
            cancel.set()
            raise

    async def _adopt_or_launch(self, program: Program) -> Server:
        layout = self._layout
        if layout.has_store and not layout.password.exists():
            raise Misconfigured(
                f"{layout.password} is missing, and nothing else opens the store beside it; put the file "
                "back from a backup, or set another GRAPHMEM_HOME"
            )
        secret = password.read_or_make(layout.password)
        left = await server.adopt(layout, self._bolt_port, self._http_port, self._tuning, secret)
        if left is not None:
            return left
        if self._prepare:
            program = await class_data.with_class_data(self._cache, program, self._progress)
        for _ in range(PORT_TRIES):
            ports = Ports(
                _port("bolt", self._bolt_port, BOLT_PORT), _port("http", self._http_port, HTTP_PORT)
            )
            try:
                return await self._launch(program, ports, secret)
            except Unavailable as error:
                if processes.is_free(ports.bolt) and processes.is_free(ports.http):
                    raise
                failure = error
        raise failure

    async def _launch(self, program: Program, ports: Ports, secret: str) -> Server:
        """A new server; class data with which the JVM crashes are thrown away and done without."""
        try:
            return await server.launch(self._layout, program, ports, self._tuning, secret, START_S)
        except Crashed as error:
            if not program.flags:
                raise
            log.warning("trying without class data: %s", error)
            class_data.discard(self._cache, program)
            plain = Program(program.jars)
            return await server.launch(self._layout, plain, ports, self._tuning, secret, START_S)

    async def _watch(self, program: Program) -> None:
        """Restarts the server whenever it ends, until that has failed too often in a row."""
        used = 0
        while self._server is not None:
            running = self._server
            while not await processes.ended(running.process, HEALTHY_S):
                used = 0
            log.warning("Neo4j (process %d) has ended; its log is %s", running.process.pid, self.log_path)
            self._state, self._server = State.RESTARTING, None
            for pause in PAUSES_S[used:]:
                used += 1
                await asyncio.sleep(pause)
                if await self._restarted(program, running):
                    break
        self._state = State.FAILED

    async def _restarted(self, program: Program, crashed: Server) -> bool:
        """Whether a new server took the place of one that ended; on the same ports, which clients know."""
        try:
            ports = Ports(_port("bolt", crashed.ports.bolt), _port("http", crashed.ports.http))
            self._server = await self._launch(program, ports, crashed.address.password)
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


def _port(name: str, wanted: int | None, default: int | None = None) -> int:
    """The port to listen on: ``wanted``, else ``default`` if it is free, else any.

    Raises:
        Misconfigured: ``wanted`` is taken.
    """
    if wanted is None:
        return processes.free_port(default)
    if not processes.is_free(wanted):
        raise Misconfigured(f"the {name} port {wanted} of Neo4j is in use; free it, set another or set none")
    return wanted
