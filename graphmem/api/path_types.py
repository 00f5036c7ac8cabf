"""Paths as GraphQL shows them, and the pages of memories that stand at one."""

from __future__ import annotations

import strawberry

from graphmem.api.arguments import or_else, or_none
from graphmem.api.connections import MemoryConnection
from graphmem.api.context import Info
from graphmem.api.fields import plain, resolved
from graphmem.memory.model import PathNode
from graphmem.memory.paths import last_segment, parent
from graphmem.memory.questions import checked_first


@strawberry.type(
    name="Path", description="A node of the tree, as the reader sees it: counts are of visible memories."
)
class PathType:
    stored: strawberry.Private[PathNode]

    path: str = plain("The whole path; `/` is the root.")
    display_name: str | None = plain("The name as it was written, where it differs from the segment.")
    labels: list[str] = plain("`Path`, and `Wing` or `Room` where it is one.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)

    @resolved("The last segment; empty for the root.")
    def segment(self) -> str:
        return last_segment(self.stored.path)

    @resolved("Memories at this very path.")
    def memory_count(self) -> int:
        return self.stored.memories_here

    @resolved("Memories at this path or anywhere below it.")
    def memory_count_below(self) -> int:
        return self.stored.memories_below

    @resolved("Paths one level below.")
    def child_count(self) -> int:
        return self.stored.children

    @resolved("The paths one level below, by name.")
    async def children(self, info: Info) -> list[PathType]:
        nodes = await info.context.loaders.children.load(self.stored.path)
        return [PathType(stored=node) for node in nodes]

    @resolved("The memories at this very path, oldest first.")
    async def memories(
        self, info: Info, first: int | None = 20, after: str | None = strawberry.UNSET
    ) -> MemoryConnection:
        asked = (checked_first(or_else(first, 20)), or_none(after))
        page = await info.context.loaders.memories_at.load((self.stored.path, asked))
        info.context.loaders.remember(page.items)
        return MemoryConnection.of(page, or_none(after))

    @resolved("The path above; null for the root.")
    async def parent(self, info: Info) -> PathType | None:
        above = parent(self.stored.path)
        return None if above is None else PathType(stored=await info.context.loaders.paths.load(above))
