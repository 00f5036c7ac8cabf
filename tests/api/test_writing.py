"""The main job over HTTP: store, supersede, update, forget and restore, each with its receipt."""

from __future__ import annotations

import pytest

from graphmem.memory.text import content_hash
from tests.api.asking import STORE, Asker, store
from tests.running import Probe

pytestmark = pytest.mark.stores

SUPERSEDE = """
mutation Supersede($input: SupersedeFactInput!) {
  supersedeFact(input: $input) { action memoryId memory { id chainId version content } }
}
"""
UPDATE = """
mutation Update($input: UpdateMemoryInput!) {
  updateMemory(input: $input) {
    action memory { id version title keywords path content ... on Fact { kind summary } }
  }
}
"""
FORGET = """
mutation Forget($input: ForgetMemoryInput!) { forgetMemory(input: $input) { action memoryId } }
"""
RESTORE = """
mutation Restore($input: RestoreMemoryInput!) {
  restoreMemory(input: $input) { action memory { version live } }
}
"""
MEMORY = """
query Memory($id: ID!) {
  memory(id: $id) {
    __typename id chainId version revision path content title owner author tags keywords names sources
    language status live createdAt knownFrom knownTo deletedAt deletedBy validFrom validTo expiresAt
    signalStrength stabilityDays recallCount hits lastUsedAt importance confidence pinned indexed
    history { id version content }
    ... on Fact { kind summary } ... on Drawer { wing room sourceFile lineStart lineEnd emotionalWeight }
  }
}
"""


async def test_a_fact_comes_back_as_it_was_stored(ask: Asker) -> None:
    given = {
        "path": "/Work/Launch",
        "content": "  Der Start ist am Montag – ça va?  ",
        "kind": "DECISION",
        "title": "Launch day",
        "summary": "Monday",
        "tags": ["team=core"],
        "keywords": ["launch"],
        "names": ["D-Day"],
        "sources": ["minutes.md"],
        "importance": 0.75,
        "confidence": 0.5,
        "validFrom": "2026-01-05T09:00:00+01:00",
        "language": "de",
    }

    receipt = (await ask(STORE, input=given))["storeFact"]
    found = (await ask(MEMORY, id=receipt["memoryId"]))["memory"]

    assert receipt["action"] == "STORED"
    assert receipt["memory"]["content"] == given["content"]
    expected = given | {
        "__typename": "Fact",
        "path": "/work/launch",
        "tags": ["owner=default", "team=core"],
        "validFrom": "2026-01-05T08:00:00Z",
        "owner": "default",
        "author": "default",
        "version": 1,
        "status": "ACTIVE",
        "live": True,
        "signalStrength": pytest.approx(1, abs=1e-3),
        "stabilityDays": 1.0,
        "hits": 0,
        "recallCount": 0,
        "pinned": False,
        "deletedAt": None,
        "knownTo": None,
    }
    assert {name: found[name] for name in expected} == expected
    assert found["chainId"] == found["id"] == receipt["memoryId"]
    assert found["history"] == [{"id": found["id"], "version": 1, "content": given["content"]}]


async def test_a_drawer_comes_back_character_for_character(ask: Asker) -> None:
    content = "# C++\n\n\tint main() {}\r\n" + "й" * 1_000 + "\u202e\U0001f9e0 e\u0301"

    added = await ask(
        "mutation Add($input: AddDrawerInput!) { addDrawer(input: $input) { action memoryId } }",
        input={
            "wing": "Team Notes",
            "room": "C++/Build",
            "content": content,
            "sourceFile": "cpp.md",
            "lineStart": 1,
            "lineEnd": 4,
            "emotionalWeight": 0.25,
        },
    )
    found = (await ask(MEMORY, id=added["addDrawer"]["memoryId"]))["memory"]

    assert content_hash(found["content"]) == content_hash(content)
    assert (found["__typename"], found["wing"], found["sourceFile"]) == ("Drawer", "team-notes", "cpp.md")
    assert (found["lineStart"], found["lineEnd"], found["emotionalWeight"]) == (1, 4, 0.25)
    assert found["path"] == f"/palace/team-notes/{found['room']}"
    assert found["room"].endswith("/build")


async def test_the_same_fact_again_is_merged(ask: Asker) -> None:
    first = await store(ask, "/work/launch", "The launch is on Monday.")

    again = await ask(STORE, input={"path": "/work/launch", "content": "the launch  is on MONDAY."})

    assert (again["storeFact"]["action"], again["storeFact"]["memoryId"]) == ("MERGED", first)


async def test_a_superseded_fact_stays_in_the_history(ask: Asker) -> None:
    old = await store(ask, "/work/launch", "The launch is on Monday.")

    receipt = (await ask(SUPERSEDE, input={"id": old, "content": "The launch is on Friday."}))[
        "supersedeFact"
    ]
    by_old_id = (await ask(MEMORY, id=old))["memory"]

    assert receipt["action"] == "SUPERSEDED"
    assert receipt["memory"]["version"] == 2
    assert by_old_id["id"] == receipt["memoryId"]
    assert [version["content"] for version in by_old_id["history"]] == [
        "The launch is on Friday.",
        "The launch is on Monday.",
    ]


async def test_an_old_id_cannot_be_superseded(ask: Asker) -> None:
    old = await store(ask, "/work/launch", "The launch is on Monday.")
    new = (await ask(SUPERSEDE, input={"id": old, "content": "Friday."}))["supersedeFact"]["memoryId"]

    answer = await ask.answer(SUPERSEDE, input={"id": old, "content": "Sunday."})

    [error] = answer["errors"]
    assert error["extensions"] == {"code": "CONFLICT", "head": new}


