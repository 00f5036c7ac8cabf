"""Points as they go into an index: checked, one a point id, in small batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, groupby

import numpy as np
from more_itertools import constrained_batches

from graphmem.errors import InvalidInput
from graphmem.vectors.index import UPSERT_BATCH, Point


def checked_batches(points: Sequence[Point], width: int) -> Iterator[list[Point]]:
    """Batches in order; of equal ids only the newest revision.

    Points of one memory that follow one another are never cut, so that no search meets half of a revision: a
    batch has at most ``UPSERT_BATCH`` points, or those of one memory. Everything is checked before the first
    batch comes.

    Raises:
        InvalidInput: names the first bad point and what is wrong with it.
    """
    newest: dict[str, Point] = {}
    for at, point in enumerate(points):
        _check(point, width, f"points[{at}]")
        held = newest.get(point.id)
        if held is None or revision_of(point) > revision_of(held):
            newest[point.id] = point
    memories = (
        list(windows) for _, windows in groupby(newest.values(), key=lambda point: point.payload["memory_id"])
    )
    batches = constrained_batches(memories, UPSERT_BATCH, strict=False)
    return (list(chain.from_iterable(batch)) for batch in batches)


def revision_of(point: Point) -> int:
    """The revision in the point's payload, which ``checked_batches`` has seen to be a whole number."""
    revision = point.payload["revision"]
    assert isinstance(revision, int)
    return revision


def by_revision(points: Sequence[Point]) -> dict[int, list[str]]:
    """Point ids by the revision that they carry: the shape of a conditional upsert."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for point in points:
        found[revision_of(point)].append(point.id)
    return dict(found)


def checked_vector(
    vector: Sequence[float], width: int, field: str
) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The vector as ``(width,)`` float32.

    Raises:
        InvalidInput: another width, a value that is not finite, or length 0.
    """
    found = np.asarray(vector, dtype=np.float32)
    if found.shape != (width,):
        raise InvalidInput(field, f"has {found.size} values, the collection has width {width}", limit=width)
    if not np.isfinite(found).all():
        raise InvalidInput(field, "holds a value that is not finite")
    if not found.any():
        raise InvalidInput(field, "has length 0, so it points nowhere")
    return found


def _check(point: Point, width: int, field: str) -> None:
    if point.vector is not None:
        checked_vector(point.vector, width, f"{field}.vector")
    if not isinstance(point.payload.get("memory_id"), str):
        raise InvalidInput(f"{field}.payload.memory_id", "is missing or no text")
    for name in ("window", "revision"):
        value = point.payload.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidInput(f"{field}.payload.{name}", "is missing or no whole number")
    if (point.vector is None) != bool(point.payload.get("dead")):
        raise InvalidInput(
            f"{field}.payload.dead", "must be true on a point without a vector, and only there"
        )
