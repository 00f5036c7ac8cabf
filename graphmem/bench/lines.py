"""The document of a benchmark as a person reads it: names and values, one pair a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.bench.search import MANY
from graphmem.bench.speed import BATCHERS, FACTS_IN_BATCH, SEARCHERS, WRITERS

FIGURES = ("r1", "r5", "r10", "r20", "ndcg10", "mrr10", "hit10")

Lines = Iterator[tuple[str, str]]


def search_lines(document: Mapping[str, Any]) -> Lines:
    """What ``bench search`` prints."""
    yield "percent", "  ".join(f"{name:>6}" for name in FIGURES)
    for mode, found in document["modes"].items():
        yield mode, _figures(found)
        for category, part in found["by_category"].items():
            yield f"  {category} ({part['queries']})", _figures(part)
    for mode, found in document["modes"].items():
        yield f"search, {mode}", f"{_times(found, 'search')} with one client"
        yield "", f"{_times(found, 'search8')}, {found['search8_per_s']}/s with {MANY} clients"
        if found["degraded"]:
            yield "", f"{found['degraded']} answers lacked a channel"
    yield "ingest", f"{document['ingest_per_s']} rows/s until searchable"
    yield "rows", f"{document['rows']}; {document['rows_empty']} empty ones left out"
    yield "queries", f"{document['queries_scored']} scored of {document['queries']}"
    yield from _common(document)


def speed_lines(document: Mapping[str, Any]) -> Lines:
    """What ``bench speed`` prints."""
    found = document
    yield "memories", f"{found['memories']}"
    yield "search", f"{_times(found, 'search')} with one client"
    yield "", f"{_times(found, 'search8')}, {found['search8_per_s']}/s with {SEARCHERS} clients"
    yield "tree", f"{_times(found, 'tree')}; two levels, {found['tree_paths']} paths"
    yield "storeFact", f"{found['store_fact_per_s']}/s with {WRITERS} clients, {_times(found, 'store_fact')}"
    yield "", f"of that the client itself {found['store_fact_client_cpu_ms']} ms of a core a call"
    batches = f"batches of {FACTS_IN_BATCH} by {BATCHERS} clients"
    yield "storeFacts", f"{found['store_facts_per_s']} facts/s in {batches}"
    yield "ingest", f"{found['ingest_per_s']} short turns/s until searchable"
    yield "filling", f"{found['fill_per_s']} facts/s until searchable"
    yield "start", f"{found['start_s']} s in an empty home, {found['restart_s']} s with the full store"
    yield from _common(document)


def _figures(found: Mapping[str, float]) -> str:
    return "  ".join(f"{found[name]:6.1f}" for name in FIGURES)


def _times(found: Mapping[str, float], name: str) -> str:
    return f"p50 {found[f'{name}_p50_ms']} ms, p95 {found[f'{name}_p95_ms']} ms"


def _common(document: Mapping[str, Any]) -> Lines:
    if document["rss"] is not None:
        parts = (
            f"{name.removesuffix('_mb').replace('_', ' ')} {size}" for name, size in document["rss"].items()
        )
        yield "resident", f"{document['rss_mb']} MiB ({', '.join(parts)})"
    load = document["load_average"]
    yield "load", f"before {load['before']}, after {load['after']}"
    for name in ("machine", "service", "versions", "settings"):
        yield name, ", ".join(f"{key} {value}" for key, value in document[name].items() if value is not None)
