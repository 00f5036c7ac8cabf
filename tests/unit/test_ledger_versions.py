"""Versions, moves, deletion and return: design section 3, rules 3 to 7."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from graphmem.errors import Conflict, Forbidden, InvalidInput, NotFound
from graphmem.memory.commands import (
    ForgetMemory,
    NewDrawer,
    RestoreMemory,
    SupersedeFact,
    UpdateMemory,
)
from graphmem.memory.model import Drawer, Label, Memory, WriteAction
from graphmem.memory.writes import Intent
from tests.ledgers import ALL_RIGHTS, MONDAY, GivenRights, Store, fact

TUESDAY = MONDAY + timedelta(days=1)
WEDNESDAY = MONDAY + timedelta(days=2)


def stored(store: Store, content: str = "The cat sat.", **fields: Any) -> Memory:
    """The fact, stored on Monday by alice."""
    [outcome] = store.do(fact(content, **fields))
    assert outcome.memory is not None
    return outcome.memory


def chain(store: Store, memory: Memory) -> list[Memory]:
    """All versions of a chain, oldest first."""
    found = (one for one in store.versions.values() if one.chain_id == memory.chain_id)
    return sorted(found, key=lambda one: one.version)


def test_B021_superseding_closes_one_span_and_opens_the_next() -> None:
    store = Store()
    old = stored(store)

    [outcome] = store.do(SupersedeFact(id=old.id, content="The cat left."), now=TUESDAY)

    before, after = chain(store, old)
    assert outcome.action is WriteAction.SUPERSEDED
    assert (before.live, before.head_key, before.known_to, before.revision) == (False, None, TUESDAY, 2)
    assert (after.live, after.head_key, after.known_from, after.version) == (True, old.id, TUESDAY, 2)
    assert [one.content for one in (before, after)] == ["The cat sat.", "The cat left."]


def test_superseding_starts_fresh_and_updating_carries_on() -> None:
    store = Store()
    lived = stored(store)
    for _ in range(3):
        store.do(fact("The cat sat."))

    [updated] = store.do(UpdateMemory(id=lived.id, content="The cat sits."))
    [superseded] = store.do(SupersedeFact(id=updated.memory_id, content="The cat left."))

    assert updated.memory is not None
    assert superseded.memory is not None
    assert (updated.memory.hits, superseded.memory.hits) == (3, 0)
    assert superseded.memory.stability_days == 1.0


def test_an_older_id_is_a_conflict_that_names_the_head() -> None:
    store = Store()
    old = stored(store)
    [head] = store.do(SupersedeFact(id=old.id, content="The cat left."))

    with pytest.raises(Conflict) as refusal:
        store.do(SupersedeFact(id=old.id, content="The cat came back."))

    assert refusal.value.extensions() == {"code": "CONFLICT", "head": head.memory_id}
    assert len(chain(store, old)) == 2


def test_a_stale_expected_version_is_a_conflict() -> None:
    store = Store()
    head = stored(store)

    with pytest.raises(Conflict, match="expectedVersion is 2, but memory 'id-0001' has version 1"):
        store.do(UpdateMemory(id=head.id, content="x", expected_version=2))


def test_new_validity_makes_a_version_and_keywords_change_in_place() -> None:
    store = Store()
    head = stored(store)

    [in_place] = store.do(UpdateMemory(id=head.id, keywords=("cat",)))
    [version] = store.do(UpdateMemory(id=head.id, valid_to=WEDNESDAY))

    assert (in_place.memory_id, version.memory_id != head.id) == (head.id, True)
    assert [one.version for one in chain(store, head)] == [1, 2]
    assert [one.valid_to for one in chain(store, head)] == [None, WEDNESDAY]


def test_what_no_index_shows_changes_without_a_new_revision() -> None:
    store = Store()
    head = stored(store)

    [outcome] = store.do(UpdateMemory(id=head.id, importance=0.9))

    assert outcome.memory is not None
    assert (outcome.memory.importance, outcome.memory.revision) == (0.9, 1)


def test_nothing_differs_is_unchanged_and_writes_nothing() -> None:
    store = Store()
    head = stored(store)

    [updated] = store.do(UpdateMemory(id=head.id, content="The cat sat."))
    [superseded] = store.do(SupersedeFact(id=head.id, content="The cat sat."))

    assert [updated.action, superseded.action] == [WriteAction.UNCHANGED, WriteAction.UNCHANGED]
    assert store.versions == {head.id: head}


def test_a_superseding_text_that_lives_elsewhere_ends_the_chain() -> None:
    store = Store()
    old, twin = stored(store), stored(store, "The cat left.")

    [outcome] = store.do(SupersedeFact(id=old.id, content="the cat LEFT."), now=TUESDAY)

    assert (outcome.action, outcome.memory_id) == (WriteAction.MERGED, twin.id)
    assert [one.id for one in store.live()] == [twin.id]
    [ended] = chain(store, old)
    assert (ended.deleted_at, ended.head_key) == (TUESDAY, old.id)


def test_moving_takes_every_version_along() -> None:
    store = Store()
    old = stored(store)
    [head] = store.do(SupersedeFact(id=old.id, content="The cat left."))

    store.do(UpdateMemory(id=head.memory_id, path="/b/c", tags=("team=red",)))

    assert [(one.path, one.ancestors, one.tags) for one in chain(store, old)] == [
        ("/b/c", ("/", "/b", "/b/c"), ("owner=alice", "team=red"))
    ] * 2


def test_moving_needs_rights_on_both_sides() -> None:
    store = Store()
    head = stored(store)
    not_there = GivenRights(write=lambda memory: memory.path == "/a")
    not_here = GivenRights(write=lambda memory: memory.path == "/b")

    for rights in (not_there, not_here):
        with pytest.raises(Forbidden):
            store.do(UpdateMemory(id=head.id, path="/b"), rights=rights)

    assert store.versions == {head.id: head}


def test_moving_onto_a_twin_merges() -> None:
    store = Store()
    here, there = stored(store), stored(store, path="/b")

    [outcome] = store.do(UpdateMemory(id=here.id, path="/b"))

    assert (outcome.action, outcome.memory_id) == (WriteAction.MERGED, there.id)
    assert [one.id for one in store.live()] == [there.id]


def test_own_tags_are_changed_by_the_owner_or_an_admin() -> None:
    store = Store()
    head = stored(store)
    writer = GivenRights(admin=lambda memory: False)

    with pytest.raises(Forbidden, match="owner or by an admin"):
        store.do(UpdateMemory(id=head.id, tags=("team=red",)), subject="bob", rights=writer)
    [outcome] = store.do(UpdateMemory(id=head.id, tags=("team=red",)), subject="bob")

    assert outcome.memory is not None
    assert outcome.memory.tags == ("owner=alice", "team=red")


def test_deleting_ends_the_chain_and_restoring_makes_a_version() -> None:
    store = Store()
    old = stored(store)
    store.do(SupersedeFact(id=old.id, content="The cat left."))

    [deleted] = store.do(ForgetMemory(id=old.id), now=TUESDAY)
    [again] = store.do(ForgetMemory(id=old.id), now=TUESDAY)
    alive_meanwhile = store.live()
    [restored] = store.do(RestoreMemory(id=old.id), now=WEDNESDAY)

    assert [deleted.action, again.action, restored.action] == [
        WriteAction.DELETED,
        WriteAction.UNCHANGED,
        WriteAction.RESTORED,
    ]
    assert alive_meanwhile == []
    assert [(one.live, one.known_from, one.known_to) for one in chain(store, old)] == [
        (False, MONDAY, MONDAY),
        (False, MONDAY, TUESDAY),
        (True, WEDNESDAY, None),
    ]
    assert [one.content for one in store.live()] == ["The cat left."]


def test_restoring_beside_a_twin_merges() -> None:
    store = Store()
    gone = stored(store)
    store.do(ForgetMemory(id=gone.id))
    twin = stored(store)

    [outcome] = store.do(RestoreMemory(id=gone.id))

    assert (outcome.action, outcome.memory_id) == (WriteAction.MERGED, twin.id)
    assert [one.id for one in store.live()] == [twin.id]


def test_a_deleted_head_takes_no_new_version() -> None:
    store = Store()
    head = stored(store)
    store.do(ForgetMemory(id=head.id))

    with pytest.raises(Conflict, match="deleted; restore it first"):
        store.do(SupersedeFact(id=head.id, content="x"))


def test_purging_takes_every_version_and_needs_admin() -> None:
    store = Store()
    old = stored(store)
    store.do(SupersedeFact(id=old.id, content="The cat left."))

    with pytest.raises(Forbidden):
        store.do(ForgetMemory(id=old.id, purge=True), rights=GivenRights(admin=lambda memory: False))
    [outcome] = store.do(ForgetMemory(id=old.id, purge=True))

    assert (outcome.action, outcome.memory) == (WriteAction.PURGED, None)
    assert store.versions == {}


def test_what_cannot_be_read_is_not_there() -> None:
    store = Store()
    head = stored(store)
    blind = GivenRights(read=lambda memory: False)

    for command in (
        SupersedeFact(id=head.id, content="x"),
        UpdateMemory(id=head.id, content="x"),
        ForgetMemory(id=head.id),
        ForgetMemory(id=head.id, purge=True),
        RestoreMemory(id=head.id),
    ):
        with pytest.raises(NotFound):
            store.do(command, rights=blind)

    assert store.versions == {head.id: head}


def test_sections_hand_their_keys_round_in_one_request() -> None:
    store = Store()
    places = [("Setup", "1"), ("Setup", "2")]
    drawers = [
        NewDrawer(path="/palace/w/r", content=text, source_file="a.md", section=place)
        for text, place in zip(("one", "two"), places, strict=True)
    ]
    first, second = (outcome.memory_id for outcome in store.do(*drawers))

    store.do(UpdateMemory(id=first, section=places[1]), UpdateMemory(id=second, section=places[0]))

    found = [one for one in store.live() if isinstance(one, Drawer)]
    assert [one.section for one in found] == [places[1], places[0]]
    assert all(one.section_key is not None for one in found)
    with pytest.raises(Conflict, match="another text is filed"):
        store.do(drawers[0])


def test_an_update_of_a_fact_keeps_to_the_length_of_facts() -> None:
    store = Store()
    head = stored(store)

    with pytest.raises(InvalidInput, match="content has 501 characters, the limit is 500"):
        store.do(UpdateMemory(id=head.id, content="x" * 501))

    assert store.versions == {head.id: head}


def test_a_new_end_is_compared_with_the_beginning_that_is_stored() -> None:
    store = Store()
    head = stored(store, valid_from=TUESDAY)

    with pytest.raises(InvalidInput, match=r"validTo is .*, not after validFrom"):
        store.do(UpdateMemory(id=head.id, valid_to=MONDAY))

    assert store.versions == {head.id: head}


def test_moving_and_rewriting_at_once_keeps_the_new_text() -> None:
    store = Store()
    here, there = stored(store), stored(store, path="/b")

    [outcome] = store.do(UpdateMemory(id=here.id, path="/b", content="The cat left."))

    assert outcome.action is WriteAction.UPDATED
    assert sorted((one.path, one.content) for one in store.live()) == [
        ("/b", "The cat left."),
        ("/b", "The cat sat."),
    ]
    assert there.id in {one.id for one in store.live()}


def test_moving_and_rewriting_onto_a_twin_merges_the_new_text() -> None:
    store = Store()
    here, there = stored(store), stored(store, "The cat left.", path="/b")

    [outcome] = store.do(UpdateMemory(id=here.id, path="/b", content="the cat LEFT."))

    assert (outcome.action, outcome.memory_id) == (WriteAction.MERGED, there.id)


def test_another_text_at_the_section_of_a_drawer_is_a_conflict() -> None:
    store = Store()
    place: dict[str, Any] = {"path": "/palace/w/r", "source_file": "a.md", "section": ("Setup", "1")}
    store.do(NewDrawer(content="one", **place))

    with pytest.raises(Conflict, match="another text is filed"):
        store.do(NewDrawer(content="two", **place))

    assert [one.content for one in store.live()] == ["one"]


def test_a_purge_takes_what_the_same_transaction_has_just_written() -> None:
    store = Store()
    old = stored(store)
    ledger = store.ledger()
    supersede = SupersedeFact(id=old.id, content="secret text", reason="secret reason")
    ledger.apply_all([Intent(supersede, "alice", ALL_RIGHTS)])

    ledger.apply_all([Intent(ForgetMemory(id=old.id, purge=True), "alice", ALL_RIGHTS)])

    writes = ledger.writes
    assert (writes.created, writes.changed, writes.supersedes, writes.links) == ({}, {}, {}, {})
    assert old.id in writes.purged
    assert [(audit.action, audit.reason) for audit in writes.audits] == [
        (WriteAction.SUPERSEDED, None),
        (WriteAction.PURGED, None),
    ]


def test_superseding_a_fact_takes_no_drawer() -> None:
    store = Store()
    [filed] = store.do(NewDrawer(path="/palace/w/r", content="verbatim"))

    with pytest.raises(InvalidInput, match="names a Drawer; updateMemory changes any memory"):
        store.do(SupersedeFact(id=filed.memory_id, content="rewritten"))
    store.do(SupersedeFact(id=filed.memory_id, content="imported anew", label=Label.DRAWER))

    assert [one.content for one in store.live()] == ["imported anew"]
