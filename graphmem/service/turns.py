"""A turn at what one process at a time may do, over all that share a store: a lease for as long as it takes.

Steps that come again and again are ``leased``; this is for one long piece of work.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphmem.errors import GraphMemError
from graphmem.graph.meta_store import Lease, MetaStore
from graphmem.service.leased import LEASE_SECONDS, RENEW_SECONDS

LOOK_SECONDS = 1.0
"""Between two tries for a lease that somebody has."""

_log = logging.getLogger(__name__)


@asynccontextmanager
async def turn(
    meta: MetaStore, name: str, holder: str, *, wait_seconds: float = 0.0
) -> AsyncIterator[Lease | None]:
    """The lease, renewed until the context ends; None when another holder keeps it.

    It can be lost all the same, by a process that stands still: statements check its fencing number.

    Args:
        holder: A name of this turn alone, so that two turns in one process exclude each other as well.
        wait_seconds: How long a holder may take to let go; one that died does after ``LEASE_SECONDS``.
    """
    lease = await _taken(meta, f"lease/{name}", holder, wait_seconds)
    if lease is None:
        yield None
        return
    keeping = asyncio.create_task(_keep(meta, lease), name=f"turn at {name}")
    try:
        yield lease
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await asyncio.shield(_give_back(meta, lease))


async def _taken(meta: MetaStore, key: str, holder: str, wait_seconds: float) -> Lease | None:
    end = time.monotonic() + wait_seconds
    while True:
        lease = await meta.take_lease(key, holder, LEASE_SECONDS)
        if lease is not None or time.monotonic() >= end:
            return lease
        await asyncio.sleep(LOOK_SECONDS)


async def _keep(meta: MetaStore, lease: Lease) -> None:
    while True:
        await asyncio.sleep(RENEW_SECONDS)
        try:
            await meta.take_lease(lease.key, lease.holder, LEASE_SECONDS)
        except GraphMemError as problem:
            _log.info("%s could not be renewed: %s", lease.key, problem)


async def _give_back(meta: MetaStore, lease: Lease) -> None:
    try:
        await meta.drop_lease(lease)
    except GraphMemError as problem:
        _log.info("%s runs out by itself: %s", lease.key, problem)
