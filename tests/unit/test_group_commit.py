"""Group commit: who is told what when a transaction fails; a tiny fake stands for the graph."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from graphmem.errors import Misconfigured, Unavailable, UnknownOutcome
from graphmem.graph.transactions import Tx
from graphmem.memory.commands import NewFact
from graphmem.memory.writes import Intent
from graphmem.service.clock import Clock
from graphmem.service.group_commit import CROWD, PAUSE_SECONDS, GroupCommit, Keyed
from tests.ledgers import ALL_RIGHTS

T = TypeVar("T")


class FailingGraph:
    """Fails each transaction with the next error, and counts them."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = list(errors)
        self.tries = 0

    async def write(self, work: Callable[[Tx], Awaitable[T]], *, name: str, timeout_s: float) -> T:
        """Never runs the work."""
        self.tries += 1
        raise self._errors[min(self.tries, len(self._errors)) - 1]


async def failures(graph: FailingGraph, requests: int) -> list[BaseException | object]:
    """What so many requests, queued together, are answered."""
    commit = GroupCommit(graph, None, Clock(), written=lambda: None)  # type: ignore[arg-type]
    keyed = Keyed(Intent(NewFact(path="/a", content="x"), "alice", ALL_RIGHTS))
    waiting = [asyncio.create_task(commit.submit([keyed])) for _ in range(requests)]
    await asyncio.sleep(0)
    commit.start()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    await commit.close()
    return list(results)


@pytest.mark.parametrize("error", [Unavailable("away"), UnknownOutcome("who knows")], ids=["away", "unknown"])
async def test_no_second_try_when_the_store_is_away_or_the_outcome_unknown(error: Exception) -> None:
    graph = FailingGraph(error)

    results = await failures(graph, 3)

    assert graph.tries == 1
    assert results == [error, error, error]


async def test_a_group_that_one_request_may_spoil_is_written_one_by_one() -> None:
    together, alone = Misconfigured("together"), Misconfigured("alone")
    graph = FailingGraph(together, alone)

    results = await failures(graph, 3)

    assert graph.tries == 4
    assert results == [alone, alone, alone]


async def test_a_closed_writer_takes_nothing() -> None:
    commit = GroupCommit(FailingGraph(), None, Clock(), written=lambda: None)  # type: ignore[arg-type]
    await commit.close()

    with pytest.raises(Unavailable, match="stopping"):
        await commit.submit([])


class SlowGraph:
    """Keeps each transaction open until it is told to end it."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.end = asyncio.Event()

    async def write(self, work: Callable[[Tx], Awaitable[T]], *, name: str, timeout_s: float) -> T:
        """Never runs the work; fails at last, for there is nothing to answer with."""
        self.open.set()
        await self.end.wait()
        raise Unavailable("away")


async def test_it_is_quiet_at_once_where_nothing_was_written() -> None:
    commit = GroupCommit(FailingGraph(), None, Clock(), written=lambda: None)  # type: ignore[arg-type]

    quiet = asyncio.create_task(commit.quiet())
    await asyncio.sleep(0)

    assert quiet.done()


async def test_it_is_not_quiet_during_a_crowded_transaction_nor_right_after() -> None:
    graph = SlowGraph()
    commit = GroupCommit(graph, None, Clock(), written=lambda: None)  # type: ignore[arg-type]
    commit.start()
    batch = [Keyed(Intent(NewFact(path="/a", content="x"), "alice", ALL_RIGHTS))] * CROWD
    writing = asyncio.create_task(commit.submit(batch))
    await graph.open.wait()
    quiet = asyncio.create_task(commit.quiet())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.shield(quiet), PAUSE_SECONDS * 2)

    graph.end.set()
    with pytest.raises(Unavailable):
        await writing
    ended = time.monotonic()
    await quiet

    assert time.monotonic() - ended >= PAUSE_SECONDS * 0.9
    await commit.close()


async def test_a_single_write_now_and_then_holds_up_nothing() -> None:
    graph = SlowGraph()
    commit = GroupCommit(graph, None, Clock(), written=lambda: None)  # type: ignore[arg-type]
    commit.start()
    writing = asyncio.create_task(commit.submit([]))
    await graph.open.wait()
    graph.end.set()
    with pytest.raises(Unavailable):
        await writing
    await asyncio.sleep(0)

    quiet = asyncio.create_task(commit.quiet())
    await asyncio.sleep(0)

    assert quiet.done()
    await commit.close()


@pytest.mark.parametrize(
    ("sizes", "transactions"),
    [
        ([1] * 500, 1),
        ([1] * 501, 2),
        ([250, 250], 1),
        ([500, 500], 2),
        ([1_000], 1),
        ([1, 1_000, 1], 3),
    ],
)
async def test_a_transaction_takes_as_many_as_fit_and_no_request_in_parts(
    sizes: list[int], transactions: int
) -> None:
    graph = FailingGraph(Unavailable("away"))
    commit = GroupCommit(graph, None, Clock(), written=lambda: None)  # type: ignore[arg-type]
    one = Keyed(Intent(NewFact(path="/a", content="x"), "alice", ALL_RIGHTS))
    waiting = [asyncio.create_task(commit.submit([one] * size)) for size in sizes]
    await asyncio.sleep(0)
    commit.start()

    results = await asyncio.gather(*waiting, return_exceptions=True)
    await commit.close()

    assert graph.tries == transactions
    assert all(isinstance(result, Unavailable) for result in results)
