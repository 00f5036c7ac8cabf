"""Retry keys inside one transaction: what is applied, what is answered, what the records keep."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graphmem.errors import Conflict, Forbidden
from graphmem.graph.retry_store import Claim
from graphmem.memory.commands import NewFact
from graphmem.memory.model import WriteAction
from graphmem.memory.writes import Intent, Outcome
from graphmem.service.retries import Replays
from tests.ledgers import ALL_RIGHTS

INTENT = Intent(NewFact(path="/a", content="x"), "alice", ALL_RIGHTS)


def fresh(key: str) -> Claim:
    return Claim(key, fresh=True, input_hash="h", action=None, memory_id=None, reason=None)


def filled(key: str, input_hash: str = "h") -> Claim:
    return Claim(key, False, input_hash, WriteAction.STORED, "old", None)


class Applied:
    """Answers each intent with a new memory, and counts."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, intents: Sequence[Intent]) -> list[Outcome]:
        start, self.count = self.count, self.count + len(intents)
        return [Outcome(WriteAction.STORED, f"new-{at}", None) for at in range(start, self.count)]


def test_a_conflict_in_a_batch_gives_the_fresh_keys_back() -> None:
    replays = Replays({"k1": fresh("k1"), "k2": filled("k2", "other")})

    with pytest.raises(Conflict):
        replays.through([(INTENT, "k1", "h"), (INTENT, "k2", "h")], Applied())

    assert (replays.settled(()), replays.dropped()) == ([], ["k1"])


def test_a_claim_that_nobody_filled_is_applied() -> None:
    half = Claim("k1", fresh=False, input_hash="h", action=None, memory_id=None, reason=None)
    apply = Applied()

    [answer] = Replays({"k1": half}).through([(INTENT, "k1", "h")], apply)

    assert (apply.count, answer.memory_id) == (1, "new-0")


def test_one_key_twice_in_a_request_is_applied_once() -> None:
    apply = Applied()
    replays = Replays({"k1": fresh("k1")})

    answers = replays.through([(INTENT, "k1", "h"), (INTENT, None, None), (INTENT, "k1", "h")], apply)

    assert apply.count == 2
    assert [answer.memory_id for answer in answers] == ["new-0", "new-1", "new-0"]


def test_one_key_with_two_inputs_in_a_request_is_a_conflict() -> None:
    apply = Applied()

    with pytest.raises(Conflict):
        Replays({"k1": fresh("k1")}).through([(INTENT, "k1", "h"), (INTENT, "k1", "i")], apply)

    assert apply.count == 0


def test_the_record_keeps_the_input_that_was_applied() -> None:
    replays = Replays({"k1": fresh("k1")})
    replays.through([(INTENT, "k1", "first")], Applied())

    with pytest.raises(Conflict):
        replays.through([(INTENT, "k1", "second")], Applied())

    [record] = replays.settled(())
    assert (record.input_hash, record.action, record.memory_id) == ("first", WriteAction.STORED, "new-0")


def test_of_a_purged_memory_a_record_says_only_that() -> None:
    replays = Replays({"k1": fresh("k1")})
    replays.through([(INTENT, "k1", "h")], Applied())

    [record] = replays.settled({"new-0"})

    assert (record.action, record.reason) == (WriteAction.PURGED, None)


def test_a_refused_request_frees_its_key_for_the_next_one() -> None:
    def refuse(intents: Sequence[Intent]) -> list[Outcome]:
        raise Forbidden("no")

    replays = Replays({"k1": fresh("k1")})
    with pytest.raises(Forbidden):
        replays.through([(INTENT, "k1", "h")], refuse)

    assert replays.dropped() == ["k1"]
