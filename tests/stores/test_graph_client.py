"""The one door to Neo4j, on a real server: rows, retries, timeouts, and what a broken wire does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from datetime import UTC, datetime

import pytest

from graphmem.access.predicate import At, Everything, Nothing, Predicate, Under, any_of, not_
from graphmem.errors import (
    Conflict,
    GraphMemError,
    Misconfigured,
    QueryFileError,
    Unavailable,
    UnknownOutcome,
)
from graphmem.graph.client import GraphClient
from graphmem.graph.queries import Query
from graphmem.graph.round_trips import round_trips
from graphmem.graph.transactions import Tx
from graphmem.local.ready import Neo4jAddress
from tests.stores.probes import CONSTRAINT, QUERIES
from tests.stores.proxy import COMMIT, Proxy, proxied

pytestmark = pytest.mark.stores


def statement(text: str) -> Query:
    return Query(name="test/step", text=text, mode="write")


def connected(address: Neo4jAddress, url: str | None = None, timeout_s: float = 20) -> GraphClient:
    return GraphClient.connect(
        url or address.bolt_url, address.user, address.password, timeout_s=timeout_s, queries=QUERIES
    )


@pytest.fixture(scope="module")
async def probes(neo4j_address: Neo4jAddress) -> AsyncIterator[GraphClient]:
    """A client with queries of its own, over nodes of its own."""
    async with connected(neo4j_address) as client:
        await client.verify()
        await client.execute(statement(CONSTRAINT))
        yield client
        await client.execute(statement("MATCH (p:Probe) DETACH DELETE p"))
        await client.execute(statement("DROP CONSTRAINT probe_key"))


@pytest.fixture
async def client(probes: GraphClient) -> GraphClient:
    """The client, and no probe in the graph."""
    await probes.execute(statement("MATCH (p:Probe) DETACH DELETE p"))
    return probes


@pytest.fixture
async def proxy(neo4j_address: Neo4jAddress) -> AsyncIterator[Proxy]:
    """A wire that can be cut."""
    async with proxied(neo4j_address.bolt_url) as opened:
        yield opened


async def made(client: GraphClient, *paths: str) -> None:
    for path in paths:
        await client.run("probe/make", {"key": path, "path": path})


# Reading


async def test_the_server_tells_its_name_and_version(client: GraphClient) -> None:
    assert (await client.verify()).startswith("Neo4j/")


async def test_rows_come_in_order_and_in_plain_values(client: GraphClient) -> None:
    assert await client.run("probe/count_up", {"last": 3}) == [{"n": 1}, {"n": 2}, {"n": 3}]
    [row] = await client.run("probe/echo", {"value": {"list": [1, "two", None, 2.5]}})
    assert row == {"value": {"list": [1, "two", None, 2.5]}, "at": datetime(2026, 1, 5, 11, tzinfo=UTC)}
    assert row["at"].tzinfo is UTC


async def test_a_node_is_its_properties(client: GraphClient) -> None:
    await client.run("probe/bump", {"key": "a"})

    assert await client.run("probe/node", {"key": "a"}) == [{"node": {"key": "a", "n": 1}}]


@pytest.mark.parametrize("value", ["}) DETACH DELETE n //", "$key", "' OR 1=1", "\u0000", "😀", "\\u0027"])
async def test_a_value_is_never_read_as_cypher(client: GraphClient, value: str) -> None:
    await client.run("probe/bump", {"key": value})

    assert await client.run("probe/node", {"key": value}) == [{"node": {"key": value, "n": 1}}]
    assert await client.run("probe/counted", rule=Everything()) == [{"n": 1}]


@pytest.mark.parametrize(
    ("rule", "keys"),
    [
        (Everything(), ["/a", "/a/b", "/ab"]),
        (At("/a"), ["/a"]),
        (any_of([At("/ab"), Under("/a/b")]), ["/a/b", "/ab"]),
        (not_(At("/ab")), ["/a", "/a/b"]),
        (Nothing(), []),
    ],
)
async def test_a_read_shows_what_its_rule_allows(
    client: GraphClient, rule: Predicate, keys: list[str]
) -> None:
    await made(client, "/a", "/a/b", "/ab")

    assert [row["key"] for row in await client.run("probe/seen", rule=rule)] == keys


async def test_nothing_has_no_rows_not_even_one_that_counts_and_asks_nobody(client: GraphClient) -> None:
    with round_trips() as counter:
        assert await client.run("probe/counted", rule=Nothing()) == []
        assert [row async for row in client.stream("probe/seen", rule=Nothing())] == []
    assert counter.count == 0


async def test_a_call_that_does_not_fit_its_file_reaches_nobody(client: GraphClient) -> None:
    with round_trips() as counter:
        with pytest.raises(QueryFileError, match=r"cypher/probe/none.cypher: is not there"):
            await client.run("probe/none")
        with pytest.raises(QueryFileError, match="without a rule"):
            await client.run("probe/seen")
        with pytest.raises(QueryFileError, match="without a rule"):
            await client.run("probe/counted", rule=None)
        with pytest.raises(QueryFileError, match=r"without \['value'\] and with unknown \['key'\]"):
            await client.run("probe/wrong", {"key": "a"})
    assert counter.count == 0


async def test_a_file_that_says_it_reads_cannot_write(client: GraphClient) -> None:
    with pytest.raises(GraphMemError, match="Neo4j refused probe/bad_read"):
        await client.run("probe/bad_read")
    assert await client.run("probe/values", {"key": "never"}) == []


async def test_a_stream_gives_more_rows_than_it_fetches_at_once(client: GraphClient) -> None:
    rows = [row["n"] async for row in client.stream("probe/count_up", {"last": 2_500})]

    assert rows == list(range(1, 2_501))


async def test_a_stream_that_is_left_early_frees_its_connection(client: GraphClient) -> None:
    async with aclosing(client.stream("probe/count_up", {"last": 100_000})) as rows:
        assert [(await anext(rows))["n"] for _ in range(2)] == [1, 2]

    assert await client.run("probe/one") == [{"n": 1}]


async def test_a_read_that_takes_too_long_is_ended(client: GraphClient) -> None:
    with pytest.raises(Unavailable, match="probe/slow took longer than"):
        await client.run("probe/slow", timeout_s=0.2)
    assert await client.run("probe/one") == [{"n": 1}]


# Counting


async def test_a_read_is_one_round_trip_and_a_write_three(client: GraphClient) -> None:
    async def two(tx: Tx) -> None:
        await tx.run("probe/bump", {"key": "a"})
        await tx.run("probe/bump", {"key": "b"})

    with round_trips() as reading:
        await client.run("probe/seen", rule=Everything())
    with round_trips() as writing:
        await client.run("probe/bump", {"key": "a"})
    with round_trips() as together:
        await client.write(two)

    assert reading.names == ["probe/seen"]
    assert writing.names == ["begin", "probe/bump", "commit"]
    assert together.names == ["begin", "probe/bump", "probe/bump", "commit"]


# Writing


async def test_a_transaction_is_kept_whole_or_not_at_all(client: GraphClient) -> None:
    async def refuse() -> None:
        async with client.transaction() as tx:
            await tx.run("probe/bump", {"key": "a"})
            raise Conflict("stale")

    with pytest.raises(Conflict, match="stale"):
        await refuse()
    assert await client.run("probe/values", {"key": "a"}) == []

    async with client.transaction() as tx:
        assert await tx.run("probe/bump", {"key": "a"}) == [{"n": 1}]
        assert await tx.run("probe/values", {"key": "a"}) == [{"n": 1}]
    assert await client.run("probe/values", {"key": "a"}) == [{"n": 1}]


async def test_work_that_raises_stores_nothing_and_is_not_repeated(client: GraphClient) -> None:
    tries = 0

    async def refuse(tx: Tx) -> None:
        nonlocal tries
        tries += 1
        await tx.run("probe/bump", {"key": "a"})
        raise Conflict("stale")

    with pytest.raises(Conflict, match="stale"):
        await client.write(refuse)
    assert tries == 1
    assert await client.run("probe/values", {"key": "a"}) == []


async def test_writers_of_one_new_key_all_succeed_and_none_is_lost(client: GraphClient) -> None:
    await asyncio.gather(*[client.run("probe/bump", {"key": "hot"}) for _ in range(40)])

    assert await client.run("probe/values", {"key": "hot"}) == [{"n": 40}]


async def test_a_deadlock_is_tried_again(client: GraphClient) -> None:
    await made(client, "/a", "/b")
    both_hold_one = asyncio.Barrier(2)
    tries: list[str] = []

    async def bump(first: str, second: str) -> None:
        met = False

        async def work(tx: Tx) -> None:
            nonlocal met
            tries.append(first)
            await tx.run("probe/lock", {"key": first})
            if not met:
                met = True
                await both_hold_one.wait()
            await tx.run("probe/bump", {"key": first})
            await tx.run("probe/bump", {"key": second})

        await client.write(work)

    await asyncio.gather(bump("/a", "/b"), bump("/b", "/a"))

    assert len(tries) > 2
    assert await client.run("probe/values", {"key": "/a"}) == [{"n": 3}]
    assert await client.run("probe/values", {"key": "/b"}) == [{"n": 3}]


async def test_a_key_that_another_writer_takes_first_reruns_the_work(client: GraphClient) -> None:
    tries = 0

    async def make_or_bump(tx: Tx) -> str:
        nonlocal tries
        tries += 1
        if await tx.run("probe/values", {"key": "/twin"}):
            await tx.run("probe/bump", {"key": "/twin"})
            return "bumped"
        await made(client, "/twin")
        await tx.run("probe/make", {"key": "/twin", "path": "/twin"})
        return "made"

    assert await client.write(make_or_bump) == "bumped"
    assert tries == 2
    assert await client.run("probe/values", {"key": "/twin"}) == [{"n": 2}]


async def test_a_key_that_stays_taken_is_a_conflict_without_its_value(client: GraphClient) -> None:
    await made(client, "/private")

    with round_trips() as counter, pytest.raises(Conflict) as lost:
        await client.run("probe/make", {"key": "/private", "path": "/x"})

    assert counter.names == ["begin", "probe/make"] * 6
    assert "private" not in str(lost.value)
    assert lost.value.__cause__ is None


async def test_a_transaction_of_one_try_fails_at_the_first_twin(client: GraphClient) -> None:
    await made(client, "/private")

    async def make() -> None:
        async with client.transaction() as tx:
            await tx.run("probe/make", {"key": "/private", "path": "/x"})

    with round_trips() as counter, pytest.raises(Conflict):
        await make()
    assert counter.names == ["begin", "probe/make"]


async def test_a_write_that_waits_too_long_for_a_lock_stores_nothing(client: GraphClient) -> None:
    await made(client, "/held")

    async with client.transaction() as holder:
        await holder.run("probe/lock", {"key": "/held"})
        with pytest.raises(Unavailable) as late:
            await client.run("probe/bump", {"key": "/held"}, timeout_s=0.3)

    assert not isinstance(late.value, UnknownOutcome)
    assert await client.run("probe/values", {"key": "/held"}) == [{"n": 1}]


async def test_a_refused_statement_tells_neither_its_values_nor_the_servers_words(
    client: GraphClient,
) -> None:
    with pytest.raises(GraphMemError) as refused:
        await client.run("probe/wrong", {"value": {"private": "words"}})

    assert str(refused.value).startswith("Neo4j refused probe/wrong: ")
    assert "private" not in str(refused.value)


async def test_a_file_that_commits_in_parts_runs_alone(client: GraphClient) -> None:
    with round_trips() as counter:
        await client.run("probe/in_parts")
    assert counter.names == ["probe/in_parts"]
    assert await client.run("probe/values", {"key": "part-10"}) == [{"n": 10}]

    with pytest.raises(QueryFileError, match="cannot run inside a transaction"):
        await client.write(lambda tx: tx.run("probe/in_parts"))


async def test_a_file_that_fails_between_its_parts_is_not_repeated(client: GraphClient) -> None:
    with round_trips() as counter, pytest.raises(GraphMemError, match="refused probe/parts_fail"):
        await client.run("probe/parts_fail")

    assert counter.count == 1
    assert await client.run("probe/values", {"key": "failed-2"}) == [{"n": 2}]


# Connecting


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:7687", "127.0.0.1", "bolt://", "bolt://neo4j:secret-word@127.0.0.1:port"]
)
def test_an_address_that_cannot_be_a_neo4j_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured, match="is no address of a Neo4j") as refused:
        GraphClient.connect(url, "neo4j", "secret-word", queries=QUERIES)
    assert "secret-word" not in str(refused.value)


async def test_a_wrong_password_is_told_at_once_and_not_repeated(neo4j_address: Neo4jAddress) -> None:
    async with GraphClient.connect(neo4j_address.bolt_url, "neo4j", "wrong-word", queries=QUERIES) as client:
        with pytest.raises(Misconfigured, match="refuses the login") as refused:
            await client.verify(timeout_s=20)
    assert "wrong-word" not in str(refused.value)


async def test_an_unknown_database_is_told_at_once(neo4j_address: Neo4jAddress) -> None:
    address = neo4j_address
    async with GraphClient.connect(
        address.bolt_url, address.user, address.password, "nowhere", queries=QUERIES
    ) as client:
        with pytest.raises(Misconfigured, match="no such database"):
            await client.verify(timeout_s=20)


async def test_verify_waits_until_the_server_is_there(proxy: Proxy, neo4j_address: Neo4jAddress) -> None:
    await proxy.hang_up()
    async with connected(neo4j_address, proxy.url) as client:
        with pytest.raises(Unavailable):
            await client.verify(timeout_s=0.2)
        waiting = asyncio.create_task(client.verify())
        await proxy.listen()

        assert (await waiting).startswith("Neo4j/")


# A wire that breaks


async def test_a_read_survives_a_wire_that_is_cut(
    client: GraphClient, proxy: Proxy, neo4j_address: Neo4jAddress
) -> None:
    await made(client, "/a")
    async with connected(neo4j_address, proxy.url) as far:
        await far.verify()
        proxy.cut_at(b"Probe", times=2)

        assert await far.run("probe/seen", rule=Everything()) == [{"key": "/a"}]
        assert proxy.cuts == 0


async def test_a_read_gives_up_on_a_server_that_stays_away(proxy: Proxy, neo4j_address: Neo4jAddress) -> None:
    async with connected(neo4j_address, proxy.url) as far:
        await far.verify()
        await proxy.hang_up()
        with pytest.raises(Unavailable, match="does not answer"):
            await far.run("probe/one", timeout_s=0.5)
        await proxy.listen()

        assert await far.run("probe/one") == [{"n": 1}]


async def test_a_server_that_hangs_ends_a_call_in_time(proxy: Proxy, neo4j_address: Neo4jAddress) -> None:
    async with connected(neo4j_address, proxy.url) as far:
        await far.verify()
        proxy.clog()
        with pytest.raises(Unavailable, match=r"probe/one took longer than 0.3 s"):
            await far.run("probe/one", timeout_s=0.3)
        with pytest.raises(Unavailable, match="nothing was stored") as late:
            await far.run("probe/bump", {"key": "a"}, timeout_s=0.3)
        assert not isinstance(late.value, UnknownOutcome)
        await proxy.hang_up()
        await proxy.listen()


async def test_a_write_whose_wire_is_cut_before_the_commit_is_stored_once(
    client: GraphClient, proxy: Proxy, neo4j_address: Neo4jAddress
) -> None:
    async with connected(neo4j_address, proxy.url) as far:
        await far.verify()
        proxy.cut_at(b"MERGE (p:Probe", times=2)

        assert await far.run("probe/bump", {"key": "a"}) == [{"n": 1}]
        assert proxy.cuts == 0
    assert await client.run("probe/values", {"key": "a"}) == [{"n": 1}]


@pytest.mark.parametrize(("deliver", "stored"), [(True, [{"n": 1}]), (False, [])], ids=["stored", "lost"])
async def test_a_write_whose_wire_is_cut_at_the_commit_is_told_as_unknown_and_never_repeated(
    client: GraphClient,
    proxy: Proxy,
    neo4j_address: Neo4jAddress,
    deliver: bool,
    stored: list[dict[str, int]],
) -> None:
    async with connected(neo4j_address, proxy.url) as far:
        await far.verify()
        proxy.cut_at(COMMIT, deliver=deliver)

        with pytest.raises(UnknownOutcome, match="may be stored or not"):
            await far.run("probe/bump", {"key": "a"})
        assert proxy.cuts == 0
    assert await client.run("probe/values", {"key": "a"}) == stored


async def test_a_file_that_commits_in_parts_is_told_as_unknown_when_its_wire_is_cut(
    proxy: Proxy, neo4j_address: Neo4jAddress
) -> None:
    async with connected(neo4j_address, proxy.url) as far:
        await far.verify()
        proxy.cut_at(b"IN TRANSACTIONS", deliver=True)

        with round_trips() as counter, pytest.raises(UnknownOutcome):
            await far.run("probe/in_parts")
        assert counter.count == 1


async def test_idle_connections_that_died_cost_one_call_nothing(
    client: GraphClient, proxy: Proxy, neo4j_address: Neo4jAddress
) -> None:
    async with connected(neo4j_address, proxy.url) as far:
        async with AsyncExitStack() as held:
            for _ in range(40):
                await held.enter_async_context(far.transaction())
        assert proxy.connections == 40
        await proxy.hang_up()
        await proxy.listen()

        assert await far.run("probe/one") == [{"n": 1}]
        assert await far.run("probe/bump", {"key": "a"}) == [{"n": 1}]
    assert await client.run("probe/values", {"key": "a"}) == [{"n": 1}]


async def test_what_may_not_write_stores_nothing_and_reads_on(
    client: GraphClient, neo4j_address: Neo4jAddress
) -> None:
    full = False

    def may_write() -> None:
        if full:
            raise Unavailable("the disk is full")

    address = neo4j_address
    async with GraphClient.connect(
        address.bolt_url, address.user, address.password, queries=QUERIES, may_write=may_write
    ) as careful:
        await careful.run("probe/bump", {"key": "a"})
        full = True
        with round_trips() as counter:
            with pytest.raises(Unavailable, match="the disk is full"):
                await careful.run("probe/bump", {"key": "a"})
            with pytest.raises(Unavailable, match="the disk is full"):
                await careful.write(lambda tx: tx.run("probe/bump", {"key": "a"}))
            with pytest.raises(Unavailable, match="the disk is full"):
                async with careful.transaction():
                    raise AssertionError("nobody may be here")
        assert counter.count == 0

        assert await careful.run("probe/node", {"key": "a"}) == [{"node": {"key": "a", "n": 1}}]
