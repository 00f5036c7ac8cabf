"""Loaders: what many fields of one level ask for is read in one round trip.

One set of loaders a request. Each loader gathers the keys of one tick of the event loop and hands them to one
service function; what was read once in a request is not read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from strawberry.dataloader import DataLoader

from graphmem.errors import NotFound
from graphmem.memory.model import Link, Memory, PathNode
from graphmem.service import browsing, reading, searching
from graphmem.service.pages import Page
from graphmem.service.platform import Caller

Value = TypeVar("Value")
Argument = TypeVar("Argument", bound=Hashable)


class Loaders:
    """The loaders of one request, one for each kind of thing that a field can lead to."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.memories: DataLoader[str, Memory] = DataLoader(self._memories)
        self.histories: DataLoader[str, list[Memory]] = DataLoader(self._histories)
        self.links: DataLoader[str, list[Link]] = DataLoader(self._links)
        self.backlinks: DataLoader[tuple[str, int], list[Memory]] = DataLoader(self._backlinks)
        self.similar: DataLoader[str, list[Memory]] = DataLoader(self._similar)
        self.paths: DataLoader[str, PathNode] = DataLoader(self._paths)
        self.children: DataLoader[str, list[PathNode]] = DataLoader(self._children)
        self.memories_at: DataLoader[tuple[str, tuple[int, str | None]], Page[Memory]] = DataLoader(
            self._memories_at
        )

    def remember(self, memories: Iterable[Memory]) -> None:
        """Keeps memories that were just read under the predicate, so that no field reads them again."""
        self.memories.prime_many({memory.id: memory for memory in memories})

    def forget(self) -> None:
        """Drops everything that was read: a write came in between."""
        for loader in vars(self).values():
            if isinstance(loader, DataLoader):
                loader.clear_all()

    async def _memories(self, ids: list[str]) -> list[Memory | BaseException]:
        found = await reading.memories(self._caller, ids)
        return [found.get(id) or NotFound("memory", id) for id in ids]

    async def _histories(self, chain_ids: list[str]) -> list[list[Memory]]:
        found = await reading.histories(self._caller, chain_ids)
        return [found.get(id, []) for id in chain_ids]

    async def _links(self, ids: list[str]) -> list[list[Link]]:
        found = await reading.links_of(self._caller, ids)
        return [found.get(id, []) for id in ids]

    async def _backlinks(self, keys: list[tuple[str, int]]) -> list[list[Memory]]:
        return await _by_argument(
            keys, lambda ids, first: reading.backlinks_of(self._caller, ids, first), missing=list
        )

    async def _similar(self, ids: list[str]) -> list[list[Memory]]:
        found = await searching.similar(self._caller, ids)
        return [found.get(id, []) for id in ids]

    async def _paths(self, paths: list[str]) -> list[PathNode | BaseException]:
        found = await browsing.paths(self._caller, paths)
        return [found.get(path) or NotFound("path", path) for path in paths]

    async def _children(self, paths: list[str]) -> list[list[PathNode]]:
        found = await browsing.children(self._caller, paths)
        return [found.get(path, []) for path in paths]

    async def _memories_at(self, keys: list[tuple[str, tuple[int, str | None]]]) -> list[Page[Memory]]:
        return await _by_argument(
            keys,
            lambda paths, page: browsing.memories_at(self._caller, paths, page[0], page[1]),
            missing=Page[Memory].empty,
        )


async def _by_argument(
    keys: Sequence[tuple[str, Argument]],
    load: Callable[[Sequence[str], Argument], Awaitable[Mapping[str, Value]]],
    missing: Callable[[], Value],
) -> list[Value]:
    """The value of each key, in order; keys that share their argument are loaded together."""
    groups: dict[Argument, list[str]] = {}
    for name, argument in keys:
        groups.setdefault(argument, []).append(name)
    found = dict(
        zip(
            groups,
            await asyncio.gather(*(load(names, argument) for argument, names in groups.items())),
            strict=True,
        )
    )
    return [found[argument].get(name) or missing() for name, argument in keys]
