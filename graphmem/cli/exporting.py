"""``export``: everything as JSON lines, to a file that appears only once it is whole, or to stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from graphmem.cli.connection import service
from graphmem.cli.options import JsonFlag
from graphmem.cli.progress import bar
from graphmem.cli.screen import Screen
from graphmem.errors import InvalidInput, shown

commands = typer.Typer()


@commands.command()
def export(
    file: Annotated[Path | None, typer.Argument(help="Where to write; without it, stdout.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write everything as JSON lines that `import jsonl` reads again."""
    if file is None:
        if as_json:
            raise InvalidInput(
                "--json", "needs a FILE to export to: JSON lines on stdout are not one document"
            )
        with service() as client:
            for piece in client.export():
                sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
        return
    if file.exists() and not force:
        raise InvalidInput("FILE", f"is {shown(file)}, which exists; --force replaces it")
    with service() as client, bar("exporting") as progress:
        lines, size = 0, 0
        for piece in _written(file, client.export()):
            lines, size = lines + piece.count(b"\n"), size + len(piece)
            progress.advance(piece.count(b"\n"))
    document = {"file": str(file), "lines": lines, "bytes": size}
    Screen(as_json).answer(document, lambda screen: screen.fields(document.items()))


def _written(file: Path, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces, each once it is written; the file takes its name after the last one.

    Raises:
        InvalidInput: The place cannot be written to.
    """
    part = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        # Memories are nobody else's business: readable for the owner only.
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as output:
            for piece in pieces:
                output.write(piece)
                yield piece
        part.replace(file)
    except OSError as error:
        raise InvalidInput("FILE", f"is {shown(file)}, which cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
