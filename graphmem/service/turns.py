"""A turn at what one process at a time may do, over all that share a store: a lease for as long as it takes.

Steps that come again and again are ``leased``; this is for one long piece of work.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphmem.graph.meta_store import Lease, MetaStore
from graphmem.service.leases import LEASE_SECONDS, give_back, kept

LOOK_SECONDS = 1.0
"""Between two tries for a lease that somebody has."""


@asynccontextmanager
async def turn(
    meta: MetaStore, name: str, holder: str, *, wait_seconds: float = 0.0
) -> AsyncIterator[Lease | None]:
    """The lease, kept until the context ends; None when another holder has it.

    Args:
        holder: A name of this turn alone, so that two turns in one process exclude each other as well.
        wait_seconds: How long a holder may take to let go; one that died does after ``LEASE_SECONDS``.
    """
    lease = await _taken(meta, f"lease/{name}", holder, wait_seconds)
    if lease is None:
        yield None
        return
    try:
        async with kept(meta, lease):
            yield lease
    finally:
        await asyncio.shield(give_back(meta, lease))


async def _taken(meta: MetaStore, key: str, holder: str, wait_seconds: float) -> Lease | None:
    end = time.monotonic() + wait_seconds
    while True:
        lease = await meta.take_lease(key, holder, LEASE_SECONDS)
        if lease is not None or time.monotonic() >= end:
            return lease
        await asyncio.sleep(LOOK_SECONDS)
