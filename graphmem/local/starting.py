"""How the Neo4j of a home comes up: an old one taken over, a new one on ports that are free, or again.

One start; watching over it is the matter of ``neo4j``.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import Misconfigured, Unavailable
from graphmem.local import class_data, password, processes, server
from graphmem.local.java import Program
from graphmem.local.layout import Layout, Ports, Tuning
from graphmem.local.preparing import prepare
from graphmem.local.progress import Progress
from graphmem.local.server import Crashed, Server

BOLT_PORT = 7687
HTTP_PORT = 7474
"""Neo4j's own default ports, taken when they are free."""

PORT_RACES = 2
"""How often another process may be faster in taking a port that was free."""

START_S = 300.0
"""Limit of one start; the long case is the recovery of many changes after a crash."""

log = logging.getLogger("graphmem.local")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The Neo4j that a home shall have.

    Attributes:
        layout: Where it keeps its things.
        cache: Where its program is.
        bolt_port: None for the default, or any free one when that is taken.
        http_port: None for the default, or any free one when that is taken.
        tuning: Its memory, and the guide of its Browser.
        class_data: Whether to make class data where there are none.
    """

    layout: Layout
    cache: Path
    bolt_port: int | None
    http_port: int | None
    tuning: Tuning
    class_data: bool


async def start(wanted: Wanted, progress: Progress | None) -> Server:
    """The server that a killed GraphMem left behind, if it is as wanted and answers; else a new one.

    Raises:
        Misconfigured: A port that was set is taken, or the password of the store is lost.
        Unavailable: The program cannot be fetched, or the server does not start.
    """
    layout = wanted.layout
    if layout.has_store and not layout.password.exists():
        raise Misconfigured(
            f"{layout.password} is missing, and nothing else opens the store beside it; put the file "
            "back from a backup, or set another GRAPHMEM_HOME"
        )
    secret = password.read_or_make(layout.password)
    left = await server.adopt(layout, wanted.bolt_port, wanted.http_port, wanted.tuning, secret)
    if left is not None:
        return left
    ports = _ports(wanted)
    program = await prepare(wanted.cache, progress, class_data=wanted.class_data)
    for _ in range(PORT_RACES):
        try:
            return await _launch(wanted, program, ports, secret)
        except Unavailable:
            if processes.is_free(ports.bolt) and processes.is_free(ports.http):
                raise
            log.info("another process was faster in taking port %d or %d", ports.bolt, ports.http)
            ports = _ports(wanted)
    return await _launch(wanted, program, ports, secret)


async def restart(wanted: Wanted, crashed: Server) -> Server:
    """A new server in the place of one that ended, on the same ports, which clients know.

    Raises:
        Misconfigured: Another process has taken a port.
        Unavailable: The server does not start.
    """
    program = await prepare(wanted.cache, class_data=False)
    ports = Ports(_port("bolt", crashed.ports.bolt), _port("http", crashed.ports.http))
    return await _launch(wanted, program, ports, crashed.address.password)


async def _launch(wanted: Wanted, program: Program, ports: Ports, secret: str) -> Server:
    """A new server; class data with which the JVM crashes are thrown away and done without."""
    layout, tuning = wanted.layout, wanted.tuning
    try:
        return await server.launch(layout, program, ports, tuning, secret, START_S)
    except Crashed as error:
        if not program.flags:
            raise
        log.warning("trying without class data: %s", error)
        class_data.discard(wanted.cache, program)
        return await server.launch(layout, Program(program.jars), ports, tuning, secret, START_S)


def _ports(wanted: Wanted) -> Ports:
    return Ports(_port("bolt", wanted.bolt_port, BOLT_PORT), _port("http", wanted.http_port, HTTP_PORT))


def _port(name: str, wanted: int | None, default: int | None = None) -> int:
    """The port to listen on: ``wanted``, else ``default`` if it is free, else any.

    Raises:
        Misconfigured: ``wanted`` is taken.
    """
    if wanted is None:
        return processes.free_port(default)
    if not processes.is_free(wanted):
        raise Misconfigured(f"the {name} port {wanted} of Neo4j is in use; free it, set another or set none")
    return wanted
