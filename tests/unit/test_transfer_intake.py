"""Versions of an export come in as they were, where the rules of living there allow it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from graphmem.memory.commands import ForgetMemory
from graphmem.memory.drafts import identity_key
from graphmem.memory.intake import Intake, Taken
from graphmem.memory.model import Fact, Kind, WriteAction
from graphmem.memory.transfer import MemoryRecord, Supersedes
from graphmem.memory.versions import Versions
from graphmem.memory.writes import Intent, LinkRow
from tests.ledgers import ALL_RIGHTS, MONDAY, first_version

YEAR_AGO = MONDAY - timedelta(days=365)
INTENT = Intent(ForgetMemory(id="x"), "admin", ALL_RIGHTS)


def version(id: str, content: str, **fields: Any) -> Fact:
    """A live first version, a year old."""
    return first_version(id, content, **{"created_at": YEAR_AGO, "known_from": YEAR_AGO, **fields})


def closed(memory: Fact, **fields: Any) -> Fact:
    return replace(memory, head_key=None, live=False, known_to=MONDAY - timedelta(days=9), **fields)


def stored(memory: Fact) -> MemoryRecord:
    """A live version as the store holds it, with its key."""
    return MemoryRecord(replace(memory, dedupe_key=identity_key(memory)))


def intake(
    known: Iterable[MemoryRecord] = (), mine: Iterable[str] = (), buried: Iterable[str] = ()
) -> Intake:
    ids = count(1)
    records = list(known)
    chains = {record.memory.chain_id: record.memory.chain_id for record in records}
    versions = Versions([record.memory for record in records], chains)
    return Intake(
        versions,
        known={record.memory.id: record for record in records},
        followers={one.supersedes.id: one.memory.id for one in records if one.supersedes is not None},
        mine=set(mine),
        buried=set(buried),
        now=MONDAY,
        new_id=lambda: f"new-{next(ids)}",
    )


def test_a_live_head_comes_in_with_its_times_and_an_identity_key() -> None:
    memory = version("m1", "Ports are 80.", hits=3, revision=4)
    batch = intake()

    taken = batch.take_in(INTENT, MemoryRecord(memory, (LinkRow("x", "Y"),)))

    assert taken == Taken(WriteAction.STORED)
    assert batch.writes.created == {"m1": replace(memory, dedupe_key=identity_key(memory))}
    assert batch.writes.links == {"m1": (LinkRow("x", "Y"),)}
    assert [(audit.action, audit.memory.id) for audit in batch.writes.audits] == [(WriteAction.STORED, "m1")]


@pytest.mark.parametrize(
    "memory",
    [
        closed(version("m1", "Old.")),
        version("m1", "Gone.", live=False, deleted_at=YEAR_AGO, deleted_by="bob"),
        version("m1", "Over.", expires_at=MONDAY),
    ],
    ids=["superseded", "deleted", "expired"],
)
def test_what_nobody_can_find_comes_in_as_it_was_and_holds_no_key(memory: Fact) -> None:
    twin = stored(version("other", memory.content))
    batch = intake([twin])

    taken = batch.take_in(INTENT, MemoryRecord(memory))

    assert taken == Taken(WriteAction.STORED)
    assert batch.writes.created == {"m1": memory}
    assert batch.writes.changed == {}


def test_a_twin_takes_what_the_head_says() -> None:
    batch = intake([stored(version("here", "ports are 80.", keywords=("a",)))])

    taken = batch.take_in(
        INTENT, MemoryRecord(version("m1", "Ports are 80.", kind=Kind.LESSON, keywords=("b",)))
    )

    assert taken == Taken(WriteAction.MERGED, "memory here says the same here")
    assert batch.writes.created == {}
    twin = batch.writes.changed["here"]
    assert isinstance(twin, Fact)
    assert (twin.kind, twin.keywords, twin.hits) == (Kind.LESSON, ("a", "b"), 1)


def test_a_chain_whose_head_is_merged_keeps_a_deleted_head() -> None:
    old = closed(version("m1", "Old."))
    batch = intake([stored(version("here", "New."))])

    batch.take_in(INTENT, MemoryRecord(old))
    taken = batch.take_in(
        INTENT,
        MemoryRecord(
            version("m2", "New.", chain_id="m1", version=2), supersedes=Supersedes("m1", "bob", "why")
        ),
    )

    assert taken is not None
    assert taken.action is WriteAction.MERGED
    head = batch.writes.created["m2"]
    assert (head.head_key, head.live, head.deleted_at, head.deleted_by) == ("m1", False, MONDAY, "admin")
    assert batch.writes.supersedes == {"m2": ("m1", "why", "bob")}


def test_a_version_waits_for_the_one_that_it_superseded() -> None:
    later = MemoryRecord(version("m2", "New.", chain_id="m1", version=2), supersedes=Supersedes("m1", "bob"))
    batch = intake()

    assert batch.take_in(INTENT, later) is None
    batch.take_in(INTENT, MemoryRecord(closed(version("m1", "Old."))))
    assert batch.take_in(INTENT, later) == Taken(WriteAction.STORED)


def test_a_purged_version_stays_away() -> None:
    batch = intake(buried=["m1"])

    assert batch.take_in(INTENT, MemoryRecord(version("m1", "Secret."))) == Taken(
        WriteAction.SKIPPED, "it was purged here"
    )
    assert batch.writes.created == {}


def test_a_version_that_is_here_is_unchanged_or_left_alone() -> None:
    memory = version("m1", "One.")
    batch = intake([stored(replace(memory, indexed_revision=1))])

    assert batch.take_in(INTENT, MemoryRecord(memory)) == Taken(WriteAction.UNCHANGED)
    assert batch.take_in(INTENT, MemoryRecord(replace(memory, hits=9))) == Taken(
        WriteAction.SKIPPED, "it is there with other content or state"
    )
    assert batch.writes.changed == {}


def test_a_chain_keeps_the_head_that_it_has_here() -> None:
    batch = intake(
        [
            stored(version("m3", "Newest.", chain_id="m1", version=3)),
            MemoryRecord(closed(version("m1", "Old."))),
        ]
    )

    taken = batch.take_in(
        INTENT,
        MemoryRecord(version("m2", "New.", chain_id="m1", version=2), supersedes=Supersedes("m1", "bob")),
    )

    assert taken == Taken(WriteAction.SKIPPED, "its chain has the head m3 here")


def test_of_two_lines_about_a_version_that_the_import_brought_the_later_one_holds() -> None:
    early = version("m1", "One.")
    batch = intake([stored(replace(early, indexed_revision=1))], mine=["m1"])
    late = closed(early, revision=2)

    taken = batch.take_in(INTENT, MemoryRecord(late))

    assert taken == Taken(WriteAction.UPDATED)
    assert batch.writes.changed == {"m1": replace(late, indexed_revision=1)}


def follower(id: str, before: str, number: int, **fields: Any) -> MemoryRecord:
    """A version of the chain m1 that superseded another one."""
    memory = version(id, f"Text of {id}.", chain_id="m1", version=number, **fields)
    return MemoryRecord(memory, supersedes=Supersedes(before, "bob"))


def older(record: MemoryRecord) -> MemoryRecord:
    """The same, when it was superseded itself."""
    assert isinstance(record.memory, Fact)
    return replace(record, memory=closed(record.memory))


def test_a_chain_that_goes_on_otherwise_here_is_not_forked() -> None:
    here = [MemoryRecord(closed(version("m1", "One."))), follower("here", "m1", 2)]
    batch = intake(here)

    taken = [batch.take_in(INTENT, one) for one in (older(follower("m2", "m1", 2)), follower("m3", "m2", 3))]

    reason = "the version m1 that it superseded has another successor here, here"
    assert taken == [Taken(WriteAction.SKIPPED, reason), None]
    assert batch.writes.created == {}


def test_of_two_lines_that_supersede_one_version_the_first_comes_in() -> None:
    batch = intake([MemoryRecord(closed(version("m1", "One.")))])

    taken = [batch.take_in(INTENT, older(follower(id, "m1", 2))) for id in ("m2", "other")]

    reason = "the version m1 that it superseded has another successor here, m2"
    assert taken == [Taken(WriteAction.STORED), Taken(WriteAction.SKIPPED, reason)]


def test_a_version_does_not_follow_the_head_of_a_chain_here() -> None:
    batch = intake([stored(version("m1", "One."))])

    assert batch.take_in(INTENT, older(follower("m2", "m1", 2))) == Taken(
        WriteAction.SKIPPED, "the version m1 that it superseded is the head of its chain here"
    )


@pytest.mark.parametrize(("before", "number"), [("m1", 3), ("x1", 2)], ids=["a gap", "another chain"])
def test_a_version_follows_the_one_before_it_in_its_chain_alone(before: str, number: int) -> None:
    batch = intake([MemoryRecord(closed(version(id, "One."))) for id in ("m1", "x1")])

    assert batch.take_in(INTENT, follower("m2", before, number)) == Taken(
        WriteAction.SKIPPED, f"the version {before} that it superseded is not the one before it"
    )
