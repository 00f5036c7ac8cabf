"""Walking the tree of paths: what a caller sees of it, with the numbers of what it may read."""

from __future__ import annotations

from collections.abc import Collection

from graphmem.errors import InvalidInput, LimitExceeded, NotFound
from graphmem.graph.memory_store import Place
from graphmem.memory.commands import MemoryOrder
from graphmem.memory.limits import TREE_DEPTH
from graphmem.memory.model import Memory, PathNode
from graphmem.memory.paths import ROOT
from graphmem.memory.paths import depth as depth_of
from graphmem.service.pages import ListName, Page, of_another_list, parsed_instant
from graphmem.service.platform import Caller

_EMPTY_ROOT = PathNode(ROOT, None, ("Path",), 0, 0, 0)


async def path(caller: Caller, path: str) -> PathNode:
    """One path.

    Raises:
        NotFound: Nothing that the caller may see is at or below it.
    """
    found = await paths(caller, [path])
    if path not in found:
        raise NotFound("path", path)
    return found[path]


async def paths(caller: Caller, wanted: Collection[str]) -> dict[str, PathNode]:
    """The visible ones of these paths; the root is always there."""
    found = await caller.platform.stores.paths.trees(wanted, 0, caller.visible(), caller.now())
    nodes = {path: nodes[0] for path, nodes in found.items() if nodes}
    return {ROOT: _EMPTY_ROOT} | nodes if ROOT in wanted else nodes


async def tree(caller: Caller, root: str, depth: int) -> list[PathNode]:
    """The root and the visible paths below it, ``depth`` levels down, each before its children.

    Raises:
        InvalidInput: A negative depth.
        LimitExceeded: More levels than a tree may have.
        NotFound: The root is not visible.
    """
    if depth < 0:
        raise InvalidInput("depth", f"is {depth}; a tree has at least 0 levels below its root", limit=0)
    if depth > TREE_DEPTH:
        raise LimitExceeded(f"depth is {depth}, the limit is {TREE_DEPTH}", limit=TREE_DEPTH)
    found = await caller.platform.stores.paths.trees([root], depth, caller.visible(), caller.now())
    nodes = found.get(root) or ([_EMPTY_ROOT] if root == ROOT else [])
    if not nodes:
        raise NotFound("path", root)
    return sorted(nodes, key=lambda node: node.path.split("/") if node.path != ROOT else [""])


async def children(caller: Caller, parents: Collection[str]) -> dict[str, list[PathNode]]:
    """The visible paths one level below each parent, by segment."""
    found = await caller.platform.stores.paths.trees(parents, 1, caller.visible(), caller.now())
    return {
        parent: sorted(
            (node for node in nodes if depth_of(node.path) == depth_of(parent) + 1),
            key=lambda node: node.path,
        )
        for parent, nodes in found.items()
    }


async def memories_at(
    caller: Caller, wanted: Collection[str], first: int, after: str | None
) -> dict[str, Page[Memory]]:
    """A page of the memories at exactly each of these paths, oldest first.

    Raises:
        InvalidInput: ``after`` is not a cursor of this list.
    """
    place = Place.before_all(MemoryOrder.OLDEST)
    if after is not None:
        place = _place(after, [_list_at(caller, path) for path in wanted])
    found = await caller.platform.stores.memories.at_paths(
        wanted, caller.visible(), after=place, now=caller.now(), limit=first + 1
    )
    return {path: _page(caller, path, memories, first) for path, memories in found.items()}


def _page(caller: Caller, path: str, memories: list[Memory], first: int) -> Page[Memory]:
    name = _list_at(caller, path)
    return Page.of(memories, first, lambda one: name.cursor(at=one.created_at.isoformat(), id=one.id))


def _list_at(caller: Caller, path: str) -> ListName:
    return ListName.of("memories at", caller.subject, path)


def _place(after: str, lists: list[ListName]) -> Place:
    """The place of a cursor of one of these lists; with several paths it can be of one only."""
    if len(lists) != 1:
        raise InvalidInput("after", "belongs to one path; ask for one path with it")
    match lists[0].place(after):
        case {"at": str(at), "id": str(id)}:
            return Place(parsed_instant(at), id)
        case _:
            raise of_another_list(after)
