"""Relay connections: pages of memories, of facts and of search hits.

Cursors are made by the services; here they only stand beside their nodes. Pages go forward only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import strawberry

from graphmem.api.fields import plain, resolved
from graphmem.api.memory_types import FactType, MemoryType, memory_type
from graphmem.memory.model import Fact, Memory
from graphmem.service.pages import Page
from graphmem.service.searching import Contribution, Hit, SearchPage


@strawberry.type(description="Where a page begins and ends.")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether more follows `endCursor`.")
    has_previous_page: bool = strawberry.field(description="Whether the page began after a cursor.")
    start_cursor: str | None = strawberry.field(description="Cursor of the first edge.")
    end_cursor: str | None = strawberry.field(description="Cursor of the last edge; give it as `after`.")

    @classmethod
    def of(cls, cursors: Sequence[str], has_next: bool, after: str | None) -> Self:
        """The place of a page that was asked for with ``after``."""
        return cls(
            has_next_page=has_next,
            has_previous_page=after is not None,
            start_cursor=cursors[0] if cursors else None,
            end_cursor=cursors[-1] if cursors else None,
        )


@strawberry.type(description="A memory in a page.")
class MemoryEdge:
    node: MemoryType = strawberry.field(description="The memory.")
    cursor: str = strawberry.field(description="Give it as `after` to go on behind it.")


@strawberry.type(description="A page of memories.")
class MemoryConnection:
    edges: list[MemoryEdge] = strawberry.field(description="The memories with their cursors.")
    page_info: PageInfo = strawberry.field(description="Where the page begins and ends.")

    @resolved("The memories alone.")
    def nodes(self) -> list[MemoryType]:
        return [edge.node for edge in self.edges]

    @classmethod
    def of(cls, page: Page[Memory], after: str | None) -> Self:
        """The connection of a page that was asked for with ``after``."""
        edges = [
            MemoryEdge(node=memory_type(memory), cursor=cursor)
            for memory, cursor in zip(page.items, page.cursors, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page.cursors, page.has_next, after))


@strawberry.type(description="A fact in a page.")
class FactEdge:
    node: FactType = strawberry.field(description="The fact.")
    cursor: str = strawberry.field(description="Give it as `after` to go on behind it.")


@strawberry.type(description="A page of facts.")
class FactConnection:
    edges: list[FactEdge] = strawberry.field(description="The facts with their cursors.")
    page_info: PageInfo = strawberry.field(description="Where the page begins and ends.")

    @resolved("The facts alone.")
    def nodes(self) -> list[FactType]:
        return [edge.node for edge in self.edges]

    @classmethod
    def of(cls, page: Page[Fact], after: str | None) -> Self:
        """The connection of a page that was asked for with ``after``."""
        edges = [
            FactEdge(node=FactType(stored=fact), cursor=cursor)
            for fact, cursor in zip(page.items, page.cursors, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page.cursors, page.has_next, after))


@strawberry.type(name="Contribution", description="What one channel adds to the score of a hit.")
class ContributionType:
    stored: strawberry.Private[Contribution]

    channel: str = plain("`keyword`, `vector` or another channel of the search.")
    score: float = plain("The channel's score, normalised within the answer: 0 to 1.")
    weight: float = plain("How much the channel counts.")
    value: float = plain("Score times weight; the values of a hit sum to its score.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)


@strawberry.type(description="A memory that a search found.")
class SearchEdge:
    hit: strawberry.Private[Hit]

    cursor: str = strawberry.field(description="Give it as `after` to go on behind this hit.")

    @resolved("The memory.")
    def node(self) -> MemoryType:
        return memory_type(self.hit.memory)

    @resolved("How well it answers the query; comparable within one answer only.")
    def score(self) -> float:
        return self.hit.score

    @resolved("What each channel adds to the score.")
    def contributions(self) -> list[ContributionType]:
        return [ContributionType(stored=contribution) for contribution in self.hit.contributions]

    @resolved("One sentence on why it was found.")
    def why(self) -> str:
        return self.hit.why


@strawberry.type(description="A page of search hits, best first.")
class SearchConnection:
    edges: list[SearchEdge] = strawberry.field(description="The hits with their scores.")
    page_info: PageInfo = strawberry.field(description="Where the page begins and ends.")
    degraded: list[str] = strawberry.field(
        description="Channels that could not be asked; empty when all is well."
    )
    terms_dropped: int = strawberry.field(description="Words of the query above the limit of 64.")

    @resolved("The memories alone, best first.")
    def nodes(self) -> list[MemoryType]:
        return [memory_type(edge.hit.memory) for edge in self.edges]

    @classmethod
    def of(cls, page: SearchPage, after: str | None) -> Self:
        """The connection of a search page that was asked for with ``after``."""
        return cls(
            edges=[
                SearchEdge(hit=hit, cursor=cursor)
                for hit, cursor in zip(page.hits, page.cursors, strict=True)
            ],
            page_info=PageInfo.of(page.cursors, page.has_next, after),
            degraded=list(page.degraded),
            terms_dropped=page.terms_dropped,
        )
