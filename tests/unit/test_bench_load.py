"""Timing of many calls: percentiles, the number of clients at once, and what happens when one fails."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.bench.load import Timing, percentile, timed
from graphmem.errors import Unavailable


@pytest.mark.parametrize(
    ("share", "value"), [(0.01, 1), (0.25, 1), (0.26, 2), (0.5, 2), (0.51, 3), (0.95, 4), (1.0, 4)]
)
def test_a_percentile_is_the_nearest_rank(share: float, value: int) -> None:
    assert percentile([3, 1, 4, 2], share) == value


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1.0], 0.0), ([1.0], 1.5)])
def test_a_percentile_of_nothing_or_beyond_all_is_refused(values: list[float], share: float) -> None:
    with pytest.raises(ValueError, match="percentile"):
        percentile(values, share)


@given(values=st.lists(st.floats(0, 1e6), min_size=1), share=st.floats(0.001, 1))
def test_a_percentile_is_one_of_the_values_and_enough_are_not_above(
    values: list[float], share: float
) -> None:
    found = percentile(values, share)

    assert found in values
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9


def test_figures_of_a_timing_come_from_its_calls() -> None:
    timing = Timing(tuple(float(number) for number in range(1, 101)), wall_s=4.0, client_cpu_s=0.5)

    assert (timing.p50_ms, timing.p95_ms, timing.per_s, timing.client_cpu_ms) == (50.0, 95.0, 25.0, 5.0)


@pytest.mark.parametrize("clients", [1, 3])
async def test_as_many_calls_run_at_once_as_there_are_clients(clients: int) -> None:
    running, most = 0, 0
    done: list[int] = []

    async def call(number: int) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        done.append(number)

    advanced: list[int] = []
    timing = await timed([partial(call, number) for number in range(10)], clients, advanced.append)

    assert most == clients
    assert sorted(done) == list(range(10))
    assert len(timing.times_ms) == 10
    assert advanced == [1] * 10


async def test_the_first_failure_ends_all_clients_and_is_raised_as_itself() -> None:
    begun: list[int] = []

    async def call(number: int) -> None:
        begun.append(number)
        await asyncio.sleep(0)
        if number == 4:
            raise Unavailable("gone")

    with pytest.raises(Unavailable, match="gone"):
        await timed([partial(call, number) for number in range(1_000)], 4, lambda amount: None)

    assert len(begun) < 20
