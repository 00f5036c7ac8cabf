"""Room on the disk of a home: a database that finds none stops, so writing is refused before that."""

from __future__ import annotations

import shutil
from pathlib import Path

from graphmem.errors import Unavailable

LEAST_FREE_BYTES = 256 * 2**20
"""What has to stay free. Neo4j's log grows by 32 MB, and at a checkpoint all of its page cache may go to
disk; what other programs take between a check and a commit comes on top."""


def require_room(folder: Path, least_bytes: int = LEAST_FREE_BYTES) -> None:
    """Lets pass while the disk of ``folder`` has room for the stores.

    Raises:
        Unavailable: Less than ``least_bytes`` are free.
    """
    free = shutil.disk_usage(folder).free
    if free < least_bytes:
        raise Unavailable(
            f"the disk of {folder} has {free >> 20} MiB free, writing needs {least_bytes >> 20};"
            " nothing was stored, free some and try again"
        )
