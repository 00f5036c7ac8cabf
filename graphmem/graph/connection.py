"""How the driver is set up: the address, the login, the pool, and what it is told to keep to itself."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import ConfigurationError

from graphmem import __version__
from graphmem.errors import Misconfigured
from graphmem.graph.driver_errors import translated

Notifications = Literal["OFF", "WARNING", "INFORMATION"]

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")

CONNECT_S = 5.0
"""Seconds for one connection to open."""

IDLE_CHECK_S = 30.0
"""A connection that was idle for longer is tested before use: its server may have started anew."""


def open_driver(
    url: str, user: str, password: str, *, wait_s: float, notifications: Notifications
) -> AsyncDriver:
    """A driver that has opened no connection yet.

    Raises:
        Misconfigured: The address cannot be one of a Neo4j.
    """
    _check_address(url)
    try:
        return AsyncGraphDatabase.driver(
            url,
            auth=(user, password) if user else None,
            user_agent=f"graphmem/{__version__}",
            connection_timeout=CONNECT_S,
            connection_acquisition_timeout=wait_s,
            liveness_check_timeout=IDLE_CHECK_S,
            # The server then computes none; tests read them where they are wanted, from EXPLAIN.
            notifications_min_severity=notifications,
            telemetry_disabled=True,
        )
    except ConfigurationError as error:
        raise translated(error, "connect") from error


def is_routed(url: str) -> bool:
    """Whether reads may go to other members of a cluster than the one that takes writes."""
    return url.startswith("neo4j")


def _check_address(url: str) -> None:
    # The address may hold a login, so that no message repeats it.
    try:
        address = urlsplit(url)
        whole = address.scheme in SCHEMES and bool(address.hostname) and address.port != 0
    except ValueError:
        whole = False
    if not whole:
        raise Misconfigured(
            f"GRAPHMEM_NEO4J_URL is no address of a Neo4j: it starts with one of {', '.join(SCHEMES)}, then"
            " names a host, as in bolt://127.0.0.1:7687"
        )
