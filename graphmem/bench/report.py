"""The figures of a benchmark as one JSON document, with machine, versions, settings and load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from graphmem.bench.load import Timing
from graphmem.bench.machine import Resident, load_average, machine, versions
from graphmem.bench.metrics import Quality
from graphmem.bench.search import ModeResult, SearchResult
from graphmem.bench.speed import SpeedResult


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a figure depends on beside the service.

    Attributes:
        settings: Of the benchmark and of the service, as JSON.
        status: What the service says of itself: ``version``, ``neo4j``, ``embedder``, ``vectors`` and such.
        load_before: Load averages before the first request.
    """

    settings: Mapping[str, object]
    status: Mapping[str, Any]
    load_before: list[float]

    def document(self) -> dict[str, object]:
        """As JSON, with the load as it is now."""
        said = {
            name: self.status.get(name) for name in ("version", "neo4j", "embedder", "vectors", "collection")
        }
        return {
            "settings": dict(self.settings),
            "service": said,
            "versions": versions(),
            "machine": machine(),
            "load_average": {"before": self.load_before, "after": load_average()},
        }


def search_document(
    result: SearchResult, memory: Resident | None, around: Circumstances
) -> dict[str, object]:
    """``bench search --json``: the figures of the first mode on top, those of each mode under ``modes``."""
    modes = {mode: _mode(found) for mode, found in result.modes.items()}
    first, stored = next(iter(modes.values())), result.ingest
    return {
        **{name: value for name, value in first.items() if name != "by_category"},
        "ingest_per_s": _round(stored.per_s),
        "ingest_acknowledged_s": _round(stored.acknowledged_s),
        "ingest_searchable_s": _round(stored.searchable_s),
        **_memory(memory),
        "rows": result.rows,
        "rows_empty": result.empty,
        "queries": result.queries,
        "queries_scored": result.scored,
        "modes": modes,
        **around.document(),
    }


def speed_document(result: SpeedResult, around: Circumstances) -> dict[str, object]:
    """``bench speed --json``."""
    filling, reads, writes = result.filling, result.reads, result.writes
    return {
        **_timing("search", reads.one),
        **_timing("search8", reads.many),
        "search_empty": reads.empty,
        **_timing("tree", reads.tree),
        "tree_paths": reads.paths,
        **_timing("store_fact", writes.single),
        "store_facts_per_s": _round(writes.facts_per_s),
        "ingest_per_s": _round(filling.turns.per_s),
        "fill_per_s": _round(filling.facts_per_s),
        "start_s": _round(result.start_s),
        "restart_s": _round(result.restart_s),
        **_memory(result.resident),
        "memories": result.plan.memories,
        "parts": asdict(result.plan),
        **around.document(),
    }


def _mode(result: ModeResult) -> dict[str, object]:
    categories = {
        category: {"queries": number, **_quality(found)}
        for category, (number, found) in result.by_category.items()
    }
    return {
        **_quality(result.quality),
        **_timing("search", result.one),
        **_timing("search8", result.many),
        "degraded": result.degraded,
        "by_category": categories,
    }


def _quality(found: Quality) -> dict[str, float]:
    return {name: round(value, 2) for name, value in asdict(found).items()}


def _timing(name: str, timing: Timing) -> dict[str, float]:
    figures = {"p50_ms": timing.p50_ms, "p95_ms": timing.p95_ms, "per_s": timing.per_s}
    figures["client_cpu_ms"] = timing.client_cpu_ms
    return {f"{name}_{figure}": round(value, 2) for figure, value in figures.items()}


def _memory(found: Resident | None) -> dict[str, object]:
    if found is None:
        return {"rss_mb": None, "rss": None}
    return {
        "rss_mb": round(found.total_mb, 1),
        "rss": {name: round(value, 1) for name, value in asdict(found).items()},
    }


def _round(value: float) -> float:
    return round(value, 2)
