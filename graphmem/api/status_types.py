"""Who asks, and how the service is."""

from __future__ import annotations

import strawberry

from graphmem.access.predicate import Nothing
from graphmem.api.arguments import or_else
from graphmem.api.context import Info
from graphmem.api.enums import Action
from graphmem.api.fields import plain, resolved
from graphmem.memory.questions import checked_first
from graphmem.service import status
from graphmem.service.doctoring import Finding
from graphmem.service.explaining import WhyNot
from graphmem.service.platform import Caller
from graphmem.service.reindexing import ReindexReport
from graphmem.service.status import DeadLetter, Status


@strawberry.type(description="Who the token stands for.")
class Viewer:
    subject: str = strawberry.field(description="The subject.")
    actions: list[Action] = strawberry.field(description="What it may do to at least some memories.")

    @classmethod
    def of(cls, caller: Caller) -> Viewer:
        """The caller as it sees itself."""
        allowed = [action for action in Action if caller.visible(action) != Nothing()]
        return cls(subject=caller.subject, actions=allowed)


@strawberry.type(name="DeadLetter", description="Index work that failed too often and waits to be retried.")
class DeadLetterType:
    stored: strawberry.Private[DeadLetter]

    memory_id: strawberry.ID = plain("The memory that the index does not show as it is.")
    attempts: int = plain("How often it was tried.")
    last_error: str = plain("What went wrong the last time.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)


@strawberry.type(description="How the service is.")
class StatusReport:
    stored: strawberry.Private[Status]

    version: str = plain("Version of GraphMem.")
    ready: bool = plain("Whether reads and writes are answered.")
    degraded: list[str] = plain("What is away or behind; empty when all is well.")
    memories: int = plain("Live memories.")
    outbox_waiting: int = plain("Memories whose index work waits.")
    outbox_dead: int = plain("Memories whose index work failed too often.")
    oldest_waiting_seconds: float = plain("Age of the oldest waiting index work.")
    changes_unnumbered: int = plain("Committed changes that have no number yet.")
    embedder: str | None = plain("Name of the embedder; null when there is none.")
    vectors: str = plain("The vector store and its state.")
    neo4j: str = plain("The graph and its version.")
    collection: str | None = plain("The collection that searches ask.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)

    @resolved("Index work that failed too often, by memory id.")
    async def dead_letters(self, info: Info, first: int | None = 20) -> list[DeadLetterType]:
        letters = await status.dead_letters(info.context.caller, checked_first(or_else(first, 20)))
        return [DeadLetterType(stored=letter) for letter in letters]


@strawberry.type(name="WhyNot", description="Whether a search finds a memory, and at which step it fell out.")
class WhyNotType:
    stored: strawberry.Private[WhyNot]

    found: bool = plain("Whether the search finds it.")
    step: str = plain("The step that decided.")
    detail: str = plain("What happened there.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)


@strawberry.type(name="Finding", description="One thing that the doctor looked at.")
class FindingType:
    stored: strawberry.Private[Finding]

    check: str = plain("What was looked at.")
    ok: bool = plain("Whether it is as it should be.")
    detail: str = plain("What was found, and what mends it.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)


@strawberry.type(name="ReindexReport", description="What a rebuild of the vectors did.")
class ReindexReportType:
    stored: strawberry.Private[ReindexReport]

    indexed: int = plain("Versions of memories that were embedded.")
    collection: str = plain("The collection that searches ask now.")
    seconds: float = plain("How long it took.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)
