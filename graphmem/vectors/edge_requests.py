"""What the vector worker does for each request: a name, a header and a body in, the same out."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from graphmem.vectors.edge_filter import UnknownCondition
from graphmem.vectors.edge_search import Search, search_all
from graphmem.vectors.edge_shard import EdgeCollection, WrongWidth, edge_point, open_collection
from graphmem.vectors.frames import packed, unpacked

log = logging.getLogger("graphmem.vectors.worker")

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")
"""A collection's name and its folder's; no dot in it, since ``.new`` and ``.gone`` mark unfinished work."""

Header = dict[str, Any]
Reply = tuple[Header, bytes]
Frame = tuple[Header, bytes]


class NotOpen(Exception):
    """The collection was not opened in this process."""


class DiskNearlyFull(Exception):
    """Edge maps its files into memory, so it would die on a full disk instead of failing."""


class Requests:
    """The open collections of a folder, and one method a request.

    Args:
        folder: Holds a folder a collection.
        min_free: Bytes that must stay free on its disk for a write; half of it for opening.
    """

    def __init__(self, folder: Path, min_free: int) -> None:
        self._folder = folder
        self._min_free = min_free
        self._open: dict[str, EdgeCollection] = {}
        for rest in folder.glob("*.gone"):
            shutil.rmtree(rest)
        self._answers: dict[str, Callable[[Header, bytes], Reply]] = {
            "ping": lambda header, body: ({}, b""),
            "open": self._open_one,
            "close": self._close_one,
            "drop": self._drop,
            "collections": self._collections,
            "upsert": self._upsert,
            "vectors": self._vectors,
            "revisions": self._revisions,
            "count": lambda header, body: ({"count": self._collection(header).count()}, b""),
        }

    @property
    def unflushed(self) -> int:
        """Points written and not yet flushed, over all collections."""
        return sum(one.unflushed for one in self._open.values())

    def flush(self) -> None:
        """Flushes every collection that has unflushed points."""
        for one in self._open.values():
            if one.unflushed:
                one.flush()

    def close(self) -> None:
        """Flushes and closes every collection."""
        while self._open:
            _, one = self._open.popitem()
            one.shard.close()

    def answer(self, frames: Sequence[Frame]) -> list[Reply]:
        """One reply a frame: searches of one collection together, anything else alone.

        Edge reports failures as bare ``Exception``; they are logged here and answered, so that one bad
        request does not end the process. A panic of the engine is no ``Exception`` and does end it.
        """
        try:
            if frames[0][0]["op"] == "search":
                return self._search(frames)
            return [self._answers[frames[0][0]["op"]](*frames[0])]
        except (WrongWidth, UnknownCondition, NotOpen, DiskNearlyFull) as error:
            return [({"error": type(error).__name__, "message": str(error)}, b"")] * len(frames)
        except Exception as error:
            log.exception("%s failed", frames[0][0]["op"])
            return [({"error": "Failed", "message": str(error)}, b"")] * len(frames)

    def _collection(self, header: Header) -> EdgeCollection:
        found = self._open.get(header["collection"])
        if found is None:
            raise NotOpen(header["collection"])
        return found

    def _place(self, header: Header) -> Path:
        name = str(header["collection"])
        if not NAME.fullmatch(name):
            raise ValueError(f"collection name {name!r}")
        return self._folder / name

    def _need_free(self, bytes_needed: int) -> None:
        free = shutil.disk_usage(self._folder).free
        if free < bytes_needed:
            raise DiskNearlyFull(
                f"the disk of {self._folder} has {free >> 20} MiB free, "
                f"the vector index needs {bytes_needed >> 20}"
            )

    def _open_one(self, header: Header, body: bytes) -> Reply:
        place = self._place(header)
        held = self._open.get(header["collection"])
        if held is None:
            self._need_free(self._min_free // 2)
            held = open_collection(place, header["width"], header["fields"])
            self._open[header["collection"]] = held
        elif held.width != header["width"]:
            raise WrongWidth(held.width)
        return {}, b""

    def _close_one(self, header: Header, body: bytes) -> Reply:
        held = self._open.pop(header["collection"], None)
        if held is not None:
            held.shard.close()
        return {}, b""

    def _drop(self, header: Header, body: bytes) -> Reply:
        self._close_one(header, body)
        place = self._place(header)
        if place.exists():
            gone = place.with_name(place.name + ".gone")
            place.rename(gone)
            shutil.rmtree(gone)
        return {}, b""

    def _collections(self, header: Header, body: bytes) -> Reply:
        names = [
            place.name for place in self._folder.iterdir() if place.is_dir() and NAME.fullmatch(place.name)
        ]
        return {"collections": sorted(names)}, b""

    def _upsert(self, header: Header, body: bytes) -> Reply:
        collection = self._collection(header)
        self._need_free(self._min_free)
        rows = unpacked(body, collection.width)
        points = [
            edge_point(id, next(rows) if carries else None, payload)
            for id, carries, payload in header["points"]
        ]
        collection.upsert(points, {int(revision): ids for revision, ids in header["revisions"].items()})
        return {}, b""

    def _vectors(self, header: Header, body: bytes) -> Reply:
        found = self._collection(header).vectors(header["ids"])
        return {"ids": [id for id, _ in found]}, packed([row for _, row in found])

    def _revisions(self, header: Header, body: bytes) -> Reply:
        found = self._collection(header).revisions(header["after"], header["limit"], header["memories"])
        return {"points": found}, b""

    def _search(self, frames: Sequence[Frame]) -> list[Reply]:
        collection = self._collection(frames[0][0])
        searches = [
            Search(next(unpacked(body, collection.width)), header["where"], header["limit"])
            for header, body in frames
        ]
        pages = search_all(collection, searches)
        return [
            ({"hits": [[hit.memory_id, hit.window, hit.revision, hit.score] for hit in page]}, b"")
            for page in pages
        ]
