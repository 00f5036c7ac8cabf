"""Links inside texts: ``[[/path]]``, ``[[title]]``, ``[[title|label]]`` and ``[[title#heading]]``.

Only what is written; whether something of that name exists, and who may see it, is found when a link is
shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.memory.keys import link_key

TARGET_CHARACTERS = 1_024
"""A longer text between brackets is no link: no path is longer."""

_PAIR = re.compile(r"\[\[([^\[\]\r\n]*)\]\]")
_HEADING = re.compile(r"(?<=\S)#(?=\S)")


@dataclass(frozen=True, slots=True)
class LinkText:
    """A link as it is written.

    Attributes:
        text: What a reader sees: the label, or else all that stands between the brackets.
        target: What it names, without label and heading, as written.
        start, end: The brackets and all between them are ``content[start:end]``.
        heading: The heading or block inside the target; None for the whole.
    """

    text: str
    target: str
    start: int
    end: int
    heading: str | None = None


def find_links(content: str) -> tuple[LinkText, ...]:
    """The links in the order of the text, each target once; of repeats the first one stays.

    An empty pair, a pair without a target (``[[#heading]]``) and one longer than a path are plain text. A
    ``#`` starts a heading between two characters that are no spaces: ``[[C#]]`` and ``[[C# 7]]`` are titles.
    """
    found: dict[str, LinkText] = {}
    for pair in _PAIR.finditer(content):
        link = _link(pair)
        if link is not None:
            found.setdefault(link_key(link.target), link)
    return tuple(found.values())


def _link(pair: re.Match[str]) -> LinkText | None:
    inner = pair[1].strip()
    if not inner or len(inner) > TARGET_CHARACTERS:
        return None
    named, bar, label = inner.partition("|")
    target, heading = _split_heading(named.strip())
    if not target:
        return None
    text = label.strip() if bar and label.strip() else named.strip()
    return LinkText(text, target, pair.start(), pair.end(), heading)


def _split_heading(named: str) -> tuple[str, str | None]:
    if named.startswith("#"):
        return "", named
    mark = _HEADING.search(named)
    if mark is None:
        return named, None
    return named[: mark.start()].rstrip(), named[mark.end() :].strip()
