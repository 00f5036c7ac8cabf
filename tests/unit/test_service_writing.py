"""What writing does before anything is stored; a tiny fake stands for the writer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

from graphmem.memory.commands import NewFact
from graphmem.memory.model import WriteAction
from graphmem.memory.writes import Outcome
from graphmem.service.clock import Clock
from graphmem.service.group_commit import Keyed
from graphmem.service.platform import Caller, Platform
from graphmem.service.writing import AT_ONCE, write


@dataclass
class Writer:
    """Notes what it is given, and how often another task had its turn until then."""

    turns: list[None] = field(default_factory=list)
    given: list[Keyed] = field(default_factory=list)
    turns_before: int = 0

    async def submit(self, commands: Sequence[Keyed]) -> list[Outcome]:
        """Answers that each command stored something."""
        self.given, self.turns_before = list(commands), len(self.turns)
        return [Outcome(WriteAction.STORED, "", None, readable=False) for _ in commands]


async def _other_work(turns: list[None]) -> None:
    while True:
        turns.append(None)
        await asyncio.sleep(0)


async def test_others_get_their_turns_while_a_large_batch_is_drafted() -> None:
    writer = Writer()
    caller = Caller.of(cast(Platform, SimpleNamespace(writer=writer, clock=Clock())), "alice")
    other = asyncio.create_task(_other_work(writer.turns))
    commands = [NewFact(path="/a", content=f"fact {number}") for number in range(10 * AT_ONCE)]

    receipts = await write(caller, commands)
    other.cancel()

    assert [keyed.intent.command for keyed in writer.given] == commands
    assert writer.turns_before >= 9
    assert [receipt.action for receipt in receipts] == [WriteAction.STORED] * len(commands)
