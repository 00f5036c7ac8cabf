"""The embedder that asks a server: what it sends, what it endures and what it refuses.

The server is real, on a free port of this machine, and answers with the vectors of the hash embedder.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from graphmem.errors import GraphMemError, Misconfigured, Unavailable
from graphmem.vectors.choose import open_embedder
from graphmem.vectors.hashing import HashEmbedder
from graphmem.vectors.http import HttpEmbedder

KEY = "sk-very-secret-0123456789"


@dataclass
class EmbeddingServer:
    """A server with OpenAI's ``/v1/embeddings``.

    Attributes:
        statuses: Answered one after another before the first vectors.
        cut: Values left out at the end of every vector.
        body: Answered instead of vectors, when there is one.
    """

    url: str
    statuses: list[int] = field(default_factory=list)
    retry_after: str | None = None
    cut: int = 0
    body: Any = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    async def answer(self, request: Request) -> Response:
        asked = await request.json()
        self.requests.append(asked)
        self.keys.append(request.headers.get("authorization"))
        if self.statuses:
            status = self.statuses.pop(0)
            headers = {"retry-after": self.retry_after} if self.retry_after else {}
            return JSONResponse({"error": {"message": f"no: {self.keys[-1]}"}}, status, headers)
        if self.body is not None:
            return JSONResponse(self.body)
        rows = await HashEmbedder().embed(asked["input"])
        data = [
            {"object": "embedding", "index": n, "embedding": (3 * row[: row.size - self.cut]).tolist()}
            for n, row in enumerate(rows)
        ]
        return JSONResponse({"object": "list", "model": asked["model"], "data": data[::-1]})


@asynccontextmanager
async def serving(app: Starlette) -> AsyncIterator[str]:
    """The application on a free port of this machine; its address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        running = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await running


@asynccontextmanager
async def serving_embeddings() -> AsyncIterator[EmbeddingServer]:
    """The server, answering."""
    held = EmbeddingServer("")
    async with serving(Starlette(routes=[Route("/v1/embeddings", held.answer, methods=["POST"])])) as url:
        held.url = f"{url}/v1"
        yield held


@pytest.fixture
async def server() -> AsyncIterator[EmbeddingServer]:
    async with serving_embeddings() as held:
        yield held


@pytest.fixture
async def embedder(server: EmbeddingServer) -> AsyncIterator[HttpEmbedder]:
    opened = await HttpEmbedder.connect("hash", server.url, key=KEY, first_pause_s=0.01)
    server.requests.clear()
    yield opened
    await opened.close()


async def test_the_width_is_asked_once_at_the_start(server: EmbeddingServer) -> None:
    embedder = await open_embedder(f"openai:hash@{server.url}", key=KEY)

    assert embedder is not None
    assert (embedder.width, len(server.requests)) == (256, 1)
    assert embedder.name == f"openai:hash@{server.url}"
    await embedder.close()


async def test_a_known_width_is_not_asked() -> None:
    embedder = await HttpEmbedder.connect("hash", "http://127.0.0.1:9/v1", width=256)

    assert embedder.width == 256
    await embedder.close()


async def test_model_texts_and_key_are_sent(embedder: HttpEmbedder, server: EmbeddingServer) -> None:
    await embedder.embed(["one", "", "three"])

    assert server.requests == [{"model": "hash", "input": ["one", " ", "three"], "encoding_format": "float"}]
    assert server.keys[-1] == f"Bearer {KEY}"


async def test_many_texts_go_in_batches_of_64_and_come_back_in_order(
    embedder: HttpEmbedder, server: EmbeddingServer
) -> None:
    texts = [f"text number {n}" for n in range(150)]

    rows = await embedder.embed(texts)

    assert [len(one["input"]) for one in server.requests] == [64, 64, 22]
    assert np.allclose(rows, await HashEmbedder().embed(texts), atol=1e-6)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_what_may_pass_is_tried_again(
    embedder: HttpEmbedder, server: EmbeddingServer, status: int
) -> None:
    server.statuses = [status, status]

    rows = await embedder.embed(["text"])

    assert (rows.shape, len(server.requests)) == ((1, 256), 3)


