"""One JVM with Neo4j in it: launched, or found again; waited for, and ended.

Keeping one running is the matter of ``neo4j``.
"""

from __future__ import annotations

import os
import secrets
import shutil
from dataclasses import asdict, dataclass, replace

import psutil

from graphmem.errors import GraphMemError, Unavailable
from graphmem.local import processes
from graphmem.local.conf import conf_text
from graphmem.local.java import Program, class_path_arguments, environment, server_command
from graphmem.local.layout import LOOPBACK, Layout, Ports, Tuning
from graphmem.local.lockfile import NEO4J_VERSION
from graphmem.local.password import first_login, write_private
from graphmem.local.processes import ProcessRecord
from graphmem.local.ready import Neo4jAddress, wait_until_it_answers

USER = "neo4j"

ADOPTION_S = 20.0
"""A JVM that a killed GraphMem left behind has so long to answer before it is ended."""

STOP_S = 60.0
"""A JVM that was asked to stop writes its pages to disk; after this it is killed."""

SHOWN_LINES = 15
"""Lines of the log that an error repeats."""


class Crashed(Unavailable):
    """The JVM ended by an error inside itself; a crash log beside its log says which."""


@dataclass(frozen=True, slots=True)
class Server:
    """A JVM, how it was configured, and where it answers."""

    process: psutil.Process
    ports: Ports
    address: Neo4jAddress


async def launch(
    layout: Layout, program: Program, ports: Ports, tuning: Tuning, password: str, limit_s: float
) -> Server:
    """A new server that answers.

    Raises:
        Crashed: The JVM itself failed.
        Unavailable: It ended, or did not answer within ``limit_s`` seconds; with the end of its log.
        Misconfigured: It refuses the password.
    """
    _write_files(layout, program, ports, tuning, password)
    record = ProcessRecord(processes.new_mark(), 0, 0.0, _facts(ports, tuning))
    record.write(layout.record)
    command = server_command(layout, program, tuning, record.mark)
    process = processes.spawn(command, layout.console, environment(layout, os.environ))
    replace(record, pid=process.pid, created=process.create_time()).write(layout.record)
    server = Server(process, ports, _address(ports, password))
    try:
        await wait_until_it_answers(server.address, process, limit_s)
    except GraphMemError as error:
        kind = Crashed if layout.crash_log(process.pid).exists() else type(error)
        await end(layout, server)
        raise kind(f"Neo4j did not start: {error}.\n{log_end(layout)}") from error
    except BaseException:
        await end(layout, server)
        raise
    layout.unfinished.unlink(missing_ok=True)
    return server


async def adopt(
    layout: Layout, bolt_port: int | None, http_port: int | None, tuning: Tuning, password: str
) -> Server | None:
    """The server that a killed GraphMem left behind, if it is as wanted and answers; else it is ended.

    None when there is none (any more). A port of None stands for any.
    """
    record, process = _leftover(layout)
    if record is None or process is None:
        return None
    ports = Ports(int(record.facts.get("bolt") or 0), int(record.facts.get("http") or 0))
    server = Server(process, ports, _address(ports, password))
    fits = bolt_port in (None, ports.bolt) and http_port in (None, ports.http)
    if fits and record.facts == _facts(ports, tuning) and await _still_answers(server):
        layout.unfinished.unlink(missing_ok=True)
        return server
    await end(layout, server)
    return None


async def end_leftover(layout: Layout) -> None:
    """Ends the server that a killed GraphMem left behind, if there is one."""
    _, process = _leftover(layout)
    if process is not None:
        await processes.stop(process, STOP_S)


async def end(layout: Layout, server: Server, grace_s: float = STOP_S) -> None:
    """Stops the server, if it still runs, and forgets it; after ``grace_s`` seconds it is killed."""
    await processes.stop(server.process, grace_s)
    layout.record.unlink(missing_ok=True)


def log_end(layout: Layout) -> str:
    """Path and last lines of what the JVM printed, without the frames of stack traces."""
    text = layout.console.read_text(encoding="utf-8", errors="replace") if layout.console.exists() else ""
    lines = [line for line in text.splitlines() if not line.startswith("\t")]
    return "\n".join([f"The end of {layout.console}:", *lines[-SHOWN_LINES:]])


def _leftover(layout: Layout) -> tuple[ProcessRecord | None, psutil.Process | None]:
    record = processes.read_record(layout.record)
    return record, None if record is None else processes.find(record)


async def _still_answers(server: Server) -> bool:
    try:
        await wait_until_it_answers(server.address, server.process, ADOPTION_S)
    except GraphMemError:
        return False
    return True


def _address(ports: Ports, password: str) -> Neo4jAddress:
    return Neo4jAddress(f"bolt://{LOOPBACK}:{ports.bolt}", f"http://{LOOPBACK}:{ports.http}", USER, password)


def _facts(ports: Ports, tuning: Tuning) -> dict[str, str | int | None]:
    """What has to be equal for a running server to be as good as a new one."""
    return {"bolt": ports.bolt, "http": ports.http, "neo4j": NEO4J_VERSION, **asdict(tuning)}


def _write_files(layout: Layout, program: Program, ports: Ports, tuning: Tuning, password: str) -> None:
    """The files that Neo4j reads when it starts."""
    for folder in (layout.conf, layout.logs):
        folder.mkdir(parents=True, exist_ok=True)
    layout.folder.chmod(0o700)
    layout.arguments.write_text(class_path_arguments(program.jars), encoding="utf-8")
    (layout.conf / "neo4j.conf").write_text(conf_text(layout, ports, tuning), encoding="utf-8")
    if not layout.has_store:
        _begin_store(layout, password)


def _begin_store(layout: Layout, password: str) -> None:
    """An empty store with its password, marked until it has answered.

    A marked one is removed first: it never answered, so nothing was written to it, and a start that was cut
    short can leave a database that does not open.
    """
    if layout.unfinished.exists():
        if layout.data.exists():
            shutil.rmtree(layout.data)
    elif not layout.data.exists():
        layout.unfinished.touch()
    layout.first_login.parent.mkdir(parents=True, exist_ok=True)
    write_private(layout.first_login, first_login(USER, password, secrets.token_bytes(32)))
