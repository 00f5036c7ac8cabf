"""The service as a process: how it keeps Python's collector out of the way."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from graphmem.cli.serving import _collect_seldom


@pytest.fixture
def collections() -> Iterator[list[int]]:
    """The generation of each collection from now on; the collector is put back afterwards."""
    seen: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(info["generation"])

    thresholds = gc.get_threshold()
    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_a_batch_of_writes_does_not_make_the_collector_look_at_it_again_and_again(
    collections: list[int],
) -> None:
    _collect_seldom()
    collections.clear()

    kept = [[number] for number in range(40_000)]

    assert (len(kept), collections) == (40_000, [])


def test_what_the_start_made_is_never_looked_at_again(collections: list[int]) -> None:
    made = [[number] for number in range(1_000)]

    _collect_seldom()

    assert gc.get_freeze_count() > len(made)
    assert collections[-1] == 2
