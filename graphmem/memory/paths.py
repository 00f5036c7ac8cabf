"""Paths: the names of the nodes of the tree.

A path is text: ``/`` or ``/segment/segment``. Everything stored and compared is the normal path that
``normalise_path`` gives; no other function here normalises. Free text of wings and rooms is folded into
segments in ``rooms``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from graphmem.errors import InvalidInput, shown
from graphmem.memory.limits import PATH_CHARACTERS, SEGMENT_CHARACTERS

ROOT = "/"

_PLAIN = re.compile(r"(?:/[a-z0-9][a-z0-9._-]*)+")
_INVISIBLE = re.compile(
    "[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\ufe00-\\ufe0f\\uffa0\\U000e0100-\\U000e01ef]"
)
"""Letters and marks that show nothing: two paths that look alike must be one path, so none may hold them."""


@lru_cache(maxsize=8_192)
def is_word_character(character: str) -> bool:
    """Whether a segment may hold the character as a letter or digit: Unicode letters, numbers and the marks
    that belong to letters (vowel signs, accents), but nothing invisible."""
    category = unicodedata.category(character)
    if category[0] in "LN":
        return not _INVISIBLE.match(character)
    return category in ("Mn", "Mc") and not _INVISIBLE.match(character)


def starts_segment(character: str) -> bool:
    """Whether a segment may start with the character: a letter or a digit, no mark."""
    return unicodedata.category(character)[0] in "LN" and is_word_character(character)


def fold(text: str) -> str:
    """The text as paths compare it: NFKC and case folded; folding twice changes nothing."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold())
    return unicodedata.normalize("NFKC", folded.casefold())


def normalise_path(text: str, field: str = "path") -> str:
    """The path in the one form in which it is stored and compared.

    NFKC and case folded; outer spaces and trailing slashes are dropped; ``//`` alone is the root.

    Raises:
        InvalidInput: The text does not start with ``/``, has an empty, ``.`` or ``..`` segment, a segment
            with a character that is not allowed, or is too long; names field, segment and limit.
    """
    if len(text) <= PATH_CHARACTERS and _PLAIN.fullmatch(text) and _longest(text) <= SEGMENT_CHARACTERS:
        return text
    path = fold(text).strip()
    if not path:
        raise InvalidInput(field, "is empty; a path starts with / (the root is /)")
    if not path.startswith(ROOT):
        raise InvalidInput(field, f"{shown(text)} does not start with /")
    path = path.rstrip(ROOT)
    if not path:
        return ROOT
    if len(path) > PATH_CHARACTERS:
        raise InvalidInput(
            field, f"has {len(path)} characters, the limit is {PATH_CHARACTERS}", limit=PATH_CHARACTERS
        )
    for segment in path[1:].split(ROOT):
        problem = segment_problem(segment)
        if problem is not None:
            limit = SEGMENT_CHARACTERS if len(segment) > SEGMENT_CHARACTERS else None
            raise InvalidInput(field, f"{shown(text)} {problem}", limit=limit)
    return path


def segment_problem(segment: str) -> str | None:
    """What is wrong with a folded segment, as the rest of a sentence; None for a good one."""
    if not segment:
        return "has an empty segment"
    if segment in (".", ".."):
        return f"has the segment {shown(segment)}; a path names its place from the root"
    if len(segment) > SEGMENT_CHARACTERS:
        length = len(segment)
        return f"has the segment {shown(segment)} of {length} characters, the limit is {SEGMENT_CHARACTERS}"
    if not starts_segment(segment[0]):
        return f"has the segment {shown(segment)}, which does not start with a letter or digit"
    for character in segment:
        if not (is_word_character(character) or character in "._-"):
            return (
                f"has the segment {shown(segment)} with the character {shown(character)}; "
                "a segment holds letters, digits, '.', '_' and '-'"
            )
    return None


def ancestors(path: str) -> tuple[str, ...]:
    """All paths from the root down to the path itself: ``/a/b`` gives ``/``, ``/a``, ``/a/b``."""
    if path == ROOT:
        return (ROOT,)
    ends = [position for position, character in enumerate(path) if character == ROOT and position > 0]
    return (ROOT, *(path[:end] for end in ends), path)


def parent(path: str) -> str | None:
    """The path above; None for the root."""
    if path == ROOT:
        return None
    return path[: path.rindex(ROOT)] or ROOT


def last_segment(path: str) -> str:
    """The last segment; empty for the root."""
    return path[path.rindex(ROOT) + 1 :]


def is_at_or_under(path: str, root: str) -> bool:
    """Whether ``path`` is ``root`` or below it, by whole segments: ``/workshop`` is not under ``/work``."""
    return root == ROOT or path == root or path.startswith(root + ROOT)


def depth(path: str) -> int:
    """Segments of the path; 0 for the root."""
    return 0 if path == ROOT else path.count(ROOT)


def joined(*parts: str) -> str:
    """The normal path of the parts in order, each a segment or a path: ``joined("/a", "b/c")`` is ``/a/b/c``.

    Raises:
        InvalidInput: As for ``normalise_path``.
    """
    return normalise_path(ROOT + ROOT.join(part.strip(ROOT) for part in parts if part.strip(ROOT)))


def _longest(path: str) -> int:
    return max(map(len, path.split(ROOT)))
