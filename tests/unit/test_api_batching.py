"""The loader that keeps the levels of an operation in step."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from graphmem.api.batching import Loader
from graphmem.errors import NotFound


class Shelf:
    """Doubles numbers, and notes what it was asked; 13 is not there, and 666 breaks everything."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    async def read(self, keys: list[int]) -> Sequence[int | Exception]:
        self.asked.append(keys)
        await asyncio.sleep(0)
        if 666 in keys:
            raise RuntimeError("broken")
        return [NotFound("number", "13") if key == 13 else key * 2 for key in keys]


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def loader(shelf: Shelf) -> Loader[int, int]:
    return Loader(shelf.read)


async def test_what_is_asked_together_is_read_together_and_once(
    loader: Loader[int, int], shelf: Shelf
) -> None:
    assert await asyncio.gather(*map(loader.load, [3, 1, 3, 2])) == [6, 2, 6, 4]
    assert shelf.asked == [[3, 1, 2]]


async def test_what_was_read_is_not_read_again(loader: Loader[int, int], shelf: Shelf) -> None:
    await loader.load(1)

    assert await asyncio.gather(*map(loader.load, [1, 2])) == [2, 4]
    assert shelf.asked == [[1], [2]]


async def test_known_values_wait_for_unknown_ones_so_that_the_next_level_is_read_once(
    loader: Loader[int, int], shelf: Shelf
) -> None:
    below = Shelf()
    next_level = Loader(below.read)
    loader.remember({1: 10, 2: 20})

    async def walk(key: int) -> int:
        return await next_level.load(await loader.load(key))

    assert await asyncio.gather(*map(walk, [1, 2, 3, 4])) == [20, 40, 12, 16]
    assert shelf.asked == [[3, 4]]
    assert below.asked == [[10, 20, 6, 8]]


async def test_when_all_is_known_nothing_is_read(loader: Loader[int, int], shelf: Shelf) -> None:
    loader.remember({1: 10})

    assert await loader.load(1) == 10
    assert shelf.asked == []


async def test_after_forgetting_all_is_read_anew(loader: Loader[int, int], shelf: Shelf) -> None:
    loader.remember({1: 10})
    loader.forget()

    assert await loader.load(1) == 2
    assert shelf.asked == [[1]]


async def test_one_missing_value_does_not_hurt_the_others(loader: Loader[int, int]) -> None:
    found = await asyncio.gather(*map(loader.load, [1, 13, 2]), return_exceptions=True)

    assert (found[0], found[2]) == (2, 4)
    assert isinstance(found[1], NotFound)


async def test_a_read_that_fails_is_told_to_everybody_who_asked_and_can_be_tried_again(
    loader: Loader[int, int], shelf: Shelf
) -> None:
    failed = await asyncio.gather(*map(loader.load, [1, 666]), return_exceptions=True)

    assert [str(error) for error in failed] == ["broken", "broken"]
    assert await loader.load(1) == 2


async def test_who_gives_up_waiting_does_not_take_the_others_along(loader: Loader[int, int]) -> None:
    patient = asyncio.create_task(loader.load(1))
    impatient = asyncio.create_task(loader.load(2))
    await asyncio.sleep(0)
    impatient.cancel()

    assert await patient == 2
    assert impatient.cancelled()
