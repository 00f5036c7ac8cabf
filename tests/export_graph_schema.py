"""``python -m tests.export_graph_schema``: writes ``schema/graph.cypher`` from a store migrated for it."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from graphmem.data import data_folder
from graphmem.graph.client import GraphClient
from graphmem.graph.migrations import migrate, schema_snapshot
from graphmem.local.neo4j import ManagedNeo4j
from graphmem.settings import Settings


async def exported() -> str:
    """The schema after all migrations, of a Neo4j that is started for this and leaves nothing behind."""
    with tempfile.TemporaryDirectory(prefix="graphmem-schema-") as home:
        async with ManagedNeo4j(Path(home), Settings().cache) as managed:
            address = managed.address
            async with GraphClient.connect(address.bolt_url, address.user, address.password) as client:
                await client.verify()
                await migrate(client)
                return await schema_snapshot(client)


if __name__ == "__main__":
    target = data_folder("schema") / "graph.cypher"
    target.write_text(asyncio.run(exported()), encoding="utf-8")
    print(f"wrote {target}")
