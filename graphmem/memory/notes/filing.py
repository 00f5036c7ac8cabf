"""A plan as commands, packed into writes that can follow one another.

What is done to the drawers of one file goes into one write, and of files between which sections move as well:
places are handed round among them, and inside one write the ledger lets go of all of those first. A file with
more such steps than a write may have is first emptied of its places. New sections follow, in any portions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from graphmem.memory.commands import UNSET, Command, ForgetMemory, NewDrawer, SupersedeFact, UpdateMemory
from graphmem.memory.limits import BATCH
from graphmem.memory.model import Label
from graphmem.memory.notes.matching import FiledSection, Plan, StoredSection

VANISHED = "its section is no longer in the file"
"""Why a drawer was pruned, in its audit record."""

CHANGED = "its section was changed in the file"

WRITE_STEPS = 250
"""Steps of one write: more make a transaction long and save little."""

_OUT_OF_THE_WAY = 1_000_000
"""Ordinals from here on stand for no place of a file."""


class Tally(Enum):
    """What a report counts a step as."""

    STORED = auto()
    SUPERSEDED = auto()
    MOVED = auto()
    PRUNED = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """One command of an import, and what it counts as once it is done.

    Attributes:
        file: The file as it is now; of a section that is gone, as it was.
        about: What is counted: the section, or the id of a drawer without one.
    """

    command: Command
    tally: Tally
    file: str
    about: FiledSection | str


def writes_of(
    plan: Plan, wing: str, *, prune: bool, size: int = WRITE_STEPS, limit: int = BATCH
) -> Iterator[tuple[Step, ...]]:
    """The steps of the plan in writes; none when nothing differs.

    Args:
        wing: Display name of the wing.
        prune: Whether vanished sections are deleted.
        size: Steps of one write, as far as that can be chosen.
        limit: Steps that a write may have at most.
    """
    packed: list[Step] = []
    for together in _inseparable(plan, wing, prune, limit):
        if packed and len(packed) + len(together) > size:
            yield tuple(packed)
            packed = []
        packed += together
    if packed:
        yield tuple(packed)


def _inseparable(plan: Plan, wing: str, prune: bool, limit: int) -> Iterator[Sequence[Step]]:
    """The steps in the order in which they have to happen, those together that hand places round."""
    for steps in _families(plan, wing, prune):
        handing = [step for step in steps if step.tally is not Tally.STORED]
        if len(handing) <= limit:
            yield handing
        else:
            yield from ([step] for step in (*_emptying(handing), *handing))
        yield from ([step] for step in steps if step.tally is Tally.STORED)


def _families(plan: Plan, wing: str, prune: bool) -> Iterator[list[Step]]:
    """The steps of each family of files."""
    family = _Families()
    for old, new in (*plan.moved, *plan.changed):
        family.join(old.source_file, new.source_file)
    found: dict[str, list[Step]] = {}
    for step in _steps(plan, wing, prune):
        found.setdefault(family.of(step.file), []).append(step)
    yield from found.values()


def _steps(plan: Plan, wing: str, prune: bool) -> Iterator[Step]:
    pruned = {old.id for old in plan.vanished} if prune else set()
    for old in plan.vanished if prune else ():
        yield Step(ForgetMemory(id=old.id, reason=VANISHED), Tally.PRUNED, old.source_file, old.id)
    for old, place in plan.displaced:
        if old.id not in pruned:
            yield Step(UpdateMemory(id=old.id, section=place), Tally.NOTHING, old.source_file, old.id)
    for old, new in plan.moved:
        yield Step(_update(old, new, wing), Tally.MOVED, new.source_file, new)
    for old, new in plan.changed:
        yield Step(_supersede(old, new), Tally.SUPERSEDED, new.source_file, new)
    for new in plan.new:
        yield Step(_drawer(new, wing), Tally.STORED, new.source_file, new)


def _drawer(new: FiledSection, wing: str) -> NewDrawer:
    section = new.section
    return NewDrawer(
        path=new.path,
        content=section.content,
        title=section.title,
        wing_name=wing,
        room_names=new.room,
        keywords=section.keywords,
        names=section.names,
        links=section.links,
        source_file=new.source_file,
        line_start=section.line_start,
        line_end=section.line_end,
        section=section.place,
    )


def _supersede(old: StoredSection, new: FiledSection) -> SupersedeFact:
    section = new.section
    return SupersedeFact(
        id=old.id,
        label=Label.DRAWER,
        content=section.content,
        reason=CHANGED,
        title=section.title,
        keywords=section.keywords,
        names=section.names,
        links=section.links,
        line_start=section.line_start,
        line_end=section.line_end,
    )


def _update(old: StoredSection, new: FiledSection, wing: str) -> UpdateMemory:
    """What differs, and nothing else. A new title may make a version, whose links have to be given again."""
    section = new.section
    moved = old.path != new.path
    placed = (old.source_file, old.path, old.place) != (new.source_file, new.path, section.place)
    linked = old.links != frozenset(section.links) or old.title != section.title
    return UpdateMemory(
        id=old.id,
        title=UNSET if old.title == section.title else section.title,
        keywords=UNSET if old.keywords == section.keywords else section.keywords,
        names=UNSET if old.names == section.names else section.names,
        path=new.path if moved else UNSET,
        wing_name=wing if moved else None,
        room_names=new.room if moved else (),
        source_file=UNSET if old.source_file == new.source_file else new.source_file,
        line_start=UNSET if old.line_start == section.line_start else section.line_start,
        line_end=UNSET if old.line_end == section.line_end else section.line_end,
        section=section.place if placed else UNSET,
        links=section.links if linked else UNSET,
    )


def _emptying(steps: Sequence[Step]) -> Iterator[Step]:
    """Moves every section that will change its place to one of its own, so that order no longer matters."""
    for number, step in enumerate(steps, start=_OUT_OF_THE_WAY):
        match step.command:
            case UpdateMemory(id=id, section=(*headings, _)):
                away = UpdateMemory(id=id, section=(*headings, str(number)))
                yield Step(away, Tally.NOTHING, step.file, id)


class _Families:
    """Files that belong together, each family named by one of them."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def of(self, file: str) -> str:
        while (above := self._above.get(file, file)) != file:
            file = above
        return file

    def join(self, one: str, other: str) -> None:
        self._above[self.of(one)] = self.of(other)
