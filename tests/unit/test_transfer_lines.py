"""Lines of an export: a record comes back as it was, and a line that cannot be is refused by field."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.memory.model import Drawer, Fact, Kind, Memory, Status
from graphmem.memory.paths import ancestors
from graphmem.memory.tags import own_tags, tag_keys
from graphmem.memory.text import content_hash
from graphmem.memory.transfer import (
    AuditRecord,
    Header,
    MemoryRecord,
    PathRecord,
    Record,
    Supersedes,
    TombstoneRecord,
    document_of,
    line_of,
    read_line,
)
from graphmem.memory.writes import LinkRow

FIRST = "01890a5d-ac96-774b-bcce-b302099a8057"
SECOND = "01890a5d-ac96-774b-bcce-b302099a8058"
THEN = datetime(2026, 1, 5, 12, 30, 0, 123456, tzinfo=UTC)

FACT = Fact(
    id=SECOND,
    chain_id=FIRST,
    head_key=FIRST,
    version=2,
    path="/projects/acme",
    ancestors=("/", "/projects", "/projects/acme"),
    tags=("owner=ada", "team=blue"),
    tag_keys=("owner", "team"),
    owner="ada",
    author="bob",
    content="Ports are 8420 – ünless \u2028 not.",
    content_hash=content_hash("Ports are 8420 – ünless \u2028 not."),
    language="en",
    live=True,
    created_at=THEN,
    known_from=THEN,
    keywords=("Port", "net work"),
    importance=0.1,
    hits=3,
    stability_days=2.738,
    kind=Kind.LESSON,
)
RECORD = MemoryRecord(
    FACT, (LinkRow("here", "/projects"), LinkRow("x", "Notes#One")), Supersedes(FIRST, "bob", "wrong")
)


def read(document: dict[str, Any]) -> Record:
    return read_line(line_of(document).encode())


def test_a_memory_is_one_line_of_what_cannot_be_derived() -> None:
    assert line_of(document_of(RECORD)) == (
        '{"author":"bob","chain_id":"01890a5d-ac96-774b-bcce-b302099a8057",'
        '"content":"Ports are 8420 – ünless \u2028 not.","created_at":"2026-01-05T12:30:00.123456Z",'
        '"head":true,"hits":3,"id":"01890a5d-ac96-774b-bcce-b302099a8058","importance":0.1,'
        '"keywords":["Port","net work"],"kind":"LESSON","known_from":"2026-01-05T12:30:00.123456Z",'
        '"label":"Fact","language":"en","links":[["here","/projects"],["x","Notes#One"]],"live":true,'
        '"owner":"ada","path":"/projects/acme","pinned":false,"recall_count":0,"revision":1,'
        '"stability_days":2.738,"status":"ACTIVE",'
        '"supersedes":{"actor":"bob","id":"01890a5d-ac96-774b-bcce-b302099a8057","reason":"wrong"},'
        '"tags":["owner=ada","team=blue"],"times_applied":0,"type":"memory","version":2}\n'
    )


@pytest.mark.parametrize(
    "record",
    [
        Header(1),
        PathRecord("/palace/garden", True, "Gärten & Co", ("team=blue",)),
        PathRecord("/palace/garden", False),
        RECORD,
        AuditRecord(FIRST, THEN, "ada", "UPDATED", SECOND, FIRST, 2, ("keywords", "names"), "tidy"),
        AuditRecord(FIRST, THEN, "ada", "PURGED", SECOND, FIRST, 2),
        TombstoneRecord(FIRST, FIRST, THEN, "ada"),
    ],
    ids=lambda record: type(record).__name__,
)
def test_a_record_comes_back_as_it_was(record: Record) -> None:
    assert read(document_of(record)) == record


def test_what_an_index_holds_is_not_in_a_line() -> None:
    indexed = replace(FACT, indexed_revision=1, dedupe_key="0" * 40)

    assert document_of(replace(RECORD, memory=indexed)) == document_of(RECORD)


TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20)
WORDS = st.lists(st.sampled_from(["One", "two", "drei vier", "五"]), unique=True).map(tuple)
TIMES = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
UNIT = st.none() | st.floats(0, 1)
IDS = st.uuids(version=4).map(lambda id: str(id)[:14] + "7" + str(id)[15:])


@st.composite
def memories(draw: st.DrawFn) -> MemoryRecord:
    id = draw(IDS)
    version = draw(st.integers(1, 3))
    content = draw(TEXT.filter(str.strip))
    path = draw(st.sampled_from(["/a", "/a/b.c", "/palace/w/räume"]))
    owner = draw(st.sampled_from(["ada", "bob"]))
    tags = own_tags(draw(st.sampled_from([[], ["k=v"], ["z=a=b", "k=  x"]])), owner, "tags")
    head = draw(st.booleans())
    deleted = draw(st.none() | TIMES)
    status = draw(st.sampled_from(Status))
    live = head and status is Status.ACTIVE and deleted is None
    begin = draw(st.none() | TIMES)
    chain = id if version == 1 else FIRST
    common: dict[str, Any] = {
        "id": id,
        "chain_id": chain,
        "head_key": chain if head else None,
        "version": version,
        "revision": draw(st.integers(1, 9)),
        "path": path,
        "ancestors": ancestors(path),
        "tags": tags,
        "tag_keys": tag_keys(tags),
        "owner": owner,
        "author": draw(st.sampled_from(["ada", "bob"])),
        "title": draw(st.none() | TEXT),
        "content": content,
        "content_hash": content_hash(content),
        "language": draw(st.sampled_from(["en", "it"])),
        "status": status,
        "live": live,
        "created_at": draw(TIMES),
        "known_from": draw(TIMES),
        "known_to": None if live else draw(st.none() | TIMES),
        "deleted_at": deleted,
        "deleted_by": None if deleted is None else "ada",
        "valid_from": begin,
        "valid_to": None if begin is None else begin + timedelta(microseconds=draw(st.integers(1, 10**9))),
        "expires_at": draw(st.none() | TIMES),
        "sources": draw(WORDS),
        "names": draw(WORDS),
        "keywords": draw(WORDS),
        "importance": draw(UNIT),
        "pinned": draw(st.booleans()),
        "hits": draw(st.integers(0, 99)),
        "last_used_at": draw(st.none() | TIMES),
        "stability_days": draw(st.floats(0.001, 3_650)),
    }
    memory: Memory
    if draw(st.booleans()):
        memory = Fact(**common, kind=draw(st.sampled_from(Kind)), summary=draw(st.none() | TEXT))
    else:
        section = draw(st.sampled_from([(), ("1",), ("A", "B", "12")]))
        memory = Drawer(
            **common, source_file=draw(st.none() | TEXT), section=section, line_start=3, line_end=7
        )
    links = draw(st.lists(st.builds(LinkRow, TEXT, TEXT), max_size=3).map(tuple))
    before = None if version == 1 else Supersedes(draw(IDS), "ada", draw(st.none() | TEXT))
    return MemoryRecord(memory, links, before)


@given(memories())
def test_any_memory_comes_back_as_it_was(record: MemoryRecord) -> None:
    line = line_of(document_of(record))

    assert "\n" not in line[:-1]
    assert read_line(line.encode()) == record
    assert line_of(document_of(read_line(line.encode()))) == line


def without(field: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda document: {name: value for name, value in document.items() if name != field}


def having(**fields: object) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda document: document | fields


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (without("type"), "type"),
        (having(type="thing"), "type"),
        (without("label"), "label"),
        (having(label="Memory"), "label"),
        (without("head"), "head"),
        (without("content"), "content"),
        (having(content=""), "content"),
        (having(content="x" * 1_000_001), "content"),
        (having(content="a\0b"), "content"),
        (having(content=7), "content"),
        (having(title="a\0b"), "title"),
        (having(id="x"), "id"),
        (having(id=FIRST), "version"),
        (having(version=1), "version"),
        (having(version=0), "version"),
        (having(version="2"), "version"),
        (having(revision=0), "revision"),
        (having(path="/Projects"), "path"),
        (having(path="/"), "path"),
        (having(path="projects"), "path"),
        (having(ancestors=["/"]), "ancestors"),
        (having(tags=["team=blue"]), "tags"),
        (having(tags=["owner=ada", "owner=bob"]), "tags"),
        (having(tags=["team=blue", "owner=ada"]), "tags"),
        (having(tags=["owner=ada", "Team=blue"]), "tags"),
        (having(owner="bob"), "tags"),
        (having(owner="a b"), "owner"),
        (having(importance=1.5), "importance"),
        (having(stability_days=0), "stability_days"),
        (having(hits=-1), "hits"),
        (having(live=False), "live"),
        (having(head=False), "live"),
        (having(deleted_at="2026-01-05T12:30:00Z"), "live"),
        (having(status="GONE"), "status"),
        (having(known_to="2026-01-05T12:30:00Z"), "known_from"),
        (without("known_from"), "known_from"),
        (having(created_at="2026-01-05T12:30:00"), "created_at"),
        (having(created_at="yesterday"), "created_at"),
        (having(valid_from="2026-01-05T12:30:00Z", valid_to="2026-01-05T12:30:00Z"), "validTo"),
        (having(language="English"), "language"),
        (having(keywords=["a", "A"]), "keywords"),
        (having(keywords="a"), "keywords"),
        (having(links=[["a"]]), "links"),
        (having(links="a"), "links"),
        (without("supersedes"), "supersedes"),
        (having(supersedes={"id": "x", "actor": "ada"}), "supersedes.id"),
        (having(supersedes={"id": FIRST}), "supersedes.actor"),
        (having(source_file="a.md"), "source_file"),
        (having(colour="red"), "colour"),
    ],
)
def test_a_memory_that_cannot_be_is_refused_by_field(
    change: Callable[[dict[str, Any]], dict[str, Any]], field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(change(document_of(RECORD)))

    assert refused.value.field == field


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "line is not JSON at character 0"),
        (b"{", "line is not JSON at character 1"),
        (b"[]", "line is not a JSON object"),
        (b"\xff{}", "line is not UTF-8 at byte 0"),
        (b"[" * 100_000, "line is JSON that is nested too deeply"),
        (b'{"type":"graphmem","format":2}', "format is 2; this version reads up to 1"),
        (b'{"type":"graphmem","format":true}', "format cannot be read"),
        (b'{"type":"path","path":"/A","declared":true}', "path is '/A', not in its stored form '/a'"),
        (
            b'{"type":"path","path":"/a","declared":true,"tags":["owner=x"]}',
            "tags 'owner=x' sets the key 'owner'",
        ),
        (b'{"type":"tombstone"}', "memory_id cannot be read"),
        (b'{"type":"memory","label":"Fact","head":true,"title":"\\ud800"}', "line cannot be read"),
        (
            b'{"type":"graphmem","format":1}' + b" " * 9_000_000,
            "line has 9000030 bytes, the limit is 8388608",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_a_line_that_cannot_be_read_says_why(line: bytes, message: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_line(line)

    assert str(refused.value).startswith(message)


def test_lines_of_equal_records_are_equal_whatever_the_order_of_keys() -> None:
    document = document_of(RECORD)

    assert line_of(dict(reversed(document.items()))) == line_of(document)
    assert json.loads(line_of(document)) == document
