"""Ending the local service: exactly the process of its record, and what that started.

A process is known by its number and its start (the JVM also by a mark on its command line), so one that took
over a number is never touched.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from graphmem.cli.service_file import remove_record, running
from graphmem.errors import Unavailable
from graphmem.local.layout import Layout
from graphmem.local.processes import find, read_record

STOP_S = 100.0
"""Seconds that the service gets to answer what runs (10) and to close its stores (60 for Neo4j)."""

CHILDREN_S = 30.0
"""Seconds that what the service started gets to end after it."""

SETTLE_S = 60.0
"""Seconds that a service which starts or ends at this moment gets to be there or gone."""

LOOK_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class Stopped:
    """What was ended.

    Attributes:
        pid: Of the service; None when only what it had left behind was ended.
        children: Process numbers of what the service had started, all gone now.
        killed: Process numbers that did not end by themselves.
    """

    pid: int | None
    children: tuple[int, ...]
    killed: tuple[int, ...]


def stop(home: Path) -> Stopped | None:
    """End the service of this home and wait until it and its children are gone; None when nothing runs.

    Raises:
        Unavailable: A service was starting or ending all the time.
    """
    _settle(home)
    record = running(home)
    process = None if record is None else record.process()
    service = [] if process is None else [process]
    children = [*([] if process is None else children_of(process)), *left_behind(home)]
    if not service and not children:
        return None
    killed = _end(service, STOP_S)
    # After a service that closed its stores itself nothing is left to be ended here.
    killed += _end(children, CHILDREN_S)
    if record is not None:
        remove_record(home, record.pid)
    pids = sorted({child.pid for child in children})
    return Stopped(None if record is None else record.pid, tuple(pids), tuple(killed))


def children_of(process: psutil.Process) -> list[psutil.Process]:
    """Every process that this one started, directly or through another."""
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def left_behind(home: Path) -> list[psutil.Process]:
    """The JVM of this home, whoever started it: a service that runs, or one that was killed."""
    record = read_record(Layout(home.absolute()).record)
    process = None if record is None else find(record)
    return [] if process is None else [process]


def _settle(home: Path) -> None:
    """Wait while a service starts or ends: it holds the lock and has no record."""
    limit = time.monotonic() + SETTLE_S
    while running(home) is None and _held(home / "service.lock"):
        if time.monotonic() > limit:
            raise Unavailable(f"a service of {home} has been starting or ending for {SETTLE_S:.0f} s")
        time.sleep(LOOK_EVERY_S)


def _held(lock: Path) -> bool:
    if not lock.exists():
        return False
    try:
        with FileLock(lock, timeout=0):
            return False
    except Timeout:
        return True


def _end(processes: Sequence[psutil.Process], seconds: float) -> list[int]:
    """Ask all to end and kill what does not in time; the numbers of those."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.terminate()
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    for process in alive:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(alive, timeout=seconds)
    return [process.pid for process in alive]
