"""How a service that starts in the background tells the waiting command how far it is: JSON lines in a file.

One line an event: ``total``, ``advance``, ``message`` (as in ``graphmem.local.progress``), then ``ready`` or
``refused``. The reader polls; a line that is not whole yet waits for the next look.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from graphmem.errors import GraphMemError


class Watched(Protocol):
    """Who is told how far the work is."""

    def total(self, amount: int) -> None:
        """The whole of the work that now begins; it starts at 0."""

    def advance(self, amount: int) -> None:
        """So much more is done; negative takes back."""

    def message(self, text: str) -> None:
        """What is being done."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The service answers at ``url``."""

    url: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The service did not start; the message says the way out."""

    code: str
    message: str


class ReportFile:
    """The writing side; each event is one write, so that no reader sees half of one forever."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.write_text("", encoding="utf-8")

    def total(self, amount: int) -> None:
        """The whole of the work that now begins."""
        self._add(total=amount)

    def advance(self, amount: int) -> None:
        """So much more is done."""
        self._add(advance=amount)

    def message(self, text: str) -> None:
        """What is being done."""
        self._add(message=text)

    def ready(self, url: str) -> None:
        """The last event of a start that went well."""
        self._add(ready=url)

    def refused(self, error: GraphMemError) -> None:
        """The last event of a start that did not."""
        self._add(refused=error.code, message=str(error))

    def _add(self, **event: int | str) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")


class ReportReader:
    """The reading side; hands progress on and keeps the end."""

    def __init__(self, path: Path, progress: Watched) -> None:
        self._path = path
        self._progress = progress
        self._read = 0

    def poll(self) -> Ready | Refused | None:
        """Pass on what is new; the end of the start once it is there."""
        if not self._path.exists():
            return None
        with self._path.open("rb") as file:
            file.seek(self._read)
            whole, _, _ = file.read().rpartition(b"\n")
        for line in whole.splitlines():
            self._read += len(line) + 1
            if (end := self._event(json.loads(line))) is not None:
                return end
        return None

    def _event(self, event: dict[str, int | str]) -> Ready | Refused | None:
        match event:
            case {"ready": str(url)}:
                return Ready(url)
            case {"refused": str(code), "message": str(message)}:
                return Refused(code, message)
            case {"total": int(amount)}:
                self._progress.total(amount)
            case {"advance": int(amount)}:
                self._progress.advance(amount)
            case {"message": str(text)}:
                self._progress.message(text)
        return None
