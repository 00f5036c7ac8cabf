"""The corpus and the queries of a retrieval benchmark, as rows of JSON lines.

A corpus row has ``id``, ``group`` and ``text``, and may have ``title``, ``time``, ``speaker``, ``caption``; a
query has ``id``, ``group``, ``text``, ``relevant`` (row id to grade) and may have ``category``. Files may be
packed with gzip. Nothing here knows a service.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

from graphmem.errors import InvalidInput, shown
from graphmem.memory.limits import TITLE_CHARACTERS
from graphmem.memory.paths import is_at_or_under
from graphmem.memory.rooms import room_path
from graphmem.memory.text import checked_text

TEXT_CHARACTERS = 1_000_000
"""Of one field; the service has lower limits of its own."""

WING = "bench"
"""Wing that holds every row of a benchmark."""


@dataclass(frozen=True, slots=True)
class Row:
    """One text of the corpus as the drawer it becomes; a title beyond the limit of titles is cut there."""

    id: str
    group: str
    content: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """One query, asked inside its own group.

    Attributes:
        relevant: Row id to grade; only grades above 0. Empty: the query is not scored.
    """

    id: str
    group: str
    text: str
    relevant: Mapping[str, int]
    category: str | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """The rows that carry text, and how many did not."""

    rows: tuple[Row, ...]
    empty: int


def read_corpus(path: Path) -> Corpus:
    """Every row of the file in its order; rows without text and caption are counted and left out.

    Raises:
        InvalidInput: The file cannot be read, a line is no JSON object, lacks a field, or repeats an id.
    """
    rows: list[Row] = []
    seen: set[str] = set()
    empty = 0
    for where, line in _objects(path, "corpus"):
        row_id = _text(line, "id", where)
        if row_id in seen:
            raise InvalidInput(where, f"repeats the id {shown(row_id)}; ids of a corpus are unique")
        seen.add(row_id)
        if not (
            _text(line, "text", where, needed=False) + _text(line, "caption", where, needed=False)
        ).strip():
            empty += 1
            continue
        title = _text(line, "title", where, needed=False).strip()[:TITLE_CHARACTERS].rstrip() or None
        rows.append(Row(row_id, _text(line, "group", where), _content(line, where), title))
    return Corpus(tuple(rows), empty)


def read_queries(path: Path) -> tuple[Query, ...]:
    """Every query of the file in its order, those without relevant rows too.

    Raises:
        InvalidInput: As for ``read_corpus``, or ``relevant`` is no object of whole numbers.
    """
    return tuple(_query(line, where) for where, line in _objects(path, "queries"))


def rooms_of(rows: Sequence[Row]) -> dict[str, str]:
    """The path of each group's room, by group.

    Raises:
        InvalidInput: Two groups would share a room, or one would lie inside the other, so that a query would
            see rows of both.
    """
    rooms = {group: room_path(WING, group, "group") for group in dict.fromkeys(row.group for row in rows)}
    # Segment by segment, so that a room stands right before everything inside it.
    by_path = sorted(((path, group) for group, path in rooms.items()), key=lambda room: room[0].split("/"))
    outer: tuple[str, str] | None = None
    for path, group in by_path:
        if outer is not None and is_at_or_under(path, outer[0]):
            problem = (
                f"{shown(group)} and {shown(outer[1])} become one place, {outer[0]}; give them other names"
            )
            raise InvalidInput("group", problem)
        outer = (path, group)
    return rooms


def _query(line: Mapping[str, object], where: str) -> Query:
    relevant = line.get("relevant") or {}
    if not isinstance(relevant, dict) or not all(type(grade) is int for grade in relevant.values()):
        raise InvalidInput(f"{where}.relevant", f"is {shown(relevant)}; it maps row ids to whole numbers")
    return Query(
        id=_text(line, "id", where),
        group=_text(line, "group", where),
        text=_text(line, "text", where),
        relevant={str(row): grade for row, grade in relevant.items() if grade > 0},
        category=_text(line, "category", where, needed=False) or None,
    )


def _content(line: Mapping[str, object], where: str) -> str:
    """``(time) speaker: text [image: caption]``, of what is there."""
    time, speaker, text, caption = (
        _text(line, name, where, needed=False).strip() for name in ("time", "speaker", "text", "caption")
    )
    parts = (f"({time})" if time else "", f"{speaker}:" if speaker else "", text)
    return " ".join(part for part in (*parts, f"[image: {caption}]" if caption else "") if part)


def _text(line: Mapping[str, object], name: str, where: str, *, needed: bool = True) -> str:
    value = line.get(name)
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or (needed and not value.strip()):
        what = "a text and not empty" if needed else "a text"
        raise InvalidInput(f"{where}.{name}", f"is {shown(value)}; it must be {what}")
    return checked_text(value, f"{where}.{name}", TEXT_CHARACTERS, allow_empty=True)


def _objects(path: Path, what: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Each JSON object of the file with its place, ``corpus line 3``; blank lines are passed over."""
    try:
        with path.open("rb") as packed, _unpacked(path, packed) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    where = f"{what} line {number}"
                    yield where, _object(line, where)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InvalidInput(what, f"{str(path)!r} cannot be read: {error}") from error


def _unpacked(path: Path, packed: BinaryIO) -> TextIO:
    plain = gzip.GzipFile(fileobj=packed) if path.suffix == ".gz" else packed
    return io.TextIOWrapper(plain, encoding="utf-8")


def _object(line: str, where: str) -> Mapping[str, object]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise InvalidInput(where, f"is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidInput(where, f"is {shown(value)}; every line is a JSON object")
    return value
