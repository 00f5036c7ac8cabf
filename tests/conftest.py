"""The real stores, started once for the whole run, and a clean platform over them for each test."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graphmem.access.guard import DEFAULT_SUBJECT
from graphmem.graph.client import GraphClient
from graphmem.graph.migrations import migrate
from graphmem.local.neo4j import ManagedNeo4j
from graphmem.local.ready import Neo4jAddress
from graphmem.service.platform import Caller, Platform
from graphmem.settings import Settings
from graphmem.vectors.edge import EdgeStore
from graphmem.vectors.index import VectorStore
from tests.running import Probe, Server, emptied, open_test_platform, serving

IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""A folder in memory, where the machine has one."""


@pytest.fixture(scope="session")
def stores_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the stores of this run keep their data."""
    return tmp_path_factory.mktemp("stores")


@pytest.fixture(scope="session")
async def neo4j_address(stores_home: Path) -> AsyncIterator[Neo4jAddress]:
    """The Neo4j of this run."""
    async with ManagedNeo4j(stores_home, Settings().cache, heap="768m") as managed:
        yield managed.address


@pytest.fixture(scope="session")
async def graph(neo4j_address: Neo4jAddress) -> AsyncIterator[GraphClient]:
    """A migrated graph; what other tests left in it stays until somebody empties it."""
    address = neo4j_address
    async with GraphClient.connect(address.bolt_url, address.user, address.password) as client:
        await client.verify()
        await migrate(client)
        yield client


@pytest.fixture(scope="session")
async def edge_store(stores_home: Path) -> AsyncIterator[VectorStore]:
    """The Qdrant Edge of this run, in its own process.

    In memory where the machine has such a folder: each test opens a collection, which waits for the disk 17
    times.
    """
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        store = await EdgeStore.start(Path(folder) / "vectors", stores_home / "logs" / "vectors.log")
        yield store
        await store.close()


@pytest.fixture
async def empty_graph(graph: GraphClient, neo4j_address: Neo4jAddress) -> GraphClient:
    """The graph with its schema and nothing else."""
    await emptied(neo4j_address)
    return graph


@pytest.fixture
async def platform(empty_graph: GraphClient, edge_store: VectorStore) -> AsyncIterator[Platform]:
    """An empty platform at work, with the embedder for tests."""
    async with open_test_platform(empty_graph, edge_store) as opened:
        yield opened


@pytest.fixture
def probe(neo4j_address: Neo4jAddress) -> Probe:
    """Asks the graph with Cypher of the test's own."""
    return Probe(neo4j_address)


@pytest.fixture
def caller(platform: Platform) -> Caller:
    """The subject that may do everything."""
    return Caller.of(platform, DEFAULT_SUBJECT)


@pytest.fixture
async def server(platform: Platform) -> AsyncIterator[Server]:
    """The platform behind HTTP on a free port of this machine."""
    async with serving(platform) as running:
        yield running


@pytest.fixture
def service_url(server: Server) -> str:
    """Where the service answers, without a path."""
    return server.url


@pytest.fixture
def token(server: Server) -> str:
    """A bearer token of the subject that may do everything."""
    return server.token
