"""One running vector worker and the calls that wait for its answers."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from graphmem.errors import Misconfigured, Unavailable
from graphmem.vectors.frames import BrokenStream, Header, encode, read_frame

log = logging.getLogger("graphmem.vectors")

MIN_FREE_BYTES = 256 * 2**20
"""Free space that a write needs; half of it to open. Edge maps files of 32 MiB and dies on a full disk."""

START_S = 60.0
"""Seconds that a worker may take to say it is ready, the wait for an ending predecessor included."""

CALL_S = 30.0
"""Seconds that one request may take."""

OPEN_S = 180.0
"""Seconds that opening a collection may take; it takes 1 to 4 at 100,000 points, more with a long log."""

STOP_S = 20.0
"""Seconds that a worker may take to flush and end before it is killed."""

LOG_BYTES = 5 * 2**20
"""Size from which the log starts anew; one old file is kept."""

Reply = tuple[dict[str, Any], bytes]


class WorkerGone(Exception):
    """The worker ended before it answered."""


@dataclass(frozen=True, slots=True)
class WorkerPlace:
    """Where a worker works.

    Attributes:
        folder: The collections; made when it does not exist.
        log_file: Gets what the worker prints.
        min_free: Bytes that must stay free on the folder's disk for a write.
    """

    folder: Path
    log_file: Path
    min_free: int


class Link:
    """A worker that is ready. Open it with ``Link.start``."""

    def __init__(
        self, process: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.process = process
        self.gone = asyncio.Event()
        self._reader = reader
        self._writer = writer
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._listening: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, place: WorkerPlace) -> Link:
        """A new worker, ready for calls.

        Raises:
            Misconfigured: another process holds the folder.
            Unavailable: the worker ends before it is ready.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            process = _popen(place, theirs)
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        link = cls(process, reader, writer)
        try:
            await link._until_ready(place.log_file)
        except BaseException:
            await asyncio.shield(link.end())
            raise
        link._listening = asyncio.create_task(link._listen(), name="vector worker answers")
        return link

    async def call(self, header: Header, body: bytes = b"") -> Reply:
        """The worker's reply.

        Raises:
            WorkerGone: it ended first.
            Unavailable: it takes longer than ``CALL_S``, or ``OPEN_S`` to open a collection.
        """
        if self.gone.is_set():
            raise WorkerGone
        seconds = OPEN_S if header["op"] == "open" else CALL_S
        number = next(self._numbers)
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            self._writer.write(encode(header | {"id": number}, body))
            async with asyncio.timeout(seconds):
                await self._writer.drain()
                return await waiting
        except ConnectionError as error:
            raise WorkerGone from error
        except TimeoutError as error:
            message = f"the vector worker did not answer {header['op']} in {seconds:g} s"
            raise Unavailable(message) from error
        finally:
            self._waiting.pop(number, None)
            waiting.cancel()

    async def end(self) -> None:
        """Ends the worker in order, and by force after ``STOP_S``; returns when it is no more."""
        self._writer.close()
        try:
            await asyncio.to_thread(self.process.wait, STOP_S)
        except subprocess.TimeoutExpired:
            log.warning("the vector worker %d did not end in %g s and is killed", self.process.pid, STOP_S)
            self.process.kill()
            await asyncio.to_thread(self.process.wait)
        if self._listening is not None:
            await self._listening

    async def _until_ready(self, log_file: Path) -> None:
        try:
            async with asyncio.timeout(START_S):
                frame = await read_frame(self._reader)
        except (BrokenStream, OSError, TimeoutError) as error:
            raise Unavailable(f"the vector worker did not start; see {log_file}") from error
        if frame is None:
            raise Unavailable(f"the vector worker ended before it was ready; see {log_file}")
        if "fatal" in frame[0]:
            raise Misconfigured(f"{frame[0]['fatal']}; end that process, or use another GRAPHMEM_HOME")

    async def _listen(self) -> None:
        """Hands replies to their calls until the worker is gone; then every waiting call fails."""
        try:
            while (frame := await read_frame(self._reader)) is not None:
                waiting = self._waiting.get(int(str(frame[0]["id"])))
                if waiting is not None and not waiting.done():
                    waiting.set_result(frame)
        except (BrokenStream, OSError) as error:
            log.info("the vector worker's answers broke off: %s", error)
        finally:
            self.gone.set()
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(WorkerGone())
            self._writer.close()


def _popen(place: WorkerPlace, theirs: socket.socket) -> subprocess.Popen[bytes]:
    """A new worker in a process group of its own, so that Ctrl-C reaches the owner alone."""
    place.folder.mkdir(parents=True, exist_ok=True)
    place.log_file.parent.mkdir(parents=True, exist_ok=True)
    if place.log_file.exists() and place.log_file.stat().st_size > LOG_BYTES:
        place.log_file.replace(place.log_file.with_suffix(place.log_file.suffix + ".1"))
    # -P: the folder that the owner happens to stand in must not offer modules.
    command = [sys.executable, "-P", "-X", "faulthandler", "-m", "graphmem.vectors.edge_worker"]
    command += ["--folder", str(place.folder), "--socket", str(theirs.fileno())]
    command += ["--owner", str(os.getpid()), "--min-free", str(place.min_free)]
    with place.log_file.open("ab") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
