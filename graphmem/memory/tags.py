"""Tags: ``key=value`` labels that decide access, and the names of subjects.

Own tags only; what a memory inherits from the paths above it belongs to the rules. Keywords, which decide
nothing, are in ``keywords``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.errors import InvalidInput, shown
from graphmem.memory.limits import OWN_TAGS, SUBJECT_CHARACTERS, TAG_KEY_CHARACTERS, TAG_VALUE_CHARACTERS
from graphmem.memory.paths import fold, is_word_character

OWNER = "owner"
"""The key that GraphMem alone writes."""


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """A tag in its normal form; ``str`` gives ``key=value``, which is how it is stored."""

    key: str
    value: str

    def __str__(self) -> str:
        return f"{self.key}={self.value}"


def parse_tag(text: str, field: str) -> Tag:
    """The tag that ``key=value`` names; the first ``=`` splits.

    The key is case folded; the value is trimmed and NFC, its case is kept, and it may hold ``=``.

    Raises:
        InvalidInput: No ``=``; a key that does not start with a letter or holds anything but letters, digits,
            ``_`` and ``-``; a value that is empty, too long, or holds a control character.
    """
    head, equals, tail = text.partition("=")
    if not equals:
        raise InvalidInput(field, f"{shown(text)} has no '='; a tag is key=value")
    return Tag(_checked_key(fold(head.strip()), field), _checked_value(tail, field))


def own_tags(texts: Iterable[str], owner: str, field: str) -> tuple[str, ...]:
    """The own tags of a memory as they are stored: ``key=value``, sorted, with ``owner=…`` among them.

    Raises:
        InvalidInput: A tag is malformed, has the reserved key ``owner``, gives a second value to a key, or
            there are too many.
    """
    found: dict[str, Tag] = {}
    for text in texts:
        tag = parse_tag(text, field)
        if tag.key == OWNER:
            raise InvalidInput(field, f"{shown(text)} sets the key 'owner', which only GraphMem writes")
        known = found.setdefault(tag.key, tag)
        if known != tag:
            raise InvalidInput(field, f"gives the key {shown(tag.key)} two values; a key has one")
    if len(found) > OWN_TAGS:
        raise InvalidInput(field, f"has {len(found)} tags, the limit is {OWN_TAGS}", limit=OWN_TAGS)
    return tuple(sorted([f"{OWNER}={owner}", *map(str, found.values())]))


def tag_keys(tags: Iterable[str]) -> tuple[str, ...]:
    """The keys of tags in their stored form; sorted, each once."""
    return tuple(sorted({tag.partition("=")[0] for tag in tags}))


def checked_subject(name: str, field: str) -> str:
    """The name of a subject or role in NFC, case kept.

    Raises:
        InvalidInput: It is empty, too long, or holds white space, ``=``, ``,``, a control character or one
            that nobody sees: two subjects that look alike must be one.
    """
    subject = unicodedata.normalize("NFC", name)
    if not subject:
        raise InvalidInput(field, "is empty; a subject has a name")
    if len(subject) > SUBJECT_CHARACTERS:
        problem = f"has {len(subject)} characters, the limit is {SUBJECT_CHARACTERS}"
        raise InvalidInput(field, problem, limit=SUBJECT_CHARACTERS)
    for character in subject:
        if character.isspace() or character in "=," or _is_control(character) or _is_format(character):
            problem = f"{shown(name)} holds {shown(character)}; no space, '=', ',' or control character"
            raise InvalidInput(field, problem)
    return subject


def _checked_key(key: str, field: str) -> str:
    if not key or not unicodedata.category(key[0]).startswith("L"):
        raise InvalidInput(field, f"has the key {shown(key)}, which does not start with a letter")
    if len(key) > TAG_KEY_CHARACTERS:
        problem = f"has a key of {len(key)} characters, the limit is {TAG_KEY_CHARACTERS}"
        raise InvalidInput(field, problem, limit=TAG_KEY_CHARACTERS)
    for character in key:
        if not (is_word_character(character) or character in "_-"):
            problem = f"has the key {shown(key)} with {shown(character)}; letters, digits, '_' and '-' may be"
            raise InvalidInput(field, problem)
    return key


def _checked_value(text: str, field: str) -> str:
    value = unicodedata.normalize("NFC", text.strip())
    if not value:
        raise InvalidInput(field, "has a tag without a value; a tag is key=value")
    if len(value) > TAG_VALUE_CHARACTERS:
        problem = f"has a value of {len(value)} characters, the limit is {TAG_VALUE_CHARACTERS}"
        raise InvalidInput(field, problem, limit=TAG_VALUE_CHARACTERS)
    for character in value:
        if _is_control(character):
            problem = f"has the value {shown(value)} with the control character {shown(character)}"
            raise InvalidInput(field, problem)
    return value


def _is_format(character: str) -> bool:
    return unicodedata.category(character) == "Cf"


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
