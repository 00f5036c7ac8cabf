"""Finding the best memories in a collection of Qdrant Edge. Runs in the vector worker.

Edge checks a filter point by point before it scores anything: 10 ms at 100,000 points for one condition,
140 ms for a rule with 200 words. When a filter lets a good part of the collection through, it is quicker to
*probe*: scan without the filter, which concurrent searches share, and check the filter on the best few only.
A probe that does not fill the page decides nothing, so the answer is exact either way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import qdrant_edge as edge

from graphmem.vectors.edge_filter import edge_filter
from graphmem.vectors.edge_shard import IDENTITY, EdgeCollection
from graphmem.vectors.grouping import FETCH_GROWTH, best_windows, first_fetch, is_complete
from graphmem.vectors.index import VectorHit

PROBE_FROM = 2_000
"""Points. A smaller collection is filtered in less than 2 ms."""

PROBE_SHARE = 0.1
"""Share of the collection that a filter must let through, by estimate, for a probe to be worth a scan."""

PROBE_MARGIN = 1.5
"""A probe takes so many times what the estimate asks for."""

PROBE_MOST = 4_096
"""Windows in one probe."""

EXACT = edge.SearchParams(exact=True)


@dataclass(frozen=True, slots=True)
class Search:
    """One search: ``(width,)`` floats, the filter's plain values, memories wanted."""

    vector: list[float]
    where: Mapping[str, Any]
    limit: int


def search_all(collection: EdgeCollection, searches: Sequence[Search]) -> list[list[VectorHit]]:
    """The page of each search, in the order of ``searches``; their probes share one scan."""
    filters = [edge_filter(one.where) for one in searches]
    sizes = [_probe_size(collection, where, one.limit) for one, where in zip(searches, filters, strict=True)]
    probes = iter(
        _probe(collection, [one for one, size in zip(searches, sizes, strict=True) if size], max(sizes))
    )
    pages = []
    for one, where, size in zip(searches, filters, sizes, strict=True):
        page = _passing(collection, one, where, next(probes), max(sizes)) if size else None
        pages.append(_filtered(collection, one, where) if page is None else page)
    return pages


def _probe_size(collection: EdgeCollection, where: edge.Filter, limit: int) -> int:
    """Windows that a probe for this filter takes; 0 when filtering first is quicker."""
    points = collection.size()
    if points < PROBE_FROM:
        return 0
    passing = collection.shard.count(edge.CountRequest(exact=False, filter=where))
    if passing < points * PROBE_SHARE:
        return 0
    size = math.ceil(first_fetch(limit) * points / passing * PROBE_MARGIN)
    return size if size <= PROBE_MOST else 0


def _probe(collection: EdgeCollection, searches: Sequence[Search], size: int) -> list[list[edge.ScoredPoint]]:
    """The best ``size`` points of each search, whatever its filter."""
    if not searches:
        return []
    requests = [
        edge.QueryRequest(limit=size, query=edge.Query.Nearest(one.vector), params=EXACT) for one in searches
    ]
    return collection.shard.query_batch(edge.QueryBatchRequest(requests))


def _passing(
    collection: EdgeCollection, one: Search, where: edge.Filter, probe: Sequence[edge.ScoredPoint], asked: int
) -> list[VectorHit] | None:
    """The page out of a probe, or ``None`` when points beyond the probe may belong on it."""
    if not probe:
        return []
    among = edge.Filter(must=[edge.HasIdCondition({point.id for point in probe}), where])
    page = _filtered(collection, one, among)
    worst = probe[-1].score
    return page if is_complete(page, one.limit, fetched=len(probe), asked=asked, worst=worst) else None


def _filtered(collection: EdgeCollection, one: Search, where: edge.Filter) -> list[VectorHit]:
    """The page by filtering first, fetching on until nothing more can belong on it."""
    asked = first_fetch(one.limit)
    while True:
        windows = _query(collection, one.vector, where, asked)
        page = best_windows(windows, one.limit)
        worst = windows[-1].score if windows else 0.0
        if is_complete(page, one.limit, fetched=len(windows), asked=asked, worst=worst):
            return page
        asked *= FETCH_GROWTH


def _query(
    collection: EdgeCollection, vector: list[float], where: edge.Filter, limit: int
) -> list[VectorHit]:
    request = edge.QueryRequest(
        limit=limit, query=edge.Query.Nearest(vector), filter=where, with_payload=IDENTITY, params=EXACT
    )
    return [_hit(point) for point in collection.shard.query(request)]


def _hit(point: edge.ScoredPoint) -> VectorHit:
    payload = cast("dict[str, Any]", point.payload)
    return VectorHit(payload["memory_id"], payload["window"], payload["revision"], point.score)
