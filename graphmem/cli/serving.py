"""The service as one process: take the port, open the stores, answer until told to stop, close everything.

The order is what keeps promises: the port is taken first, so that a wrong one costs nothing; the record is
written once requests are answered and removed when all is closed; a stop during the start undoes it.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn
from filelock import FileLock, Timeout

import graphmem
from graphmem.bootstrap import open_platform, service_app
from graphmem.cli.doorway import Doorway
from graphmem.cli.listening import address, listen
from graphmem.cli.logs import log_to_home, make_home
from graphmem.cli.reports import Watched
from graphmem.cli.service_file import remove_record, running, this_process, write_record
from graphmem.errors import Conflict, GraphMemError, Misconfigured, Unavailable
from graphmem.settings import Settings

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 1_000
"""Open connections and running requests; above it a request is answered 503."""

COLLECTED_AFTER = (50_000, 20, 50)
"""New objects before Python looks for cycles among them, and how many such looks before it looks at older
ones. A batch of 500 facts makes some 15,000 objects that all live until its receipts: with Python's own 700
a quarter of the service's time went into looking at them again and again."""

GRACE_S = 10
"""Seconds that running requests get to finish after a signal: the limit of an operation."""


class _Server(uvicorn.Server):
    """uvicorn without its own signal handlers: it knows nothing of the stores that have to close in order."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass(frozen=True, slots=True)
class Start:
    """How the service is started.

    Attributes:
        progress: Sees the long steps.
        ready: Gets the URL of GraphQL once it is answered.
        watched: A person looks at stderr, so warnings go there too.
        rebuild: Take another embedder than the store's; whoever starts it reindexes.
    """

    progress: Watched
    ready: Callable[[str], None]
    watched: bool = False
    rebuild: bool = False


def serve(settings: Settings, start: Start) -> None:
    """Run the service until a signal ends it.

    Raises:
        Conflict: Another service runs for this home.
        InvalidInput: The port that was set is in use.
        GraphMemError: A store could not be opened.
    """
    try:
        make_home(settings.home)
        log_to_home(settings.home, watched=start.watched)
    except OSError as error:
        raise Misconfigured(
            f"GRAPHMEM_HOME is {settings.home}, which cannot be used: {error.strerror}"
        ) from error
    try:
        with _only_service(settings), listen(settings.host, settings.port) as listening:
            asyncio.run(_serve(settings, listening, start))
    except GraphMemError as error:
        log.error("%s: %s", error.code, error)
        raise
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise Unavailable(f"no space is left for {settings.home}; free some and start again") from error
    except Exception:
        log.critical("ended by a fault", exc_info=True)
        raise


@contextmanager
def _only_service(settings: Settings) -> Iterator[None]:
    lock = FileLock(settings.home / "service.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        record = running(settings.home)
        where = f"at {record.url} (process {record.pid})" if record else "and is starting or ending"
        raise Conflict(
            f"a service already runs for {settings.home} {where}; `graphmem down` ends it"
        ) from error
    try:
        yield
    finally:
        lock.release()


async def _serve(settings: Settings, listening: socket.socket, start: Start) -> None:
    doorway = Doorway()
    config = uvicorn.Config(
        doorway,
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_S,
        limit_concurrency=MOST_CONNECTIONS,
    )
    server = _Server(config)
    stop = _Stop(server)
    answering = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        url = address(listening)
        async with open_platform(
            settings, progress=start.progress, url=url, rebuild=start.rebuild
        ) as platform:
            doorway.open(service_app(platform, settings))
            stop.opened()
            write_record(
                settings.home, this_process(f"{url}/graphql", graphmem.__version__, platform.neo4j_address)
            )
            _collect_seldom()
            log.info("ready at %s", url)
            start.ready(f"{url}/graphql")
            await stop.wait(answering)
            log.info("ending")
            server.should_exit = True
            await answering
    except asyncio.CancelledError:
        if not stop.asked.is_set():
            raise
        log.info("told to stop while starting")
    finally:
        server.should_exit = True
        await answering
        # Only now: while the stores close, whoever starts or ends the service has to know and wait.
        remove_record(settings.home, os.getpid())
        log.info("ended")


def _collect_seldom() -> None:
    """What the start made is there for good: the collector need not look at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)


class _Stop:
    """A signal to stop, SIGINT, SIGTERM or SIGHUP: ends the start while that goes on, later the waiting.

    A second one does not wait for running requests any more; the stores are closed in any case.
    """

    def __init__(self, server: uvicorn.Server) -> None:
        self.asked = asyncio.Event()
        self._server = server
        self._starting = asyncio.current_task()
        signals = [signal.SIGINT, signal.SIGTERM]
        # What was told to outlive its terminal (nohup) does.
        signals += [signal.SIGHUP] if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN else []
        for number in signals:
            asyncio.get_running_loop().add_signal_handler(number, self._signalled)

    def opened(self) -> None:
        """The start is over; from now on a signal ends the waiting."""
        self._starting = None

    async def wait(self, answering: asyncio.Task[None]) -> None:
        """Until a signal asks, or until nothing answers any more."""
        asking = asyncio.create_task(self.asked.wait())
        await asyncio.wait((asking, answering), return_when=asyncio.FIRST_COMPLETED)
        asking.cancel()

    def _signalled(self) -> None:
        if self.asked.is_set():
            self._server.force_exit = True
            return
        self.asked.set()
        if self._starting is not None:
            self._starting.cancel()
