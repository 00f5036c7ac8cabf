"""``home/service.json``: which process serves this home, and where.

Written by the service once it answers, removed when it ends; whoever reads it checks that the process is
still the one that wrote it: a killed service leaves the file behind, and its number may be another's by now.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psutil

CLOCK_SLACK_S = 2.0
"""Seconds that the start of one and the same process may seem to move when the machine's clock is set."""


@dataclass(frozen=True, slots=True)
class ServiceRecord:
    """What a running service says of itself.

    Attributes:
        create_time: Start of the process, seconds since the epoch.
        url: Of GraphQL.
        neo4j: How a person reaches the graph: ``bolt_url``, ``browser_url``, ``user``, ``password_file``,
            where they apply; never a password.
    """

    pid: int
    create_time: float
    url: str
    version: str
    neo4j: dict[str, str] = field(default_factory=dict)

    def process(self) -> psutil.Process | None:
        """The process, if it is the one that wrote this."""
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.create_time) <= CLOCK_SLACK_S
            if same and process.status() != psutil.STATUS_ZOMBIE:
                return process
        return None


def record_path(home: Path) -> Path:
    """Where the record of this home is."""
    return home / "service.json"


def token_path(home: Path) -> Path:
    """Where the bearer token of the command line is."""
    return home / "token"


def this_process(url: str, version: str, neo4j: Mapping[str, str]) -> ServiceRecord:
    """The record of the process that runs this."""
    pid = os.getpid()
    return ServiceRecord(pid, psutil.Process(pid).create_time(), url, version, dict(neo4j))


def write_record(home: Path, record: ServiceRecord) -> None:
    """Put the record in place whole, readable for its owner only."""
    part = home / f"service.json.{record.pid}"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(record), file)
    part.replace(record_path(home))


def remove_record(home: Path, pid: int) -> None:
    """Take the record away, if it is still that of ``pid``."""
    record = read_record(home)
    if record is not None and record.pid == pid:
        record_path(home).unlink(missing_ok=True)


def read_record(home: Path) -> ServiceRecord | None:
    """The record as it stands; None where there is none, or none that can be read."""
    try:
        found = json.loads(record_path(home).read_text(encoding="utf-8"))
        return ServiceRecord(
            pid=int(found["pid"]),
            create_time=float(found["create_time"]),
            url=str(found["url"]),
            version=str(found["version"]),
            neo4j={str(name): str(value) for name, value in found.get("neo4j", {}).items()},
        )
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        # Whatever wrote it was cut off; without a process it says nothing.
        return None


def running(home: Path) -> ServiceRecord | None:
    """The record of the service that runs for this home now."""
    record = read_record(home)
    return record if record is not None and record.process() is not None else None
