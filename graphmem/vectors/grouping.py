"""From windows to memories: the best window of each, and when a page of them is surely complete.

Pure. Both engines fetch windows best first; a memory with many windows would crowd a page, so they fetch
on until ``is_complete`` says that nothing they have not seen can change it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphmem.vectors.index import VectorHit

SPARE_SHARE, SPARE = 4, 16
"""Windows fetched beyond the page, as a part of it and at least: most memories have one window, and each
further window costs 5 µs."""

FETCH_GROWTH = 4
"""Each further fetch asks for so many times more."""

TIE_FETCH = 10_000
"""Windows beyond which equal scores at the end of a page are cut in the engine's own order."""


def first_fetch(limit: int) -> int:
    """How many windows to ask for at first, for a page of ``limit`` memories."""
    return limit + limit // SPARE_SHARE + SPARE


def best_windows(windows: Iterable[VectorHit], limit: int) -> list[VectorHit]:
    """The best window of each memory (the lowest number among equals), best first, ties by memory id."""
    best: dict[str, VectorHit] = {}
    for hit in windows:
        held = best.get(hit.memory_id)
        if held is None or (-hit.score, hit.window) < (-held.score, held.window):
            best[hit.memory_id] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.memory_id))[:limit]


def is_complete(page: Sequence[VectorHit], limit: int, *, fetched: int, asked: int, worst: float) -> bool:
    """Whether windows that were not fetched cannot belong on the page.

    Args:
        page: The page so far, from ``best_windows``.
        limit: Memories wanted.
        fetched: Windows that came.
        asked: Windows that were asked for; fewer came only if there are no more.
        worst: Lowest score among those that came; unseen ones score this or less.
    """
    if fetched < asked:
        return True
    if len(page) < limit:
        return False
    return worst < page[-1].score or asked >= TIE_FETCH
