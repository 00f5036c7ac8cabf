"""The vectors of the memories: one embedder, one collection that is searched, and one that may be filling.

Either may be away. Then writing and searching by words go on, and ``degraded`` says what is missing.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from qdrant_client import models

from graphmem.errors import GraphMemError, Unavailable
from graphmem.vectors.embedder import Embedder
from graphmem.vectors.index import VectorHit, VectorIndex, VectorStore

CHECK_SECONDS = 2.0
"""How long ``/ready`` and ``status`` wait for the engine; a load balancer waits no longer for them."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """A collection and the embedder whose vectors it holds."""

    embedder: Embedder
    index: VectorIndex


class VectorRoom:
    """The collections in use.

    Args:
        store: The engine, None when the service runs without vectors.
        shelf: What searches ask, None as long as there is none.
        embedder: Where there is no shelf: what a rebuild would fill one with.
        engine: Which engine it is, for people.
        absent: Why there is none, in a few words for answers.
    """

    def __init__(
        self,
        store: VectorStore | None,
        shelf: Shelf | None,
        *,
        embedder: Embedder | None = None,
        engine: str = "none",
        absent: str = "no embedder is set; set GRAPHMEM_EMBEDDER",
    ) -> None:
        self.store = store
        self.engine = engine
        self.shelf = shelf
        self.embedder = embedder if shelf is None else shelf.embedder
        self.filling: Shelf | None = None
        self.rebuilding = False
        self._absent = absent
        self._problem: str | None = None

    @property
    def shelves(self) -> tuple[Shelf, ...]:
        """Every collection that index work goes to; none while there is none to search.

        One that is filled alone may be given up, and work that was taken off for it would be lost.
        """
        return () if self.shelf is None else self._held

    @property
    def degraded(self) -> str | None:
        """What is missing, None when all is well."""
        return self._absent if self.shelf is None else self._problem

    async def find(self, query: str, where: models.Filter, limit: int) -> list[VectorHit]:
        """The memories whose meaning is nearest, best first.

        Raises:
            Unavailable: Embedder or engine is away.
        """
        shelf = self._present()
        try:
            try:
                hits = await _nearest(shelf, query, where, limit)
            except GraphMemError:
                if self.shelf is shelf:
                    raise
                # A rebuild has switched meanwhile and dropped what was asked.
                hits = await _nearest(self._present(), query, where, limit)
        except GraphMemError as problem:
            self._problem = str(problem)
            raise Unavailable(str(problem)) from problem
        self._problem = None
        return hits

    async def check(self) -> None:
        """Asks the engine whether it answers, and notes it."""
        if self.store is None or self.shelf is None:
            return
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await self.store.health()
        except TimeoutError:
            self._problem = f"no answer within {CHECK_SECONDS:g} s"
        except GraphMemError as problem:
            self._problem = str(problem)
        else:
            self._problem = None

    def switch(self) -> Shelf | None:
        """Puts the filled collection in the place of the searched one; the one that was searched."""
        before, self.shelf, self.filling = self.shelf, self.filling, None
        return before

    @property
    def _held(self) -> tuple[Shelf, ...]:
        return tuple(shelf for shelf in (self.shelf, self.filling) if shelf is not None)

    def _present(self) -> Shelf:
        if self.shelf is None:
            raise Unavailable(self._absent)
        return self.shelf

    async def close(self) -> None:
        """Lets embedders, collections and the engine go."""
        for shelf in self._held:
            await shelf.index.close()
        if self.embedder is not None:
            await self.embedder.close()
        if self.store is not None:
            await self.store.close()


async def _nearest(shelf: Shelf, query: str, where: models.Filter, limit: int) -> list[VectorHit]:
    vector = await shelf.embedder.embed_query(query)
    return await shelf.index.search(vector.tolist(), where, limit)
