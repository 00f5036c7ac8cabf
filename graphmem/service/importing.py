"""Importing what an export wrote: ids, owners, times, chains, audit and tombstones come back as they were.

Lines are stored in batches, each as a whole or not at all. A line that cannot be read or stored is told by
its number and stops nothing; importing the same lines again goes on where an import broke off.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from graphmem.errors import GraphMemError, InvalidInput
from graphmem.memory.transfer import Header, MemoryRecord, Record, read_line
from graphmem.service.platform import Caller
from graphmem.service.status import require_operator
from graphmem.service.taking_in import Numbered, Tally, take_in

BATCH_LINES = 500
"""Lines of one transaction."""

TOLD_LINES = 1_000
"""Lines that a report names of each sort; further ones are only counted."""


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of the import, from 1, and what was wrong with it."""

    line: int
    reason: str


@dataclass(slots=True)
class ImportReport:
    """What an import did, counted in lines.

    Attributes:
        stored: Versions that came in.
        merged: Live heads whose twin lives here and took what they say.
        unchanged: Lines that were true already.
        skipped: Lines that were understood and left out, each with the reason.
        failed: Lines that could not be read or stored, each with the reason.
    """

    stored: int = 0
    merged: int = 0
    unchanged: int = 0
    skipped: int = 0
    failed: int = 0
    paths: int = 0
    audits: int = 0
    tombstones: int = 0
    skipped_lines: list[ToldLine] = field(default_factory=list)
    failed_lines: list[ToldLine] = field(default_factory=list)

    def document(self) -> dict[str, object]:
        """The report as JSON values."""
        counts = ("stored", "merged", "unchanged", "skipped", "failed", "paths", "audits", "tombstones")
        return {
            **{name: getattr(self, name) for name in counts},
            "skipped_lines": [{"line": told.line, "reason": told.reason} for told in self.skipped_lines],
            "failed_lines": [{"line": told.line, "reason": told.reason} for told in self.failed_lines],
        }

    def skip(self, line: int, reason: str) -> None:
        """Counts a line that was left out."""
        self.skipped += 1
        if len(self.skipped_lines) < TOLD_LINES:
            self.skipped_lines.append(ToldLine(line, reason))

    def fail(self, line: int, reason: str) -> None:
        """Counts a line that could not be read or stored."""
        self.failed += 1
        if len(self.failed_lines) < TOLD_LINES:
            self.failed_lines.append(ToldLine(line, reason))


async def import_lines(caller: Caller, lines: AsyncIterator[bytes]) -> ImportReport:
    """Stores the lines of an export; empty lines count and hold nothing.

    Raises:
        InvalidInput: The first line is not the header of an export that this version reads.
        NotFound: The caller is no admin of everything.
        Unavailable: The store does not answer; what was stored so far stays.
    """
    require_operator(caller, "import")
    run = _Import(caller)
    number = 0
    async for line in lines:
        number += 1
        if number == 1:
            _require_header(line)
        elif line.strip():
            await run.add(number, line)
    if number == 0:
        raise InvalidInput("line 1", "is missing; an export starts with a header")
    return await run.finished()


class _Import:
    """One import while its lines come."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._name = caller.platform.clock.new_id()
        self._batch: list[Numbered] = []
        self._waiting: list[Numbered] = []
        self._report = ImportReport()

    async def add(self, number: int, line: bytes) -> None:
        """Takes one more line; stores a batch when there are enough."""
        try:
            record = read_line(line)
            if isinstance(record, Header):
                raise InvalidInput("type", "is that of a header, which is the first line alone")
        except InvalidInput as error:
            self._report.fail(number, str(error))
            return
        self._batch.append((number, record))
        if len(self._batch) >= BATCH_LINES:
            await self._store()

    async def finished(self) -> ImportReport:
        """Stores what is left, then what waited for an older version; the report."""
        await self._store()
        while self._waiting:
            before = len(self._waiting)
            self._batch, self._waiting = self._waiting, []
            await self._store()
            if len(self._waiting) == before:
                break
        for number, record in self._waiting:
            assert isinstance(record, MemoryRecord)
            assert record.supersedes is not None
            self._report.skip(number, f"the version {record.supersedes.id} that it superseded is not here")
        for loop in self._caller.platform.loops:
            loop.ask()
        return self._report

    async def _store(self) -> None:
        """Stores the batch; if the store refuses it, line by line, so that one cannot spoil the others."""
        batch, self._batch = self._batch, []
        for at in range(0, len(batch), BATCH_LINES):
            part = batch[at : at + BATCH_LINES]
            try:
                await self._take(part)
            except GraphMemError as problem:
                if problem.retryable:
                    raise
                await self._take_singly(part)

    async def _take_singly(self, batch: Sequence[Numbered]) -> None:
        for line in batch:
            try:
                await self._take([line])
            except GraphMemError as problem:
                if problem.retryable:
                    raise
                self._report.fail(line[0], str(problem))

    async def _take(self, batch: Sequence[Numbered]) -> None:
        for line, tally, reason in await take_in(self._caller, batch, self._name):
            self._count(line, tally, reason)

    def _count(self, line: Numbered, tally: Tally, reason: str | None) -> None:
        report, (number, _) = self._report, line
        match tally:
            case Tally.WAITS:
                self._waiting.append(line)
            case Tally.SKIPPED:
                report.skip(number, reason or "")
            case _:
                setattr(report, tally, getattr(report, tally) + 1)


def _require_header(line: bytes) -> None:
    try:
        record: Record = read_line(line)
    except InvalidInput as error:
        raise error.inside("line 1") from None
    if not isinstance(record, Header):
        raise InvalidInput("line 1", "is not the header of an export")
