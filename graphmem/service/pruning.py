"""Pruning: retry keys are remembered for days, not for ever."""

from __future__ import annotations

from datetime import timedelta

from graphmem.graph.meta_store import Lease
from graphmem.graph.retry_store import RetryStore
from graphmem.service.clock import Clock

BATCH = 1_000
"""Keys forgotten in one transaction."""

IDLE_SECONDS = 600.0
"""Between two looks for keys that are old enough."""


class Pruner:
    """Forgets retry keys that are older than so many days."""

    def __init__(self, keys: RetryStore, clock: Clock, days: int) -> None:
        self._keys = keys
        self._clock = clock
        self._age = timedelta(days=days)

    async def step(self, lease: Lease) -> int:
        """Forgets one batch; how many keys it was."""
        return await self._keys.forget(self._clock.now() - self._age, BATCH)
