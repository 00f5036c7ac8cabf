"""One Markdown file as its sections.

The rule: every heading at the top level starts a section that runs to the next heading of any level, and the
text before the first heading is one too. A section without text under its heading is a section: joining it
to its neighbour would make a new version of that neighbour whenever something is put between the two. Blank
lines around a section belong to none, so that what is added behind it does not change it. Front matter is no
section.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.errors import InvalidInput, shown
from graphmem.memory.keys import link_key
from graphmem.memory.keywords import checked_keywords
from graphmem.memory.limits import (
    DRAWER_CHARACTERS,
    KEYWORD_CHARACTERS,
    KEYWORDS,
    PATH_CHARACTERS,
    TITLE_CHARACTERS,
)
from graphmem.memory.links import TARGET_CHARACTERS
from graphmem.memory.notes.blocks import Blocks, Heading, read_blocks
from graphmem.memory.notes.front_matter import FrontMatter, read_front_matter
from graphmem.memory.notes.lines import joined, split_lines, trimmed
from graphmem.memory.notes.model import MarkdownFile, Note, Section
from graphmem.memory.notes.names import heading_name, note_names, slug, target_of
from graphmem.memory.text import checked_text

TOP_ROOM = "general"
"""The room of the files that stand in no folder."""

ALIASES = 50
"""Other names that the front matter of one file may give it."""

BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class _Span:
    """A section before it has names: its heading and its lines in the file, from 0, end exclusive."""

    heading: Heading | None
    heading_path: tuple[str, ...]
    first: int
    last: int


def parse_note(file: MarkdownFile, *, limit: int = DRAWER_CHARACTERS) -> Note:
    """The sections of the file in its order; none when it holds no text.

    Args:
        file: The file; a byte order mark at its head is not part of the text.
        limit: Most characters of one section.

    Raises:
        InvalidInput: The path leads out of the folder, the text is no text, or a section is too long.
    """
    path = checked_file_path(file.path, "path")
    text = file.text.removeprefix(BYTE_ORDER_MARK)
    checked_text(text, "text", len(text), allow_empty=True)
    lines = split_lines(text)
    front = read_front_matter(lines)
    blocks = read_blocks("".join(lines[front.lines :]))
    warnings = [f"{path}: the front matter {front.problem}"] if front.problem else []
    spans = list(_spans(lines, front.lines, blocks.headings))
    if not spans:
        warnings.append(f"{path}: holds no text, so nothing of it is stored")
    keywords = _keywords(front, path, warnings)
    aliases = _aliases(front, path, warnings)
    sections = _sections(path, lines, spans, blocks, front, aliases, keywords, limit)
    folder = posixpath.dirname(path)
    return Note(path, folder or TOP_ROOM, tuple(sections), tuple(warnings))


def checked_file_path(path: str, field: str) -> str:
    """The path of a file inside the imported folder, unchanged.

    Raises:
        InvalidInput: Empty, too long, not text, absolute, or with an empty, ``.`` or ``..`` part.
    """
    checked_text(path, field, PATH_CHARACTERS)
    if "\\" in path or any(part in ("", ".", "..") for part in path.split("/")):
        problem = f"{shown(path)} is no path inside the folder; send it relative, like 'notes/plan.md'"
        raise InvalidInput(field, problem)
    return path


def _spans(lines: list[str], start: int, headings: Sequence[Heading]) -> Iterator[_Span]:
    """Each section that holds more than blank lines, in the order of the file."""
    above: list[tuple[int, str]] = []
    begins: list[tuple[Heading | None, int]] = [(None, start)]
    begins += [(heading, start + heading.line) for heading in headings]
    ends = [begin for _, begin in begins[1:]] + [len(lines)]
    for (heading, begin), end in zip(begins, ends, strict=True):
        if heading is not None:
            while above and above[-1][0] >= heading.level:
                above.pop()
            above.append((heading.level, _short(heading.text)))
        first, last = trimmed(lines, begin, end)
        if first < last:
            yield _Span(heading, tuple(text for _, text in above), first, last)


def _sections(
    path: str,
    lines: list[str],
    spans: Sequence[_Span],
    blocks: Blocks,
    front: FrontMatter,
    aliases: tuple[str, ...],
    keywords: tuple[str, ...],
    limit: int,
) -> Iterator[Section]:
    forms = note_names(path)
    ordinals: Counter[tuple[str, ...]] = Counter()
    slugs: Counter[str] = Counter()
    for at, span in enumerate(spans):
        ordinals[span.heading_path] += 1
        title = _short(span.heading.text) or None if span.heading else _short(front.title or forms[0])
        names = list(_heading_names(span, forms, slugs))
        if at == 0:
            names = [*forms, *([front.title] if front.title else []), *aliases, *names]
        yield Section(
            heading_path=span.heading_path,
            ordinal=ordinals[span.heading_path],
            title=title,
            content=_content(lines, span, path, limit),
            line_start=span.first + 1,
            line_end=span.last,
            names=_apart(names),
            links=_links(blocks, span, front.lines, path),
            keywords=keywords,
        )


def _content(lines: list[str], span: _Span, path: str, limit: int) -> str:
    content = joined(lines[span.first : span.last])
    if len(content) > limit:
        where = f"lines {span.first + 1} to {span.last} of {shown(path)}"
        problem = f"has {len(content)} characters in one section ({where}), the limit is {limit}"
        raise InvalidInput("text", f"{problem}; give it another heading", limit=limit)
    return content


def _heading_names(span: _Span, forms: Sequence[str], slugs: Counter[str]) -> Iterator[str]:
    """``note#heading`` for each name of the note, of repeated headings the first only; then ``path#slug``."""
    if span.heading is None:
        return
    heading, anchor = heading_name(span.heading.text), slug(span.heading.text)
    repeats = slugs[anchor]
    slugs[anchor] += 1
    if heading and repeats == 0:
        yield from (f"{form}#{heading}" for form in forms)
    if anchor:
        yield f"{forms[-1]}#{anchor}" if repeats == 0 else f"{forms[-1]}#{anchor}-{repeats}"


