"""How far long work is, as a person sees it on stderr: a bar on a terminal, a line now and then elsewhere.

``Bar`` has the methods of ``graphmem.local.progress.Progress`` and draws what it is told; ``reports`` carries
the same calls from one process to another.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from graphmem.cli.screen import note, one_line

LINES_EVERY_S = 10.0
"""Seconds between two lines of the same work where no bar can be drawn."""


class Bar:
    """One bar on a terminal."""

    def __init__(self, progress: Progress, text: str) -> None:
        self._progress = progress
        self._task = progress.add_task(one_line(text), total=None)

    def total(self, amount: int) -> None:
        """The whole of the work that begins now; the bar starts at 0."""
        self._progress.reset(self._task, total=amount or None)

    def advance(self, amount: int) -> None:
        """So much more is done; negative takes back."""
        self._progress.advance(self._task, amount)

    def message(self, text: str) -> None:
        """What is being done."""
        self._progress.update(self._task, description=one_line(text))


class Lines:
    """The same without a terminal: each message once, and how far it is every ten seconds."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._total = self._done = 0
        self._said = time.monotonic()
        note(text)

    def total(self, amount: int) -> None:
        """The whole of the work that begins now."""
        self._total, self._done = amount, 0

    def advance(self, amount: int) -> None:
        """So much more is done; negative takes back."""
        self._done += amount
        if self._total and time.monotonic() - self._said >= LINES_EVERY_S:
            self._said = time.monotonic()
            note(f"{self._text}: {100 * self._done // self._total} %")

    def message(self, text: str) -> None:
        """What is being done."""
        if text != self._text:
            self._text, self._said = text, time.monotonic()
            note(text)


@contextmanager
def bar(text: str, *, in_bytes: bool = False) -> Iterator[Bar | Lines]:
    """A bar that is on the screen inside the ``with`` block and gone after it; counts bytes or pieces."""
    if not sys.stderr.isatty():
        yield Lines(text)
        return
    amount: ProgressColumn = DownloadColumn() if in_bytes else MofNCompleteColumn()
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        amount,
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield Bar(progress, text)
