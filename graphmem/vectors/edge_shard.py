"""One collection of Qdrant Edge: opening, writing, reading. Runs in the vector worker.

Edge keeps a write-ahead log: what ``upsert`` has returned survives the end of the process. ``flush`` only
shortens the replay at the next start. ``optimize`` is never called, since it would stop the worker for a
minute; searches are exact scans.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import qdrant_edge as edge

from graphmem.vectors.edge_filter import edge_value

FIELD_TYPES = {
    "keyword": edge.PayloadSchemaType.Keyword,
    "bool": edge.PayloadSchemaType.Keyword,  # booleans are stored as texts, see edge_filter
    "datetime": edge.PayloadSchemaType.Datetime,
    "integer": edge.PayloadSchemaType.Integer,
}

NEVER_INDEX_KB = 10**9
"""Size in KB from which Edge would want an HNSW graph: never, scans stay exact."""

SEARCH_THREADS = 2
"""Threads of Edge's own pool; one segment is scanned by one thread whatever this says."""

IDENTITY = ["memory_id", "window", "revision", "dead"]
"""Payload fields that answers need."""


class WrongWidth(Exception):
    """The collection exists with another width."""

    def __init__(self, stored: int) -> None:
        super().__init__(f"stored width {stored}")
        self.stored = stored


class EdgeCollection:
    """An open collection.

    Attributes:
        shard: The engine's own object.
        width: Floats in a vector.
        unflushed: Points written since the last flush.
    """

    def __init__(self, shard: edge.EdgeShard, width: int) -> None:
        self.shard = shard
        self.width = width
        self.unflushed = 0

    def upsert(self, points: Sequence[edge.Point], by_revision: Mapping[int, Sequence[str]]) -> None:
        """Stores each point where none of its id is held, or one of a lower revision, as one operation."""
        older = [
            edge.Filter(
                must=[
                    edge.HasIdCondition(set(ids)),
                    edge.FieldCondition("revision", range=edge.RangeFloat(lt=float(revision))),
                ]
            )
            for revision, ids in by_revision.items()
        ]
        operation = edge.UpdateOperation.upsert_points(
            list(points), condition=edge.Filter(should=list(older))
        )
        self.shard.update(operation)
        self.unflushed += len(points)

    def vectors(self, ids: Sequence[str]) -> list[tuple[str, list[float]]]:
        """Id and vector of those points that exist and carry one."""
        records = self.shard.retrieve(list(ids), False, True)
        # A tombstone carries an empty mapping of named vectors.
        return [
            (str(one.id), cast("list[float]", one.vector)) for one in records if isinstance(one.vector, list)
        ]

    def revisions(
        self, after: str | None, limit: int, memories: Sequence[str] | None
    ) -> list[dict[str, object]]:
        """``id`` and identity of the points after ``after``, in the order of ids; of these memories alone."""
        start = None if after is None else UUID(after)
        only = None
        if memories is not None:
            named = edge.FieldCondition("memory_id", match=edge.MatchAny(list(memories)))
            only = edge.Filter(must=[named])
        request = edge.ScrollRequest(
            offset=start, limit=limit + 1, filter=only, with_payload=IDENTITY, with_vector=False
        )
        records, _ = self.shard.scroll(request)
        found = [{"id": str(one.id)} | cast("dict[str, object]", one.payload or {}) for one in records]
        return [one for one in found if one["id"] != after][:limit]

    def count(self) -> int:
        """Points that carry a vector."""
        return self.shard.count(edge.CountRequest(filter=edge.Filter(must=[edge.HasVectorCondition("")])))

    def size(self) -> int:
        """Points of every sort, without a scan."""
        return self.shard.count(edge.CountRequest(exact=False))

    def flush(self) -> None:
        """Writes everything to its place on disk, so that the log can be cut."""
        self.shard.flush()
        self.unflushed = 0


def open_collection(folder: Path, width: int, fields: Mapping[str, str]) -> EdgeCollection:
    """The collection in ``folder``, made with its payload indexes where there is none.

    Raises:
        WrongWidth: the folder holds vectors of another width.
    """
    if not folder.exists():
        _create(folder, width)
    stored = stored_width(folder)
    if stored != width:
        raise WrongWidth(stored)
    shard = edge.EdgeShard.load(str(folder))
    known = shard.info().payload_schema
    for name, kind in fields.items():
        if name not in known:
            shard.update(edge.UpdateOperation.create_field_index(name, FIELD_TYPES[kind]))
    return EdgeCollection(shard, width)


def stored_width(folder: Path) -> int:
    """Width of the vectors that the folder holds."""
    config = json.loads((folder / "edge_config.json").read_text(encoding="utf-8"))
    return int(config["vectors"][""]["size"])


def edge_point(id: str, vector: Sequence[float] | None, payload: Mapping[str, Any]) -> edge.Point:
    """A point in the engine's form; without a vector it is a tombstone."""
    stored = {name: edge_value(value) for name, value in payload.items()}
    return edge.Point(id, {} if vector is None else list(vector), stored)


def _create(folder: Path, width: int) -> None:
    """Makes an empty collection; one that was interrupted half-way is not there at all."""
    unfinished = folder.with_name(folder.name + ".new")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    config = edge.EdgeConfig(
        vectors=edge.EdgeVectorParams(size=width, distance=edge.Distance.Cosine),
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=NEVER_INDEX_KB),
        max_search_threads=SEARCH_THREADS,
        wal_enabled=True,
    )
    shard = edge.EdgeShard.create(str(unfinished), config)
    shard.flush()
    shard.close()
    unfinished.rename(folder)
