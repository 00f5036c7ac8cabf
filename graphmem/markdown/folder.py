"""A folder of Markdown files, read from disk and packed into requests.

Reading blocks: an event loop calls it in a thread. What the texts mean is for ``graphmem.memory.notes``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from more_itertools import constrained_batches

from graphmem.errors import InvalidInput, shown
from graphmem.memory.notes import FailedFile, MarkdownFile
from graphmem.memory.notes.names import SUFFIXES

FILE_BYTES = 900_000
"""Of one file inside a request, JSON escapes included: a request holds 1 MiB, and a file is never split."""

BATCH_BYTES = 64_000
"""Of the files of one request: about 150 sections, which fit the time of an operation on a busy machine."""

BATCH_FILES = 100
"""Files of one request."""


@dataclass(frozen=True, slots=True)
class Folder:
    """The Markdown files below a folder, each list sorted by path.

    Attributes:
        failed: Files and folders that are there and could not be read; ``.`` is the folder itself.
    """

    files: tuple[MarkdownFile, ...]
    failed: tuple[FailedFile, ...]

    def gone(self, held: Iterable[str]) -> list[str]:
        """Those of the held files that the folder no longer has, sorted.

        Nobody knows what stands at or below a place that could not be read: nothing there is gone.
        """
        found = {file.path for file in self.files}
        unread = {place.path for place in self.failed}
        return sorted(path for path in set(held) - found if unread.isdisjoint(_places_of(path)))


def read_folder(root: Path) -> Folder:
    """Every file with the ending ``.md``, ``.markdown`` or ``.mdc`` at or below ``root``.

    Files and folders whose name starts with ``.`` are left out, and links to folders are not followed.

    Raises:
        InvalidInput: ``root`` is no folder that can be read.
    """
    if not root.is_dir():
        raise InvalidInput("folder", f"{shown(root)} is no folder")
    files: list[MarkdownFile] = []
    failed: list[FailedFile] = []
    for path in _markdown_files(root, failed):
        relative = path.relative_to(root).as_posix()
        try:
            files.append(MarkdownFile(relative, _read(path, relative)))
        except (InvalidInput, OSError) as error:
            failed.append(FailedFile(_printable(relative), _reason(error)))
    return Folder(
        tuple(sorted(files, key=lambda file: file.path)), tuple(sorted(failed, key=lambda file: file.path))
    )


def batches(
    files: Iterable[MarkdownFile], *, bytes_limit: int = BATCH_BYTES, files_limit: int = BATCH_FILES
) -> Iterator[tuple[MarkdownFile, ...]]:
    """The files in their order, in groups that fit one request; a larger file stands alone."""
    return constrained_batches(files, bytes_limit, files_limit, get_len=_size, strict=False)


def _markdown_files(root: Path, failed: list[FailedFile]) -> Iterator[Path]:
    def note(error: OSError) -> None:
        place = Path(error.filename).relative_to(root).as_posix() if error.filename else "."
        failed.append(FailedFile(_printable(place), _reason(error)))

    for folder, names, files in os.walk(root, onerror=note):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in files:
            if not name.startswith(".") and name.casefold().endswith(SUFFIXES):
                yield Path(folder, name)


def _places_of(path: str) -> tuple[str, ...]:
    """The file and every folder above it, the imported one last."""
    return (path, *map(str, PurePosixPath(path).parents))


def _read(path: Path, relative: str) -> str:
    if relative != _printable(relative):
        raise InvalidInput("path", f"{shown(relative)} is not valid UTF-8")
    if path.is_symlink() and not path.is_file():
        raise InvalidInput("path", f"{shown(relative)} is a link to nothing that can be read")
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput("text", f"is not UTF-8 at byte {error.start}; save the file as UTF-8") from error
    size = _size(MarkdownFile(relative, text))
    if size > FILE_BYTES:
        raise InvalidInput(
            "text", f"takes {size} bytes in a request, the limit is {FILE_BYTES}", limit=FILE_BYTES
        )
    return text


def _size(file: MarkdownFile) -> int:
    """Bytes of the file as JSON, all that is not ASCII escaped: the longest way to send it."""
    return len(json.dumps([file.path, file.text]))


def _printable(text: str) -> str:
    """The text with bytes that are no UTF-8 (half surrogates in names of files) shown as ``?``."""
    return text.encode("utf-8", "replace").decode()


def _reason(error: InvalidInput | OSError) -> str:
    return str(error) if isinstance(error, InvalidInput) else f"cannot be read: {error.strerror or error}"
