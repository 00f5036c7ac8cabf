"""The keyword index in Neo4j, asked with the reader's rule inside the query and checked behind it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.access.lucene import LIVE, ScopeKind, required, scope_token, to_lucene
from graphmem.access.predicate import Predicate
from graphmem.graph.client import GraphClient
from graphmem.graph.mapping import memory_from
from graphmem.graph.memory_store import FIRST_INSTANT, LAST_INSTANT, narrowed
from graphmem.memory.commands import MemoryFilter
from graphmem.memory.model import Memory
from graphmem.memory.terms import QueryTerms, query_terms

OVERFETCH = 10
"""How many times more hits are asked for when the rule is too long for the index."""


class KeywordStore:
    """Finds memories by words."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def search(
        self, terms: QueryTerms, wanted: MemoryFilter, rule: Predicate, limit: int
    ) -> tuple[dict[str, float], bool]:
        """At most ``limit`` ids with their BM25 scores, best first, and whether those are all there are.

        A query without words finds nothing.
        """
        rule = narrowed(rule, wanted)
        words = _words(terms)
        if not words:
            return {}, True
        clause = to_lucene(rule)
        query = f"{words} {required([LIVE], *_filters(wanted)).text} {'' if clause is None else clause.text}"
        checked_behind = clause is None or wanted.created_after or wanted.created_before
        params = {
            "query": query,
            "limit": limit * OVERFETCH if checked_behind else limit,
            "after": wanted.created_after or FIRST_INSTANT,
            "before": wanted.created_before or LAST_INSTANT,
        }
        rows = await self._graph.run("search/keyword", params, rule=rule)
        complete = not checked_behind and len(rows) < limit
        return {row["id"]: row["score"] for row in rows[:limit]}, complete

    async def similar(
        self,
        memories: Sequence[Memory],
        rule: Predicate,
        languages: Sequence[str],
        *,
        now: datetime,
        limit: int,
    ) -> dict[str, list[Memory]]:
        """For each memory at most ``limit`` others shown at ``now`` that share words, best first."""
        clause = to_lucene(rule)
        tail = f"{required([LIVE]).text} {'' if clause is None else clause.text}"
        words = {memory.id: _words(query_terms(memory.content, languages)) for memory in memories}
        asked = [{"id": id, "query": f"{text} {tail}"} for id, text in words.items() if text]
        if not asked:
            return {}
        params = {"rows": asked, "now": now, "limit": limit + 1}
        rows = await self._graph.run("search/similar", params, rule=rule)
        found: dict[str, list[Memory]] = {}
        for row in rows:
            found.setdefault(row["id"], []).append(memory_from(row["memory"], row["label"]))
        return {id: others[:limit] for id, others in found.items()}


def _words(terms: QueryTerms) -> str:
    """The required clause of the query's words; empty when it has none."""
    words = terms.lucene()
    return f"+{words}" if words else ""


def _filters(wanted: MemoryFilter) -> list[list[str]]:
    """The filter as groups of tokens: of every group a memory carries at least one; what is not asked for
    has no group, since no memory carries a token of an empty one."""
    groups = [[scope_token(ScopeKind.KEYWORD, keyword)] for keyword in wanted.keywords]
    if wanted.labels:
        groups.append([scope_token(ScopeKind.LABEL, label) for label in wanted.labels])
    if wanted.kinds:
        groups.append([scope_token(ScopeKind.KIND, kind) for kind in wanted.kinds])
    if wanted.source is not None:
        groups.append([scope_token(ScopeKind.SOURCE, wanted.source)])
    return groups
