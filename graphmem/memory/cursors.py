"""Cursors: where a page ended, as text that a caller hands back.

Opaque to callers: base64url of JSON with a checksum in front, which finds a cut or mistyped cursor. It is no
secret and no proof; whoever makes one puts in what the next page must agree with, and compares.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping

from graphmem.errors import InvalidInput, shown
from graphmem.memory.limits import CURSOR_CHARACTERS

_CHECKSUM_BYTES = 6


def encode(payload: Mapping[str, object]) -> str:
    """The cursor that ``decode`` turns back into the payload; only letters, digits, ``-`` and ``_``.

    Raises:
        TypeError: The payload holds something that JSON does not have.
    """
    body = json.dumps(dict(payload), separators=(",", ":"), sort_keys=True).encode()
    return base64.urlsafe_b64encode(_checksum(body) + body).decode().rstrip("=")


def decode(text: str, field: str = "after") -> dict[str, object]:
    """The payload of a cursor.

    Raises:
        InvalidInput: The text is not exactly what ``encode`` gave.
    """
    refused = InvalidInput(
        field, f"{shown(text)} is not a cursor of this list; take endCursor as it was answered"
    )
    if not text.isascii() or len(text) > CURSOR_CHARACTERS:
        raise refused
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        payload = json.loads(raw[_CHECKSUM_BYTES:])
        if isinstance(payload, dict) and encode(payload) == text:
            return payload
    except (ValueError, RecursionError) as error:  # no base64, no JSON, or nested too deeply for either way
        raise refused from error
    raise refused


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_CHECKSUM_BYTES).digest()
