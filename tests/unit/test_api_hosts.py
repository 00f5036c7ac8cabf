"""Which hosts and which pages the service answers."""

from __future__ import annotations

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from graphmem.api.hosts import KnownHosts
from graphmem.api.options import LOOPBACK_HOSTS


async def _ok(request: Request) -> Response:
    return PlainTextResponse("ok")


async def status(path: str, headers: dict[str, str], *, hosts: frozenset[str] | None = LOOPBACK_HOSTS) -> int:
    inner = Starlette(routes=[Route("/graphql", _ok), Route("/guide.html", _ok)])
    app = KnownHosts(inner, hosts=hosts, origins=frozenset({"https://notes.example"}))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8420") as client:
        return (await client.get(path, headers=headers)).status_code


@pytest.mark.parametrize("host", ["127.0.0.1:8420", "localhost:1", "LOCALHOST", "[::1]:8420", "127.0.0.1"])
async def test_names_of_this_machine_are_answered(host: str) -> None:
    assert await status("/graphql", {"Host": host}) == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8420", "127.0.0.1.evil.example", "", "[::1"])
async def test_a_page_that_rebinds_its_name_to_this_machine_gets_421(host: str) -> None:
    assert await status("/graphql", {"Host": host}) == 421


async def test_without_a_list_every_host_is_answered() -> None:
    assert await status("/graphql", {"Host": "memory.example"}, hosts=None) == 200


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:8420", "https://127.0.0.1:8420", "https://notes.example"]
)
async def test_pages_of_the_service_and_named_ones_may_call(origin: str) -> None:
    assert await status("/graphql", {"Origin": origin}) == 200


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", "http://127.0.0.1:9999", "http://127.0.0.1"]
)
async def test_a_foreign_origin_gets_403(origin: str) -> None:
    assert await status("/graphql", {"Origin": origin}) == 403


async def test_neo4j_browser_may_read_the_guide_from_its_own_origin() -> None:
    assert await status("/guide.html", {"Origin": "http://127.0.0.1:7474"}) == 200
