"""Fetches single jars with jgo into a staging folder; ``jars`` decides whether a file is the right one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from jgo.maven import Artifact, MavenContext, PythonResolver

from graphmem.local.lockfile import LockedJar
from graphmem.local.progress import Progress
from graphmem.local.repositories import remote_repositories

STALLED_S = 30
"""A repository that sends nothing for so many seconds is given up for this attempt."""


class Cancelled(Exception):
    """The work was not wanted any more."""


class Advance(Protocol):
    """Tells that so many bytes more have come."""

    def __call__(self, amount: int) -> None: ...


class Downloader:
    """jgo, told to keep everything it writes inside ``staging``; may be used from several threads.

    Args:
        staging: Folder for files on their way.
        progress: Sees the bytes as they come.
        cancel: Once set, every fetch ends with ``Cancelled``.
    """

    def __init__(self, staging: Path, progress: Progress, cancel: threading.Event) -> None:
        self._progress = progress
        self._cancel = cancel
        self._one_at_a_time = threading.Lock()
        self._context = MavenContext(
            resolver=PythonResolver(progress_callback=self._track),
            repo_cache=staging,
            remote_repos=remote_repositories(),
            timeout=STALLED_S,
        )

    def fetch(self, jar: LockedJar) -> Path:
        """The file as it came, inside the staging folder.

        Raises:
            OSError: No connection, a broken one, or no room on the disk.
            RuntimeError: No repository gives it.
            Cancelled: ``cancel`` was set.
        """
        if self._cancel.is_set():
            raise Cancelled
        artifact = self._artifact(jar)
        self._forget(artifact)
        return artifact.resolve()

    def _artifact(self, jar: LockedJar) -> Artifact:
        return self._context.project(jar.group, jar.artifact).at_version(jar.version).artifact(jar.classifier)

    def _forget(self, artifact: Artifact) -> None:
        """Removes what an earlier attempt left, and takes its bytes off the bar."""
        path = artifact.cached_path
        if path is not None and path.exists():
            self._advance(-path.stat().st_size)
            path.unlink()

    @contextmanager
    def _track(self, _name: str, _size: int) -> Iterator[Advance]:
        yield self._advance

    def _advance(self, amount: int) -> None:
        if self._cancel.is_set():
            raise Cancelled
        with self._one_at_a_time:
            self._progress.advance(amount)
