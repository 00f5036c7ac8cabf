"""The headings of a Markdown text, and the links in it, by the block structure of CommonMark.

What stands in a fence, an indented block, inline code or HTML is neither. A heading inside a quote or a list
belongs to that quote or list and starts no section.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

WIKILINK_CHARACTERS = 2_048
"""Between the brackets; a longer text is none."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at the top level of the text.

    Attributes:
        line: Its first line, from 0.
        level: 1 to 6.
        text: Its plain text, marks and link targets left out; empty for a bare ``#``.
    """

    line: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class WrittenLink:
    """A link as it stands in the text.

    Attributes:
        line: First line, from 0, of the block in which it stands.
        wiki: What is between ``[[`` and ``]]``; None for a Markdown link.
        text, address: Label and address of a Markdown link.
    """

    line: int
    wiki: str | None
    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Blocks:
    """Headings and links, each in the order of the text."""

    headings: tuple[Heading, ...]
    links: tuple[WrittenLink, ...]


def read_blocks(body: str) -> Blocks:
    """The headings at the top level and all links of the text."""
    headings: list[Heading] = []
    links: list[WrittenLink] = []
    opened: Token | None = None
    for token in _parser().parse(body):
        if token.type == "heading_open" and token.level == 0:
            opened = token
        elif token.type == "inline" and token.map is not None:
            children = token.children or []
            if opened is not None and opened.map is not None:
                headings.append(Heading(opened.map[0], int(opened.tag[1:]), _plain(children)))
                opened = None
            links += _links(children, token.map[0])
    return Blocks(tuple(headings), tuple(links))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.inline.ruler.before("link", "wikilink", _wikilink)
    return parser


def _wikilink(state: StateInline, silent: bool) -> bool:
    """Inline rule: ``[[…]]`` on one line becomes one token; an empty pair does not."""
    start = state.pos
    if not state.src.startswith("[[", start):
        return False
    end = state.src.find("]]", start + 2, min(state.posMax, start + WIKILINK_CHARACTERS))
    inner = state.src[start + 2 : end] if end >= 0 else ""
    if not inner.strip() or any(character in inner for character in "[]\n"):
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.content = inner.replace("\\|", "|")
    state.pos = end + 2
    return True


def _plain(children: Sequence[Token]) -> str:
    """The text that a reader of a heading sees, on one line."""
    parts: list[str] = []
    for token in children:
        if token.type == "wikilink":
            named, bar, label = token.content.partition("|")
            parts.append(label if bar and label.strip() else named)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type in ("text", "code_inline", "image", "text_special"):
            parts.append(token.content)
    return " ".join("".join(parts).split())


def _links(children: Sequence[Token], line: int) -> Iterator[WrittenLink]:
    for at, token in enumerate(children):
        if token.type == "wikilink":
            yield WrittenLink(line, token.content, "", "")
        elif token.type == "link_open" and token.info != "auto":
            address = token.attrGet("href")
            yield WrittenLink(line, None, _label(children, at), str(address or ""))


def _label(children: Sequence[Token], opened: int) -> str:
    """The plain text between a link's opening token and its closing one."""
    for end in range(opened + 1, len(children)):
        if children[end].type == "link_close":
            return _plain(children[opened + 1 : end])
    return ""
