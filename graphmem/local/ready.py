"""Whether a Neo4j answers: a real handshake, login and query through the driver, until a deadline."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import psutil
from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import AuthError, DatabaseUnavailable, DriverError, Neo4jError

from graphmem.errors import GraphMemError, Misconfigured, Unavailable
from graphmem.local.processes import is_alive, listens

DATABASE = "neo4j"
"""The one database of Community, beside ``system``."""

POLL_S = 0.1
"""Pause between two tries."""

_NOT_BEGUN = "Neo.DatabaseError.Transaction.TransactionStartFailed"

ONE_TRY_S = 10.0
"""A server that accepts a connection but says nothing for so long does not answer."""


@dataclass(frozen=True, slots=True)
class Neo4jAddress:
    """How to reach the managed Neo4j, over the loopback address only.

    Attributes:
        bolt_url: ``bolt://127.0.0.1:7687``.
        http_url: ``http://127.0.0.1:7474``; Neo4j Browser is at ``/browser/`` under it.
        user: Always ``neo4j``.
        password: Never shown by ``repr``.
    """

    bolt_url: str
    http_url: str
    user: str
    password: str = field(repr=False)


async def wait_until_it_answers(address: Neo4jAddress, process: psutil.Process, limit_s: float) -> None:
    """Returns when the database answers a query.

    Nothing is sent before ``process`` itself listens: the password is not for a stranger on its port.

    Raises:
        Unavailable: It did not within ``limit_s`` seconds, never will, or the process has ended.
        Misconfigured: It refuses the password.
    """
    deadline = time.monotonic() + limit_s
    port = urlsplit(address.bolt_url).port or 0
    last = "it does not listen"
    while time.monotonic() < deadline:
        if not is_alive(process):
            raise Unavailable("its process ended")
        if listens(process, port):
            try:
                async with asyncio.timeout(ONE_TRY_S):
                    await _query(address)
                return
            except AuthError as error:
                raise Misconfigured("it refuses the password of this home") from error
            except (DriverError, Neo4jError, OSError, TimeoutError) as error:
                last = f"{type(error).__name__}: {error}"
        await asyncio.sleep(POLL_S)
    raise Unavailable(f"no answer within {limit_s:.0f} s ({last})")


async def has_stopped(address: Neo4jAddress, process: psutil.Process) -> bool:
    """Whether the database stopped by an error inside it, while its process goes on.

    One that does not answer may be busy, and one that refuses has its reasons: neither has stopped. That a
    transaction does not begin may pass, so that only a second look makes it sure.
    """
    if not listens(process, urlsplit(address.bolt_url).port or 0):
        return False
    return await _fails_to_begin(address) and await _fails_to_begin(address)


async def _fails_to_begin(address: Neo4jAddress) -> bool:
    try:
        # Not wait_for, which before Python 3.12 may lose the cancellation of who waits.
        async with asyncio.timeout(ONE_TRY_S):
            await _query(address)
    except Neo4jError as error:
        return error.code == _NOT_BEGUN
    except (DriverError, GraphMemError, OSError, TimeoutError):
        return False
    return False


async def _query(address: Neo4jAddress) -> None:
    """Logs in and asks for nothing.

    Raises:
        Unavailable: The database will not open, however long one waits.
    """
    login = (address.user, address.password)
    async with AsyncGraphDatabase.driver(address.bolt_url, auth=login, max_connection_pool_size=1) as driver:
        try:
            async with driver.session(database=DATABASE) as session:
                await (await session.run("RETURN 1")).consume()
        except DatabaseUnavailable:
            trouble = await _trouble(driver)
            if trouble:
                raise Unavailable(f"its database does not open, see debug.log: {trouble}") from None
            raise


async def _trouble(driver: AsyncDriver) -> str:
    """What Neo4j says about a database that it gave up; empty for one that is only not open yet."""
    async with driver.session(database="system") as session:
        found = await session.run(
            "SHOW DATABASES YIELD name, statusMessage WHERE name = $name", name=DATABASE
        )
        return str((await found.single(strict=True))["statusMessage"]).rstrip(".")
