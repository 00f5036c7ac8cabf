"""Purging: nothing of a purged memory is left in either store (design section 3, rule 7)."""

from __future__ import annotations

import pytest

from graphmem.errors import NotFound
from graphmem.memory.commands import ForgetMemory, NewDrawer, NewFact, SupersedeFact
from graphmem.memory.model import WriteAction
from graphmem.service import reading
from graphmem.service.platform import Caller, Platform
from graphmem.service.writing import write
from graphmem.vectors.index import Point, point_id
from tests.running import Probe, indexed

pytestmark = pytest.mark.stores

MARK = "xanadu7"


async def marked(caller: Caller) -> str:
    """A chain of two versions that carries the mark in every text it can."""
    [first] = await write(
        caller,
        [
            NewFact(
                path="/a",
                content=f"{MARK} in the text, to [[{MARK} target]]",
                title=f"{MARK} title",
                summary=f"{MARK} summary",
                keywords=(f"{MARK}-keyword",),
                names=(f"{MARK} alias",),
                sources=(f"{MARK}.md",),
                idempotency_key="the key",
            )
        ],
    )
    [second] = await write(
        caller, [SupersedeFact(id=first.memory_id or "", content=f"{MARK} again", reason=f"{MARK} reason")]
    )
    return second.memory_id or ""


async def test_R1_a_probe_over_every_string_finds_nothing(caller: Caller, probe: Probe) -> None:
    id = await marked(caller)
    kept = NewDrawer(path="/palace/w/r", content="to [[other target]]", title="kept")
    await write(caller, [kept])
    await indexed(caller.platform)
    assert await strings_with(probe, MARK) > 0

    [receipt] = await write(caller, [ForgetMemory(id=id, purge=True)])
    await indexed(caller.platform)

    assert (receipt.action, receipt.memory) == (WriteAction.PURGED, None)
    assert await strings_with(probe, MARK) == 0
    assert await points_of(caller.platform, id) == []
    assert [
        row["name"] for row in await probe("MATCH (t:LinkTarget) RETURN t.name AS name ORDER BY name")
    ] == [
        "kept",
        "other target",
    ]


async def test_a_purge_buries_points_that_nobody_reckoned_with(caller: Caller) -> None:
    [receipt] = await write(caller, [NewFact(path="/a", content="short")])
    id = receipt.memory_id or ""
    await indexed(caller.platform)
    shelf = caller.platform.vectors.shelf
    assert shelf is not None
    [vector] = (await shelf.index.vectors([point_id(id, 0)])).values()
    stray = {"memory_id": id, "window": 50, "revision": 1}
    await shelf.index.upsert([Point(point_id(id, 50), vector, stray)])

    await write(caller, [ForgetMemory(id=id, purge=True)])
    await indexed(caller.platform)

    assert await points_of(caller.platform, id) == []


async def test_a_purge_leaves_tombstones_and_its_audit(caller: Caller, probe: Probe) -> None:
    id = await marked(caller)

    await write(caller, [ForgetMemory(id=id, purge=True)])

    [tombstones] = await probe(
        "MATCH (t:Tombstone) RETURN count(t) AS found, collect(DISTINCT t.actor) AS who"
    )
    actions = await probe("MATCH (a:AuditRecord) RETURN a.action AS action ORDER BY a.at, a.id")
    assert (tombstones["found"], tombstones["who"]) == (2, ["default"])
    assert [row["action"] for row in actions] == ["STORED", "SUPERSEDED", "PURGED"]
    with pytest.raises(NotFound):
        await reading.memory(caller, id)


async def test_a_retry_of_a_purged_write_is_told_so(caller: Caller, probe: Probe) -> None:
    command = NewFact(path="/a", content="secret", idempotency_key="k")
    [first] = await write(caller, [command])
    await write(caller, [ForgetMemory(id=first.memory_id or "", purge=True)])

    [again] = await write(caller, [command])

    assert (again.action, again.memory_id, again.memory) == (WriteAction.PURGED, first.memory_id, None)
    assert await probe("MATCH (m:Memory) RETURN m.id AS id") == []


async def strings_with(probe: Probe, mark: str) -> int:
    """How many nodes and relationships carry the mark in any string or list of strings."""
    values = "any(k IN keys(x) WHERE any(v IN CASE WHEN x[k] IS :: LIST<ANY> THEN x[k] ELSE [x[k]] END"
    test = values + " WHERE toStringOrNull(v) CONTAINS $mark))"
    [nodes] = await probe(f"CYPHER 25 MATCH (x) WHERE {test} RETURN count(x) AS found", mark=mark)
    [edges] = await probe(f"CYPHER 25 MATCH ()-[x]->() WHERE {test} RETURN count(x) AS found", mark=mark)
    return int(nodes["found"]) + int(edges["found"])


async def points_of(platform: Platform, id: str) -> list[str]:
    """The living points of a memory in the vector index."""
    shelf = platform.vectors.shelf
    assert shelf is not None
    points = await shelf.index.revisions(None, 1_000)
    return [point.id for point in points if point.memory_id == id and not point.dead]
