"""The GraphQL documents of the benchmarks; all values travel as variables."""

from __future__ import annotations

SEARCH = """
query BenchSearch($query: String!, $filter: MemoryFilter, $mode: SearchMode!, $first: Int!) {
  search(query: $query, filter: $filter, mode: $mode, first: $first) {
    edges { score node { id path title content } }
    degraded
  }
}
"""

ADD_DRAWERS = """
mutation BenchAddDrawers($input: [AddDrawerInput!]!) {
  addDrawers(input: $input) { action memoryId }
}
"""

STORE_FACT = """
mutation BenchStoreFact($input: StoreFactInput!) {
  storeFact(input: $input) { action memoryId }
}
"""

STORE_FACTS = """
mutation BenchStoreFacts($input: [StoreFactInput!]!) {
  storeFacts(input: $input) { action memoryId }
}
"""

STATUS = """
query BenchStatus {
  status { version ready degraded memories outboxWaiting outboxDead embedder vectors neo4j collection }
}
"""

TREE = """
query BenchTree($root: String!, $depth: Int!) {
  tree(root: $root, depth: $depth) { path displayName memoryCount memoryCountBelow childCount }
}
"""
