"""The keyword index in Neo4j, asked with the reader's rule inside the query and checked behind it."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.access.lucene import LIVE, ScopeKind, required, scope_token, to_lucene
from graphmem.access.predicate import Predicate
from graphmem.graph.client import GraphClient
from graphmem.graph.mapping import memory_from
from graphmem.graph.memory_store import narrowed
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
    ) -> dict[str, float]:
        """At most ``limit`` ids with their BM25 scores, best first; empty for a query without words."""
        rule = narrowed(rule, wanted)
        words = _words(terms)
        if not words:
            return {}
        clause = to_lucene(rule)
        query = f"{words} {required([LIVE], *_filters(wanted)).text} {'' if clause is None else clause.text}"
        fetched = limit if clause is not None else limit * OVERFETCH
        rows = await self._graph.run("search/keyword", {"query": query, "limit": fetched}, rule=rule)
        return {row["id"]: row["score"] for row in rows[:limit]}

    async def similar(
        self, memories: Sequence[Memory], rule: Predicate, languages: Sequence[str], limit: int
    ) -> dict[str, list[Memory]]:
        """For each memory at most ``limit`` others that share words with it, best first."""
        clause = to_lucene(rule)
        tail = f"{required([LIVE]).text} {'' if clause is None else clause.text}"
        words = {memory.id: _words(query_terms(memory.content, languages)) for memory in memories}
        asked = [{"id": id, "query": f"{text} {tail}"} for id, text in words.items() if text]
        if not asked:
            return {}
        rows = await self._graph.run("search/similar", {"rows": asked, "limit": limit + 1}, rule=rule)
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
