"""What an import of Markdown finds in the graph: the sections that earlier imports left."""

from __future__ import annotations

from collections.abc import Collection

from graphmem.access.predicate import Predicate
from graphmem.graph.client import GraphClient
from graphmem.graph.rows import Row
from graphmem.memory.notes.matching import StoredSection


class SectionStore:
    """Live drawers with a place in a file, of one owner and one wing."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def of_files(
        self, wing: str, files: Collection[str], owner: str, rule: Predicate
    ) -> list[StoredSection]:
        """The sections of these files at or below the path of the wing; only what the rule allows."""
        if not files:
            return []
        params = {"wing": wing, "files": sorted(set(files)), "owner": owner}
        rows = await self._graph.run("section/of_files", params, rule=rule)
        return [_section(row) for row in rows]

    async def files(self, wing: str, owner: str, rule: Predicate) -> list[str]:
        """The files that have sections below the path of the wing, sorted."""
        rows = await self._graph.run("section/files", {"inside": f"{wing}/", "owner": owner}, rule=rule)
        return [row["file"] for row in rows]


def _section(row: Row) -> StoredSection:
    found = row["section"]
    return StoredSection(
        id=found["id"],
        source_file=found["source_file"],
        path=found["path"],
        place=tuple(found["section"]),
        title=found["title"],
        content_hash=found["content_hash"],
        line_start=found["line_start"],
        line_end=found["line_end"],
        names=tuple(found["names"] or ()),
        keywords=tuple(found["keywords"] or ()),
        links=frozenset((text, target) for text, target in row["links"]),
    )
