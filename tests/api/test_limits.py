"""The limits of the API over a real server: floods are refused at once, slow bodies are ended."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from graphmem.api.options import ApiOptions
from graphmem.service.platform import Platform
from tests.api.asking import Asker
from tests.running import Server, serving

pytestmark = pytest.mark.stores

REFUSED_CPU_S = 0.5
"""Most CPU time that a refusal may take, client and server together; a few milliseconds of it are ours."""


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{ " + " ".join(f"a{at}: viewer {{ subject }}" for at in range(20_000)) + " }", "1000 tokens"),
        ("{ " + " ".join(f"a{at}: viewer {{ subject }}" for at in range(16)) + " }", "15 aliases"),
        (
            '{ path(path: "/") ' + "{ parent " * 8 + "{ path }" + " }" * 8 + " }",
            "more than 8 levels",
        ),
        (
            "{ facts(first: 100) { nodes { place { memories(first: 100) { nodes { content } } } } } }",
            "more than 5000 values",
        ),
    ],
    ids=["20,000 aliases", "16 aliases", "10 levels", "pages of pages"],
)
async def test_a_flood_is_refused_before_anything_runs(
    shared_ask: Asker, document: str, message: str
) -> None:
    began = time.process_time()
    refused = await shared_ask.refusal(document)
    took = time.process_time() - began

    assert refused.code == "LIMIT_EXCEEDED"
    assert message in refused.message
    assert took < REFUSED_CPU_S


async def test_fifteen_aliases_pass(shared_ask: Asker) -> None:
    document = "{ " + " ".join(f"a{at}: viewer {{ subject }}" for at in range(15)) + " }"

    assert len(await shared_ask(document)) == 15


async def test_a_body_of_fifty_mebibytes_is_refused(shared_http: httpx.AsyncClient) -> None:
    body = b"x" * (50 * 1024 * 1024)

    answer = await shared_http.post("/graphql", content=body, headers={"Content-Type": "application/json"})

    assert answer.status_code == 413
    assert answer.json()["errors"][0]["extensions"] == {"code": "LIMIT_EXCEEDED", "limit": 1_048_576}


async def talk(server: Server, request: bytes) -> bytes:
    """What the server says to a request that stops half-way, until it closes the connection."""
    host, port = server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_half_a_body_is_ended_after_the_deadline(platform: Platform) -> None:
    async with serving(platform, ApiOptions(body_seconds=0.3)) as server:
        host = server.url.removeprefix("http://")
        answer = await asyncio.wait_for(
            talk(
                server,
                f"POST /graphql HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100\r\n\r\n{{".encode(),
            ),
            timeout=30,
        )

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"did not arrive within 0.3 seconds" in answer


async def test_a_stalled_import_is_ended_after_the_deadline(platform: Platform) -> None:
    async with serving(platform, ApiOptions(body_seconds=0.3)) as server:
        host = server.url.removeprefix("http://")
        head = (
            f"POST /import HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {server.token}\r\n"
            "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
        )
        answer = await asyncio.wait_for(talk(server, head.encode()), timeout=30)

    assert answer.startswith(b"HTTP/1.1 408 ")


async def test_a_page_from_elsewhere_is_refused(shared_http: httpx.AsyncClient) -> None:
    body = {"query": "{ viewer { subject } }"}

    foreign = await shared_http.post("/graphql", json=body, headers={"Origin": "https://evil.example"})
    rebound = await shared_http.post("/graphql", json=body, headers={"Host": "evil.example"})

    assert (foreign.status_code, rebound.status_code) == (403, 421)
