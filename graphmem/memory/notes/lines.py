"""The lines of a file, counted as Markdown counts them: LF, CRLF or CR ends a line, nothing else does."""

from __future__ import annotations

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_END = re.compile(r"\r\n?|\n")


def split_lines(text: str) -> list[str]:
    """The lines with their ends; joined they are the text again."""
    return _LINE.findall(text)


def joined(lines: list[str]) -> str:
    """The lines as one text, without the end of the last one."""
    return "".join(lines).removesuffix("\n").removesuffix("\r")


def trimmed(lines: list[str], first: int, last: int) -> tuple[int, int]:
    """``lines[first:last]`` without the blank lines at both ends, as new bounds; equal when all are blank."""
    while first < last and not lines[last - 1].strip():
        last -= 1
    while first < last and not lines[first].strip():
        first += 1
    return first, last


def with_line_ends(text: str, end: str) -> str:
    """The same text with ``end`` after each line."""
    return _END.sub(end, text)
