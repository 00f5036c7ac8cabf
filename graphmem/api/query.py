"""The reads of the API; each translates and hands over to one service function."""

from __future__ import annotations

from typing import Annotated

import strawberry

from graphmem.api.arguments import or_else, or_none
from graphmem.api.connections import FactConnection, SearchConnection
from graphmem.api.context import Info
from graphmem.api.enums import MemoryOrder, SearchMode
from graphmem.api.fields import resolved
from graphmem.api.inputs import MemoryFilterInput
from graphmem.api.memory_types import MemoryType, memory_type
from graphmem.api.path_types import PathType
from graphmem.api.status_types import FindingType, StatusReport, Viewer, WhyNotType
from graphmem.memory.commands import MemoryFilter
from graphmem.memory.fields import checked_id
from graphmem.memory.paths import ROOT, normalise_path
from graphmem.memory.questions import checked_first, checked_query
from graphmem.service import browsing, doctoring, explaining, markdown_import, reading, searching, status
from graphmem.service.searching import Search

FIRST = 20
"""Facts in a page, unless the caller says otherwise."""

FIRST_HITS = 10
"""Hits in a page, unless the caller says otherwise."""

TREE_LEVELS = 2
"""Levels of a tree below its root, unless the caller says otherwise."""


@strawberry.type
class Query:
    @resolved("Who the token stands for.")
    def viewer(self, info: Info) -> Viewer:
        return Viewer.of(info.context.caller)

    @resolved("A memory by the id of any of its versions: the head, in any state but purged.")
    async def memory(self, info: Info, id: strawberry.ID) -> MemoryType | None:
        return memory_type(await info.context.loaders.memories.load(checked_id(id, "id")))

    @resolved("The same as `memory`, under the name that Relay clients use.")
    async def node(self, info: Info, id: strawberry.ID) -> MemoryType | None:
        return memory_type(await info.context.loaders.memories.load(checked_id(id, "id")))

    @resolved("A path that something visible stands at or below.")
    async def path(self, info: Info, path: str) -> PathType | None:
        return PathType(stored=await info.context.loaders.paths.load(normalise_path(path)))

    @resolved("A path and the visible paths below it, `depth` levels down, each before its children.")
    async def tree(
        self,
        info: Info,
        top: Annotated[str | None, strawberry.argument(name="root")] = ROOT,
        depth: int | None = TREE_LEVELS,
    ) -> list[PathType]:
        place = normalise_path(or_else(top, ROOT), "root")
        nodes = await browsing.tree(info.context.caller, place, or_else(depth, TREE_LEVELS))
        return [PathType(stored=node) for node in nodes]

    @resolved("Facts that are live, valid now and not expired.")
    async def facts(
        self,
        info: Info,
        filter: MemoryFilterInput | None = strawberry.UNSET,
        order_by: MemoryOrder | None = MemoryOrder.NEWEST,
        first: int | None = FIRST,
        after: str | None = strawberry.UNSET,
    ) -> FactConnection:
        page = await reading.facts(
            info.context.caller,
            _checked(filter),
            or_else(order_by, MemoryOrder.NEWEST),
            checked_first(or_else(first, FIRST)),
            or_none(after),
        )
        info.context.loaders.remember(page.items)
        return FactConnection.of(page, or_none(after))

    @resolved("The best memories for a query, best first. Any text is a query; nothing is written.")
    async def search(
        self,
        info: Info,
        query: str,
        filter: MemoryFilterInput | None = strawberry.UNSET,
        first: int | None = FIRST_HITS,
        after: str | None = strawberry.UNSET,
        mode: SearchMode | None = SearchMode.HYBRID,
    ) -> SearchConnection:
        asked = Search(
            query=checked_query(query),
            filter=_checked(filter),
            first=checked_first(or_else(first, FIRST_HITS)),
            after=or_none(after),
            mode=or_else(mode, SearchMode.HYBRID),
        )
        page = await searching.search(info.context.caller, asked)
        info.context.loaders.remember(hit.memory for hit in page.hits)
        return SearchConnection.of(page, or_none(after))

    @resolved("Why a search does not find a memory: the step at which it fell out.")
    async def why_not(
        self,
        info: Info,
        id: strawberry.ID,
        query: str,
        filter: MemoryFilterInput | None = strawberry.UNSET,
        mode: SearchMode | None = SearchMode.HYBRID,
    ) -> WhyNotType:
        answer = await explaining.why_not(
            info.context.caller,
            checked_id(id, "id"),
            checked_query(query),
            _checked(filter),
            or_else(mode, SearchMode.HYBRID),
        )
        return WhyNotType(stored=answer)

    @resolved("The source files of which imports into this wing left sections, by name.")
    async def imported_files(self, info: Info, wing: str) -> list[str]:
        return await markdown_import.imported_files(info.context.caller, wing)

    @resolved("Compares the stores with each other; changes nothing and takes as long as it takes.")
    async def doctor(self, info: Info) -> list[FindingType]:
        status.require_operator(info.context.caller, "doctor")
        info.context.deadline.lift()
        return [FindingType(stored=finding) for finding in await doctoring.doctor(info.context.caller)]

    @resolved("How the service is.")
    async def status(self, info: Info) -> StatusReport:
        return StatusReport(stored=await status.status(info.context.caller))


def _checked(filter: MemoryFilterInput | None) -> MemoryFilter:
    return filter.checked() if filter else MemoryFilter()
