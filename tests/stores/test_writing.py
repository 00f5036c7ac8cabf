"""Writing on the real graph: receipts, retry keys, races, numbered changes."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.errors import Conflict, GraphMemError, LimitExceeded, Unavailable
from graphmem.graph.client import GraphClient
from graphmem.memory.commands import (
    Command,
    ForgetMemory,
    MemoryFilter,
    MemoryOrder,
    NewFact,
    RestoreMemory,
    SupersedeFact,
    UpdateMemory,
)
from graphmem.memory.model import Receipt, WriteAction
from graphmem.service import browsing, reading
from graphmem.service.platform import Caller, Platform
from graphmem.service.writing import write
from graphmem.vectors.index import VectorStore
from tests.running import Probe, open_test_platform, until

pytestmark = pytest.mark.stores


async def one(caller: Caller, command: Command) -> Receipt:
    """The receipt of a single command."""
    [receipt] = await write(caller, [command])
    return receipt


async def test_a_stored_fact_is_read_back_as_it_was_written(caller: Caller) -> None:
    receipt = await one(
        caller,
        NewFact(
            path="/projects/cat",
            content="The cat sat.\n  [[/projects]]",
            title="Cat",
            keywords=("cat", "mat"),
            tags=("team=red",),
            importance=0.25,
            valid_from=datetime(2026, 1, 5, 12, 0, 0, 123456, tzinfo=UTC),
        ),
    )

    found = await reading.memory(caller, receipt.memory_id or "")
    assert found == receipt.memory
    assert found.content == "The cat sat.\n  [[/projects]]"
    assert found.valid_from == datetime(2026, 1, 5, 12, 0, 0, 123456, tzinfo=UTC)


async def test_B016_a_deep_path_brings_every_path_above_it(caller: Caller) -> None:
    await one(caller, NewFact(path="/a/b/c", content="deep"))

    nodes = await browsing.tree(caller, "/", 5)

    assert [(node.path, node.memories_here, node.memories_below, node.children) for node in nodes] == [
        ("/", 0, 1, 1),
        ("/a", 0, 1, 1),
        ("/a/b", 0, 1, 1),
        ("/a/b/c", 1, 1, 0),
    ]


async def test_counts_follow_deletion_expiry_and_return(caller: Caller) -> None:
    now = caller.now()
    kept = await one(caller, NewFact(path="/a", content="kept"))
    await one(caller, NewFact(path="/a", content="gone soon", expires_at=now + timedelta(seconds=0.01)))
    await one(caller, NewFact(path="/a", content="not yet true", valid_from=now + timedelta(days=1)))
    gone = await one(caller, NewFact(path="/a/b", content="deleted"))
    await one(caller, ForgetMemory(id=gone.memory_id or ""))

    async def expired() -> bool:
        return caller.now() > now + timedelta(seconds=0.02)

    await until(expired)
    without = [(node.path, node.memories_here) for node in await browsing.tree(caller, "/", 3)]
    await one(caller, RestoreMemory(id=gone.memory_id or ""))
    again = [(node.path, node.memories_here) for node in await browsing.tree(caller, "/", 3)]

    assert kept.action is WriteAction.STORED
    assert without == [("/", 0), ("/a", 1)]
    assert again == [("/", 0), ("/a", 1), ("/a/b", 1)]


async def test_a_retry_key_answers_with_the_first_receipt(caller: Caller) -> None:
    command = NewFact(path="/a", content="once", idempotency_key="k1")

    first, second = await one(caller, command), await one(caller, command)

    assert (first.action, second.action) == (WriteAction.STORED, WriteAction.STORED)
    assert first.memory_id == second.memory_id
    assert second.memory is not None
    assert second.memory.hits == 0


async def test_a_hundred_parallel_repeats_store_one_fact(caller: Caller) -> None:
    command = NewFact(path="/a", content="once", idempotency_key="k1")

    receipts = await asyncio.gather(*(one(caller, command) for _ in range(100)))

    assert Counter((r.action, r.memory_id) for r in receipts) == {
        (WriteAction.STORED, receipts[0].memory_id): 100
    }
    assert await caller.platform.stores.memories.count(caller.visible(), caller.now()) == 1


async def test_a_retry_key_with_other_input_is_a_conflict(caller: Caller) -> None:
    await one(caller, NewFact(path="/a", content="once", idempotency_key="k1"))

    with pytest.raises(Conflict, match="idempotencyKey"):
        await one(caller, NewFact(path="/a", content="twice", idempotency_key="k1"))

    assert await caller.platform.stores.memories.count(caller.visible(), caller.now()) == 1


async def test_a_refused_command_gives_its_retry_key_back(caller: Caller) -> None:
    head = await one(caller, NewFact(path="/a", content="one"))
    id = head.memory_id or ""
    stale = UpdateMemory(id=id, content="two", expected_version=7, idempotency_key="k1")
    with pytest.raises(Conflict):
        await one(caller, stale)

    good = await one(caller, UpdateMemory(id=id, content="two", expected_version=1, idempotency_key="k1"))

    assert good.action is WriteAction.UPDATED


async def test_R24_fifty_writers_of_twenty_texts_leave_twenty_facts(caller: Caller) -> None:
    async def writer(number: int) -> list[Receipt]:
        return [await one(caller, NewFact(path="/a", content=f"text {at}")) for at in range(20)]

    receipts = [r for found in await asyncio.gather(*map(writer, range(50))) for r in found]

    page = await reading.facts(caller, MemoryFilter(), MemoryOrder.OLDEST, 100, None)
    assert Counter(r.action for r in receipts) == {WriteAction.STORED: 20, WriteAction.MERGED: 980}
    assert sorted(fact.content for fact in page.items) == sorted(f"text {at}" for at in range(20))
    assert {fact.hits for fact in page.items} == {49}


async def test_R24_two_services_on_one_store_merge_into_the_same_twins(
    platform: Platform, empty_graph: GraphClient, edge_store: VectorStore
) -> None:
    async with open_test_platform(empty_graph, edge_store) as other:
        callers = [Caller.of(platform, "default"), Caller.of(other, "default")]
        receipts = await asyncio.gather(
            *(one(callers[at % 2], NewFact(path="/a", content=f"text {at % 10}")) for at in range(200))
        )

        page = await reading.facts(callers[0], MemoryFilter(), MemoryOrder.OLDEST, 100, None)

    assert Counter(r.action for r in receipts) == {WriteAction.STORED: 10, WriteAction.MERGED: 190}
    assert sorted(fact.hits for fact in page.items) == [19] * 10


async def test_of_sixteen_racers_one_supersedes(
    platform: Platform, empty_graph: GraphClient, edge_store: VectorStore
) -> None:
    async with open_test_platform(empty_graph, edge_store) as other:
        callers = [Caller.of(platform, "default"), Caller.of(other, "default")]
        head = await one(callers[0], NewFact(path="/a", content="start"))
        id = head.memory_id or ""

        async def race(number: int) -> Receipt | GraphMemError:
            try:
                return await one(callers[number % 2], SupersedeFact(id=id, content=f"racer {number}"))
            except GraphMemError as refusal:
                return refusal

        results = await asyncio.gather(*map(race, range(16)))
        histories = await reading.histories(callers[0], [id])

    assert Counter(type(result).__name__ for result in results) == {"Receipt": 1, "Conflict": 15}
    assert [(m.version, m.live) for m in histories[id]] == [(2, True), (1, False)]


async def test_every_change_gets_the_next_number(caller: Caller, probe: Probe) -> None:
    receipts = await write(caller, [NewFact(path="/a", content=f"text {at}") for at in range(30)])
    await one(caller, ForgetMemory(id=receipts[3].memory_id or ""))

    async def numbered() -> bool:
        return await caller.platform.stores.changes.waiting() == 0

    await until(numbered)
    found = await probe("MATCH (c:Change) RETURN c.seq AS seq, c.action AS action ORDER BY c.seq")
    assert [row["seq"] for row in found] == list(range(1, 32))
    assert [row["action"] for row in found] == ["STORED"] * 30 + ["DELETED"]


async def test_a_batch_over_the_limit_is_refused_whole(caller: Caller) -> None:
    with pytest.raises(LimitExceeded, match="input has 1001 items, the limit is 1000"):
        await write(caller, [NewFact(path="/a", content=f"text {at}") for at in range(1001)])

    assert await caller.platform.stores.memories.count(caller.visible(), caller.now()) == 0


async def test_a_path_that_somebody_took_away_is_never_a_silent_loss(caller: Caller, probe: Probe) -> None:
    await one(caller, NewFact(path="/a/b", content="one"))
    await probe("MATCH (p:Path {path: '/a/b'}) DETACH DELETE p")

    with pytest.raises(Unavailable, match="nothing was stored"):
        await one(caller, NewFact(path="/a/b", content="two"))
    again = await one(caller, NewFact(path="/a/b", content="two"))

    assert again.action is WriteAction.STORED
    assert (await browsing.path(caller, "/a/b")).memories_here == 2


async def test_retry_keys_are_forgotten_after_their_days(caller: Caller, probe: Probe) -> None:
    await one(caller, NewFact(path="/a", content="once", idempotency_key="k1"))
    keys = caller.platform.stores.retries
    assert await keys.forget(caller.now() - timedelta(days=7), 10) == 0

    forgotten = await keys.forget(caller.now() + timedelta(seconds=1), 10)

    assert forgotten == 1
    assert await probe("MATCH (i:IdempotencyRecord) RETURN i.key AS key") == []


async def test_a_purge_beside_other_writes_leaves_nothing_of_them(caller: Caller, probe: Probe) -> None:
    first = await one(caller, NewFact(path="/a", content="zanzibar one"))
    id = first.memory_id or ""

    async def attempt(command: Command) -> None:
        with contextlib.suppress(GraphMemError):
            await one(caller, command)

    await asyncio.gather(
        attempt(SupersedeFact(id=id, content="zanzibar two", reason="zanzibar", idempotency_key="k")),
        attempt(ForgetMemory(id=id, purge=True, idempotency_key="p")),
    )

    assert await probe("MATCH (m:Memory) RETURN m.content AS content") == []
    assert await probe("MATCH (a:AuditRecord) WHERE a.reason IS NOT NULL RETURN a.reason AS reason") == []
    kept = await probe("MATCH (i:IdempotencyRecord) RETURN i.action AS action, i.input_hash AS mark")
    assert {(row["action"], row["mark"]) for row in kept} == {("PURGED", None)}
