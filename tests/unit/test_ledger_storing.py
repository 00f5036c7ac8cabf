"""Storing and merging: design section 3, rules 2, 8 and 10."""

from __future__ import annotations

from datetime import timedelta

import pytest

from graphmem.errors import Conflict, Forbidden, NotFound
from graphmem.memory.commands import NewDrawer
from graphmem.memory.model import Fact, Kind, WriteAction
from graphmem.memory.writes import Intent
from tests.ledgers import MONDAY, GivenRights, Store, fact


def test_a_stored_fact_is_the_live_head_of_a_new_chain() -> None:
    store = Store()

    [outcome] = store.do(fact("The cat sat."))

    [stored] = store.live()
    assert outcome.action is WriteAction.STORED
    assert outcome.memory == stored
    assert (stored.head_key, stored.chain_id, stored.version, stored.revision) == (
        stored.id,
        stored.id,
        1,
        1,
    )
    assert (stored.known_from, stored.known_to) == (MONDAY, None)
    assert (stored.owner, stored.author, stored.tags) == ("alice", "alice", ("owner=alice",))


def test_B023_content_is_kept_code_point_for_code_point() -> None:
    store = Store()

    store.do(fact("  Cafe\u0301 \n"))

    assert store.live()[0].content == "  Cafe\u0301 \n"


def test_the_same_text_merges_into_the_twin() -> None:
    store = Store()
    [first] = store.do(fact("The cat sat.", kind=Kind.FACT, keywords=("cat",), sources=("a.md",)))

    [second] = store.do(
        fact("the  CAT sat.", kind=Kind.LESSON, keywords=("mat", "Cat"), sources=("b.md", "a.md"))
    )

    [twin] = store.live()
    assert isinstance(twin, Fact)
    assert (second.action, second.memory_id) == (WriteAction.MERGED, first.memory_id)
    assert (twin.kind, twin.hits, twin.keywords, twin.sources) == (
        Kind.LESSON,
        1,
        ("cat", "mat"),
        ("a.md", "b.md"),
    )
    assert (twin.content, twin.revision) == ("The cat sat.", 2)


def test_a_merge_never_lowers_the_kind() -> None:
    store = Store()
    store.do(fact("The cat sat.", kind=Kind.DECISION))

    store.do(fact("The cat sat.", kind=Kind.RUN))

    [twin] = store.live()
    assert isinstance(twin, Fact)
    assert twin.kind is Kind.DECISION


@pytest.mark.parametrize(
    "other",
    [
        fact("The cat sat.", path="/b"),
        fact("The cat sat.", tags=("team=red",)),
        fact("The cat sat.", valid_from=MONDAY),
        fact("The cat sat.", valid_to=MONDAY + timedelta(days=9)),
    ],
    ids=["another path", "other tags", "another beginning", "another end"],
)
def test_nothing_merges_across(other: object) -> None:
    store = Store()
    store.do(fact("The cat sat."))

    [outcome] = store.do(other)  # type: ignore[arg-type]

    assert outcome.action is WriteAction.STORED
    assert len(store.live()) == 2


def test_nothing_merges_across_owners() -> None:
    store = Store()
    store.do(fact("The cat sat."), subject="alice")

    [outcome] = store.do(fact("The cat sat."), subject="bob")

    assert outcome.action is WriteAction.STORED
    assert [one.owner for one in store.live()] == ["alice", "bob"]


def test_duplicates_inside_a_batch_merge_in_order() -> None:
    store = Store()

    outcomes = store.do(fact("One."), fact("Two."), fact("one."), fact("ONE."))

    assert [outcome.action for outcome in outcomes] == [
        WriteAction.STORED,
        WriteAction.STORED,
        WriteAction.MERGED,
        WriteAction.MERGED,
    ]
    assert [one.hits for one in store.live()] == [2, 0]


def test_an_expired_holder_gives_its_key_up() -> None:
    store = Store()
    store.do(fact("The cat sat.", expires_at=MONDAY + timedelta(hours=1)))

    [outcome] = store.do(fact("The cat sat."), now=MONDAY + timedelta(hours=1))

    assert outcome.action is WriteAction.STORED
    assert [isinstance(one, Fact) and one.dedupe_key is not None for one in store.live()] == [False, True]


def test_a_twin_that_the_writer_may_not_read_is_not_told() -> None:
    store = Store()
    store.do(fact("The cat sat."))

    [outcome] = store.do(fact("The cat sat."), rights=GivenRights(read=lambda memory: False))

    assert (outcome.action, outcome.readable, outcome.reason) == (WriteAction.STORED, False, None)
    assert [one.hits for one in store.live()] == [1]


def test_the_same_drawer_filed_again_changes_nothing() -> None:
    store = Store()
    drawer = NewDrawer(path="/palace/w/r", content="verbatim", source_file="a.md")
    [first] = store.do(drawer)

    [second] = store.do(drawer)

    assert (second.action, second.memory_id) == (WriteAction.UNCHANGED, first.memory_id)
    assert [one.revision for one in store.live()] == [1]


def test_a_refused_place_is_told_only_where_it_could_be_read() -> None:
    store = Store()
    readable = GivenRights(write=lambda memory: False)
    hidden = GivenRights(write=lambda memory: False, read=lambda memory: False)

    with pytest.raises(Forbidden):
        store.do(fact("x"), rights=readable)
    with pytest.raises(NotFound) as refusal:
        store.do(fact("x", path="/secret"), rights=hidden)

    assert str(refusal.value) == "no path '/secret'"
    assert store.versions == {}


def test_one_refused_row_refuses_the_batch_and_is_named() -> None:
    store = Store()
    rights = GivenRights(write=lambda memory: memory.path != "/closed")

    with pytest.raises(Forbidden) as refusal:
        store.do(fact("a"), fact("b"), fact("c", path="/closed"), rights=rights)

    assert refusal.value.extensions() == {"code": "FORBIDDEN", "index": 2}
    assert store.versions == {}


def test_a_refused_request_leaves_no_trace_in_the_ledger() -> None:
    store = Store()
    store.do(fact("kept"))
    ledger = store.ledger()
    closed = GivenRights(write=lambda memory: memory.path != "/closed")

    with pytest.raises(Forbidden):
        ledger.apply_all(
            [Intent(fact("kept"), "alice", closed), Intent(fact("x", path="/closed"), "alice", closed)]
        )
    [after] = ledger.apply_all([Intent(fact("kept"), "alice", closed)])

    assert after.memory is not None
    assert after.memory.hits == 1
    assert list(ledger.writes.created) == []


def test_a_drawer_twin_that_the_writer_may_not_read_is_not_told() -> None:
    store = Store()
    place = {"path": "/palace/w/r", "source_file": "a.md", "section": ("Setup", "1")}
    store.do(NewDrawer(content="one", **place))  # type: ignore[arg-type]
    blind = GivenRights(read=lambda memory: False)

    [same] = store.do(NewDrawer(content="one", **place), rights=blind)  # type: ignore[arg-type]
    with pytest.raises(Conflict) as refused:
        store.do(NewDrawer(content="two", **place), rights=blind)  # type: ignore[arg-type]

    assert (same.action, same.readable, same.reason) == (WriteAction.STORED, False, None)
    assert store.live()[0].id not in str(refused.value)
