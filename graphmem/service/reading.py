"""Reading memories one by one and in lists; never touches anything."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from graphmem.errors import NotFound
from graphmem.graph.memory_store import Place
from graphmem.memory.commands import MemoryFilter, MemoryOrder
from graphmem.memory.model import Fact, Label, Link, Memory
from graphmem.service.pages import ListName, Page, of_another_list, parsed_instant
from graphmem.service.platform import Caller


async def memory(caller: Caller, id: str) -> Memory:
    """The head of the chain that ``id`` belongs to, in any state but purged.

    Raises:
        NotFound: There is none, or none that the caller may read.
    """
    found = await memories(caller, [id])
    if id not in found:
        raise NotFound("memory", id)
    return found[id]


async def memories(caller: Caller, ids: Collection[str]) -> dict[str, Memory]:
    """The heads that the ids name, by the id that was asked for; what is hidden is left out."""
    return await caller.platform.stores.memories.heads(ids, caller.visible()) if ids else {}


async def histories(caller: Caller, chain_ids: Collection[str]) -> dict[str, list[Memory]]:
    """All versions of each chain, newest first."""
    return await caller.platform.stores.memories.histories(chain_ids, caller.visible())


async def links_of(caller: Caller, ids: Collection[str]) -> dict[str, list[Link]]:
    """The links of each memory in the order of its text; a hidden target is a missing one."""
    return await caller.platform.stores.memories.links(ids, caller.visible(), caller.now())


async def backlinks_of(caller: Caller, ids: Collection[str], first: int) -> dict[str, list[Memory]]:
    """The memories that link to each of these, oldest first, at most ``first``."""
    store = caller.platform.stores.memories
    found = await store.backlinks(ids, caller.visible(), caller.now(), first)
    return {id: memories[:first] for id, memories in found.items()}


async def facts(
    caller: Caller, wanted: MemoryFilter, order: MemoryOrder, first: int, after: str | None
) -> Page[Fact]:
    """A page of the facts that the filter lets through, in order.

    Raises:
        InvalidInput: ``after`` is not a cursor of this list.
    """
    if wanted.labels and Label.FACT not in wanted.labels:
        return Page.empty()
    wanted = replace(wanted, labels=(Label.FACT,))
    name = ListName.of("facts", caller.subject, wanted, order)
    place, now = Place.before_all(order), caller.now()
    if after is not None:
        place, now = _place(name, after)
    rows = await caller.platform.stores.memories.listed(
        wanted, order, caller.visible(), after=place, now=now, limit=first + 1
    )
    found = [(memory, at) for memory, at in rows if isinstance(memory, Fact)]
    page = Page.of(found, first, lambda row: _cursor(name, row[1], now))
    return Page(tuple(memory for memory, _ in page.items), page.cursors, page.has_next)


def _cursor(name: ListName, place: Place, now: datetime) -> str:
    return name.cursor(at=place.at.isoformat(), id=place.id, strength=place.strength, now=now.isoformat())


def _place(name: ListName, cursor: str) -> tuple[Place, datetime]:
    """The place of a cursor, and the instant of the first page."""
    match name.place(cursor):
        case {"at": str(at), "id": str(id), "strength": float(strength), "now": str(now)}:
            return Place(parsed_instant(at), id, strength), parsed_instant(now)
        case _:
            raise of_another_list(cursor)
