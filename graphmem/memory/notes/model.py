"""A Markdown file and what is read out of it: values only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MarkdownFile:
    """A file as it was found.

    Attributes:
        path: Relative to the imported folder, with ``/`` between its parts.
        text: The whole file, its line ends as they are.
    """

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that was left out, and why; what an earlier import stored of it stays."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of a file: from a heading to the next one, or the text before the first heading.

    Attributes:
        heading_path: The heading and those above it, outermost first; empty before the first heading.
        ordinal: Its number among the sections of the file with this heading path, from 1.
        title: The heading as plain text; of the first section without one the title of the file.
        content: The lines ``line_start`` to ``line_end`` (1-based, inclusive) of the file, code point for
            code point, without the line end of the last one.
        names: What links call it; of the first section the names of the file are among them.
        links: Label and target of each link, in the order of the text, each target once.
        keywords: The tags of the file.
    """

    heading_path: tuple[str, ...]
    ordinal: int
    title: str | None
    content: str
    line_start: int
    line_end: int
    names: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    keywords: tuple[str, ...]

    @property
    def place(self) -> tuple[str, ...]:
        """Its place in the file as a drawer keeps it: heading path, then ordinal."""
        return (*self.heading_path, str(self.ordinal))


@dataclass(frozen=True, slots=True)
class Note:
    """A file as its sections.

    Attributes:
        path: The file, relative to the imported folder.
        room: The folders of the file, joined by ``/``; ``general`` for a file at the top.
        warnings: What was left out, as sentences.
    """

    path: str
    room: str
    sections: tuple[Section, ...]
    warnings: tuple[str, ...]
