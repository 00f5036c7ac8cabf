"""A client of the running service for the tests of its API."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from graphmem.graph.client import GraphClient
from graphmem.local.ready import Neo4jAddress
from graphmem.vectors.index import VectorStore
from tests.api.asking import Asker
from tests.running import Server, emptied, open_test_platform, serving


@pytest.fixture
async def http(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the service that shows its token."""
    headers = {"Authorization": f"Bearer {server.token}"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
async def shared_http(
    graph: GraphClient, neo4j_address: Neo4jAddress, edge_store: VectorStore
) -> AsyncIterator[httpx.AsyncClient]:
    """The same for a whole module, over one store that is emptied once: for tests that store nothing, or
    each at places of its own."""
    await emptied(neo4j_address)
    async with open_test_platform(graph, edge_store) as platform, serving(platform) as server:
        headers = {"Authorization": f"Bearer {server.token}"}
        async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=30) as client:
            yield client


@pytest.fixture
def shared_ask(shared_http: httpx.AsyncClient) -> Asker:
    """Sends GraphQL operations to the service that the module shares."""
    return Asker(shared_http)


@pytest.fixture
def ask(http: httpx.AsyncClient) -> Asker:
    """Sends GraphQL operations to the service."""
    return Asker(http)
