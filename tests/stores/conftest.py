"""Fixtures of the tests on the real stores alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from graphmem.access.guard import DEFAULT_SUBJECT
from graphmem.graph.client import GraphClient
from graphmem.local.ready import Neo4jAddress
from graphmem.service.platform import Caller
from graphmem.vectors.index import VectorStore
from tests.running import emptied, open_test_platform
from tests.stores.transferring import Another


@pytest.fixture
async def another(
    graph: GraphClient, edge_store: VectorStore, neo4j_address: Neo4jAddress
) -> AsyncIterator[Another]:
    async with AsyncExitStack() as stack:

        async def opened() -> Caller:
            await emptied(neo4j_address)
            platform = await stack.enter_async_context(open_test_platform(graph, edge_store))
            return Caller.of(platform, DEFAULT_SUBJECT)

        yield opened
