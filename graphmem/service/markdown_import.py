"""Importing Markdown: a drawer for each section, so that importing again changes only what was changed.

Only the files that a request names are judged, and of those only the drawers that the caller's own imports
made and that it may read.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.errors import Conflict, InvalidInput, NotFound, shown
from graphmem.graph.section_store import SectionStore
from graphmem.memory.limits import PATH_CHARACTERS
from graphmem.memory.model import WriteAction
from graphmem.memory.notes import FailedFile, MarkdownFile, parse_note
from graphmem.memory.notes.filing import Step, Tally, writes_of
from graphmem.memory.notes.matching import FiledSection, Plan, match_sections
from graphmem.memory.rooms import room_path, wing_path
from graphmem.memory.text import checked_text
from graphmem.service.platform import Caller
from graphmem.service.writing import write

TRIES = 3
"""Times that a plan is made: another writer may change a drawer between reading and writing."""

_DONE = frozenset({WriteAction.STORED, WriteAction.SUPERSEDED, WriteAction.UPDATED, WriteAction.DELETED})


@dataclass(frozen=True, slots=True)
class _Parsed:
    """The files of a request as sections in their rooms, and those that are none."""

    files: tuple[str, ...]
    sections: tuple[FiledSection, ...]
    failed: tuple[FailedFile, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkdownReport:
    """What an import did, counted in sections.

    Attributes:
        moved: The text stayed, something about it (place, lines, room, names, keywords, links) did not.
        vanished: Sections that are stored and no longer in a file, as ``file#heading > heading``.
        pruned: How many of those were deleted.
        failed: Files that were left out; nothing of them was judged.
    """

    stored: int = 0
    superseded: int = 0
    moved: int = 0
    unchanged: int = 0
    vanished: tuple[str, ...] = ()
    pruned: int = 0
    failed: tuple[FailedFile, ...] = ()
    warnings: tuple[str, ...] = ()


async def import_markdown(
    caller: Caller,
    wing: str,
    files: Sequence[MarkdownFile],
    *,
    gone_files: Sequence[str] = (),
    prune: bool = False,
    complete: bool = True,
) -> MarkdownReport:
    """Files the sections of ``files`` in the wing, a room for each folder; what became of them.

    Args:
        wing: Name of the wing, as a person writes it.
        files: Some or all files of a folder.
        gone_files: Files of the wing that the folder no longer has; their sections move to sections of
            ``files`` with the same text.
        prune: Delete the sections that vanished.
        complete: No more files follow: what is left of ``gone_files`` has vanished.

    Raises:
        InvalidInput: The wing has no name, one file is given twice, or a path is no text; names the field.
        NotFound, Forbidden: The caller may not write there.
        Conflict: Other writers changed the same drawers again and again.
        Unavailable: The store does not answer; what was filed so far stays, and importing again goes on.
    """
    place = wing_path(wing)
    _require_paths(files, gone_files)
    gone = set(gone_files) - {file.path for file in files}
    parsed = await asyncio.to_thread(_parsed, wing, files, caller.platform.limits.drawer_characters)
    done: dict[FiledSection | str, Tally] = {}
    vanished: dict[str, str] = {}
    for tries_left in reversed(range(TRIES)):
        plan = await _planned(caller, place, parsed, gone, complete)
        vanished |= {old.id: old.label for old in plan.vanished}
        try:
            await _carry_out(caller, writes_of(plan, wing.strip(), prune=prune), done)
            break
        except (Conflict, NotFound):
            if not tries_left:
                raise
    return _report(parsed, done, tuple(vanished.values()))


async def imported_files(caller: Caller, wing: str) -> list[str]:
    """The files of which the caller's imports left live sections in the wing, sorted.

    Raises:
        InvalidInput: The wing has no name.
    """
    return await SectionStore(caller.platform.graph).files(wing_path(wing), caller.subject, caller.visible())


def _require_paths(files: Sequence[MarkdownFile], gone_files: Sequence[str]) -> None:
    """Refuses what no report and no query could name; a path that is only out of place fails alone."""
    first: dict[str, int] = {}
    for at, file in enumerate(files):
        checked_text(file.path, f"files[{at}].path", len(file.path), allow_empty=True)
        if first.setdefault(file.path, at) != at:
            problem = f"{shown(file.path)} is given twice, as files[{first[file.path]}] before"
            raise InvalidInput(f"files[{at}].path", problem)
    for at, path in enumerate(gone_files):
        checked_text(path, f"goneFiles[{at}]", PATH_CHARACTERS)


def _parsed(wing: str, files: Sequence[MarkdownFile], limit: int) -> _Parsed:
    """Reads the files; one that cannot be read is told and stops nothing."""
    read: list[str] = []
    sections: list[FiledSection] = []
    failed: list[FailedFile] = []
    warnings: list[str] = []
    for file in files:
        try:
            note = parse_note(file, limit=limit)
            room = room_path(wing, note.room, "folder")
        except InvalidInput as error:
            failed.append(FailedFile(file.path, str(error)))
            continue
        names = tuple(note.room.split("/"))
        read.append(note.path)
        sections += (FiledSection(note.path, room, names, section) for section in note.sections)
        warnings += note.warnings
    return _Parsed(tuple(read), tuple(sections), tuple(failed), tuple(warnings))


async def _planned(caller: Caller, wing: str, parsed: _Parsed, gone: set[str], complete: bool) -> Plan:
    """What has to be done, by what the store holds now."""
    sections = SectionStore(caller.platform.graph)
    stored = await sections.of_files(wing, {*parsed.files, *gone}, caller.subject, caller.visible())
    return await asyncio.to_thread(
        match_sections, stored, parsed.sections, lending=() if complete else frozenset(gone)
    )


async def _carry_out(
    caller: Caller, writes: Iterable[Sequence[Step]], done: dict[FiledSection | str, Tally]
) -> None:
    """Writes one part after the other, and notes what was done."""
    for steps in writes:
        receipts = await write(caller, [step.command for step in steps])
        for step, receipt in zip(steps, receipts, strict=True):
            if receipt.action in _DONE:
                done[step.about] = step.tally


def _report(
    parsed: _Parsed, done: Mapping[FiledSection | str, Tally], vanished: tuple[str, ...]
) -> MarkdownReport:
    counts = Counter(done.values())
    touched = counts[Tally.STORED] + counts[Tally.SUPERSEDED] + counts[Tally.MOVED]
    return MarkdownReport(
        stored=counts[Tally.STORED],
        superseded=counts[Tally.SUPERSEDED],
        moved=counts[Tally.MOVED],
        unchanged=len(parsed.sections) - touched,
        vanished=vanished,
        pruned=counts[Tally.PRUNED],
        failed=parsed.failed,
        warnings=parsed.warnings,
    )
