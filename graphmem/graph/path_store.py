"""Reading the tree of paths, as far as a reader sees it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from graphmem.access.predicate import Predicate
from graphmem.graph.client import GraphClient
from graphmem.memory.model import PathNode


class PathStore:
    """Paths with the numbers of what is visible at and below them."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def trees(
        self, roots: Collection[str], depth: int, rule: Predicate, now: datetime
    ) -> dict[str, list[PathNode]]:
        """For each root the visible paths at and below it, ``depth`` levels down, by path.

        A root that is not visible is left out.
        """
        params = {"roots": sorted(set(roots)), "depth": depth, "now": now}
        rows = await self._graph.run("path/trees", params, rule=rule)
        found: dict[str, list[PathNode]] = {}
        for row in rows:
            node = PathNode(
                path=row["path"],
                display_name=row["display_name"],
                labels=tuple(sorted(row["labels"])),
                memories_here=row["here"],
                memories_below=row["below"],
                children=row["children"],
                declared=row["declared"],
                tags=tuple(row["tags"]),
            )
            found.setdefault(row["root"], []).append(node)
        return found
