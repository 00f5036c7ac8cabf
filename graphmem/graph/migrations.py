"""Brings a store to the schema of this version, once, whoever starts first.

What was applied is kept in ``Meta`` nodes with the checksum of its text. A lock of the database keeps two
starters apart, and falls open when its holder dies. What the migrations say is in their files.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

from graphmem import __version__
from graphmem.errors import Misconfigured, Unavailable
from graphmem.graph.client import GraphClient
from graphmem.graph.migration_files import Migration, load_migrations
from graphmem.graph.queries import Query
from graphmem.graph.rows import Row
from graphmem.graph.transactions import Tx

LOCK_WAIT_S = 60.0
"""Seconds to wait for another starter; a small store migrates in a few."""

LONGEST_S = 900.0
"""Seconds for all migrations together, and for one statement: a constraint reads all it constrains."""

INDEX_WAIT_S = 600
"""Seconds to wait until the indexes are built."""


async def migrate(
    client: GraphClient, folder: Path | None = None, *, lock_wait_s: float = LOCK_WAIT_S
) -> list[str]:
    """Names of the migrations that were applied now, in order; empty when the store is up to date.

    Returns when every index answers.

    Raises:
        Misconfigured: The store and this version do not fit together; the message says what to do.
        Unavailable: Another starter holds the lock for too long, or Neo4j does not answer.
    """
    migrations = load_migrations(folder)
    applied = []
    if pending(migrations, await _records(client)):
        applied = await _apply_locked(client, migrations, lock_wait_s)
    await client.run("migration/await_indexes", {"seconds": INDEX_WAIT_S}, timeout_s=INDEX_WAIT_S)
    return applied


def pending(migrations: Sequence[Migration], applied: Iterable[Row]) -> list[Migration]:
    """The migrations that a store still lacks, in order, from the records of those it has been through.

    Raises:
        Misconfigured: It was written by a newer version, or with another text of a migration, or lacks
            one before the last that it has.
    """
    known = {migration.key: migration for migration in migrations}
    records = {row["key"]: row for row in applied}
    for key, row in records.items():
        if key not in known:
            raise Misconfigured(
                f"this store was written by a newer GraphMem ({row['version']}, migration {row['name']});"
                f" this is {__version__}: install the newer one, or restore a backup made before it"
            )
        if row["checksum"] != known[key].checksum:
            raise Misconfigured(
                f"migration {row['name']} is not the text that GraphMem {row['version']} applied to this"
                " store; a released migration never changes: restore it, and put the change into a new one"
            )
    missing = [migration for migration in migrations if migration.key not in records]
    if missing and len(records) != missing[0].number - 1:
        raise Misconfigured(
            f"this store lacks migration {missing[0].name} but has later ones; restore it from a backup"
        )
    return missing


async def schema_snapshot(client: GraphClient) -> str:
    """The constraints and indexes of a store as statements by name: the text of schema/graph.cypher."""
    rows = [*await client.run("migration/constraints"), *await client.run("migration/indexes")]
    statements = [row["statement"] for row in sorted(rows, key=lambda row: str(row["name"]))]
    head = "// The schema of the graph after all migrations. Exported; never edited by hand.\n\n"
    return head + "".join(f"{statement};\n" for statement in statements)


async def _apply_locked(
    client: GraphClient, migrations: Sequence[Migration], lock_wait_s: float
) -> list[str]:
    await client.run("migration/lock_ready")
    async with client.transaction(name="migrations", timeout_s=LONGEST_S) as lock:
        try:
            async with asyncio.timeout(lock_wait_s):
                await lock.run("migration/lock")
        except TimeoutError as error:
            raise Unavailable(
                f"another GraphMem has been migrating this store for {lock_wait_s:g} s; start again later"
            ) from error
        # Read anew: the starter we waited for may have done it all.
        todo = pending(migrations, await _records(client))
        for migration in todo:
            await _apply(client, migration)
        return [migration.name for migration in todo]


async def _apply(client: GraphClient, migration: Migration) -> None:
    queries = [
        Query(name=f"{migration.name}/{number}", text=text, mode="write")
        for number, text in enumerate(migration.statements, start=1)
    ]

    async def steps(tx: Tx) -> None:
        if migration.kind == "data":
            # First, so that its unique key stops a second starter, should the lock have fallen open.
            await _record(tx, migration)
        for query in queries:
            await tx.execute(query)

    await client.write(steps, name=migration.name, timeout_s=LONGEST_S)
    if migration.kind == "schema":
        # Neo4j lets no transaction change schema and data; what a crash in between repeats is harmless.
        await client.write(lambda tx: _record(tx, migration), name=migration.name)


async def _records(client: GraphClient) -> list[Row]:
    return await client.run("migration/applied")


async def _record(tx: Tx, migration: Migration) -> None:
    params = {
        "key": migration.key,
        "name": migration.name,
        "checksum": migration.checksum,
        "version": __version__,
    }
    await tx.run("migration/record", params)
