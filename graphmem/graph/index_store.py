"""The whole store version by version: for rebuilding an index, and for comparing one with the graph."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from graphmem.graph.client import GraphClient
from graphmem.graph.mapping import memory_from
from graphmem.memory.model import Memory

SCAN_PAGE = 64
"""Versions read at a time with their text, which may be long."""

REVISION_PAGE = 5_000
"""Versions read at a time without it."""


@dataclass(frozen=True, slots=True)
class Footing:
    """How one version stands in the graph.

    Attributes:
        waiting: Index work for it waits.
        words: It carries the tokens of the keyword index.
        paths, scopes: How many it hangs at; one path always, one scope exactly when it is live.
        whole: It has every required property.
    """

    id: str
    revision: int
    indexed_revision: int
    live: bool
    waiting: bool
    words: bool
    paths: int
    scopes: int
    whole: bool


class IndexStore:
    """Scans by id. One scan can miss rows under writes, so whoever needs all of them makes a second pass."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def versions(self) -> AsyncIterator[list[Memory]]:
        """Every version, by id, in pages."""
        after = ""
        while rows := await self._graph.run("index/scan", {"after": after, "limit": SCAN_PAGE}):
            page = [memory_from(row["memory"], row["label"]) for row in rows]
            after = page[-1].id
            yield page

    async def footings(self) -> AsyncIterator[list[Footing]]:
        """How every version stands, by id, in pages."""
        after = ""
        while rows := await self._graph.run("index/revisions", {"after": after, "limit": REVISION_PAGE}):
            after = rows[-1]["id"]
            yield [Footing(**row) for row in rows]

    async def any_indexed(self) -> bool:
        """Whether any version was ever brought into a vector index."""
        async for page in self.footings():
            if any(footing.indexed_revision for footing in page):
                return True
        return False

    async def some(self, ids: Sequence[str]) -> list[Memory]:
        """These versions, in no order; one that is gone is left out."""
        rows = await self._graph.run("index/some", {"ids": list(ids)})
        return [memory_from(row["memory"], row["label"]) for row in rows]
