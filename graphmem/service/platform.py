"""What the use cases stand on, and who calls them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.access.actions import Action
from graphmem.access.guard import predicate_for
from graphmem.access.predicate import Predicate, holds
from graphmem.graph.client import GraphClient
from graphmem.graph.index_store import IndexStore
from graphmem.graph.keyword_store import KeywordStore
from graphmem.graph.memory_store import MemoryStore
from graphmem.graph.meta_store import ChangeStore, MetaStore
from graphmem.graph.outbox_store import OutboxStore
from graphmem.graph.path_store import PathStore
from graphmem.graph.retry_store import RetryStore
from graphmem.graph.token_store import TokenStore
from graphmem.graph.write_store import WriteStore
from graphmem.memory.limits import DRAWER_CHARACTERS, FACT_CHARACTERS
from graphmem.memory.model import Memory
from graphmem.service.clock import Clock
from graphmem.service.group_commit import GroupCommit
from graphmem.service.leased import LeasedLoop
from graphmem.service.vector_room import VectorRoom


@dataclass(frozen=True, slots=True)
class Limits:
    """What one memory may hold, as the operator set it."""

    fact_characters: int = FACT_CHARACTERS
    drawer_characters: int = DRAWER_CHARACTERS


@dataclass(frozen=True, slots=True)
class Stores:
    """Neo4j, one store a subject."""

    memories: MemoryStore
    paths: PathStore
    keywords: KeywordStore
    outbox: OutboxStore
    changes: ChangeStore
    meta: MetaStore
    tokens: TokenStore
    index: IndexStore
    retries: RetryStore
    writing: WriteStore

    @classmethod
    def over(cls, graph: GraphClient) -> Stores:
        """All stores over one connection."""
        return cls(
            MemoryStore(graph),
            PathStore(graph),
            KeywordStore(graph),
            OutboxStore(graph),
            ChangeStore(graph),
            # Leases go on where the disk is nearly full: under one of them leftovers are swept.
            MetaStore(graph.even_when_full()),
            TokenStore(graph),
            IndexStore(graph),
            RetryStore(graph),
            WriteStore(),
        )


@dataclass(frozen=True, slots=True)
class Platform:
    """Everything that is open while the service runs.

    Attributes:
        vectors: The vector index and its embedder, away or not.
        languages: ISO 639-1 codes whose stems a query is expanded to.
        loops: The background work of this process.
        neo4j_address: Where people and tools find Neo4j: ``bolt_url``, ``user``, and of a managed one
            ``browser_url`` and ``password_file``.
    """

    graph: GraphClient
    stores: Stores
    vectors: VectorRoom
    writer: GroupCommit
    clock: Clock
    limits: Limits = field(default_factory=Limits)
    languages: tuple[str, ...] = ("en", "it", "de", "es", "fr")
    loops: tuple[LeasedLoop, ...] = ()
    neo4j_address: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Caller:
    """A subject, what it may see and do, and the platform it acts on."""

    subject: str
    platform: Platform
    rules: Mapping[Action, Predicate]

    @classmethod
    def of(cls, platform: Platform, subject: str) -> Caller:
        """The caller with the predicates that hold for the subject now."""
        return cls(subject, platform, {action: predicate_for(subject, action) for action in Action})

    def visible(self, action: Action = Action.READ) -> Predicate:
        """What the caller may do the action to; without one, what it may read."""
        return self.rules[action]

    def now(self) -> datetime:
        """This instant, aware UTC."""
        return self.platform.clock.now()

    def read(self, memory: Memory) -> bool:
        """Whether the caller may read a memory as it is or will be."""
        return holds(self.rules[Action.READ], memory)

    def write(self, memory: Memory) -> bool:
        """Whether the caller may write it."""
        return holds(self.rules[Action.WRITE], memory)

    def delete(self, memory: Memory) -> bool:
        """Whether the caller may delete it."""
        return holds(self.rules[Action.DELETE], memory)

    def admin(self, memory: Memory) -> bool:
        """Whether the caller may manage it."""
        return holds(self.rules[Action.ADMIN], memory)
