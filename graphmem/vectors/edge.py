"""Vectors in Qdrant Edge, the engine that comes with the package: nothing to install, one machine.

Everything of the engine happens in the worker process; this side checks, packs and unpacks.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graphmem.errors import GraphMemError
from graphmem.vectors.batches import by_revision, checked_batches, checked_vector
from graphmem.vectors.edge_link import MIN_FREE_BYTES, Link, WorkerPlace
from graphmem.vectors.edge_process import EdgeProcess
from graphmem.vectors.filters import filter_values
from graphmem.vectors.frames import unpacked
from graphmem.vectors.index import Point, PointRevision, VectorHit, point_revision
from graphmem.vectors.schema import payload_schema

if TYPE_CHECKING:
    from qdrant_client import models

log = logging.getLogger("graphmem.vectors")


class EdgeStore:
    """The collections in one folder. Open it with ``EdgeStore.start``."""

    def __init__(self, folder: Path, log_file: Path, min_free_bytes: int) -> None:
        self._opened: dict[str, int] = {}
        self._process = EdgeProcess(WorkerPlace(folder, log_file, min_free_bytes), self._open_again)

    @classmethod
    async def start(cls, folder: Path, log_file: Path, *, min_free_bytes: int = MIN_FREE_BYTES) -> EdgeStore:
        """The store, its worker running.

        Args:
            folder: Holds the collections; belongs to one store at a time.
            log_file: What the worker has to say.
            min_free_bytes: Free space on the folder's disk below which writes are refused.

        Raises:
            Misconfigured: another process uses the folder.
            Unavailable: the worker does not start.
        """
        store = cls(folder, log_file, min_free_bytes)
        await store._process.start()
        return store

    async def open(self, collection: str, width: int) -> EdgeIndex:
        """See ``VectorStore.open``."""
        await self._process.call(_open_header(collection, width))
        self._opened[collection] = width
        return EdgeIndex(self._process, collection, width, self._opened)

    async def collections(self) -> list[str]:
        """See ``VectorStore.collections``."""
        reply, _ = await self._process.call({"op": "collections"})
        return [str(name) for name in reply["collections"]]

    async def drop(self, collection: str) -> None:
        """See ``VectorStore.drop``."""
        self._opened.pop(collection, None)
        await self._process.call({"op": "drop", "collection": collection})

    async def health(self) -> None:
        """See ``VectorStore.health``."""
        await self._process.call({"op": "ping"})

    async def close(self) -> None:
        """Ends the worker; the points stay."""
        await self._process.close()

    def resident_bytes(self) -> int | None:
        """See ``EdgeProcess.resident_bytes``."""
        return self._process.resident_bytes()

    @property
    def pid(self) -> int | None:
        """The worker's process id, while one runs."""
        return self._process.pid

    async def _open_again(self, link: Link) -> None:
        """Opens in a new worker what was open in the last one."""
        for collection, width in list(self._opened.items()):
            reply, _ = await link.call(_open_header(collection, width))
            if "error" in reply:
                log.error("the collection %s does not open again: %s", collection, reply["message"])


class EdgeIndex:
    """One collection; see ``VectorIndex``."""

    def __init__(self, process: EdgeProcess, collection: str, width: int, opened: dict[str, int]) -> None:
        self.collection = collection
        self.width = width
        self._process = process
        self._opened = opened

    async def upsert(self, points: Sequence[Point]) -> None:
        """See ``VectorIndex.upsert``."""
        for batch in checked_batches(points, self.width):
            vectors = [point.vector for point in batch if point.vector is not None]
            header = self._header("upsert") | {
                "points": [[point.id, point.vector is not None, dict(point.payload)] for point in batch],
                "revisions": by_revision(batch),
            }
            await self._process.call(header, np.asarray(vectors, dtype="<f4").tobytes())

    async def vectors(self, ids: Sequence[str]) -> dict[str, list[float]]:
        """See ``VectorIndex.vectors``."""
        reply, body = await self._process.call(self._header("vectors") | {"ids": list(ids)})
        return dict(zip(reply["ids"], unpacked(body, self.width), strict=True))

    async def search(self, vector: Sequence[float], where: models.Filter, limit: int) -> list[VectorHit]:
        """See ``VectorIndex.search``."""
        if limit < 1:
            return []
        header = self._header("search") | {"where": filter_values(where), "limit": limit}
        body = checked_vector(vector, self.width, "vector").astype("<f4").tobytes()
        reply, _ = await self._process.call(header, body)
        return [VectorHit(*hit) for hit in reply["hits"]]

    async def revisions(
        self, after: str | None, limit: int, memories: Sequence[str] | None = None
    ) -> list[PointRevision]:
        """See ``VectorIndex.revisions``."""
        only = None if memories is None else list(memories)
        header = self._header("revisions") | {"after": after, "limit": limit, "memories": only}
        reply, _ = await self._process.call(header)
        return [point_revision(one) for one in reply["points"]]

    async def count(self) -> int:
        """See ``VectorIndex.count``."""
        reply, _ = await self._process.call(self._header("count"))
        return int(reply["count"])

    async def close(self) -> None:
        """Closes the collection in the worker."""
        if self._opened.pop(self.collection, None) is None:
            return
        try:
            await self._process.call(self._header("close"))
        except GraphMemError as error:
            log.warning("closing %s: %s", self.collection, error)

    def _header(self, op: str) -> dict[str, object]:
        return {"op": op, "collection": self.collection}


def _open_header(collection: str, width: int) -> dict[str, object]:
    fields = dict(payload_schema().fields)
    return {"op": "open", "collection": collection, "width": width, "fields": fields}
