"""``import markdown`` and ``import jsonl``: the notes of a folder, and what ``export`` wrote.

Both return when everything can be found by meaning, unless told not to wait. What cannot be imported is
named, the rest is imported, and the command ends with exit code 1.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from graphmem.cli.connection import service
from graphmem.cli.exits import OTHER
from graphmem.cli.folder_import import FolderReport, import_folder
from graphmem.cli.options import JsonFlag
from graphmem.cli.progress import bar
from graphmem.cli.reports import Watched
from graphmem.cli.screen import Screen, note
from graphmem.cli.waiting import wait_until_searchable
from graphmem.errors import InvalidInput, shown
from graphmem.markdown.folder import read_folder

PIECE_BYTES = 64 * 1024

COUNTS: dict[str, object] = dict.fromkeys(
    ("stored", "superseded", "moved", "unchanged", "vanished", "pruned", "failed"), 0
)
"""What every import counts, whether or not it can happen in it."""

NoWait = Annotated[bool, typer.Option("--no-wait", help="Return before everything can be found by meaning.")]

commands = typer.Typer()
group = typer.Typer(no_args_is_help=True, help="Import notes of a folder, or what `export` wrote.")
commands.add_typer(group, name="import")


@group.command()
def markdown(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with Markdown files.")],
    wing: Annotated[str, typer.Option("--wing", help="Wing that the notes belong to.")],
    prune: Annotated[
        bool, typer.Option("--prune", help="Delete sections that vanished from the files.")
    ] = False,
    no_wait: NoWait = False,
    as_json: JsonFlag = False,
) -> None:
    """Import the Markdown files of a folder, a drawer per section; again changes nothing."""
    found = read_folder(folder)
    with service() as client:
        report = import_folder(client, found, wing, prune=prune)
        document: dict[str, object] = {"wing": wing, "files": len(found.files), **report.document()}
        if not no_wait:
            document["index_failed"] = wait_until_searchable(client)
    Screen(as_json).answer(document, lambda screen: _show(screen, document, report))
    if report.failed:
        raise typer.Exit(OTHER)


@group.command()
def jsonl(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON lines of `export`; - reads standard input.")
    ],
    no_wait: NoWait = False,
    as_json: JsonFlag = False,
) -> None:
    """Import what `export` wrote: ids, owners, times, chains and tombstones come back as they were."""
    with _opened(file) as lines, service() as client:
        with bar("importing", in_bytes=True) as progress:
            document = COUNTS | client.import_lines(_pieces(lines, progress))
        if not no_wait:
            document["index_failed"] = wait_until_searchable(client)
    rows = [(name, value) for name, value in document.items() if not isinstance(value, list)]
    Screen(as_json).answer(document, lambda screen: screen.fields(rows))
    if document["failed"]:
        raise typer.Exit(OTHER)


def _opened(file: str) -> BinaryIO:
    """The lines to import, to be closed by the caller.

    Raises:
        InvalidInput: The file cannot be read.
    """
    if file == "-":
        return sys.stdin.buffer
    try:
        return open(file, "rb")
    except OSError as error:
        raise InvalidInput("FILE", f"is {shown(file)}, which cannot be read: {error.strerror}") from error


def _pieces(lines: BinaryIO, progress: Watched) -> Iterator[bytes]:
    """The file in pieces, each told to the bar."""
    if lines.seekable():
        progress.total(lines.seek(0, io.SEEK_END))
        lines.seek(0)
    while piece := lines.read(PIECE_BYTES):
        yield piece
        progress.advance(len(piece))


def _show(screen: Screen, document: dict[str, object], report: FolderReport) -> None:
    screen.fields((name, value) for name, value in document.items() if not isinstance(value, list))
    for section in report.vanished:
        note(f"vanished: {section}")
    for failed in report.failed:
        note(f"failed: {failed.path}: {failed.reason}")
    for warning in report.warnings:
        note(f"warning: {warning}")
