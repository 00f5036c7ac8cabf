"""The vectors of the memories: one embedder, one collection that is searched, and one that may be filling.

Either may be away. Then writing and searching by words go on, and ``degraded`` says what is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qdrant_client import models

from graphmem.errors import GraphMemError, Unavailable
from graphmem.vectors.embedder import Embedder
from graphmem.vectors.index import VectorHit, VectorIndex, VectorStore


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
        engine: Which engine it is, for people.
        absent: Why there is none, in a few words for answers.
    """

    def __init__(
        self,
        store: VectorStore | None,
        shelf: Shelf | None,
        *,
        engine: str = "none",
        absent: str = "no embedder is set",
    ) -> None:
        self.store = store
        self.engine = engine
        self.shelf = shelf
        self.filling: Shelf | None = None
        self.rebuilding = False
        self._absent = absent
        self._problem: str | None = None

    @property
    def shelves(self) -> tuple[Shelf, ...]:
        """Every collection that index work goes to."""
        return tuple(shelf for shelf in (self.shelf, self.filling) if shelf is not None)

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
            vector = await shelf.embedder.embed_query(query)
            hits = await shelf.index.search(vector.tolist(), where, limit)
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
            await self.store.health()
        except GraphMemError as problem:
            self._problem = str(problem)
        else:
            self._problem = None

    def switch(self) -> Shelf | None:
        """Puts the filled collection in the place of the searched one; the one that was searched."""
        before, self.shelf, self.filling = self.shelf, self.filling, None
        return before

    def _present(self) -> Shelf:
        if self.shelf is None:
            raise Unavailable(self._absent)
        return self.shelf

    async def close(self) -> None:
        """Lets embedders, collections and the engine go."""
        for shelf in self.shelves:
            await shelf.index.close()
        for embedder in _once([shelf.embedder for shelf in self.shelves]):
            await embedder.close()
        if self.store is not None:
            await self.store.close()


def _once(embedders: Sequence[Embedder]) -> list[Embedder]:
    return list({id(embedder): embedder for embedder in embedders}.values())
