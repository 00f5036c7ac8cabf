"""The counter of round trips."""

from __future__ import annotations

import asyncio

from graphmem.graph.round_trips import note_round_trip, round_trips


def test_a_counter_sees_what_was_sent_while_it_is_open() -> None:
    note_round_trip("before")
    with round_trips() as counter:
        note_round_trip("memory/heads")
        note_round_trip("path/trees")
    note_round_trip("after")

    assert counter.count == 2
    assert counter.names == ["memory/heads", "path/trees"]


def test_an_outer_counter_counts_what_an_inner_one_does() -> None:
    with round_trips() as outer:
        note_round_trip("one")
        with round_trips() as inner:
            note_round_trip("two")

    assert (outer.names, inner.names) == (["one", "two"], ["two"])


async def test_a_counter_sees_the_tasks_that_its_work_starts_and_no_others() -> None:
    async def send(name: str) -> None:
        await asyncio.sleep(0)
        note_round_trip(name)

    stranger = asyncio.create_task(send("stranger"))
    with round_trips() as counter:
        await asyncio.gather(send("a"), send("b"))
    await stranger

    assert sorted(counter.names) == ["a", "b"]
