"""The addresses of the service that need no store."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from typing import cast

import httpx
import pytest

from graphmem.api.app import create_app
from graphmem.api.graphiql import LIBRARIES
from graphmem.api.options import GRAPHQL_BODY_BYTES, ApiOptions
from graphmem.errors import Unauthenticated
from graphmem.service.platform import Platform


class NoToken:
    """Knows no token but those of the subjects ``default`` and ``reader``."""

    async def authenticate(self, token: str) -> str:
        if token not in ("default", "reader"):
            raise Unauthenticated("the token is not known here")
        return token


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with connected(ApiOptions(guide=lambda: "<h1>Guide</h1>")) as opened:
        yield opened


def connected(options: ApiOptions) -> httpx.AsyncClient:
    app = create_app(cast(Platform, None), NoToken(), options)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1")


async def test_health_says_that_the_process_answers(client: httpx.AsyncClient) -> None:
    answer = await client.get("/health")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_the_guide_can_be_read_by_neo4j_browser(client: httpx.AsyncClient) -> None:
    answer = await client.get("/guide.html", headers={"Origin": "http://127.0.0.1:7474"})

    assert (answer.status_code, answer.text) == (200, "<h1>Guide</h1>")
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_without_a_guide_there_is_no_such_address() -> None:
    async with connected(ApiOptions()) as client:
        assert (await client.get("/guide.html")).status_code == 404


@pytest.mark.parametrize("name", [*LIBRARIES, "start.js", "page.css"])
async def test_graphiqls_files_come_from_here(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get(f"/graphiql/{name}")

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(
        "text/css" if name.endswith(".css") else "text/javascript"
    )
    if name in LIBRARIES:
        assert hashlib.sha256(answer.content).hexdigest() == LIBRARIES[name]


@pytest.mark.parametrize("name", ["page.html", "..%2Foptions.py", "apps.py", "graphiql.min.js.map"])
async def test_no_other_file_does(client: httpx.AsyncClient, name: str) -> None:
    assert (await client.get(f"/graphiql/{name}")).status_code == 404


async def test_the_page_of_graphiql_asks_this_service_alone(client: httpx.AsyncClient) -> None:
    page = await client.get("/graphql", headers={"Accept": "text/html"})
    sources = [
        part.split('"')[0]
        for part in page.text.split('src="')[1:] + page.text.split('stylesheet" href="')[1:]
    ]

    assert len(sources) == 8
    for source in sources:
        assert (await client.get(source)).status_code == 200, source


async def test_without_graphiql_its_files_are_not_there_either() -> None:
    async with connected(ApiOptions(graphiql=False)) as client:
        assert (await client.get("/graphiql/start.js")).status_code == 404


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nowhere", 404), ("POST", "/health", 405)])
async def test_wrong_addresses_and_methods_get_an_error_of_the_same_shape(
    client: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    answer = await client.request(method, path)

    assert answer.status_code == status
    assert answer.json()["errors"][0]["extensions"] == {"code": "INVALID_INPUT"}


async def test_a_graphql_body_above_one_mebibyte_is_a_413(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", content=b"x" * (GRAPHQL_BODY_BYTES + 1))

    assert answer.status_code == 413
    assert answer.json()["errors"][0]["extensions"] == {"code": "LIMIT_EXCEEDED", "limit": 1_048_576}


@pytest.mark.parametrize(("method", "path"), [("GET", "/export"), ("POST", "/import")])
async def test_export_and_import_need_a_token(client: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await client.request(method, path, headers={"Content-Type": "application/x-ndjson"})

    assert answer.status_code == 401
    assert answer.json()["errors"][0]["extensions"] == {"code": "UNAUTHENTICATED"}


@pytest.mark.parametrize(("method", "path"), [("GET", "/export"), ("POST", "/import")])
async def test_for_anybody_but_an_admin_they_are_not_there(
    client: httpx.AsyncClient, method: str, path: str
) -> None:
    headers = {"Authorization": "Bearer reader", "Content-Type": "application/x-ndjson"}

    answer = await client.request(method, path, headers=headers)

    assert answer.status_code == 404
    assert answer.json()["errors"][0]["extensions"] == {"code": "NOT_FOUND"}


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_an_import_comes_as_json_lines(client: httpx.AsyncClient, content_type: str) -> None:
    headers = {"Authorization": "Bearer default", "Content-Type": content_type}

    assert (await client.post("/import", headers=headers)).status_code == 415
