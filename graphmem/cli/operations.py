"""The named GraphQL documents that the command line sends; all values travel as variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from graphmem.cli.answers import (
    BacklogAnswer,
    ChainAnswer,
    FindingAnswer,
    MarkdownAnswer,
    MemoryAnswer,
    PathAnswer,
    PlaceAnswer,
    ReceiptAnswer,
    ReindexAnswer,
    SearchAnswer,
    StatusAnswer,
    WhyNotAnswer,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Operation(Generic[T]):
    """One document, its root field, and the shape of that field's value."""

    field: str
    text: str
    shape: TypeAdapter[T]


FOUND = """
fragment Found on Memory {
  __typename id path version title content tags keywords createdAt
  ... on Fact { kind }
  ... on Drawer { sourceFile lineStart lineEnd }
}
"""

MEMORY = (
    """
    fragment Shown on Memory {
      ...Found
      chainId owner author status live deletedAt validFrom validTo expiresAt indexed signalStrength
    }
    """
    + FOUND
)

RECEIPT = (
    "fragment Written on Receipt { action memoryId reason indexed warnings memory { ...Shown } }" + MEMORY
)

REMEMBER = Operation(
    "storeFact",
    "mutation Remember($input: StoreFactInput!) { storeFact(input: $input) { ...Written } }" + RECEIPT,
    TypeAdapter(ReceiptAnswer),
)

FORGET = Operation(
    "forgetMemory",
    "mutation Forget($input: ForgetMemoryInput!) { forgetMemory(input: $input) { ...Written } }" + RECEIPT,
    TypeAdapter(ReceiptAnswer),
)

RESTORE = Operation(
    "restoreMemory",
    "mutation Restore($input: RestoreMemoryInput!) { restoreMemory(input: $input) { ...Written } }" + RECEIPT,
    TypeAdapter(ReceiptAnswer),
)

SEARCH = Operation(
    "search",
    """
    query Search($query: String!, $filter: MemoryFilter, $first: Int!, $after: String, $mode: SearchMode!) {
      search(query: $query, filter: $filter, first: $first, after: $after, mode: $mode) {
        edges { cursor score why contributions { channel score weight value } node { ...Found } }
        pageInfo { hasNextPage endCursor }
        degraded termsDropped
      }
    }
    """
    + FOUND,
    TypeAdapter(SearchAnswer),
)

WHY_NOT = Operation(
    "whyNot",
    """
    query WhyNot($id: ID!, $query: String!, $filter: MemoryFilter, $mode: SearchMode!) {
      whyNot(id: $id, query: $query, filter: $filter, mode: $mode) { found step detail }
    }
    """,
    TypeAdapter(WhyNotAnswer),
)

TREE = Operation(
    "tree",
    """
    query Tree($root: String!, $depth: Int!) {
      tree(root: $root, depth: $depth) {
        path segment displayName labels memoryCount memoryCountBelow childCount
      }
    }
    """,
    TypeAdapter(list[PathAnswer]),
)

CAT_PATH = Operation(
    "path",
    """
    query CatPath($path: String!, $first: Int!, $after: String) {
      path(path: $path) {
        path displayName memoryCount
        memories(first: $first, after: $after) { nodes { ...Shown } pageInfo { hasNextPage endCursor } }
      }
    }
    """
    + MEMORY,
    TypeAdapter(PlaceAnswer),
)

CAT_MEMORY = Operation(
    "memory", "query CatMemory($id: ID!) { memory(id: $id) { ...Shown } }" + MEMORY, TypeAdapter(MemoryAnswer)
)

HISTORY = Operation(
    "memory",
    "query History($id: ID!) { memory(id: $id) { id history { ...Shown } } }" + MEMORY,
    TypeAdapter(ChainAnswer),
)

STATUS = Operation(
    "status",
    """
    query Status {
      status {
        version ready degraded memories outboxWaiting outboxDead oldestWaitingSeconds changesUnnumbered
        embedder vectors neo4j collection deadLetters(first: 20) { memoryId attempts lastError }
      }
    }
    """,
    TypeAdapter(StatusAnswer),
)

BACKLOG = Operation(
    "status",
    "query Backlog { status { outboxWaiting outboxDead degraded embedder } }",
    TypeAdapter(BacklogAnswer),
)

IMPORT_MARKDOWN = Operation(
    "importMarkdown",
    """
    mutation ImportMarkdown($input: ImportMarkdownInput!) {
      importMarkdown(input: $input) {
        stored superseded moved unchanged vanished pruned failed { path reason } warnings
      }
    }
    """,
    TypeAdapter(MarkdownAnswer),
)

IMPORTED_FILES = Operation(
    "importedFiles",
    "query ImportedFiles($wing: String!) { importedFiles(wing: $wing) }",
    TypeAdapter(list[str]),
)

DOCTOR = Operation("doctor", "query Doctor { doctor { check ok detail } }", TypeAdapter(list[FindingAnswer]))

REINDEX = Operation(
    "reindex", "mutation Reindex { reindex { indexed collection seconds } }", TypeAdapter(ReindexAnswer)
)
