"""The server adapter against a real Qdrant server: needs a container engine."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

from graphmem.errors import Misconfigured
from graphmem.vectors.index import VectorStore
from graphmem.vectors.server import ServerStore
from tests.containers.test_compose import missing_engine
from tests.stores.test_vector_contract import VectorContract
from tests.stores.test_vector_filter_contract import VectorFilterContract

pytestmark = [pytest.mark.containers, pytest.mark.timeout(900)]

IMAGE = "qdrant/qdrant:v1.20.0"
KEY = secrets.token_hex(16)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server that asks for ``KEY``; it is gone afterwards."""
    if (missing := missing_engine()) is not None:
        pytest.skip(missing)
    container = DockerContainer(IMAGE).with_env("QDRANT__SERVICE__API_KEY", KEY).with_exposed_ports(6333)
    with container.waiting_for(HttpWaitStrategy(6333, "/readyz")) as running:
        yield f"http://{running.get_container_host_ip()}:{running.get_exposed_port(6333)}"


@pytest.fixture(scope="module")
async def vector_store(url: str) -> AsyncIterator[VectorStore]:
    store = await ServerStore.connect(url, KEY)
    yield store
    await store.close()


class TestQdrantServer(VectorContract, VectorFilterContract):
    """The battery against a real server."""


@pytest.mark.parametrize("key", [None, "wrong"])
async def test_without_the_right_key_the_setting_is_named(url: str, key: str | None) -> None:
    async def asked() -> None:
        store = await ServerStore.connect(url, key)
        try:
            await store.health()  # the version alone may be told to anybody
        finally:
            await store.close()

    with pytest.raises(Misconfigured, match="GRAPHMEM_QDRANT_KEY"):
        await asked()