async def test_the_server_says_when_to_come_back(embedder: HttpEmbedder, server: EmbeddingServer) -> None:
    server.statuses, server.retry_after = [429], "0"

    await embedder.embed(["text"])

    assert len(server.requests) == 2


async def test_after_four_tries_the_embedder_is_unavailable(
    embedder: HttpEmbedder, server: EmbeddingServer
) -> None:
    server.statuses = [503] * 10

    with pytest.raises(Unavailable, match="answers 503, 4 times in a row"):
        await embedder.embed(["text"])

    assert len(server.requests) == 4


async def test_a_server_that_is_away_is_unavailable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"

    with pytest.raises(Unavailable, match=r"does not answer \(ConnectError\)"):
        await HttpEmbedder.connect("hash", url, first_pause_s=0.001)


async def test_a_server_that_is_too_slow_is_unavailable(server: EmbeddingServer) -> None:
    async def stuck(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    slow = await asyncio.start_server(stuck, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{slow.sockets[0].getsockname()[1]}/v1"
    embedder = await HttpEmbedder.connect("hash", url, width=256, timeout_s=0.05, first_pause_s=0.001)

    with pytest.raises(Unavailable, match=r"does not answer \(ReadTimeout\)"):
        await embedder.embed(["text"])

    await embedder.close()
    slow.close()
    await slow.wait_closed()


async def test_a_vector_of_another_width_is_refused(embedder: HttpEmbedder, server: EmbeddingServer) -> None:
    server.cut = 6

    with pytest.raises(Misconfigured, match=r"width 250, the index has width 256.*graphmem reindex"):
        await embedder.embed(["text"])


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_names_the_setting(server: EmbeddingServer, status: int) -> None:
    server.statuses = [status]

    with pytest.raises(Misconfigured, match="GRAPHMEM_EMBEDDER_KEY"):
        await HttpEmbedder.connect("hash", server.url, key=KEY)

    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 404, 422, 429, 500])
async def test_no_error_and_no_log_line_holds_the_key(
    embedder: HttpEmbedder, server: EmbeddingServer, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    server.statuses = [status] * 10

    with caplog.at_level(logging.DEBUG), pytest.raises(GraphMemError) as refusal:
        await embedder.embed(["text"])

    shown = [str(refusal.value), repr(refusal.value.__cause__), repr(embedder.__dict__), caplog.text]
    assert not [text for text in shown if "very-secret" in text]
    assert not refusal.value.__context__ or "very-secret" not in str(refusal.value.__context__)


@pytest.mark.parametrize(
    "body", [{}, [], {"data": [{"vector": []}]}, {"data": [{"embedding": "AAAA"}]}, {"data": None}], ids=repr
)
async def test_an_answer_that_holds_no_vectors_is_refused(
    embedder: HttpEmbedder, server: EmbeddingServer, body: object
) -> None:
    server.body = body

    with pytest.raises(Misconfigured, match="no list of embeddings"):
        await embedder.embed(["text"])


async def test_too_few_vectors_are_refused(embedder: HttpEmbedder, server: EmbeddingServer) -> None:
    server.body = {"data": [{"index": 0, "embedding": [1.0] * 256}]}

    with pytest.raises(Unavailable, match="1 vectors for 2 texts"):
        await embedder.embed(["one", "two"])


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("ftp://host/v1", "is no http or https URL"),
        ("host:80/v1", "is no http or https URL"),
        ("http://", "is no http or https URL"),
        (f"http://user:{KEY}@host/v1", "carries a name, a password or a query"),
        (f"http://host/v1?api-key={KEY}", "carries a name, a password or a query"),
    ],
)
async def test_an_address_that_is_none_or_holds_a_secret_is_refused(url: str, problem: str) -> None:
    with pytest.raises(Misconfigured, match=problem) as refusal:
        await HttpEmbedder.connect("hash", url)

    assert KEY not in str(refusal.value)
