"""Starting the local service in the background, and waiting until it answers.

The service is a process of its own group that outlives this one; it is ended again when the person gives up
waiting. Two commands that start at once start one service.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from graphmem.cli.client import is_ready
from graphmem.cli.exits import ServiceError, StartRefused
from graphmem.cli.logs import log_path, make_home, output_path, report_path
from graphmem.cli.progress import bar
from graphmem.cli.reports import Ready, Refused, ReportReader, Watched
from graphmem.cli.service_file import ServiceRecord, running
from graphmem.errors import InvalidInput, Misconfigured, Unavailable
from graphmem.local.disk import require_room_to_start
from graphmem.settings import Settings

START_S = 1800.0
"""Seconds until a start is given up: the first one may download 176 MB over a slow line."""

READY_S = 60.0
"""Seconds that a running service gets to become ready, or to end."""

LOOK_EVERY_S = 0.1
STOP_S = 30.0


def start(settings: Settings, *, rebuild: bool = False) -> tuple[ServiceRecord, bool]:
    """The record of the running local service, and whether it was started by this call.

    Args:
        rebuild: A new one takes the embedder that is set, whatever the store's index was made with.

    Raises:
        InvalidInput: ``GRAPHMEM_URL`` names another service.
        StartRefused: The service said why it cannot start.
        Unavailable: It ended without a word, or took too long.
    """
    if settings.url is not None:
        raise InvalidInput("GRAPHMEM_URL", "names a service that runs elsewhere; unset it to start one here")
    try:
        make_home(settings.home)
    except OSError as error:
        raise Misconfigured(
            f"GRAPHMEM_HOME is {settings.home}, which cannot be used: {error.strerror}"
        ) from error
    with FileLock(settings.home / "start.lock", timeout=START_S):
        record = _ready_or_gone(settings)
        if record is not None:
            return record, False
        with bar("starting the service", in_bytes=True) as progress:
            return _start(settings, progress, rebuild=rebuild), True


def _ready_or_gone(settings: Settings) -> ServiceRecord | None:
    """The service that runs, once it is ready; None when there is none, or once it has ended."""
    limit = time.monotonic() + READY_S
    while (record := running(settings.home)) is not None:
        if is_ready(record.url):
            return record
        if time.monotonic() > limit:
            raise Unavailable(
                f"the service (process {record.pid}) is not ready; {log_path(settings.home)} says why"
            )
        time.sleep(LOOK_EVERY_S)
    return None


def _start(settings: Settings, progress: Watched, *, rebuild: bool) -> ServiceRecord:
    if settings.neo4j_url is None:
        try:
            require_room_to_start(settings.home)  # a service on a full disk could not say why it ends
        except Unavailable as error:
            raise StartRefused(error) from error
    report = report_path(settings.home)
    report.unlink(missing_ok=True)
    process = _spawn(settings, rebuild=rebuild)
    try:
        return _wait(settings, process, ReportReader(report, progress))
    except BaseException:
        # Ctrl-C included: what this call started does not stay behind half started.
        _end(process)
        raise


def _spawn(settings: Settings, *, rebuild: bool) -> subprocess.Popen[bytes]:
    """``graphmem serve`` in a session of its own, without this terminal."""
    # Paths were given relative to this folder; the service lives in its home.
    environment = os.environ | {"GRAPHMEM_HOME": str(settings.home.absolute())}
    environment |= {"GRAPHMEM_CACHE": str(settings.cache.absolute())}
    report = str(report_path(settings.home).absolute())
    command = [sys.executable, "-P", "-m", "graphmem", "serve", "--report", report]
    command += ["--rebuild"] if rebuild else []
    with output_path(settings.home).open("wb") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=settings.home,
            env=environment,
            start_new_session=True,
        )


def _wait(settings: Settings, process: subprocess.Popen[bytes], report: ReportReader) -> ServiceRecord:
    """The record once the service says that it is ready."""
    limit = time.monotonic() + START_S
    while time.monotonic() < limit:
        ended = process.poll() is not None
        match report.poll():
            case Refused(code, message):
                raise StartRefused(ServiceError(message, code))
            case Ready() if (record := running(settings.home)) is not None:
                return record
        if ended:
            raise Unavailable(_last_words(settings.home, process.returncode))
        time.sleep(LOOK_EVERY_S)
    raise Unavailable(f"the service was not ready after {START_S:.0f} s; {log_path(settings.home)} says why")


def _last_words(home: Path, code: int) -> str:
    """What is known of a service that ended while starting."""
    lines = output_path(home).read_text(encoding="utf-8", errors="replace").strip().splitlines()
    last = f": {lines[-1]}" if lines else ""
    return f"the service ended with code {code} while starting{last}; {log_path(home)} says more"


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop the process, gracefully while that takes less than ``STOP_S``."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(STOP_S)
        return
    process.kill()
    process.wait()
