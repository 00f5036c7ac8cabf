"""GraphQL over HTTP, without stores: what is answered to good and bad requests, with which status."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import cast

import httpx
import pytest
import strawberry

from graphmem.api.answers import GRAPHQL_JSON, JSON
from graphmem.api.documents import document_extensions
from graphmem.api.fields import resolved
from graphmem.api.http import GraphQLEndpoint
from graphmem.api.options import ApiOptions
from graphmem.api.schema import Schema
from graphmem.errors import NotFound, Unauthenticated
from graphmem.service.platform import Caller, Platform

BOTH = f"{GRAPHQL_JSON}, {JSON};q=0.9"


class OneToken:
    """Knows the token ``good``."""

    async def authenticate(self, token: str) -> str:
        if token != "good":
            raise Unauthenticated("the token is not known here")
        return "default"


@strawberry.type
class Tiny:
    @resolved("Greets.")
    def hello(self, name: str = "you") -> str:
        return f"hello {name}"

    @resolved("Says who asks.")
    def who(self, info: strawberry.Info) -> str:
        return str(info.context.caller.subject)

    @resolved("Is never there.")
    def nothing(self) -> str | None:
        raise NotFound("memory", "x")

    @resolved("Leads to itself.")
    def self(self) -> Tiny:
        return self

    @resolved("Breaks.")
    def broken(self) -> str | None:
        raise RuntimeError("secret")

    @resolved("Never ends.")
    async def endless(self) -> str | None:
        await asyncio.Event().wait()
        return None


SCHEMA = Schema(query=Tiny, extensions=document_extensions(introspection=True))


def endpoint(options: ApiOptions | None = None) -> GraphQLEndpoint:
    platform = cast(Platform, None)
    return GraphQLEndpoint(
        SCHEMA, OneToken(), lambda subject: Caller.of(platform, subject), options or ApiOptions()
    )


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with connected(endpoint()) as opened:
        yield opened


def connected(app: GraphQLEndpoint) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app),
        base_url="http://127.0.0.1",
        headers={"Authorization": "Bearer good", "Accept": BOTH},
    )


def only_error(answer: httpx.Response) -> tuple[str, str]:
    """Message and code of the one error of an answer without data."""
    body = answer.json()
    assert set(body) == {"errors"}
    [error] = body["errors"]
    return error["message"], error["extensions"]["code"]


async def test_an_operation_is_answered_with_its_data(client: httpx.AsyncClient) -> None:
    answer = await client.post(
        "/graphql", json={"query": "query($n: String!) { hello(name: $n) who }", "variables": {"n": "Ada"}}
    )

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(GRAPHQL_JSON)
    assert answer.json() == {"data": {"hello": "hello Ada", "who": "default"}}


async def test_a_client_that_takes_json_alone_gets_json(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "{ hello }"}, headers={"Accept": JSON})

    assert answer.headers["content-type"] == JSON


@pytest.mark.parametrize(
    "authorization", ["", "Bearer", "Bearer ", "Basic good", "good", "Bearer bad", "Bearer " + "x" * 1_000]
)
async def test_without_a_good_token_the_answer_is_401(authorization: str) -> None:
    async with connected(endpoint()) as client:
        answer = await client.post(
            "/graphql", json={"query": "{ hello }"}, headers={"Authorization": authorization}
        )

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'Bearer realm="graphmem"'
    assert only_error(answer)[1] == "UNAUTHENTICATED"


async def test_the_scheme_of_the_token_may_be_written_in_any_case(client: httpx.AsyncClient) -> None:
    answer = await client.post(
        "/graphql", json={"query": "{ hello }"}, headers={"Authorization": "bearer  good "}
    )

    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("{ hello", 400, "INVALID_INPUT"),
        ("{ nowhere }", 422, "INVALID_INPUT"),
        ("query($n: String!) { hello(name: $n) }", 422, "INVALID_INPUT"),
        ("{ " + "a: hello " * 400 + "}", 422, "LIMIT_EXCEEDED"),
        ("{ " + " ".join(f"a{at}: hello" for at in range(20)) + " }", 422, "LIMIT_EXCEEDED"),
        ("{ self" + "{ self" * 250 + "{ hello }" + "}" * 251, 422, "LIMIT_EXCEEDED"),
    ],
    ids=["no document", "unknown field", "missing variable", "tokens", "aliases", "nesting"],
)
async def test_what_cannot_run_says_so_by_status_and_code(
    client: httpx.AsyncClient, query: str, status: int, code: str
) -> None:
    answer = await client.post("/graphql", json={"query": query})

    assert answer.status_code == status
    assert only_error(answer)[1] == code


async def test_the_same_is_200_for_clients_of_plain_json(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "{ nowhere }"}, headers={"Accept": JSON})

    assert answer.status_code == 200
    assert only_error(answer)[1] == "INVALID_INPUT"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"{", "the body is not JSON"),
        (b"\xff\xfe\xfa", "the body is not JSON"),
        (b"[" * 100_000, "the body is not JSON: nested too deeply"),
        (b'{"query": ' + b"9" * 5_000 + b"}", "the body is not JSON"),
        (b"", "the body is not JSON"),
        (b'"{ hello }"', "the body is a JSON object"),
        (b"null", "the body is a JSON object"),
        (b"{}", "query is the text"),
        (b'{"query": null}', "query is the text"),
        (b'{"query": 1}', "query is the text"),
        (b'{"query": " "}', "query is the text"),
        (b'{"query": "{ hello }", "variables": [1]}', "variables is an object or null"),
        (b'{"query": "{ hello }", "extensions": "x"}', "extensions is an object or null"),
        (b'{"query": "{ hello }", "operationName": 7}', "operationName is a string or null"),
        (b'{"query": "{ hello }", "operationName": "Other"}', "Other"),
        (b'[{"query": "{ hello }"}]', "one operation a request"),
    ],
)
async def test_a_body_that_is_no_request_is_a_400_that_says_why(
    client: httpx.AsyncClient, body: bytes, problem: str
) -> None:
    answer = await client.post("/graphql", content=body, headers={"Content-Type": JSON})

    assert answer.status_code == 400
    message, code = only_error(answer)
    assert problem in message
    assert code == "INVALID_INPUT"


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        f"{JSON}; charset=latin-1",
    ],
)
async def test_bodies_that_a_foreign_page_can_send_are_refused(
    client: httpx.AsyncClient, content_type: str
) -> None:
    answer = await client.post(
        "/graphql", content=b'{"query": "{ hello }"}', headers={"Content-Type": content_type}
    )

    assert answer.status_code == 415


async def test_an_answer_in_another_form_is_a_406(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "{ hello }"}, headers={"Accept": "text/html"})

    assert answer.status_code == 406


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])
async def test_operations_come_by_post_alone(client: httpx.AsyncClient, method: str) -> None:
    answer = await client.request(method, "/graphql", params={"query": "{ hello }"})

    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


async def test_a_field_that_fails_leaves_the_others(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "{ hello nothing }"})

    body = answer.json()
    assert answer.status_code == 200
    assert body["data"] == {"hello": "hello you", "nothing": None}
    assert [(error["message"], error["path"], error["extensions"]) for error in body["errors"]] == [
        ("no memory 'x'", ["nothing"], {"code": "NOT_FOUND"})
    ]


async def test_an_internal_error_shows_a_log_id_and_nothing_else(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": "{ broken }"})

    [error] = answer.json()["errors"]
    assert "secret" not in answer.text
    assert set(error["extensions"]) == {"code", "logId"}


async def test_an_operation_that_takes_too_long_is_given_up() -> None:
    async with connected(endpoint(ApiOptions(operation_seconds=0.05))) as client:
        answer = await client.post("/graphql", json={"query": "{ endless }"})

    assert answer.status_code == 503
    message, code = only_error(answer)
    assert message.startswith("the operation took longer than 0.05 seconds")
    assert code == "UNAVAILABLE"


async def test_a_browser_gets_graphiql_without_a_token() -> None:
    async with connected(endpoint()) as client:
        answer = await client.get("/graphql", headers={"Accept": "text/html", "Authorization": ""})

    assert answer.status_code == 200
    assert "<title>GraphMem · GraphiQL</title>" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "http://" not in answer.text
    assert "https://" not in answer.text


async def test_graphiql_can_be_switched_off() -> None:
    async with connected(endpoint(ApiOptions(graphiql=False))) as client:
        answer = await client.get("/graphql", headers={"Accept": "text/html"})

    assert answer.status_code == 405


async def test_half_a_surrogate_pair_in_an_answer_does_not_break_it(client: httpx.AsyncClient) -> None:
    body = json.dumps({"query": "query($n: String!) { hello(name: $n) }", "variables": {"n": "\ud800"}})

    answer = await client.post("/graphql", content=body, headers={"Content-Type": JSON})

    assert answer.json()["data"]["hello"] == "hello \ud800"
