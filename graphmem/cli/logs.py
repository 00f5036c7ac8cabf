"""Where the service's log lines go: ``home/logs/service.log``, and stderr too when a person watches."""

from __future__ import annotations

import logging
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path

LOG_BYTES = 10_000_000
LOG_FILES = 3
"""A full log file is kept this many times, so logs stay under 40 MB."""


def log_path(home: Path) -> Path:
    """The service's log."""
    return home / "logs" / "service.log"


def output_path(home: Path) -> Path:
    """What a service in the background printed: nothing, unless it crashed."""
    return home / "logs" / "service.out"


def report_path(home: Path) -> Path:
    """How far the last start in the background got."""
    return home / "logs" / "start.jsonl"


def make_home(home: Path) -> None:
    """Make the folders of this home, readable for their owner only, where they are missing."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    (home / "logs").mkdir(mode=0o700, exist_ok=True)


def log_to_home(home: Path, *, watched: bool) -> None:
    """Send log lines to the home's file; warnings also to stderr when ``watched``. Times are UTC."""
    form = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    form.converter = time.gmtime
    file = RotatingFileHandler(log_path(home), maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8")
    file.setFormatter(form)
    handlers: list[logging.Handler] = [file]
    if watched:
        screen = logging.StreamHandler()
        screen.setLevel(logging.WARNING)
        screen.setFormatter(form)
        # Why the service ended is the error of the command, on one line; once is enough.
        screen.addFilter(lambda record: record.name != "graphmem.cli.serving")
        handlers.append(screen)
    logging.basicConfig(level=logging.INFO, handlers=handlers, force=True)
    # One line a request would drown what matters.
    for chatty in ("httpx", "httpcore", "uvicorn.access"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
