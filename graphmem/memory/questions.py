"""What a read may ask for: the text of a search, the size of a page."""

from __future__ import annotations

from graphmem.errors import InvalidInput
from graphmem.memory.limits import PAGE, QUERY_CHARACTERS
from graphmem.memory.text import checked_text


def checked_query(text: str, field: str = "query") -> str:
    """The text of a search; any text that can be stored is one, the empty text too.

    Raises:
        InvalidInput: It is too long or not text.
    """
    return checked_text(text, field, QUERY_CHARACTERS, allow_empty=True)


def checked_first(first: int, field: str = "first") -> int:
    """The size of a page, 1 to 100.

    Raises:
        InvalidInput: It lies outside.
    """
    if first < 1:
        raise InvalidInput(field, f"is {first}; a page holds at least 1", limit=1)
    if first > PAGE:
        raise InvalidInput(field, f"is {first}, the limit is {PAGE}; page with after", limit=PAGE)
    return first
