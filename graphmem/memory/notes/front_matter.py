"""The YAML block at the head of a Markdown file: tags, aliases and title; all else in it is left alone.

Values are read as they are written: ``2024-01-01`` and ``yes`` stay texts. A broken block does not cost the
file: each of the three entries is then read on its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

CHARACTERS = 20_000
"""Of a block that is read; a longer one is data, and slow to parse."""

_FENCE = re.compile(r"---[ \t]*$")
_CLOSING = re.compile(r"(?:---|\.\.\.)[ \t]*$")
_ENTRY = re.compile(r"([A-Za-z][\w-]*)[ \t]*:(?:\s|$)")
_BREAKS = re.compile(r"[,\s]+")
_KEYS = {"tags": "tags", "tag": "tags", "aliases": "aliases", "alias": "aliases", "title": "title"}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a block says.

    Attributes:
        lines: Lines of the file that the block takes, fences included; 0 when there is none.
        problem: Why some of it could not be read, as the rest of a sentence; None when all was.
    """

    lines: int = 0
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    title: str | None = None
    problem: str | None = None


def read_front_matter(lines: list[str]) -> FrontMatter:
    """The block between ``---`` on the first line and the next ``---`` or ``...``; else an empty one."""
    if not lines or not _FENCE.match(lines[0].rstrip("\r\n")):
        return FrontMatter()
    for at, line in enumerate(lines[1:], start=1):
        if _CLOSING.match(line.rstrip("\r\n")):
            return _read("".join(lines[1:at]), at + 1)
    return FrontMatter()


def _read(block: str, lines: int) -> FrontMatter:
    if len(block) > CHARACTERS:
        too_long = f"has {len(block)} characters, the limit is {CHARACTERS}"
        return FrontMatter(lines, problem=too_long)
    problem: str | None = None
    try:
        found = _mapping(block)
    except _Unreadable:
        found = {}
        for entry in _entries(block):
            try:
                found |= _mapping(entry)
            except _Unreadable as broken:
                problem = str(broken)
    values: dict[str, list[str]] = {"tags": [], "aliases": [], "title": []}
    for key, value in found.items():
        meaning = _KEYS.get(key.casefold())
        if meaning is not None:
            values[meaning] += _texts(value, split=meaning)
    tags = (tag.removeprefix("#") for tag in values["tags"])
    title = values["title"][0] if values["title"] else None
    return FrontMatter(lines, tuple(filter(None, tags)), tuple(values["aliases"]), title, problem)


class _Unreadable(Exception):
    """The text is no YAML mapping."""


def _mapping(text: str) -> dict[str, object]:
    try:
        found = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise _Unreadable("is not valid YAML") from error
    if found in (None, ""):
        return {}
    if not isinstance(found, dict):
        raise _Unreadable("is not a list of `key: value` entries")
    return {key: value for key, value in found.items() if isinstance(key, str)}


def _entries(block: str) -> Iterator[str]:
    """The entries at the top level whose keys matter, each with its indented lines."""
    entry = ""
    for line in block.splitlines(keepends=True):
        start = _ENTRY.match(line)
        if start is None and (not line.strip() or line[0] in " \t-#"):
            entry += line if entry else ""
            continue
        if entry:
            yield entry
        entry = line if start is not None and start[1].casefold() in _KEYS else ""
    if entry:
        yield entry


def _texts(value: object, *, split: str) -> list[str]:
    """The texts of one entry: a list gives its items, a text of tags its words, of aliases its parts."""
    if isinstance(value, list):
        return [text for item in value if isinstance(item, str) and (text := " ".join(item.split()))]
    if not isinstance(value, str):
        return []
    parts = _BREAKS.split(value) if split == "tags" else value.split(",") if split == "aliases" else [value]
    return [text for part in parts if (text := " ".join(part.split()))]
