"""Everything out and in again over HTTP."""

from __future__ import annotations

import json

import httpx
import pytest

from graphmem.graph.client import GraphClient
from graphmem.local.ready import Neo4jAddress
from graphmem.vectors.index import VectorStore
from tests.api.asking import ADD_DRAWERS, Asker, store
from tests.running import emptied, open_test_platform, serving

pytestmark = pytest.mark.stores

LINES = {"Content-Type": "application/x-ndjson"}


async def exported(http: httpx.AsyncClient) -> str:
    answer = await http.get("/export")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return answer.text


async def test_an_export_into_an_empty_store_gives_the_same_export_again(
    ask: Asker,
    http: httpx.AsyncClient,
    neo4j_address: Neo4jAddress,
    graph: GraphClient,
    edge_store: VectorStore,
) -> None:
    old = await store(ask, "/work/launch", "Monday – ça va", tags=["team=core"], title="Launch")
    await ask(
        'mutation S($id: ID!) { supersedeFact(input: {id: $id, content: "Friday [[/work]]"}) { action } }',
        id=old,
    )
    gone = await store(ask, "/work/launch", "Forgotten")
    await ask("mutation F($id: ID!) { forgetMemory(input: {id: $id}) { action } }", id=gone)
    await ask(ADD_DRAWERS, input=[{"wing": "C++", "room": "Build Times", "content": "line one\nline two"}])
    before = await exported(http)

    await emptied(neo4j_address)
    async with (
        open_test_platform(graph, edge_store) as fresh,
        serving(fresh) as other,
        httpx.AsyncClient(
            base_url=other.url, headers={"Authorization": f"Bearer {other.token}"}, timeout=60
        ) as client,
    ):
        answer = await client.post("/import", content=before.encode(), headers=LINES)
        assert answer.status_code == 200, answer.text
        after = await exported(client)

    assert after == before
    assert [json.loads(line) for line in before.splitlines()]


async def test_an_import_of_what_is_no_export_stores_nothing(ask: Asker, http: httpx.AsyncClient) -> None:
    answer = await http.post("/import", content=b'{"nonsense": 1}\nnot json\n', headers=LINES)

    [error] = answer.json()["errors"]
    assert answer.status_code == 400
    assert error["extensions"]["code"] == "INVALID_INPUT"
    assert (await ask("{ status { memories } }"))["status"]["memories"] == 0


async def test_a_broken_line_is_reported_by_number_and_does_not_stop_the_rest(
    ask: Asker, http: httpx.AsyncClient
) -> None:
    await store(ask, "/work/launch", "Monday")
    lines = (await exported(http)).splitlines()
    broken = "\n".join([lines[0], "not json", *lines[1:]])

    answer = await http.post("/import", content=broken.encode(), headers=LINES)

    report = answer.json()
    assert answer.status_code == 200
    assert (report["failed"], report["stored"]) == (1, 0)
    assert [told["line"] for told in report["failed_lines"]] == [2]
