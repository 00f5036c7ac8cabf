"""Names of wings and rooms: free text, folded into segments of paths.

The display name is kept elsewhere; here only the place is decided. Variants in case, spaces, hyphens and
underscores are one place. A name that loses a character which tells it apart (``C++``, ``C#``) gets a short
hash, so that it does not fall together with another name.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

from graphmem.errors import InvalidInput, shown
from graphmem.memory.limits import PATH_CHARACTERS, SEGMENT_CHARACTERS, TITLE_CHARACTERS
from graphmem.memory.paths import ROOT, fold, is_word_character, starts_segment

PALACE = "/palace"
"""The path under which every wing stands."""

HASH_DIGITS = 4
"""Hexadecimal digits that tell apart names which fold to the same letters."""

NAMELESS_DIGITS = 8
"""The same for names without any letter or digit: nothing else tells those apart."""

_SEPARATORS = re.compile(r"-{2,}")


def folded_name(name: str, field: str) -> str:
    """The one segment under which the name is found.

    NFKC and case folded; runs of spaces, ``_``, ``-``, other dashes and slashes become one ``-``, outer ones
    and invisible format characters are dropped. If anything else was dropped, ``-`` and 4 hexadecimal digits
    of the folded name's hash follow. A name without a letter or digit becomes ``x-`` and 8 digits.

    Raises:
        InvalidInput: The name is empty, not valid Unicode, or longer than a display name or, folded, than a
            segment may be.
    """
    _check_characters(name, field)
    if (length := len(name.strip())) > TITLE_CHARACTERS:
        problem = f"{shown(name)} has {length} characters, the limit is {TITLE_CHARACTERS}"
        raise InvalidInput(field, problem, limit=TITLE_CHARACTERS)
    folded = _SEPARATORS.sub("-", "".join(map(_folded_character, fold(name)))).strip("-")
    if not folded:
        raise InvalidInput(field, f"{shown(name)} is empty; a name needs at least one visible character")
    kept = "".join(character for character in folded if is_word_character(character) or character in ".-")
    kept = _SEPARATORS.sub("-", kept).strip("-")
    while kept and not starts_segment(kept[0]):
        kept = kept[1:]
    segment = kept if kept == folded else _told_apart(kept, folded)
    if len(segment) > SEGMENT_CHARACTERS:
        raise InvalidInput(
            field,
            f"{shown(name)} folds to {len(segment)} characters, the limit is {SEGMENT_CHARACTERS}",
            limit=SEGMENT_CHARACTERS,
        )
    return segment


def wing_path(wing: str, field: str = "wing") -> str:
    """The path of a wing: ``/palace/<folded name>``.

    Raises:
        InvalidInput: As for ``folded_name``.
    """
    return f"{PALACE}/{folded_name(wing, field)}"


def room_path(wing: str, room: str, field: str = "room") -> str:
    """The path of a room of the wing; ``/`` inside the room's name goes down into inner rooms.

    Raises:
        InvalidInput: As for ``folded_name``, for any part, or the whole path is too long.
    """
    segments = [folded_name(part, field) for part in room.strip().strip(ROOT).split(ROOT)]
    path = ROOT.join([wing_path(wing), *segments])
    if len(path) > PATH_CHARACTERS:
        problem = f"makes a path of {len(path)} characters, the limit is {PATH_CHARACTERS}"
        raise InvalidInput(field, problem, limit=PATH_CHARACTERS)
    return path


def _check_characters(name: str, field: str) -> None:
    for position, character in enumerate(name):
        if character == "\0" or unicodedata.category(character) == "Cs":
            raise InvalidInput(field, f"holds {shown(character)} at character {position}, which is not text")


def _folded_character(character: str) -> str:
    if character.isspace() or character in "/\\":
        return "-"
    category = unicodedata.category(character)
    if category in ("Pd", "Pc"):
        return "-"
    return "" if category == "Cf" else character


def _told_apart(kept: str, folded: str) -> str:
    digest = hashlib.sha256(folded.encode()).hexdigest()
    return f"{kept}-{digest[:HASH_DIGITS]}" if kept else f"x-{digest[:NAMELESS_DIGITS]}"
