"""Locking the heads of chains while others write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import pytest

from graphmem.errors import Conflict
from graphmem.graph.mapping import properties_of
from graphmem.graph.transactions import Tx
from graphmem.graph.write_store import TRIES, WriteStore
from graphmem.memory.drafts import draft_of
from tests.ledgers import MONDAY, fact

HEAD = replace(draft_of(fact("One."), subject="alice", now=MONDAY), id="m2", chain_id="m2", head_key="m2")


class Looks:
    """A transaction in which the head of the asked chain is superseded under the first looks."""

    def __init__(self, superseded: int) -> None:
        self.left = superseded

    async def run(self, name: str, params: Mapping[str, object]) -> list[dict[str, Any]]:
        memory = properties_of(HEAD)
        if self.left:
            self.left -= 1
            memory["head_key"] = None
        return [{"asked": ["m1"], "memory": memory, "label": "Fact"}]


async def test_a_head_that_moves_on_is_looked_for_again() -> None:
    heads, chains = await WriteStore().lock_heads(cast(Tx, Looks(TRIES - 1)), ["m1"])

    assert ([head.id for head in heads], chains) == (["m2"], {"m1": "m2"})


async def test_a_head_that_moves_on_and_on_is_a_conflict() -> None:
    with pytest.raises(Conflict, match="memory 'm1' was changed again and again meanwhile; try again"):
        await WriteStore().lock_heads(cast(Tx, Looks(TRIES)), ["m1"])
