"""What reading one memory or one path costs the database does not grow with the store."""

from __future__ import annotations

import pytest

from graphmem.graph.queries import load_queries
from graphmem.memory.commands import NewFact
from graphmem.service.platform import Caller
from graphmem.service.writing import write
from tests.running import Probe

PATHS = 40
BATCH = 1_000


@pytest.mark.soak
@pytest.mark.stores
@pytest.mark.timeout(1_800)
async def test_a_memory_and_a_path_cost_the_same_at_1000_and_at_100000(caller: Caller, probe: Probe) -> None:
    first = await filled(caller, 0, 1_000)
    small = await hits(caller, probe, first)
    await filled(caller, 1_000, 100_000)

    large = await hits(caller, probe, first)

    assert small["memory/heads"] > 0
    assert large == pytest.approx(small, rel=0.2)


async def filled(caller: Caller, start: int, end: int) -> str:
    """Stores facts of these numbers over a fixed tree; the id of the first one."""
    first = ""
    for at in range(start, end, BATCH):
        facts = [
            NewFact(path=f"/hits/{n % PATHS // 8}/{n % 8}", content=f"fact {n} of the tree")
            for n in range(at, at + BATCH)
        ]
        receipts = await write(caller, facts)
        first = first or receipts[0].memory_id or ""
    return first


async def hits(caller: Caller, probe: Probe, id: str) -> dict[str, int]:
    """Database hits of reading one memory, and one path with its children."""
    asked: dict[str, dict[str, object]] = {
        "memory/heads": {"ids": [id]},
        "path/trees": {"roots": ["/hits"], "depth": 1, "now": caller.now()},
    }
    found = {}
    for name, params in asked.items():
        text, values = load_queries()[name].scoped_to(caller.visible())
        found[name] = await probe.hits(text, **params, **values)
    return found
