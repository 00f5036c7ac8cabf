"""How the service says how it is, and who asks."""

from __future__ import annotations

import httpx
import pytest

from graphmem import __version__
from graphmem.service.authenticating import create_token
from graphmem.service.platform import Platform
from tests.api.asking import Asker, store
from tests.running import indexed

pytestmark = pytest.mark.stores


async def test_ready_says_two_words_and_no_figures(http: httpx.AsyncClient) -> None:
    answer = await http.get("/ready", headers={"Authorization": ""})

    assert (answer.status_code, answer.json()) == (200, {"ready": True, "degraded": False})


async def test_status_has_the_figures(ask: Asker, platform: Platform) -> None:
    await store(ask, "/work", "one fact")
    await indexed(platform)

    status = (
        await ask(
            """{ status { version ready degraded memories outboxWaiting outboxDead oldestWaitingSeconds
                 changesUnnumbered embedder vectors neo4j collection deadLetters { memoryId } } }"""
        )
    )["status"]

    assert status["version"] == __version__
    assert (status["ready"], status["degraded"], status["memories"]) == (True, [], 1)
    assert (status["outboxWaiting"], status["outboxDead"], status["oldestWaitingSeconds"]) == (0, 0, 0)
    assert status["deadLetters"] == []
    assert status["neo4j"].startswith("Neo4j/")


async def test_the_viewer_is_the_subject_of_the_token(ask: Asker) -> None:
    assert (await ask("{ viewer { subject actions } }"))["viewer"] == {
        "subject": "default",
        "actions": ["READ", "WRITE", "DELETE", "APPROVE", "ADMIN"],
    }


async def test_a_subject_without_rules_sees_nothing_and_changes_nothing(
    ask: Asker, http: httpx.AsyncClient, platform: Platform
) -> None:
    id = await store(ask, "/work", "the plane is loud")
    token = await create_token(platform.stores.tokens, "stranger", platform.clock)
    async with httpx.AsyncClient(
        base_url=http.base_url, headers={"Authorization": f"Bearer {token}"}
    ) as other:
        stranger = Asker(other)

        assert await stranger(
            "{ viewer { subject actions } facts { nodes { id } } tree { path memoryCountBelow } }"
        ) == {
            "viewer": {"subject": "stranger", "actions": []},
            "facts": {"nodes": []},
            "tree": [{"path": "/", "memoryCountBelow": 0}],
        }
        assert (await stranger('{ search(query: "plane") { nodes { id } } }'))["search"]["nodes"] == []
        for document in (
            "query Q($id: ID!) { memory(id: $id) { id } }",
            "mutation M($id: ID!) { forgetMemory(input: {id: $id}) { action } }",
            'mutation M($id: ID!) { supersedeFact(input: {id: $id, content: "x"}) { action } }',
        ):
            assert (await stranger.refusal(document, id=id)).code == "NOT_FOUND"
        for document in ("{ status { version } }", "{ doctor { check } }", "mutation { retryDeadLetters }"):
            assert (await stranger.refusal(document)).code == "NOT_FOUND"
        assert (await other.get("/export")).status_code == 404

    assert (await ask("query Q($id: ID!) { memory(id: $id) { content } }", id=id))["memory"] == {
        "content": "the plane is loud"
    }


async def test_the_doctor_finds_a_fresh_store_well(ask: Asker, platform: Platform) -> None:
    await store(ask, "/work", "one fact")
    await indexed(platform)

    findings = (await ask("{ doctor { check ok detail } }"))["doctor"]

    assert [finding for finding in findings if not finding["ok"]] == []
    assert len(findings) > 3


async def test_a_rebuild_of_the_vectors_answers_what_it_did(ask: Asker, platform: Platform) -> None:
    id = await store(ask, "/work", "the plane is loud")
    await indexed(platform)
    before = (await ask("{ status { collection } }"))["status"]["collection"]

    report = (await ask("mutation { reindex { indexed collection seconds } }"))["reindex"]
    found = (await ask('{ search(query: "loud plane", mode: VECTOR) { nodes { id } } }'))["search"]

    assert report["indexed"] == 1
    assert report["collection"] != before
    assert found["nodes"] == [{"id": id}]
