"""A platform and a service for tests: the real stores, the small deterministic embedder, a real server."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import uvicorn
from neo4j import AsyncGraphDatabase

from graphmem.access.guard import DEFAULT_SUBJECT
from graphmem.api.app import create_app
from graphmem.api.options import ApiOptions
from graphmem.bootstrap import assembled
from graphmem.graph.client import GraphClient
from graphmem.local.ready import Neo4jAddress
from graphmem.service.authenticating import TokenAuthenticator, create_token
from graphmem.service.clock import Clock
from graphmem.service.platform import Platform, Stores
from graphmem.service.vector_room import Shelf, VectorRoom
from graphmem.settings import Settings
from graphmem.vectors.hashing import HashEmbedder
from graphmem.vectors.index import VectorStore

LIMIT_SECONDS = 60.0
"""How long a test waits for a condition before it fails."""


class Probe:
    """Asks the graph with Cypher of the test's own, past the door of the product."""

    def __init__(self, address: Neo4jAddress) -> None:
        self._address = address

    async def __call__(self, query: str, **params: object) -> list[dict[str, Any]]:
        """The rows of a query."""
        address = self._address
        driver = AsyncGraphDatabase.driver(address.bolt_url, auth=(address.user, address.password))
        async with driver, driver.session() as session:
            found = await session.run(query, params)
            return [dict(row) async for row in found]

    async def hits(self, query: str, **params: object) -> int:
        """How often the database is touched to answer a query."""
        address = self._address
        driver = AsyncGraphDatabase.driver(address.bolt_url, auth=(address.user, address.password))
        async with driver, driver.session() as session:
            found = await session.run(f"CYPHER 25 PROFILE {query}", params)
            summary = await found.consume()
        return _hits(summary.profile or {})


async def emptied(address: Neo4jAddress) -> None:
    """Takes everything but the schema out of the graph."""
    driver = AsyncGraphDatabase.driver(address.bolt_url, auth=(address.user, address.password))
    async with driver, driver.session() as session:
        await session.run(
            "MATCH (n) WHERE NOT (n:Meta AND n.key STARTS WITH 'migration/')"
            " CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS"
        )
        await session.run("MERGE (m:Meta {key: 'change/seq'}) SET m.value = 0")


@asynccontextmanager
async def open_test_platform(graph: GraphClient, store: VectorStore) -> AsyncIterator[Platform]:
    """A platform with a collection of its own."""
    embedder = HashEmbedder()
    collection = f"test-{uuid4().hex}"
    index = await store.open(collection, embedder.width)
    room = VectorRoom(store, Shelf(embedder, index))
    platform = assembled(Settings(), graph, Stores.over(graph), room, Clock(), {})
    platform.writer.start()
    for loop in platform.loops:
        loop.start()
    try:
        yield platform
    finally:
        for loop in platform.loops:
            await loop.close()
        await platform.writer.close()
        await embedder.close()
        await index.close()
        await store.drop(collection)


@dataclass(frozen=True, slots=True)
class Server:
    """A running service: its address without a path, and a token for everything."""

    url: str
    token: str


@asynccontextmanager
async def serving(platform: Platform, options: ApiOptions | None = None) -> AsyncIterator[Server]:
    """The platform behind HTTP on a free port of this machine."""
    authenticator = TokenAuthenticator(platform.stores.tokens)
    token = await create_token(platform.stores.tokens, DEFAULT_SUBJECT, platform.clock)
    app = create_app(platform, authenticator, options or ApiOptions())
    config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    with _listening() as listening:
        task = asyncio.create_task(server.serve(sockets=[listening]))
        await until(lambda: _true(server.started))
        try:
            yield Server(f"http://127.0.0.1:{listening.getsockname()[1]}", token)
        finally:
            server.should_exit = True
            await task


async def indexed(platform: Platform) -> None:
    """Waits until no index work waits."""

    async def nothing_waits() -> bool:
        return (await platform.stores.outbox.backlog()).waiting == 0

    await until(nothing_waits)


async def until(holds: Callable[[], Awaitable[bool]], limit: float = LIMIT_SECONDS) -> None:
    """Waits for a condition; fails when it does not come true within the limit of seconds."""
    end = time.monotonic() + limit
    while not await holds():
        if time.monotonic() > end:
            raise AssertionError(f"waited {limit} s in vain")
        await asyncio.sleep(0.02)


async def _true(value: bool) -> bool:
    return value


@contextmanager
def _listening() -> Iterator[socket.socket]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        yield listening


def _hits(plan: dict[str, Any]) -> int:
    below = sum(_hits(child) for child in plan.get("children", ()))
    return int(plan.get("dbHits", 0)) + below
