"""Bringing a store to the schema: once, whoever starts first, and never past what fits together."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graphmem.data import data_folder
from graphmem.errors import Misconfigured, Unavailable
from graphmem.graph.client import GraphClient
from graphmem.graph.migration_files import load_migrations
from graphmem.graph.migrations import migrate, schema_snapshot
from graphmem.graph.queries import Query
from graphmem.local.ready import Neo4jAddress

pytestmark = pytest.mark.stores

NEXT = len(load_migrations()) + 1
INDEX = "CREATE INDEX {name} IF NOT EXISTS FOR (t:Trial) ON (t.{name});\n"
SNAPSHOT = data_folder("schema") / "graph.cypher"


def statement(text: str, **params: object) -> Query:
    return Query(name="test/step", text=text, mode="write", params=frozenset(params))


def connected(address: Neo4jAddress) -> GraphClient:
    return GraphClient.connect(address.bolt_url, address.user, address.password, timeout_s=60)


class Folder:
    """The shipped migrations, and more behind them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, place: int, name: str, kind: str, text: str) -> str:
        """Writes the migration ``place`` steps behind the shipped ones; its name."""
        full = f"V{NEXT + place - 1:03}__{name}"
        (self.path / f"{full}.cypher").write_text(f"// A trial.\n// kind: {kind}\n{text}", encoding="utf-8")
        return full


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder that starts as the shipped one."""
    shutil.copytree(data_folder("schema") / "migrations", tmp_path / "migrations")
    return Folder(tmp_path / "migrations")


@pytest.fixture
async def store(graph: GraphClient) -> AsyncIterator[GraphClient]:
    """The migrated store; what a test adds to its schema and history is taken back."""
    yield graph
    last = f"migration/V{NEXT:03}"
    await graph.execute(
        statement("MATCH (m:Meta) WHERE m.key >= $last AND m.key < 'migration/W' DELETE m", last=last),
        {"last": last},
    )
    await graph.execute(statement("MATCH (t:Trial) DELETE t"))
    for row in await graph.run("migration/indexes"):
        if "`Trial`" in row["statement"]:
            await graph.execute(statement(f"DROP INDEX {row['name']}"))


async def trials(client: GraphClient) -> list[str]:
    """The names of the indexes that migrations of these tests made."""
    return [row["name"] for row in await client.run("migration/indexes") if "`Trial`" in row["statement"]]


async def notes(client: GraphClient) -> list[object]:
    """What data migrations of these tests wrote."""
    rows = await client.execute(statement("MATCH (t:Trial) RETURN t.note AS note ORDER BY note"))
    return [row["note"] for row in rows]


async def test_the_schema_of_a_migrated_store_is_the_published_one(store: GraphClient) -> None:
    assert await schema_snapshot(store) == SNAPSHOT.read_text(encoding="utf-8"), "run: make export-schema"


async def test_a_store_that_is_up_to_date_is_left_alone(store: GraphClient) -> None:
    before = await store.run("migration/applied")

    assert await migrate(store) == []
    assert await store.run("migration/applied") == before
    assert [row["name"] for row in before] == [migration.name for migration in load_migrations()]


async def test_what_is_new_is_applied_in_order_and_recorded(store: GraphClient, folder: Folder) -> None:
    first = folder.add(1, "first", "schema", INDEX.format(name="trial_one") + INDEX.format(name="trial_two"))
    second = folder.add(2, "second", "data", "CREATE (:Trial {note: 'a'});\nCREATE (:Trial {note: 'b'});\n")

    assert await migrate(store, folder.path) == [first, second]

    assert await trials(store) == ["trial_one", "trial_two"]
    assert await notes(store) == ["a", "b"]
    assert [row["name"] for row in await store.run("migration/applied")][-2:] == [first, second]
    assert await migrate(store, folder.path) == []


async def test_two_starters_apply_everything_once(
    store: GraphClient, folder: Folder, neo4j_address: Neo4jAddress
) -> None:
    name = folder.add(1, "note", "data", "CREATE (:Trial {note: 'once'});\n")

    async with connected(neo4j_address) as one, connected(neo4j_address) as other:
        done = await asyncio.gather(migrate(one, folder.path), migrate(other, folder.path))

    assert sorted(done) == [[], [name]]
    assert await notes(store) == ["once"]


async def test_a_data_migration_that_fails_leaves_nothing_and_is_tried_again(
    store: GraphClient, folder: Folder
) -> None:
    folder.add(1, "note", "data", "CREATE (:Trial {note: 'half'});\nCREATE (:Trial {note: 1 / 0});\n")
    with pytest.raises(Exception, match="refused V"):
        await migrate(store, folder.path)
    assert await notes(store) == []

    name = folder.add(1, "note", "data", "CREATE (:Trial {note: 'whole'});\n")
    assert await migrate(store, folder.path) == [name]
    assert await notes(store) == ["whole"]


async def test_a_start_that_died_before_its_record_is_repeated_without_harm(
    store: GraphClient, folder: Folder
) -> None:
    name = folder.add(1, "index", "schema", INDEX.format(name="trial_one"))
    await store.execute(statement(INDEX.format(name="trial_one").strip().rstrip(";")))

    assert await migrate(store, folder.path) == [name]
    assert await trials(store) == ["trial_one"]


async def test_a_migration_that_changed_after_it_was_applied_stops_the_start(
    store: GraphClient, folder: Folder
) -> None:
    name = folder.add(1, "index", "schema", INDEX.format(name="trial_one"))
    await migrate(store, folder.path)
    folder.add(1, "index", "schema", INDEX.format(name="trial_two"))

    with pytest.raises(Misconfigured, match=f"migration {name} is not the text that GraphMem"):
        await migrate(store, folder.path)
    assert await trials(store) == ["trial_one"]


async def test_a_store_of_a_newer_version_stops_the_start(store: GraphClient, folder: Folder) -> None:
    name = folder.add(1, "index", "schema", INDEX.format(name="trial_one"))
    await migrate(store, folder.path)

    with pytest.raises(Misconfigured, match=f"written by a newer GraphMem .*migration {name}"):
        await migrate(store)


async def test_a_starter_that_waits_too_long_for_another_says_so(
    store: GraphClient, folder: Folder, neo4j_address: Neo4jAddress
) -> None:
    folder.add(1, "index", "schema", INDEX.format(name="trial_one"))

    async with connected(neo4j_address) as other, other.transaction() as held:
        await held.run("migration/lock")
        with pytest.raises(Unavailable, match=r"another GraphMem has been migrating this store for 0.3 s"):
            await migrate(store, folder.path, lock_wait_s=0.3)
    assert await trials(store) == []


async def test_the_lock_of_a_starter_that_is_gone_holds_nobody_up(
    store: GraphClient, folder: Folder, neo4j_address: Neo4jAddress
) -> None:
    name = folder.add(1, "index", "schema", INDEX.format(name="trial_one"))
    holding = asyncio.Event()

    async def hold(client: GraphClient) -> None:
        async with client.transaction() as tx:
            await tx.run("migration/lock")
            holding.set()
            await asyncio.Event().wait()

    async with connected(neo4j_address) as other:
        holder = asyncio.create_task(hold(other))
        await holding.wait()
        waiting = asyncio.create_task(migrate(store, folder.path))
        holder.cancel()

        assert await waiting == [name]
        with pytest.raises(asyncio.CancelledError):
            await holder


async def test_schema_changes_pass_while_the_lock_is_held(store: GraphClient) -> None:
    async with store.transaction() as held:
        await held.run("migration/lock")
        await store.execute(statement("CREATE INDEX trial_one IF NOT EXISTS FOR (t:Trial) ON (t.one)"))
        await store.run("migration/lock_ready")

    assert await trials(store) == ["trial_one"]