async def test_a_stale_version_is_a_conflict_and_changes_nothing(ask: Asker) -> None:
    old = await store(ask, "/work/launch", "The launch is on Monday.")

    refused = await ask.refusal(SUPERSEDE, input={"id": old, "content": "Friday.", "expectedVersion": 2})

    assert refused.code == "CONFLICT"
    assert (await ask(MEMORY, id=old))["memory"]["content"] == "The launch is on Monday."


async def test_an_update_keeps_what_it_does_not_mention_and_takes_null_away(ask: Asker) -> None:
    id = await store(ask, "/work/launch", "Monday.", title="Launch", summary="soon", keywords=["a"])

    receipt = (await ask(UPDATE, input={"id": id, "summary": None, "keywords": ["b", "c"]}))["updateMemory"]

    memory = receipt["memory"]
    assert receipt["action"] == "UPDATED"
    assert (memory["title"], memory["summary"], memory["keywords"]) == ("Launch", None, ["b", "c"])
    assert (memory["id"], memory["version"]) == (id, 1)


async def test_a_retry_with_the_same_key_gets_the_same_memory(ask: Asker) -> None:
    given = {"path": "/work/launch", "content": "Monday.", "idempotencyKey": "once"}

    first = (await ask(STORE, input=given))["storeFact"]
    again = (await ask(STORE, input=given))["storeFact"]

    assert (again["action"], again["memoryId"]) == (first["action"], first["memoryId"])


async def test_a_key_that_was_used_with_other_input_is_a_conflict(ask: Asker) -> None:
    await ask(STORE, input={"path": "/work/launch", "content": "Monday.", "idempotencyKey": "once"})

    refused = await ask.refusal(
        STORE, input={"path": "/work/launch", "content": "Friday.", "idempotencyKey": "once"}
    )

    assert refused.code == "CONFLICT"


async def test_what_was_forgotten_can_be_seen_and_restored(ask: Asker) -> None:
    id = await store(ask, "/work/launch", "The launch is on Monday.")

    forgotten = (await ask(FORGET, input={"id": id}))["forgetMemory"]
    deleted = (await ask(MEMORY, id=id))["memory"]
    restored = (await ask(RESTORE, input={"id": id}))["restoreMemory"]

    assert forgotten == {"action": "DELETED", "memoryId": id}
    assert (deleted["live"], deleted["deletedBy"]) == (False, "default")
    assert restored == {"action": "RESTORED", "memory": {"version": 2, "live": True}}


async def test_what_was_purged_is_not_found(ask: Asker) -> None:
    id = await store(ask, "/work/launch", "The launch is on Monday.")

    purged = (await ask(FORGET, input={"id": id, "purge": True}))["forgetMemory"]
    refused = await ask.refusal(MEMORY, id=id)

    assert purged["action"] == "PURGED"
    assert (refused.code, refused.message) == ("NOT_FOUND", f"no memory '{id}'")


async def test_similar_memories_are_named_when_they_are_asked_for(ask: Asker) -> None:
    near = await store(ask, "/work/launch", "The launch of the new engine is on Monday morning.")
    await store(ask, "/work/other", "Nothing of this sort at all, really.")

    receipt = await ask(
        """
        mutation S($input: StoreFactInput!) {
          storeFact(input: $input) { action similar { id } conflicts { id } } }
        """,
        input={"path": "/work/launch", "content": "The launch of the new engine is on Tuesday morning."},
    )

    assert receipt["storeFact"] == {"action": "STORED", "similar": [{"id": near}], "conflicts": []}


async def test_a_batch_answers_in_order_and_merges_what_it_holds_twice(ask: Asker) -> None:
    rows = [{"path": "/work/list", "content": text} for text in ("one", "two", "one")]

    receipts = (
        await ask(
            """
            mutation M($input: [StoreFactInput!]!) { storeFacts(input: $input) { action memory { content } } }
            """,
            input=rows,
        )
    )["storeFacts"]

    assert receipts == [
        {"action": "STORED", "memory": {"content": "one"}},
        {"action": "STORED", "memory": {"content": "two"}},
        {"action": "MERGED", "memory": {"content": "one"}},
    ]


async def test_writes_of_one_operation_run_in_order_and_see_each_other(ask: Asker) -> None:
    id = await store(ask, "/work/launch", "The launch is on Monday.")

    answer = await ask(
        """
        mutation Two($a: SupersedeFactInput!, $b: ForgetMemoryInput!) {
          first: supersedeFact(input: $a) { action memory { history { version } } }
          second: forgetMemory(input: $b) { action memory { live history { version } } }
        }
        """,
        a={"id": id, "content": "Friday."},
        b={"id": id},
    )

    assert answer["first"] == {
        "action": "SUPERSEDED",
        "memory": {"history": [{"version": 2}, {"version": 1}]},
    }
    assert answer["second"]["action"] == "DELETED"
    assert answer["second"]["memory"]["live"] is False


async def test_similar_memories_are_shown_ones(ask: Asker, probe: Probe) -> None:
    gone = await store(ask, "/work/launch", "The launch of the new engine is on Monday morning.")
    await probe("MATCH (m:Memory {id: $id}) SET m.expires_at = datetime('2020-01-01T00:00:00Z')", id=gone)

    receipt = await ask(
        "mutation S($input: StoreFactInput!) { storeFact(input: $input) { similar { id } } }",
        input={"path": "/work/launch", "content": "The launch of the new engine is on Tuesday morning."},
    )

    assert receipt["storeFact"] == {"similar": []}
