"""Vectors in a Qdrant server or cluster, by URL and key.

The same promises as the embedded engine. A conditional upsert needs Qdrant 1.16: an older server would ignore
the condition and let late deliveries win, so it is refused at the start.
"""

from __future__ import annotations

import warnings
from functools import partial
from urllib.parse import urlsplit

import httpx
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse

from graphmem.errors import Misconfigured, shown
from graphmem.vectors.schema import payload_schema
from graphmem.vectors.server_calls import asked
from graphmem.vectors.server_index import ServerIndex

OLDEST_SERVER = (1, 16)
"""First version with conditional upserts (``update_filter``)."""

TIMEOUT_S = 20
PREFIX = "graphmem-"
"""Of our collections' names on a server that others may use too."""

CONNECTIONS = httpx.Limits(max_keepalive_connections=16, keepalive_expiry=4.0)
"""The client keeps no connection to a local server alive by itself, which costs a millisecond a request."""

FIELD_TYPES = {
    "keyword": models.PayloadSchemaType.KEYWORD,
    "bool": models.PayloadSchemaType.BOOL,
    "datetime": models.PayloadSchemaType.DATETIME,
    "integer": models.PayloadSchemaType.INTEGER,
}


class ServerStore:
    """The collections of one server. Open it with ``ServerStore.connect``.

    Args:
        client: Talks to the server; also one in local mode, for tests.
        prefix: Put before every collection's name.
    """

    def __init__(self, client: AsyncQdrantClient, prefix: str = PREFIX) -> None:
        self._client = client
        self._prefix = prefix

    @classmethod
    async def connect(cls, url: str, key: str | None = None, *, prefix: str = PREFIX) -> ServerStore:
        """The store, once the server has answered.

        Raises:
            Misconfigured: the URL is none, the key is refused, or the server is older than 1.16.
            Unavailable: it does not answer.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Misconfigured(f"GRAPHMEM_QDRANT_URL is {shown(url)}, which is no http or https URL")
        with warnings.catch_warnings():
            # A key over plain http is normal inside a compose network; the operator chose the URL.
            warnings.filterwarnings("ignore", "Api key is used with an insecure connection")
            client = AsyncQdrantClient(
                url=url, api_key=key, timeout=TIMEOUT_S, check_compatibility=False, limits=CONNECTIONS
            )
        try:
            version = (await asked("info", client.info)).version
            if _numbers(version) < OLDEST_SERVER:
                raise Misconfigured(
                    f"the Qdrant server has version {version}; GraphMem needs "
                    f"{OLDEST_SERVER[0]}.{OLDEST_SERVER[1]} or later"
                )
        except BaseException:
            await client.close()
            raise
        return cls(client, prefix)

    async def open(self, collection: str, width: int) -> ServerIndex:
        """See ``VectorStore.open``."""
        name = self._prefix + collection
        if not await asked("open", partial(self._client.collection_exists, name)):
            await asked("open", partial(self._create, name, width))
        info = await asked("open", partial(self._client.get_collection, name))
        stored = info.config.params.vectors
        held = stored.size if isinstance(stored, models.VectorParams) else None
        if held != width:
            raise Misconfigured(
                f"the collection {name} has stored width {held}, the embedder gives {width}; "
                "use the embedder it was made with, or run: graphmem reindex"
            )
        for field, kind in payload_schema().fields.items():
            if field not in info.payload_schema:
                create = partial(self._client.create_payload_index, name, field, FIELD_TYPES[kind], wait=True)
                await asked("open", create)
        return ServerIndex(self._client, name, collection, width)

    async def collections(self) -> list[str]:
        """See ``VectorStore.collections``; those with our prefix, without it."""
        found = await asked("collections", self._client.get_collections)
        names = [one.name for one in found.collections if one.name.startswith(self._prefix)]
        return sorted(name.removeprefix(self._prefix) for name in names)

    async def drop(self, collection: str) -> None:
        """See ``VectorStore.drop``."""
        name = self._prefix + collection
        if await asked("drop", partial(self._client.collection_exists, name)):
            await asked("drop", partial(self._client.delete_collection, name))

    async def health(self) -> None:
        """See ``VectorStore.health``."""
        await asked("health", self._client.get_collections)

    async def close(self) -> None:
        """Closes the connections; the points stay."""
        await self._client.close()

    def resident_bytes(self) -> int | None:
        """``None``: the server's memory is not ours to see."""
        return None

    @property
    def pid(self) -> int | None:
        """``None``: the server's process is not ours."""
        return None

    async def _create(self, name: str, width: int) -> None:
        params = models.VectorParams(size=width, distance=models.Distance.COSINE)
        try:
            await self._client.create_collection(name, vectors_config=params)
        except UnexpectedResponse as error:
            if error.status_code != 409:  # another replica made it at the same moment
                raise


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
