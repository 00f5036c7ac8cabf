"""The server adapter against the Qdrant client's local mode: same calls, no server, no network."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from qdrant_client import AsyncQdrantClient

from graphmem.vectors.index import VectorStore
from graphmem.vectors.server import ServerStore
from tests.stores.test_vector_contract import VectorContract
from tests.stores.test_vector_filter_contract import VectorFilterContract

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]


@pytest.fixture(scope="module")
async def vector_store() -> AsyncIterator[VectorStore]:
    store = ServerStore(AsyncQdrantClient(location=":memory:"))
    yield store
    await store.close()


class TestServerAdapterInLocalMode(VectorContract, VectorFilterContract):
    """The battery against the client's local mode."""
