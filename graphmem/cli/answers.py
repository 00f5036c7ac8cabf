"""The shapes of the service's answers, as the command line reads and prints them.

GraphQL names are camelCase; here, and so in every ``--json`` document, they are snake_case.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Answer(BaseModel):
    """Base: camelCase in, snake_case out; fields that this version does not know are left out."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)

    def document(self) -> dict[str, object]:
        """The answer as JSON values."""
        return self.model_dump(mode="json")


class FoundMemory(Answer):
    """A memory as a list shows it; ``label`` is ``Fact`` or ``Drawer``; what the other has is None."""

    label: str = Field(alias="__typename")
    id: str
    path: str
    version: int
    title: str | None
    content: str
    tags: list[str]
    keywords: list[str]
    created_at: str
    kind: str | None = None
    source_file: str | None = None
    line_start: int | None = None
    line_end: int | None = None

    @property
    def what(self) -> str:
        """Kind of a fact, ``DRAWER`` of a drawer: what a table shows."""
        return self.kind or self.label.upper()

    @property
    def origin(self) -> str | None:
        """Source file and lines, ``guide.md:3-9``."""
        if self.source_file is None or self.line_start is None:
            return self.source_file
        return f"{self.source_file}:{self.line_start}-{self.line_end}"


class MemoryAnswer(FoundMemory):
    """A memory with all that is known of it."""

    chain_id: str
    owner: str
    author: str
    status: str
    live: bool
    deleted_at: str | None
    valid_from: str | None
    valid_to: str | None
    expires_at: str | None
    indexed: bool
    signal_strength: float


class ReceiptAnswer(Answer):
    """The receipt of a write."""

    action: str
    id: str | None = Field(alias="memoryId")
    memory: MemoryAnswer | None
    reason: str | None
    indexed: bool
    warnings: list[str]


class ContributionAnswer(Answer):
    """What one channel gave to a score."""

    channel: str
    score: float
    weight: float
    value: float


class HitAnswer(Answer):
    """One hit of a search with what explains it."""

    memory: FoundMemory = Field(alias="node")
    cursor: str
    score: float
    contributions: list[ContributionAnswer]
    why: str

    def document(self) -> dict[str, object]:
        """The memory's fields and the hit's on one level."""
        own = self.model_dump(mode="json", exclude={"memory"})
        return self.memory.document() | own


class PageInfoAnswer(Answer):
    """Whether there is more, and where it begins."""

    has_next_page: bool
    end_cursor: str | None


class SearchAnswer(Answer):
    """One page of a search."""

    hits: list[HitAnswer] = Field(alias="edges")
    page_info: PageInfoAnswer
    degraded: list[str]
    terms_dropped: int


class WhyNotAnswer(Answer):
    """Where a memory fell out of a search."""

    found: bool
    step: str
    detail: str


class MemoryPage(Answer):
    """One page of memories."""

    nodes: list[MemoryAnswer]
    page_info: PageInfoAnswer


class PathAnswer(Answer):
    """A path of a tree."""

    path: str
    segment: str
    display_name: str | None
    labels: list[str]
    memory_count: int
    memory_count_below: int
    child_count: int


class PlaceAnswer(Answer):
    """A path with one page of its memories."""

    path: str
    display_name: str | None
    memory_count: int
    memories: MemoryPage


class ChainAnswer(Answer):
    """The versions of a memory, newest first."""

    id: str
    history: list[MemoryAnswer]


class DeadLetterAnswer(Answer):
    """Index work that failed too often."""

    memory_id: str
    attempts: int
    last_error: str


class StatusAnswer(Answer):
    """What the service says of itself."""

    version: str
    ready: bool
    degraded: list[str]
    memories: int
    outbox_waiting: int
    outbox_dead: int
    oldest_waiting_seconds: float | None
    changes_unnumbered: int
    embedder: str | None
    vectors: str
    neo4j: str
    collection: str | None
    dead_letters: list[DeadLetterAnswer]


class BacklogAnswer(Answer):
    """How much index work waits; without an embedder nobody does it."""

    outbox_waiting: int
    outbox_dead: int
    degraded: list[str]
    embedder: str | None


class FindingAnswer(Answer):
    """One comparison that the service made between its stores."""

    check: str
    ok: bool
    detail: str


class ReindexAnswer(Answer):
    """A rebuild of the vector index that has ended well."""

    indexed: int
    collection: str
    seconds: float


class FailedFile(Answer):
    """A file that was not imported, and why."""

    path: str
    reason: str


class MarkdownAnswer(Answer):
    """The report of one batch of notes."""

    stored: int
    superseded: int
    moved: int
    unchanged: int
    vanished: list[str]
    pruned: int
    failed: list[FailedFile]
    warnings: list[str]
