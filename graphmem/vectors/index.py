"""What every vector index can do: the points, the hits, and the two protocols.

An index holds one collection; a store opens, lists and drops collections. Nothing here knows an engine,
a graph or an access rule: filters arrive ready made.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from qdrant_client import models

UPSERT_BATCH = 100
"""Points in one step of an upsert; more only where one memory has more. A step of 1,000 would block
searches for 140 to 200 ms."""

_NAMESPACE = uuid.UUID("5f0f8a34-9a3b-5c0e-8f0d-6d3c1f2a7b90")
"""UUIDv5 namespace of point ids; changing it orphans every stored point."""


@dataclass(frozen=True, slots=True)
class Point:
    """One window of one revision of a memory, as the index keeps it.

    Attributes:
        id: ``point_id(memory_id, window)``.
        vector: ``width`` floats, any length above 0; ``None`` makes the point a tombstone.
        payload: Fields of ``schema/vectors.json``; always ``memory_id`` (text), ``window`` and ``revision``
            (whole numbers). A tombstone's payload also has ``dead: True`` and needs nothing else.
    """

    id: str
    vector: Sequence[float] | None
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class VectorHit:
    """The best window of one memory for a query.

    Attributes:
        memory_id: The memory.
        window: Number of its best window, from 0.
        revision: Revision that was indexed; may be older than the memory's.
        score: Cosine similarity, -1 to 1; higher is better.
    """

    memory_id: str
    window: int
    revision: int
    score: float


@dataclass(frozen=True, slots=True)
class PointRevision:
    """What the index believes about one point; ``dead`` marks a tombstone."""

    id: str
    memory_id: str
    window: int
    revision: int
    dead: bool


class VectorIndex(Protocol):
    """One collection of points of one width."""

    @property
    def collection(self) -> str:
        """Name of the collection."""
        ...

    @property
    def width(self) -> int:
        """Floats in each vector."""
        ...

    async def upsert(self, points: Sequence[Point]) -> None:
        """Each point is stored where the index holds none of that id, or one of a lower revision.

        Idempotent; deliveries in any order, repeated or not, end at the newest revision. When it returns, the
        points are searchable and survive the end of the engine's process.

        Raises:
            InvalidInput: a vector of another width, or a payload without memory_id, window or revision.
            Unavailable: the engine is away or its disk is nearly full; some batches may be stored.
        """
        ...

    async def vectors(self, ids: Sequence[str]) -> dict[str, list[float]]:
        """The normalised vectors of those point ids that exist and carry one, by id."""
        ...

    async def search(self, vector: Sequence[float], where: models.Filter, limit: int) -> list[VectorHit]:
        """The best window of each memory, best first, ties by memory id; at most ``limit`` memories, exact.

        Only points that ``where`` lets through count. Tombstones never come up. Empty when nothing is left.
        """
        ...

    async def revisions(
        self, after: str | None, limit: int, memories: Sequence[str] | None = None
    ) -> list[PointRevision]:
        """Points in the order of their ids, those after ``after``; tombstones too. Empty at the end.

        Args:
            memories: Only the points of these memories; ``None`` means of all.
        """
        ...

    async def count(self) -> int:
        """How many points carry a vector."""
        ...

    async def close(self) -> None:
        """Lets go of this collection; its points stay."""
        ...


class VectorStore(Protocol):
    """An engine that holds collections."""

    async def open(self, collection: str, width: int) -> VectorIndex:
        """The collection, made with its payload indexes where it does not exist.

        Raises:
            Misconfigured: it exists with another width.
            Unavailable: the engine does not answer.
        """
        ...

    async def collections(self) -> list[str]:
        """Names of the stored collections, sorted."""
        ...

    async def drop(self, collection: str) -> None:
        """Erases a collection and its points; one that does not exist is no error."""
        ...

    async def health(self) -> None:
        """Returns when the engine answers.

        Raises:
            Unavailable: it does not.
        """
        ...

    async def close(self) -> None:
        """Ends what this store started; stored points stay."""
        ...

    def resident_bytes(self) -> int | None:
        """Memory of the engine's process, or ``None`` where it is not ours to see."""
        ...

    @property
    def pid(self) -> int | None:
        """Process of the engine, or ``None`` where it is not ours or is just being restarted."""
        ...


def point_id(memory_id: str, window: int) -> str:
    """The id of a window's point: UUIDv5 of the memory id and the window number."""
    return str(uuid.uuid5(_NAMESPACE, f"{memory_id}#{window}"))


def tombstone(memory_id: str, window: int, revision: int) -> Point:
    """A point that carries no vector, never comes up, and beats every upsert up to its revision."""
    payload = {"memory_id": memory_id, "window": window, "revision": revision, "dead": True}
    return Point(point_id(memory_id, window), None, payload)


def collection_name(embedder: str, width: int, recipe: str) -> str:
    """The collection of an embedder: name, width, and 8 hex digits of all that makes vectors differ."""
    slug = re.sub(r"[^a-z0-9]+", "-", embedder.lower()).strip("-")[:40]
    mark = hashlib.blake2b("\x1f".join((embedder, str(width), "cosine", recipe)).encode(), digest_size=4)
    return f"memories-{slug}-{width}-{mark.hexdigest()}"


def point_revision(stored: Mapping[str, Any]) -> PointRevision:
    """What an engine gave back of a point: ``id`` beside the payload's identity fields."""
    dead = stored.get("dead") in (True, "true")
    return PointRevision(stored["id"], stored["memory_id"], stored["window"], stored["revision"], dead)
