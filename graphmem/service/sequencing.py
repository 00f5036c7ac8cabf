"""The sequencer: gives committed changes their numbers, so that writers never queue behind one counter."""

from __future__ import annotations

from graphmem.graph.meta_store import ChangeStore, Lease

BATCH = 1_000
"""Changes numbered in one transaction."""


class Sequencer:
    """Numbers changes in the order of their writing."""

    def __init__(self, changes: ChangeStore) -> None:
        self._changes = changes

    async def step(self, lease: Lease) -> int:
        """Numbers one batch; how many it was."""
        return await self._changes.number(lease, BATCH)
