"""``python -m tests.prepare_neo4j``: fetches what Neo4j needs, once, with a bar; tests then start at once."""

from __future__ import annotations

import asyncio

from graphmem.cli.progress import bar
from graphmem.local.preparing import prepare
from graphmem.settings import Settings

if __name__ == "__main__":
    with bar("preparing Neo4j", in_bytes=True) as progress:
        asyncio.run(prepare(Settings().cache, progress))
