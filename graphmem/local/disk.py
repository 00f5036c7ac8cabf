"""Room on the disk of the stores: a database that finds none stops, so writing is refused before that."""

from __future__ import annotations

import shutil
from pathlib import Path

from graphmem.errors import Unavailable

WRITING_BYTES = 256 * 2**20
"""What has to be free for a write. Neo4j's log grows by 32 MB, and at a checkpoint all of its page cache may
go to disk; what other programs take between the look and the commit comes on top."""

STARTING_BYTES = WRITING_BYTES // 2
"""The same for a start, after which reading goes on where writing is refused."""


def require_room_to_write(folder: Path) -> None:
    """Lets pass while the disk of ``folder`` has room for writing.

    Raises:
        Unavailable: It has not.
    """
    _require(folder, "writing", WRITING_BYTES)


def require_room_to_start(folder: Path) -> None:
    """Lets pass while the disk of ``folder`` has room for starting the stores.

    Raises:
        Unavailable: It has not.
    """
    _require(folder, "starting", STARTING_BYTES)


def free_bytes(folder: Path) -> tuple[int, Path]:
    """What is free on the disk of ``folder``, and what was looked at: the folder, or its nearest parent."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    return shutil.disk_usage(there).free, there


def _require(folder: Path, doing: str, needed: int) -> None:
    # Callers from elsewhere see this: it names no folder of this machine.
    try:
        free, _ = free_bytes(folder)
    except OSError as error:
        raise Unavailable(f"the disk of the stores cannot be looked at: {error.strerror}") from error
    if free < needed:
        raise Unavailable(
            f"the disk of the stores has {free >> 20} MiB free, {doing} needs {needed >> 20};"
            " free some and try again"
        )
