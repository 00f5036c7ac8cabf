"""Text as callers send it: what is refused, what is compared, and its hash.

Content is stored code point for code point: nothing here changes what is stored. Normal forms serve keys.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

from graphmem.errors import InvalidInput

_NOT_TEXT = re.compile("[\0\ud800-\udfff]")


def checked_text(value: str, field: str, limit: int, *, allow_empty: bool = False) -> str:
    """The same text, unchanged, once it is known to be storable.

    Args:
        value: Any text.
        field: Name of the input field, for the message.
        limit: Most code points.
        allow_empty: Whether an empty or all-white text is fine.

    Raises:
        InvalidInput: A lone surrogate or NUL (with its position), nothing but white space, or too long.
    """
    found = _NOT_TEXT.search(value)
    if found is not None:
        what = "a NUL character" if found[0] == "\0" else "half of a surrogate pair"
        raise InvalidInput(field, f"holds {what} at character {found.start()}; send valid Unicode text")
    if not allow_empty and not value.strip():
        raise InvalidInput(field, "is empty")
    if len(value) > limit:
        raise InvalidInput(field, f"has {len(value)} characters, the limit is {limit}", limit=limit)
    return value


def normal_form(text: str) -> str:
    """The text as keys compare it: NFC, case folded, runs of white space as one space, none outside."""
    folded = unicodedata.normalize("NFD", text).casefold()
    return " ".join(unicodedata.normalize("NFC", folded).split())


def content_hash(text: str) -> str:
    """SHA-256 of the exact text in UTF-8, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
