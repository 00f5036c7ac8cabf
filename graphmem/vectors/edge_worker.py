"""The vector worker: one process that holds a folder of Qdrant Edge collections.

Its owner starts it as ``python -m graphmem.vectors.edge_worker`` with one end of a socket pair. Edge never
releases the interpreter, so one request is answered at a time: searches that wait go first, together, then
one write. It ends when its owner ends, and holds a lock, since Edge allows one process a folder.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import logging
import os
import select
import signal
import socket
import sys
import time
from collections import deque
from pathlib import Path
from typing import IO

from graphmem.vectors.edge_requests import Requests
from graphmem.vectors.frames import Decoder, Header, encode

log = logging.getLogger("graphmem.vectors.worker")

IN_USE = 3
"""Exit code when another process holds the folder."""

LOCK_WAIT_S = 15.0
"""Seconds to wait for an earlier worker of the same folder that is just ending."""

PAUSE_S = 1.0
"""Seconds without a request that make a pause, in which a flush disturbs nobody."""

PAUSE_FLUSH_POINTS, PAUSE_FLUSH_S = 1_000, 30.0
"""A pause is used for a flush after so many written points, or so many seconds after the last one."""

FLUSH_POINTS = 10_000
"""Points after which a flush is due even without a pause; replaying as many at a start takes about 1 s."""

SEARCHES_AT_ONCE = 16
"""Waiting searches that share one scan."""

READ_BYTES = 2**20
PR_SET_PDEATHSIG = 1

Frame = tuple[Header, bytes]


class FolderInUse(Exception):
    """Another process holds the folder."""


class Worker:
    """The loop between the owner's socket and the requests."""

    def __init__(self, connection: socket.socket, requests: Requests) -> None:
        self._connection = connection
        self._requests = requests
        self._decoder = Decoder()
        self._searches: deque[Frame] = deque()
        self._others: deque[Frame] = deque()
        self._searched_last = False
        self._in_pause = False
        self._flushed_at = time.monotonic()

    def run(self) -> None:
        """Answers until the owner's end of the socket closes."""
        while self._read():
            if self._searches or self._others:
                self._answer(self._next())
            self._flush_when_due()

    def _flush_when_due(self) -> None:
        points = self._requests.unflushed
        waited = time.monotonic() - self._flushed_at
        worth_it = points >= PAUSE_FLUSH_POINTS or (points > 0 and waited >= PAUSE_FLUSH_S)
        if points >= FLUSH_POINTS or (self._in_pause and worth_it):
            self._requests.flush()
            self._flushed_at = time.monotonic()

    def _read(self) -> bool:
        """Takes in what has arrived, waiting when there is nothing else to do; false at the end."""
        wait: float | None = 0.0
        if not (self._searches or self._others):
            wait = PAUSE_S if self._requests.unflushed else None
        self._in_pause = wait == PAUSE_S
        while select.select([self._connection], [], [], wait)[0]:
            self._in_pause = False
            data = self._connection.recv(READ_BYTES)
            if not data:
                return False
            for frame in self._decoder.feed(data):
                (self._searches if frame[0]["op"] == "search" else self._others).append(frame)
            wait = 0.0
        return True

    def _next(self) -> list[Frame]:
        """Waiting searches of one collection, or one other request; no kind waits for two of the other."""
        if self._others and (self._searched_last or not self._searches):
            self._searched_last = False
            return [self._others.popleft()]
        self._searched_last = True
        taken = [self._searches.popleft()]
        while self._searches and len(taken) < SEARCHES_AT_ONCE:
            if self._searches[0][0]["collection"] != taken[0][0]["collection"]:
                break
            taken.append(self._searches.popleft())
        return taken

    def _answer(self, frames: list[Frame]) -> None:
        for (header, _), (reply, body) in zip(frames, self._requests.answer(frames), strict=True):
            self._connection.sendall(encode(reply | {"id": header["id"]}, body))


def end_with(owner: int) -> None:
    """Lets SIGTERM end this process in order, and arranges for one when the owner is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if sys.platform == "linux":
        # The closed socket says the same, unless a fork of the owner keeps a copy of it open.
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != owner:
        sys.exit(0)


def locked(path: Path, wait_s: float = LOCK_WAIT_S) -> IO[str]:
    """The lock file, open and locked; it holds this process's id.

    Raises:
        FolderInUse: another process still holds it after ``wait_s``.
    """
    lock = path.open("a+", encoding="ascii")
    deadline = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > deadline:
                lock.seek(0)
                holder = lock.read().strip() or "unknown"
                lock.close()
                raise FolderInUse(f"{path.parent} is in use by process {holder}") from None
            time.sleep(0.05)
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def main(arguments: list[str] | None = None) -> int:
    """Runs until the owner goes; 0 then, ``IN_USE`` when the folder is held by another process."""
    parser = argparse.ArgumentParser(description="vector worker; started by its owner")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--socket", type=int, required=True)
    parser.add_argument("--owner", type=int, required=True)
    parser.add_argument("--min-free", type=int, required=True)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    end_with(given.owner)
    with socket.socket(fileno=given.socket) as connection:
        try:
            lock = locked(given.folder / "worker.lock")
        except FolderInUse as error:
            connection.sendall(encode({"fatal": str(error)}))
            return IN_USE
        with lock:
            requests = Requests(given.folder, given.min_free)
            connection.sendall(encode({"ready": os.getpid()}))
            log.info("worker %d serves %s", os.getpid(), given.folder)
            try:
                Worker(connection, requests).run()
            finally:
                requests.close()
                log.info("worker %d ended", os.getpid())
    return 0


if __name__ == "__main__":
    sys.exit(main())
