"""What a machine needs before a Neo4j can start on it: the jars, and class data to start faster.

The first time takes a minute or two, every other time milliseconds.
"""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from graphmem.local.class_data import make_class_data, with_class_data
from graphmem.local.jars import ensure_jars
from graphmem.local.java import Program
from graphmem.local.progress import Progress


async def prepare(cache: Path, progress: Progress | None = None, *, class_data: bool = True) -> Program:
    """The program, complete in the cache folder, with its class data where there are any.

    Args:
        cache: Folder of everything that can be made again.
        progress: Sees the bytes of the download.
        class_data: Whether to make class data where there are none.

    Raises:
        Unavailable: Jars cannot be fetched.
        Misconfigured: They are not what the lock file says, or there is no room for them.
    """
    program = Program(tuple(await _jars(cache, progress)))
    if class_data:
        await make_class_data(cache, program, progress)
    return with_class_data(cache, program)


async def _jars(cache: Path, progress: Progress | None) -> list[Path]:
    cancel = threading.Event()
    try:
        return await asyncio.to_thread(ensure_jars, cache, progress, cancel=cancel)
    except asyncio.CancelledError:
        cancel.set()
        raise
