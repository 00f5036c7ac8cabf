"""How many memories each part of ``bench speed`` stores."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.errors import InvalidInput

LEAST = 200
"""Memories below which no part has enough calls to say anything."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many memories each part stores.

    Attributes:
        warm_up: Facts that are not timed, half of them one by one and half in batches: a server that was just
            started spends more on compiling its own code than on storing.
        turns: Short turns.
        filled: Facts in batches, all that the store still lacks.
        single, batched: Facts that come into the full store, one by one and in batches.
    """

    warm_up: int
    turns: int
    filled: int
    single: int
    batched: int

    @property
    def memories(self) -> int:
        """How many the store holds while reading is measured, and when writing begins to be."""
        return self.warm_up + self.turns + self.filled


def plan(memories: int) -> Plan:
    """The parts of a store of so many memories, each up to what makes a steady figure.

    Raises:
        InvalidInput: Too few to measure anything.
    """
    if memories < LEAST:
        raise InvalidInput("memories", f"is {memories}, the least is {LEAST}", limit=LEAST)
    some = min(3_000, memories // 4)
    return Plan(some, some, memories - 2 * some, some, min(10_000, memories))
