"""How far a benchmark is, on stderr: a bar on a terminal, a line at the start of each part elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from graphmem.bench.load import Advance


@contextmanager
def bar(text: str, total: int | None = None) -> Iterator[Advance]:
    """A bar that lives as long as the block; told how much more is done. Without ``total`` it only moves."""
    if not sys.stderr.isatty():
        print(f"bench: {text}", file=sys.stderr, flush=True)
        yield lambda amount: None
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
    )
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(text, total=total)
        yield lambda amount: progress.advance(task, amount)
