"""Memories as GraphQL shows them: the interface, facts, drawers, and the links inside their texts.

A type holds one stored memory and reads plain fields from it; only fields that lead elsewhere load anything.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from graphmem.api.arguments import or_else, or_none
from graphmem.api.context import Info
from graphmem.api.enums import Kind, Status
from graphmem.api.fields import plain, resolved
from graphmem.errors import NotFound
from graphmem.memory.fields import checked_time
from graphmem.memory.model import Drawer, Fact, Link, Memory
from graphmem.memory.paths import is_at_or_under
from graphmem.memory.questions import checked_first
from graphmem.memory.rooms import PALACE
from graphmem.memory.strength import RecallState

if TYPE_CHECKING:
    from graphmem.api.path_types import PathType

LazyPath = Annotated["PathType", strawberry.lazy("graphmem.api.path_types")]


@strawberry.interface(name="Memory", description="Anything stored that can be searched; one version of it.")
class MemoryType:
    stored: strawberry.Private[Memory]

    id: strawberry.ID = plain("UUID version 7, the same text everywhere.")
    chain_id: strawberry.ID = plain("Id of the first version; all versions share it.")
    version: int = plain("Counts the versions of the chain, from 1.")
    revision: int = plain("Rises with every change that an index shows.")
    path: str = plain("Where it stands in the tree.")
    content: str = plain("Its text, as it was written, character for character.")
    title: str | None = plain("One line that names it.")
    owner: str = plain("The subject to whom the chain belongs.")
    author: str = plain("The subject who wrote this version.")
    tags: list[str] = plain("Own tags `key=value`, sorted; they decide access.")
    keywords: list[str] = plain("Word labels for search; they decide nothing.")
    names: list[str] = plain("Aliases under which links find it, besides the title.")
    sources: list[str] = plain("Where it comes from, as the writer said.")
    language: str = plain("ISO 639-1 code of its text.")
    status: Status = plain("Where it stands in governance.")
    live: bool = plain("Head of its chain, active and not deleted.")
    created_at: datetime = plain("When this version was written.")
    known_from: datetime | None = plain("Since when this version was the live head.")
    known_to: datetime | None = plain("Until when this version was the live head.")
    deleted_at: datetime | None = plain("When the chain was deleted.")
    deleted_by: str | None = plain("The subject who deleted the chain.")
    valid_from: datetime | None = plain("Since when it is true in the world; null is always.")
    valid_to: datetime | None = plain("The first instant at which it is no longer true; null is never.")
    expires_at: datetime | None = plain("From then on no list and no search shows it.")
    stability_days: float = plain("Time constant of its forgetting curve, in days.")
    recall_count: int = plain("How often it was recalled.")
    hits: int = plain("How often it was used or stored again.")
    last_used_at: datetime | None = plain("When it was last used.")
    importance: float | None = plain("Does it matter: 0 to 1, as the writer said.")
    confidence: float | None = plain("Is it true: 0 to 1, as the writer said.")
    pinned: bool = plain("Never forgotten, never evicted.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)

    @resolved("Embornal's forgetting curve at an instant (now, unless given): 0 to 1.")
    def signal_strength(self, info: Info, at: datetime | None = strawberry.UNSET) -> float:
        memory = self.stored
        state = RecallState(
            memory.stability_days, memory.last_recall_at or memory.created_at, memory.recall_count
        )
        return state.strength(checked_time(or_none(at), "at") or info.context.caller.now())

    @resolved("Whether search by meaning finds this revision already.")
    def indexed(self) -> bool:
        return self.stored.indexed_revision >= self.stored.revision

    @resolved("The versions of its chain, newest first.")
    async def history(self, info: Info) -> list[MemoryType]:
        versions = await info.context.loaders.histories.load(self.stored.chain_id)
        return [memory_type(version) for version in versions]

    @resolved("The links in its text, in the order of the text.")
    async def links(self, info: Info) -> list[LinkType]:
        links = await info.context.loaders.links.load(self.stored.id)
        return [LinkType(stored=link) for link in links]

    @resolved("Memories whose texts link here, oldest first.")
    async def backlinks(self, info: Info, first: int | None = 20) -> list[MemoryType]:
        found = await info.context.loaders.backlinks.load((self.stored.id, checked_first(or_else(first, 20))))
        info.context.loaders.remember(found)
        return [memory_type(memory) for memory in found]

    @resolved("The path at which it stands; null where nothing is shown there, as of a deleted memory alone.")
    async def place(self, info: Info) -> LazyPath | None:
        from graphmem.api.path_types import PathType

        try:
            return PathType(stored=await info.context.loaders.paths.load(self.stored.path))
        except NotFound:
            return None


@strawberry.type(
    name="Fact", description="One small statement at a path; its content never changes in place."
)
class FactType(MemoryType):
    stored: strawberry.Private[Fact]

    kind: Kind = plain("What sort of fact it is; merging keeps the stronger one.")
    summary: str | None = plain("A shorter form, as the writer gave it.")


@strawberry.type(name="Drawer", description="Verbatim text in a room, with its source file and line range.")
class DrawerType(MemoryType):
    stored: strawberry.Private[Drawer]

    source_file: str | None = plain("The file that it was read from.")
    line_start: int | None = plain("First line in the source file, from 1.")
    line_end: int | None = plain("Last line in the source file, inclusive.")
    emotional_weight: float | None = plain("How much it moves: 0 to 1, as the writer said.")

    @resolved("The segment of its wing.")
    def wing(self) -> str | None:
        return _palace_parts(self.stored.path)[0]

    @resolved("The segments of its room below the wing.")
    def room(self) -> str | None:
        return _palace_parts(self.stored.path)[1]


@strawberry.type(name="Link", description="A link in a text, resolved for the reader.")
class LinkType:
    stored: strawberry.Private[Link]

    text: str = plain("What stands between the brackets.")
    target: str = plain("What it points at, as written.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)

    @resolved("The memory of that name; null when there is none that the reader may see.")
    async def memory(self, info: Info) -> MemoryType | None:
        if self.stored.memory_id is None:
            return None
        return memory_type(await info.context.loaders.memories.load(self.stored.memory_id))

    @resolved("The path; null when the target is none that the reader may see.")
    async def path(self, info: Info) -> LazyPath | None:
        from graphmem.api.path_types import PathType

        if self.stored.path is None:
            return None
        return PathType(stored=await info.context.loaders.paths.load(self.stored.path))


def memory_type(memory: Memory) -> MemoryType:
    """The GraphQL type that shows this memory."""
    match memory:
        case Fact():
            return FactType(stored=memory)
        case Drawer():
            return DrawerType(stored=memory)
        case _:
            raise TypeError(f"{type(memory).__name__} has no GraphQL type")


def _palace_parts(path: str) -> tuple[str | None, str | None]:
    """Wing and room of a path in the palace; None where it names none."""
    if path == PALACE or not is_at_or_under(path, PALACE):
        return None, None
    wing, _, room = path[len(PALACE) + 1 :].partition("/")
    return wing, room or None
