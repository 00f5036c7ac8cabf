"""What leads from one thing to others: each kind is read by one service function, a whole level at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from graphmem.api.batching import Loader
from graphmem.errors import NotFound
from graphmem.memory.model import Link, Memory, PathNode
from graphmem.service import browsing, reading, searching
from graphmem.service.pages import Page
from graphmem.service.platform import Caller

Value = TypeVar("Value")
Argument = TypeVar("Argument", bound=Hashable)
PageKey = tuple[str, tuple[int, str | None]]
"""A path, and the size of its page and the cursor behind which it begins."""


class Loaders:
    """The loaders of one request, one for each kind of thing that a field can lead to."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.memories: Loader[str, Memory] = Loader(self._memories)
        self.histories: Loader[str, list[Memory]] = Loader(self._histories)
        self.links: Loader[str, list[Link]] = Loader(self._links)
        self.backlinks: Loader[tuple[str, int], list[Memory]] = Loader(self._backlinks)
        self.similar: Loader[str, list[Memory]] = Loader(self._similar)
        self.paths: Loader[str, PathNode] = Loader(self._paths)
        self.children: Loader[str, list[PathNode]] = Loader(self._children)
        self.memories_at: Loader[PageKey, Page[Memory]] = Loader(self._memories_at)

    def remember(self, memories: Iterable[Memory]) -> None:
        """Keeps heads that were just read under the predicate, so that no field reads them again."""
        self.memories.remember({memory.id: memory for memory in memories})

    def forget(self) -> None:
        """Drops everything that was read: a write came in between."""
        for loader in vars(self).values():
            if isinstance(loader, Loader):
                loader.forget()

    async def _memories(self, ids: list[str]) -> list[Memory | Exception]:
        found = await reading.memories(self._caller, ids)
        return [found.get(id) or NotFound("memory", id) for id in ids]

    async def _histories(self, chain_ids: list[str]) -> list[list[Memory] | Exception]:
        found = await reading.histories(self._caller, chain_ids)
        return [found.get(id, []) for id in chain_ids]

    async def _links(self, ids: list[str]) -> list[list[Link] | Exception]:
        found = await reading.links_of(self._caller, ids)
        return [found.get(id, []) for id in ids]

    async def _backlinks(self, keys: list[tuple[str, int]]) -> list[list[Memory] | Exception]:
        found = await _by_argument(keys, lambda ids, first: reading.backlinks_of(self._caller, ids, first))
        return [found.get(key, []) for key in keys]

    async def _similar(self, ids: list[str]) -> list[list[Memory] | Exception]:
        found = await searching.similar(self._caller, ids)
        return [found.get(id, []) for id in ids]

    async def _paths(self, paths: list[str]) -> list[PathNode | Exception]:
        found = await browsing.paths(self._caller, paths)
        return [found.get(path) or NotFound("path", path) for path in paths]

    async def _children(self, paths: list[str]) -> list[list[PathNode] | Exception]:
        found = await browsing.children(self._caller, paths)
        return [found.get(path, []) for path in paths]

    async def _memories_at(self, keys: list[PageKey]) -> list[Page[Memory] | Exception]:
        found = await _by_argument(
            keys, lambda paths, page: browsing.memories_at(self._caller, paths, page[0], page[1])
        )
        return [found.get(key) or Page.empty() for key in keys]


async def _by_argument(
    keys: Sequence[tuple[str, Argument]],
    read: Callable[[Sequence[str], Argument], Awaitable[Mapping[str, Value]]],
) -> dict[tuple[str, Argument], Value]:
    """What was found for each key; keys that share their argument are read together."""
    groups: dict[Argument, list[str]] = {}
    for name, argument in keys:
        groups.setdefault(argument, []).append(name)
    pages = await asyncio.gather(*(read(names, argument) for argument, names in groups.items()))
    return {
        (name, argument): value
        for argument, page in zip(groups, pages, strict=True)
        for name, value in page.items()
    }
