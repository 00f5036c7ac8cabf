"""Sending the notes of a folder to the service in batches, and adding up what it says.

Each request stands for itself: it judges the files it names, and the files that are gone from the folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graphmem.cli import operations
from graphmem.cli.answers import FailedFile, MarkdownAnswer
from graphmem.cli.client import ServiceClient
from graphmem.cli.progress import bar
from graphmem.errors import GraphMemError, Unavailable
from graphmem.markdown.folder import Folder, batches
from graphmem.memory.notes import MarkdownFile

BATCH_BYTES = 64_000
"""Of the files of one request: a second of work for the service, which gives up an operation after 10."""

GONE_FILES = 2_000
"""Names of gone files in one request, so that the names alone never pass the body limit."""


@dataclass(slots=True)
class FolderReport:
    """The reports of all requests of one import, added up."""

    stored: int = 0
    superseded: int = 0
    moved: int = 0
    unchanged: int = 0
    pruned: int = 0
    vanished: list[str] = field(default_factory=list)
    failed: list[FailedFile] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add(self, report: MarkdownAnswer) -> None:
        """Add the report of one request."""
        self.stored += report.stored
        self.superseded += report.superseded
        self.moved += report.moved
        self.unchanged += report.unchanged
        self.pruned += report.pruned
        self.vanished += report.vanished
        self.failed += report.failed
        self.warnings += report.warnings

    def document(self) -> dict[str, object]:
        """Counts under the names that scripts rely on, and what was counted under names of its own."""
        return {
            "stored": self.stored,
            "superseded": self.superseded,
            "moved": self.moved,
            "unchanged": self.unchanged,
            "vanished": len(self.vanished),
            "pruned": self.pruned,
            "failed": len(self.failed),
            "vanished_sections": self.vanished,
            "failed_files": [each.document() for each in self.failed],
            "warnings": self.warnings,
        }


def import_folder(client: ServiceClient, folder: Folder, wing: str, *, prune: bool) -> FolderReport:
    """Import the files of a folder into a wing; vanished sections are deleted only with ``prune``."""
    report = FolderReport(failed=[FailedFile(path=each.path, reason=each.reason) for each in folder.failed])
    held = client.ask(operations.IMPORTED_FILES, wing=wing)
    gone = folder.gone(held)
    with bar(f"importing {len(folder.files):,} files") as progress:
        progress.total(len(folder.files))
        for request in requests(list(batches(folder.files, bytes_limit=BATCH_BYTES)), gone):
            for answer in _answers(client, request, {"wing": wing, "prune": prune}):
                report.add(answer)
            progress.advance(len(request.files))
    return report


def _answers(client: ServiceClient, request: Request, how: dict[str, object]) -> list[MarkdownAnswer]:
    """What the service says to the request; one that takes it too long is sent again in halves.

    Sending again is safe: what was stored the first time counts as unchanged the second.
    """
    try:
        return [client.ask(operations.IMPORT_MARKDOWN, input=how | request.given())]
    except GraphMemError as error:
        if error.code != Unavailable.code or len(request.files) < 2:
            raise
        return [answer for half in request.halves() for answer in _answers(client, half, how)]


@dataclass(frozen=True, slots=True)
class Request:
    """One request: its files, the gone files, and whether what is left of those has vanished."""

    files: Sequence[MarkdownFile]
    gone: Sequence[str]
    complete: bool

    def halves(self) -> tuple[Request, Request]:
        """The same in two requests, of which only the second can be the last to name the gone files."""
        middle = len(self.files) // 2
        first = Request(self.files[:middle], self.gone, complete=False)
        return first, Request(self.files[middle:], self.gone, self.complete)

    def given(self) -> dict[str, object]:
        """The request as an input of the API."""
        files = [{"path": file.path, "text": file.text} for file in self.files]
        return {"files": files, "goneFiles": list(self.gone), "complete": self.complete}


def requests(parts: Sequence[Sequence[MarkdownFile]], gone: Sequence[str]) -> Iterator[Request]:
    """The requests of one import, in order; none for a folder without files and a wing without gone ones.

    The gone files go with every part, so that their sections can move to any file of the folder; only after
    the last part have they vanished. More than ``GONE_FILES`` of them follow in requests of their own.
    """
    first, rest = gone[:GONE_FILES], gone[GONE_FILES:]
    for number, files in enumerate(parts, start=1):
        yield Request(files, first, complete=number == len(parts))
    if first and not parts:
        yield Request((), first, complete=True)
    for start in range(0, len(rest), GONE_FILES):
        yield Request((), rest[start : start + GONE_FILES], complete=True)
