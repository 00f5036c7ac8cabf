"""The graph and a vector collection side by side: by id and revision, never by counts alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphmem.graph.index_store import Footing
from graphmem.service.platform import Platform
from graphmem.service.vector_room import Shelf

POINT_PAGE = 5_000


@dataclass(slots=True)
class Differences:
    """What does not agree, as memory ids.

    Attributes:
        behind: Versions of which the collection holds no point of their revision.
        waiting: Versions whose index work waits.
        orphans: Memories that the collection shows and the graph does not have.
        badly_placed: Versions not at exactly one path, or not in exactly one scope while live.
        wordless: Versions without the tokens of the keyword index.
        torn: Versions that lack a required property.
    """

    versions: int = 0
    points: int = 0
    behind: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)
    orphans: set[str] = field(default_factory=set)
    badly_placed: set[str] = field(default_factory=set)
    wordless: set[str] = field(default_factory=set)
    torn: set[str] = field(default_factory=set)


async def differences(platform: Platform, shelf: Shelf | None) -> Differences:
    """Everything in which the graph disagrees with itself or with the collection."""
    found = Differences()
    points = {} if shelf is None else await _points(shelf, found)
    async for page in platform.stores.index.footings():
        for footing in page:
            _note(found, footing)
            if shelf is not None and points.pop(footing.id, -1) < footing.revision:
                found.behind.add(footing.id)
    found.orphans = set(points)
    return found


async def _points(shelf: Shelf, found: Differences) -> dict[str, int]:
    """The lowest revision of each memory's living points, by memory id."""
    revisions: dict[str, int] = {}
    after: str | None = None
    while page := await shelf.index.revisions(after, POINT_PAGE):
        for point in page:
            if not point.dead:
                found.points += 1
                known = revisions.get(point.memory_id, point.revision)
                revisions[point.memory_id] = min(known, point.revision)
        after = page[-1].id
    return revisions


def _note(found: Differences, footing: Footing) -> None:
    found.versions += 1
    if footing.waiting:
        found.waiting.add(footing.id)
    if footing.paths != 1 or footing.scopes != int(footing.live):
        found.badly_placed.add(footing.id)
    if not footing.words:
        found.wordless.add(footing.id)
    if not footing.whole:
        found.torn.add(footing.id)
