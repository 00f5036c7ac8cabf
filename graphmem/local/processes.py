"""Processes that outlive the code that started them: started apart, known again, stopped for certain.

A process is GraphMem's own only if its record says so: pid, time of creation and a random mark on its
command line, all three. Nothing else is ever signalled.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

import psutil
from filelock import FileLock, Timeout

from graphmem.errors import Misconfigured
from graphmem.local.layout import LOOPBACK

POLL_S = 0.05
"""Pause between two looks at a process."""

KILLED_WITHIN_S = 10.0
"""A killed process that is still there after this is stuck in the kernel."""

CREATED_TOLERANCE_S = 2.0
"""Times of creation may differ by so much: the system derives them from a boot time that clocks move."""


class HomeLock:
    """A folder that is held by this process until ``release``; the system releases it at any death."""

    def __init__(self, lock: FileLock) -> None:
        self._lock = lock

    def release(self) -> None:
        """Lets the next one in. Doing it twice does nothing."""
        self._lock.release()

    def __enter__(self) -> HomeLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def home_lock(home: Path) -> HomeLock:
    """The folder, held: created if needed, and nobody else holds it.

    Raises:
        Misconfigured: Another process holds it; names that process.
    """
    home = home.resolve()
    home.mkdir(parents=True, exist_ok=True)
    holder = home / "lock.pid"
    lock = FileLock(home / "lock", thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        by = holder.read_text(encoding="utf-8").strip() if holder.exists() else "unknown"
        raise Misconfigured(
            f"{home} is in use by another GraphMem (process {by}); stop that one or set another GRAPHMEM_HOME"
        ) from error
    holder.write_text(f"{os.getpid()}\n", encoding="utf-8")
    return HomeLock(lock)


def is_free(port: int) -> bool:
    """Whether a server could listen on this loopback port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":  # a port that only waits out its last connection is free for a server
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def free_port(preferred: int | None = None) -> int:
    """``preferred`` if it is free, else one that the system gives; another process may still be faster."""
    if preferred is not None and is_free(preferred):
        return preferred
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
    return port


@dataclass(frozen=True, slots=True)
class ProcessRecord:
    """What is written about a process so that a later GraphMem knows it again.

    Attributes:
        mark: An argument of its command line that no other process has.
        pid: Its number; 0 from just before the start until it is known.
        created: Its time of creation, seconds since the epoch; 0 with pid 0.
        facts: What the writer wants to find again: ports, settings.
    """

    mark: str
    pid: int
    created: float
    facts: Mapping[str, str | int | None]

    def write(self, path: Path) -> None:
        """Replaces the record at ``path`` in one step."""
        new = path.with_suffix(".new")
        new.write_text(json.dumps({"path": str(path.resolve()), **asdict(self)}, indent=1), encoding="utf-8")
        os.replace(new, path)


def new_mark() -> str:
    """An argument that a JVM ignores and that names one start of one process."""
    return f"-Dgraphmem.start={secrets.token_hex(16)}"


def read_record(path: Path) -> ProcessRecord | None:
    """The record at ``path``; None when there is none, or an unreadable one.

    None also for one that was copied from elsewhere: the process of another home is not ours.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        record = ProcessRecord(str(found["mark"]), int(found["pid"]), float(found["created"]), found["facts"])
        return record if found["path"] == str(path.resolve()) else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def find(record: ProcessRecord) -> psutil.Process | None:
    """The living process of a record; None when it has ended, or when its pid is somebody else's now.

    A record without pid is of a GraphMem that was killed while it started the process: then the mark is
    looked for on all command lines.
    """
    if record.pid == 0:
        return next((each for each in psutil.process_iter() if _carries(each, record.mark)), None)
    try:
        process = psutil.Process(record.pid)
        created = process.create_time()
    except psutil.NoSuchProcess:
        return None
    if abs(created - record.created) > CREATED_TOLERANCE_S or not _carries(process, record.mark):
        return None
    return process


def _carries(process: psutil.Process, mark: str) -> bool:
    try:
        return mark in process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False  # gone, or of another user: not ours


def spawn(command: Sequence[str], log: Path, environment: Mapping[str, str]) -> psutil.Popen:
    """A process in a session and group of its own, silent but for ``log``, which starts anew.

    It runs in the log's folder. Nothing of ours stays open in it, and no signal of our terminal reaches it.
    """
    with log.open("wb") as output:
        return psutil.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            cwd=log.parent,
            start_new_session=True,
        )


def is_alive(process: psutil.Process) -> bool:
    """Whether it runs; reaps it if it is our child and has ended."""
    if isinstance(process, psutil.Popen):
        return process.poll() is None
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def listens(process: psutil.Process, port: int) -> bool:
    """Whether this very process accepts TCP connections on the port."""
    try:
        connections = process.net_connections(kind="tcp")
    except psutil.NoSuchProcess:
        return False
    return any(each.status == psutil.CONN_LISTEN and each.laddr.port == port for each in connections)


async def ended(process: psutil.Process, limit_s: float) -> bool:
    """Whether the process is gone within ``limit_s`` seconds; returns as soon as it is."""
    deadline = time.monotonic() + limit_s
    while is_alive(process):
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(POLL_S)
    return True


async def stop(process: psutil.Process, grace_s: float) -> bool:
    """Ends the process: asks, waits ``grace_s`` seconds, kills; True when asking was enough."""
    with suppress(psutil.NoSuchProcess):
        process.terminate()
    if await ended(process, grace_s):
        return True
    with suppress(psutil.NoSuchProcess):
        process.kill()
    await ended(process, KILLED_WITHIN_S)
    return False
