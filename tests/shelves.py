"""An engine for vectors, a store's memory of itself and its versions, all in dictionaries."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from types import SimpleNamespace
from typing import Any, cast

from qdrant_client import models

from graphmem.access.guard import DEFAULT_SUBJECT
from graphmem.errors import Unavailable
from graphmem.graph.index_store import Footing
from graphmem.graph.meta_store import Lease, MetaStore
from graphmem.memory.model import Fact, Memory
from graphmem.service.clock import Clock
from graphmem.service.platform import Caller, Platform, Stores
from graphmem.service.shelving import described
from graphmem.service.vector_room import VectorRoom
from graphmem.vectors.embedder import Embedder, Vectors
from graphmem.vectors.hashing import HashEmbedder
from graphmem.vectors.index import Point, PointRevision, VectorHit
from tests.ledgers import first_version


def version(id: str, content: str) -> Fact:
    """A live version that an index holds already."""
    return first_version(id, content, indexed_revision=1)


class Model(HashEmbedder):
    """The embedder for tests under a name; keeps the texts of each call, and may fail after some."""

    def __init__(self, name: str = "hash", *, calls: int = 1_000) -> None:
        self.name = name
        self.asked: list[list[str]] = []
        self._calls = calls

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if len(self.asked) >= self._calls:
            raise Unavailable("the model is away")
        self.asked.append(list(texts))
        return await super().embed(texts)


class Index:
    """One collection."""

    def __init__(self, engine: Engine, collection: str, width: int) -> None:
        self.collection = collection
        self.width = width
        self._engine = engine

    @property
    def points(self) -> dict[str, Point]:
        if self.collection not in self._engine.stored:
            raise Unavailable(f"the collection {self.collection} is not open")
        return self._engine.stored[self.collection]

    async def upsert(self, points: Sequence[Point]) -> None:
        self.points.update({point.id: point for point in points})

    async def vectors(self, ids: Sequence[str]) -> dict[str, list[float]]:
        found = {id: self.points[id].vector for id in ids if id in self.points}
        return {id: list(vector) for id, vector in found.items() if vector is not None}

    async def search(self, vector: Sequence[float], where: models.Filter, limit: int) -> list[VectorHit]:
        return [VectorHit(str(point.payload["memory_id"]), 0, 1, 1.0) for point in self.points.values()]

    async def revisions(
        self, after: str | None, limit: int, memories: Sequence[str] | None = None
    ) -> list[PointRevision]:
        said: list[Mapping[str, Any]] = [
            {**point.payload, "id": id} for id, point in sorted(self.points.items()) if id > (after or "")
        ]
        return [
            PointRevision(one["id"], one["memory_id"], one["window"], one["revision"], False)
            for one in said[:limit]
        ]

    async def count(self) -> int:
        return len(self.points)

    async def close(self) -> None:
        pass


@dataclass
class Engine:
    """Collections by name, the points of each by id."""

    stored: dict[str, dict[str, Point]] = field(default_factory=dict)
    pid: int | None = None

    async def open(self, collection: str, width: int) -> Index:
        self.stored.setdefault(collection, {})
        return Index(self, collection, width)

    async def collections(self) -> list[str]:
        return sorted(self.stored)

    async def drop(self, collection: str) -> None:
        self.stored.pop(collection, None)

    async def health(self) -> None:
        pass

    async def close(self) -> None:
        pass

    def resident_bytes(self) -> int | None:
        return None


@dataclass
class Settings:
    """What the store remembers, and who has which lease."""

    values: dict[str, str] = field(default_factory=dict)
    leases: dict[str, str] = field(default_factory=dict)
    fences: count[int] = field(default_factory=count)

    async def get(self, *keys: str) -> dict[str, str]:
        return {key: self.values[key] for key in keys if key in self.values}

    async def put(self, values: Mapping[str, str]) -> None:
        self.values |= values

    async def put_under(self, lease: Lease, values: Mapping[str, str]) -> bool:
        if self.leases.get(lease.key) != lease.holder:
            return False
        self.values |= values
        return True

    async def take_lease(self, key: str, holder: str, seconds: int) -> Lease | None:
        if self.leases.setdefault(key, holder) != holder:
            return None
        return Lease(key, holder, next(self.fences))

    async def drop_lease(self, lease: Lease) -> None:
        if self.leases.get(lease.key) == lease.holder:
            del self.leases[lease.key]


class Versions:
    """The graph as the rebuild reads it: pages of versions."""

    def __init__(self, *pages: Sequence[Memory]) -> None:
        self.pages = pages

    async def versions(self) -> AsyncIterator[list[Memory]]:
        for page in self.pages:
            yield list(page)

    async def footings(self) -> AsyncIterator[list[Footing]]:
        for page in self.pages:
            yield [Footing(m.id, m.revision, m.indexed_revision, True, False, True, 1, 1, True) for m in page]

    async def some(self, ids: Sequence[str]) -> list[Memory]:
        return [memory for page in self.pages for memory in page if memory.id in ids]

    async def any_indexed(self) -> bool:
        return any(memory.indexed_revision for page in self.pages for memory in page)


@dataclass
class Library:
    """A store, an engine, and what joins them."""

    index: Versions = field(default_factory=Versions)
    engine: Engine = field(default_factory=Engine)
    settings: Settings = field(default_factory=Settings)

    @property
    def meta(self) -> MetaStore:
        return cast(MetaStore, self.settings)

    @property
    def stores(self) -> Stores:
        return cast(Stores, SimpleNamespace(meta=self.settings, index=self.index))

    def remembers(self, embedder: Embedder, collection: str) -> None:
        """``Meta`` names the collection from now on."""
        self.settings.values |= described(embedder, collection)

    def caller(self, room: VectorRoom) -> Caller:
        """The subject that may do everything."""
        platform = SimpleNamespace(stores=self.stores, vectors=room, clock=Clock())
        return Caller.of(cast(Platform, platform), DEFAULT_SUBJECT)


def unindexed(memory: Fact) -> Fact:
    """The version as one that no index holds."""
    return replace(memory, indexed_revision=0)