def _apart(names: Sequence[str]) -> tuple[str, ...]:
    """The names that a link can spell, each once."""
    found: dict[str, str] = {}
    for name in names:
        if len(name) <= TARGET_CHARACTERS:
            found.setdefault(link_key(name), name)
    return tuple(found.values())


def _links(blocks: Blocks, span: _Span, offset: int, path: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, tuple[str, str]] = {}
    for link in blocks.links:
        if span.first <= link.line + offset < span.last:
            target = target_of(link, path)
            if target is not None:
                found.setdefault(link_key(target[1]), target)
    return tuple(found.values())


def _keywords(front: FrontMatter, path: str, warnings: list[str]) -> tuple[str, ...]:
    """The tags that a drawer can carry as keywords; what does not fit is said."""
    fitting = [tag for tag in front.tags if len(tag) <= KEYWORD_CHARACTERS]
    distinct = checked_keywords(fitting[:KEYWORDS], "tags")
    left_out = len(front.tags) - len(fitting[:KEYWORDS])
    if left_out:
        limits = f"at most {KEYWORDS} tags of {KEYWORD_CHARACTERS} characters are kept"
        warnings.append(f"{path}: {left_out} of {len(front.tags)} tags were left out; {limits}")
    return distinct


def _aliases(front: FrontMatter, path: str, warnings: list[str]) -> tuple[str, ...]:
    fitting = [alias for alias in front.aliases if len(alias) <= TITLE_CHARACTERS][:ALIASES]
    left_out = len(front.aliases) - len(fitting)
    if left_out:
        limits = f"at most {ALIASES} aliases of {TITLE_CHARACTERS} characters are kept"
        warnings.append(f"{path}: {left_out} of {len(front.aliases)} aliases were left out; {limits}")
    return tuple(fitting)


def _short(text: str) -> str:
    """The text as a title, cut at its limit."""
    return text if len(text) <= TITLE_CHARACTERS else text[: TITLE_CHARACTERS - 1] + "…"
