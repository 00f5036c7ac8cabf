"""``serve``, ``up``, ``down``: the service as a process."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from graphmem.cli.configuration import load_settings
from graphmem.cli.exits import StartRefused
from graphmem.cli.logs import log_path
from graphmem.cli.options import JsonFlag
from graphmem.cli.progress import bar
from graphmem.cli.reports import ReportFile
from graphmem.cli.screen import Screen
from graphmem.cli.starting import start
from graphmem.cli.stopping import stop
from graphmem.errors import GraphMemError, InvalidInput
from graphmem.settings import Settings

commands = typer.Typer()


@commands.command()
def serve(
    report: Annotated[
        Path | None, typer.Option(hidden=True, help="Where `up` reads how far the start is.")
    ] = None,
    rebuild: Annotated[
        bool, typer.Option(hidden=True, help="Take another embedder; `reindex` says so.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Run the service in the foreground until Ctrl-C."""
    settings = load_settings()
    try:
        if report is None:
            _serve_watched(settings, Screen(as_json))
        else:
            _serve_reporting(settings, ReportFile(report), rebuild=rebuild)
    except GraphMemError as error:
        raise StartRefused(error) from error


@commands.command()
def up(as_json: JsonFlag = False) -> None:
    """Start the service in the background and wait until it is ready; does nothing when it runs."""
    settings = load_settings()
    record, started = start(settings)
    log = str(log_path(settings.home))
    document = {"url": record.url, "pid": record.pid, "started": started, "log": log}
    rows = [
        ("url", record.url),
        ("process", record.pid),
        ("started", "now" if started else "before"),
        ("log", log),
    ]
    Screen(as_json).answer(document, lambda screen: screen.fields(rows))


@commands.command()
def down(as_json: JsonFlag = False) -> None:
    """End the local service and wait until everything it started is gone; does nothing when none runs."""
    settings = load_settings()
    if settings.url is not None:
        raise InvalidInput(
            "GRAPHMEM_URL", "names a service that runs elsewhere; unset it to end the one here"
        )
    with bar("waiting until the stores are closed"):
        stopped = stop(settings.home)
    document: dict[str, object] = {"stopped": stopped is not None}
    if stopped is not None:
        document |= {"pid": stopped.pid, "children": list(stopped.children), "killed": list(stopped.killed)}
    rows = [
        (name, " ".join(map(str, value)) if isinstance(value, list) else value)
        for name, value in document.items()
    ]
    Screen(as_json).answer(document, lambda screen: screen.fields(rows))


def _serve_watched(settings: Settings, screen: Screen) -> None:
    """Serve with a bar on the screen until it is ready, then with its address."""
    from graphmem.cli import serving  # opens everything: a second that no other command pays

    with ExitStack() as stack:
        progress = stack.enter_context(bar("opening the stores", in_bytes=True))

        def ready(url: str) -> None:
            stack.close()
            document = {"url": url, "pid": os.getpid()}
            screen.answer(document, lambda screen: screen.line(f"{url} answers; Ctrl-C ends it"))

        serving.serve(settings, serving.Start(progress, ready, watched=True))


def _serve_reporting(settings: Settings, report: ReportFile, *, rebuild: bool) -> None:
    """Serve for a command that waits in another process."""
    try:
        from graphmem.cli import serving

        serving.serve(settings, serving.Start(report, report.ready, rebuild=rebuild))
    except GraphMemError as error:
        report.refused(error)
        raise
