"""What is known of the service from outside and from itself: the document of ``status``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import psutil

from graphmem.cli import operations
from graphmem.cli.client import ServiceClient, base_url
from graphmem.cli.connection import connect
from graphmem.cli.logs import log_path
from graphmem.cli.service_file import ServiceRecord, running, token_path
from graphmem.cli.stopping import children_of
from graphmem.errors import GraphMemError
from graphmem.settings import Settings

MIB = 1_048_576


def state(settings: Settings) -> dict[str, object]:
    """Everything that ``status --json`` shows; ``running`` and ``ready`` are always there."""
    if settings.url is not None:
        return {"running": True, "url": base_url(settings.url) + "/graphql"} | _answers(settings)
    places: dict[str, object] = {
        "home": str(settings.home),
        "token_file": str(token_path(settings.home)),
        "log": str(log_path(settings.home)),
    }
    record = running(settings.home)
    if record is None:
        return {"running": False, "ready": False, "degraded": [], "url": None, "pid": None} | places
    known: dict[str, object] = {
        "running": True,
        "url": record.url,
        "pid": record.pid,
        "version": record.version,
    }
    return known | places | _answers(settings, record) | {"processes": _processes(record)}


def _answers(settings: Settings, record: ServiceRecord | None = None) -> dict[str, object]:
    """What the service says of itself; one that does not answer is not ready, and ``problem`` says why."""
    try:
        with connect(settings) as client:
            return _said(client, record)
    except GraphMemError as error:
        return {"ready": False, "degraded": [], "problem": str(error)}


def _said(client: ServiceClient, record: ServiceRecord | None) -> dict[str, object]:
    document = client.ask(operations.STATUS).document()
    graph = {"state": document["neo4j"], **(record.neo4j if record is not None else {})}
    return document | {"neo4j": graph}


def _processes(record: ServiceRecord) -> Sequence[dict[str, object]]:
    """The service and all that it started, with their resident memory in MiB."""
    process = record.process()
    family = [] if process is None else [process, *children_of(process)]
    found: list[dict[str, object]] = []
    for member in family:
        try:
            size = round(member.memory_info().rss / MIB, 1)
            kind = "service" if member.pid == record.pid else _kind(member.cmdline())
        except psutil.NoSuchProcess:
            continue
        found.append({"pid": member.pid, "kind": kind, "resident_mb": size})
    return found


def _kind(line: Sequence[str]) -> str:
    if line and Path(line[0]).stem == "java":
        return "neo4j"
    return "vector worker" if any("edge_worker" in word for word in line) else "other"
