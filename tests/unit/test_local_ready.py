"""Whether a database has stopped by an error inside it; fakes stand for what it answers."""

from __future__ import annotations

import asyncio
from typing import cast

import psutil
import pytest
from neo4j.exceptions import AuthError, DatabaseUnavailable, Neo4jError, ServiceUnavailable

from graphmem.errors import Misconfigured
from graphmem.local import ready
from graphmem.local.ready import Neo4jAddress, has_stopped

ADDRESS = Neo4jAddress("bolt://127.0.0.1:7687", "http://127.0.0.1:7474", "neo4j", "secret")
PROCESS = cast(psutil.Process, None)

NOT_BEGUN = Neo4jError._hydrate_neo4j(
    code="Neo.DatabaseError.Transaction.TransactionStartFailed", message="m"
)
OTHER = Neo4jError._hydrate_neo4j(code="Neo.DatabaseError.General.UnknownError", message="m")


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[BaseException | None]:
    """What the database answers, one look after another; None is that all is well."""
    said: list[BaseException | None] = []

    async def query(address: Neo4jAddress) -> None:
        found = said.pop(0)
        if found is not None:
            raise found

    monkeypatch.setattr(ready, "_query", query)
    monkeypatch.setattr(ready, "listens", lambda process, port: port == 7687)
    return said


async def test_a_transaction_that_begins_at_neither_look_tells_of_a_stopped_database(
    answers: list[BaseException | None],
) -> None:
    answers += [NOT_BEGUN, NOT_BEGUN]

    assert await has_stopped(ADDRESS, PROCESS)


@pytest.mark.parametrize(
    "said",
    [
        [None],
        [NOT_BEGUN, None],
        [NOT_BEGUN, OTHER],
        [OTHER],
        [AuthError("refused")],
        [DatabaseUnavailable("opening")],
        [ServiceUnavailable("away")],
        [Misconfigured("other")],
        [TimeoutError()],
        [OSError("broken")],
    ],
    ids=repr,
)
async def test_whatever_else_it_answers_it_has_not_stopped(
    answers: list[BaseException | None], said: list[BaseException | None]
) -> None:
    answers += said

    assert not await has_stopped(ADDRESS, PROCESS)
    assert answers == []


async def test_a_silent_database_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(address: Neo4jAddress) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(ready, "_query", silent)
    monkeypatch.setattr(ready, "listens", lambda process, port: True)
    monkeypatch.setattr(ready, "ONE_TRY_S", 0.01)

    assert not await has_stopped(ADDRESS, PROCESS)


async def test_nothing_is_sent_to_a_stranger_on_the_port(
    answers: list[BaseException | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers += [NOT_BEGUN, NOT_BEGUN]
    monkeypatch.setattr(ready, "listens", lambda process, port: False)

    assert not await has_stopped(ADDRESS, PROCESS)
    assert len(answers) == 2


@pytest.mark.parametrize("tick", range(1, 12))
async def test_who_waits_for_a_look_can_be_stopped_in_every_tick_of_it(
    monkeypatch: pytest.MonkeyPatch, tick: int
) -> None:
    async def slow(address: Neo4jAddress) -> None:
        for _ in range(4):
            await asyncio.sleep(0)

    monkeypatch.setattr(ready, "_query", slow)
    monkeypatch.setattr(ready, "listens", lambda process, port: True)
    look = asyncio.create_task(has_stopped(ADDRESS, PROCESS))
    for _ in range(tick):
        await asyncio.sleep(0)

    on_the_way = look.cancel()
    await asyncio.wait([look])

    assert look.cancelled() is on_the_way
