"""One collection of a Qdrant server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from qdrant_client import AsyncQdrantClient, models

from graphmem.vectors.batches import by_revision, checked_batches, checked_vector
from graphmem.vectors.filters import filter_values
from graphmem.vectors.grouping import FETCH_GROWTH, best_windows, first_fetch, is_complete
from graphmem.vectors.index import Point, PointRevision, VectorHit, point_revision
from graphmem.vectors.server_calls import asked

IDENTITY = ["memory_id", "window", "revision", "dead"]
"""Payload fields that answers need."""

EXACT = models.SearchParams(exact=True)


class ServerIndex:
    """See ``VectorIndex``.

    Args:
        client: Talks to the server.
        name: The collection as the server knows it.
        collection: The collection as we know it.
        width: Floats in each vector.
    """

    def __init__(self, client: AsyncQdrantClient, name: str, collection: str, width: int) -> None:
        self.collection = collection
        self.width = width
        self._client = client
        self._name = name

    async def upsert(self, points: Sequence[Point]) -> None:
        """See ``VectorIndex.upsert``."""
        for batch in checked_batches(points, self.width):
            upsert = partial(
                self._client.upsert,
                self._name,
                [_struct(point) for point in batch],
                wait=True,
                ordering=models.WriteOrdering.STRONG,
                update_filter=_older(by_revision(batch)),
            )
            await asked("upsert", upsert)

    async def vectors(self, ids: Sequence[str]) -> dict[str, list[float]]:
        """See ``VectorIndex.vectors``."""
        retrieve = partial(
            self._client.retrieve, self._name, list(ids), with_payload=False, with_vectors=True
        )
        records = await asked("vectors", retrieve)
        # A tombstone carries an empty mapping of named vectors.
        return {str(one.id): _floats(one.vector) for one in records if isinstance(one.vector, list)}

    async def search(self, vector: Sequence[float], where: models.Filter, limit: int) -> list[VectorHit]:
        """See ``VectorIndex.search``."""
        filter_values(where)  # refuses an empty clause
        query = checked_vector(vector, self.width, "vector").tolist()
        fetch = first_fetch(limit)
        while limit > 0:
            windows = await self._windows(query, where, fetch)
            page = best_windows(windows, limit)
            worst = windows[-1].score if windows else 0.0
            if is_complete(page, limit, fetched=len(windows), asked=fetch, worst=worst):
                return page
            fetch *= FETCH_GROWTH
        return []

    async def revisions(
        self, after: str | None, limit: int, memories: Sequence[str] | None = None
    ) -> list[PointRevision]:
        """See ``VectorIndex.revisions``."""
        only = None
        if memories is not None:
            named = models.FieldCondition(key="memory_id", match=models.MatchAny(any=list(memories)))
            only = models.Filter(must=[named])
        scroll = partial(
            self._client.scroll,
            self._name,
            scroll_filter=only,
            offset=after,
            limit=limit + 1,
            with_payload=IDENTITY,
            with_vectors=False,
        )
        records, _ = await asked("revisions", scroll)
        found = [point_revision({"id": str(one.id)} | (one.payload or {})) for one in records]
        return [one for one in found if one.id != after][:limit]

    async def count(self) -> int:
        """See ``VectorIndex.count``."""
        dead = models.FieldCondition(key="dead", match=models.MatchValue(value=True))
        living = models.Filter(must_not=[dead])
        return (await asked("count", partial(self._client.count, self._name, living, exact=True))).count

    async def close(self) -> None:
        """Nothing is held for one collection."""

    async def _windows(self, query: list[float], where: models.Filter, limit: int) -> list[VectorHit]:
        query_points = partial(
            self._client.query_points,
            self._name,
            query=query,
            query_filter=where,
            limit=limit,
            with_payload=IDENTITY[:3],
            search_params=EXACT,
        )
        return [_hit(one.payload or {}, one.score) for one in (await asked("search", query_points)).points]


def _hit(payload: Mapping[str, Any], score: float) -> VectorHit:
    return VectorHit(payload["memory_id"], payload["window"], payload["revision"], score)


def _struct(point: Point) -> models.PointStruct:
    payload = dict(point.payload)
    if point.vector is None:
        return models.PointStruct(id=point.id, vector={}, payload=payload)
    return models.PointStruct(id=point.id, vector=_floats(point.vector), payload=payload)


def _floats(values: Sequence[Any]) -> list[float]:
    return [float(value) for value in values]


def _older(revisions: Mapping[int, Sequence[str]]) -> models.Filter:
    """Lets through, of each id, a stored revision below the one that comes."""
    return models.Filter(
        should=[
            models.Filter(
                must=[
                    models.HasIdCondition(has_id=list(ids)),
                    models.FieldCondition(key="revision", range=models.Range(lt=revision)),
                ]
            )
            for revision, ids in revisions.items()
        ]
    )
