"""A lease that is kept while work goes on: renewed before it runs out, however long a piece of work takes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphmem.errors import GraphMemError
from graphmem.graph.meta_store import Lease, MetaStore

LEASE_SECONDS = 15
"""How long a holder that died keeps others waiting."""

RENEW_SECONDS = 5.0
"""Age at which a lease is renewed."""

_log = logging.getLogger(__name__)


@asynccontextmanager
async def kept(meta: MetaStore, lease: Lease) -> AsyncIterator[None]:
    """A block in which the lease is renewed.

    It can be lost all the same, by a process that stands still: statements check its fencing number.
    """
    keeping = asyncio.create_task(_keep(meta, lease), name=f"keep {lease.key}")
    try:
        yield
    finally:
        keeping.cancel()
        [ended] = await asyncio.gather(keeping, return_exceptions=True)
        if isinstance(ended, Exception):
            _log.error("%s was not renewed to the end", lease.key, exc_info=ended)


async def give_back(meta: MetaStore, lease: Lease) -> None:
    """Lets another holder take it at once; where that fails, it runs out by itself."""
    try:
        await meta.drop_lease(lease)
    except GraphMemError as problem:
        _log.info("%s runs out by itself: %s", lease.key, problem)


async def _keep(meta: MetaStore, lease: Lease) -> None:
    while True:
        await asyncio.sleep(RENEW_SECONDS)
        try:
            await meta.take_lease(lease.key, lease.holder, LEASE_SECONDS)
        except GraphMemError as problem:
            _log.info("%s could not be renewed: %s", lease.key, problem)
