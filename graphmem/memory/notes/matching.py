"""How the sections of files meet those that an earlier import stored: the plan of an import.

Three steps, each on what the ones before left over: the same text in the same file; the same place (heading
path and ordinal) in the same file; the same text in another file. So a section that moved keeps its drawer
and its versions, whatever was put around it, and a renamed file keeps all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from graphmem.memory.notes.lines import with_line_ends
from graphmem.memory.notes.model import Section
from graphmem.memory.text import content_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSection:
    """A live drawer that an import made.

    Attributes:
        path: The room in which it stands.
        place: Heading path, then ordinal.
        links: Label and target of each, in any order.
    """

    id: str
    source_file: str
    path: str
    place: tuple[str, ...]
    title: str | None
    content_hash: str
    line_start: int | None
    line_end: int | None
    names: tuple[str, ...]
    keywords: tuple[str, ...]
    links: frozenset[tuple[str, str]]

    @property
    def label(self) -> str:
        """What a report calls it: ``file#heading``."""
        return f"{self.source_file}#{' > '.join(self.place[:-1])}" if self.place[:-1] else self.source_file


@dataclass(frozen=True, slots=True)
class FiledSection:
    """A section and where it shall stand.

    Attributes:
        path: The room.
        room: Display names of the rooms on the way to it, outermost first.
    """

    source_file: str
    path: str
    room: tuple[str, ...]
    section: Section


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import does: each stored and each new section is in exactly one list.

    Attributes:
        unchanged: Nothing about it differs.
        moved: The text is the same; something about it (place, lines, names, …) is not.
        changed: The place is the same; the text is not.
        new: In the files only.
        vanished: Stored only.
        displaced: Stored only, and something else stands at their place now: the free one they go to.
    """

    unchanged: tuple[StoredSection, ...]
    moved: tuple[tuple[StoredSection, FiledSection], ...]
    changed: tuple[tuple[StoredSection, FiledSection], ...]
    new: tuple[FiledSection, ...]
    vanished: tuple[StoredSection, ...]
    displaced: tuple[tuple[StoredSection, tuple[str, ...]], ...] = ()


def match_sections(
    stored: Iterable[StoredSection], filed: Iterable[FiledSection], *, lending: Collection[str] = ()
) -> Plan:
    """The plan that turns what is stored into what the files say, with the fewest new versions.

    Args:
        stored: The stored sections of the files in ``filed``, and of files that are gone.
        filed: The sections of the files as they are now, in the order of each file.
        lending: Files whose sections may be taken over but do not vanish yet.
    """
    match = _Match(sorted(stored, key=_position), list(filed))
    match.pair(lambda old: (old.source_file, old.content_hash, old.place), _same_text_and_place)
    match.pair(lambda old: (old.source_file, old.content_hash), _same_text)
    match.pair(lambda old: (old.source_file, old.place), _same_place)
    match.pair(lambda old: (old.content_hash, old.place), _same_text_and_place_elsewhere)
    match.pair(lambda old: old.content_hash, _hashes)
    return match.plan(lending)


class _Match:
    """Stored and filed sections that have not met yet, and the pairs that have."""

    def __init__(self, stored: list[StoredSection], filed: list[FiledSection]) -> None:
        self._stored = stored
        self._filed = filed
        self._pairs: list[tuple[StoredSection, FiledSection]] = []

    def pair(
        self,
        key_of: Callable[[StoredSection], Hashable],
        keys_of: Callable[[FiledSection], Sequence[Hashable]],
    ) -> None:
        """Joins what shares a key, first with first; a filed section may have several, best first."""
        waiting: dict[Hashable, list[StoredSection]] = defaultdict(list)
        for old in reversed(self._stored):
            waiting[key_of(old)].append(old)
        left, met = [], set()
        for new in self._filed:
            key = next((key for key in keys_of(new) if waiting.get(key)), None)
            if key is None:
                left.append(new)
                continue
            old = waiting[key].pop()
            met.add(old.id)
            self._pairs.append((old, new))
        self._filed = left
        self._stored = [old for old in self._stored if old.id not in met]

    def plan(self, lending: Collection[str]) -> Plan:
        same = [(old, new) for old, new in self._pairs if old.content_hash in _hashes(new)]
        changed = [(old, new) for old, new in self._pairs if old.content_hash not in _hashes(new)]
        return Plan(
            unchanged=tuple(old for old, new in same if not differs(old, new)),
            moved=tuple((old, new) for old, new in same if differs(old, new)),
            changed=tuple(changed),
            new=tuple(self._filed),
            vanished=tuple(old for old in self._stored if old.source_file not in lending),
            displaced=tuple(self._displaced()),
        )

    def _displaced(self) -> Iterator[tuple[StoredSection, tuple[str, ...]]]:
        """What is left in the store under a number that a filed section has now, with a free number."""
        filed = (*self._filed, *(new for _, new in self._pairs))
        wanted = {(new.source_file, new.path, new.section.place) for new in filed}
        taken = wanted | {(old.source_file, old.path, old.place) for old in self._stored}
        for old in self._stored:
            if (old.source_file, old.path, old.place) in wanted:
                numbered = ((*old.place[:-1], str(number)) for number in count(1))
                place = next(p for p in numbered if (old.source_file, old.path, p) not in taken)
                taken.add((old.source_file, old.path, place))
                yield old, place


def differs(old: StoredSection, new: FiledSection) -> bool:
    """Whether a drawer with the same text has to follow its section in place."""
    section = new.section
    return (
        (old.source_file, old.path, old.place) != (new.source_file, new.path, section.place)
        or (old.line_start, old.line_end) != (section.line_start, section.line_end)
        or (old.title, old.names, old.keywords) != (section.title, section.names, section.keywords)
        or old.links != frozenset(section.links)
    )


def _position(old: StoredSection) -> tuple[str, int, str]:
    return (old.source_file, old.line_start or 0, old.id)


def _hashes(new: FiledSection) -> Sequence[str]:
    """Of the exact text, then of the same text with other line ends: those make no other text."""
    content = new.section.content
    forms = [content, with_line_ends(content, "\n"), with_line_ends(content, "\r\n")]
    return [content_hash(form) for form in dict.fromkeys(forms)]


def _same_text_and_place(new: FiledSection) -> list[Hashable]:
    return [(new.source_file, hash_, new.section.place) for hash_ in _hashes(new)]


def _same_text(new: FiledSection) -> list[Hashable]:
    return [(new.source_file, hash_) for hash_ in _hashes(new)]


def _same_text_and_place_elsewhere(new: FiledSection) -> list[Hashable]:
    return [(hash_, new.section.place) for hash_ in _hashes(new)]


def _same_place(new: FiledSection) -> list[Hashable]:
    return [(new.source_file, new.section.place)]
