"""Bearer tokens: what a caller shows to say who it is.

A token is ``gm_<prefix>_<secret>``. The prefix finds the stored token and may be shown; of the secret only a
hash is kept. Which subject a token stands for, and when it ends, is known to the store.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import NamedTuple

from graphmem.errors import Unauthenticated

PREFIX_CHARACTERS = 12
"""Letters and digits without look-alikes: 32^12 prefixes, so two never meet."""

SECRET_BYTES = 32
"""256 random bits, 43 characters of base64url: guessing is hopeless, so a fast hash is enough."""

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
_TOKEN = re.compile(r"gm_([a-z0-9]{12})_([A-Za-z0-9_-]{43})")


class NewToken(NamedTuple):
    """A token that was just made; ``text`` is shown once and never stored."""

    text: str
    prefix: str
    hash: str


class ShownToken(NamedTuple):
    """A token as a request showed it: the prefix to look up, the hash to compare."""

    prefix: str
    hash: str


def new_token() -> NewToken:
    """A fresh random token."""
    prefix = "".join(secrets.choice(_LETTERS) for _ in range(PREFIX_CHARACTERS))
    text = f"gm_{prefix}_{secrets.token_urlsafe(SECRET_BYTES)}"
    return NewToken(text, prefix, _hash(text))


def parse(text: str) -> ShownToken:
    """What the store needs of a token; white space around it does not count.

    Raises:
        Unauthenticated: The text is not a token; the message does not repeat it.
    """
    found = _TOKEN.fullmatch(text.strip())
    if found is None:
        raise Unauthenticated("the token is not valid; a GraphMem token looks like gm_…")
    return ShownToken(found[1], _hash(found[0]))


def matches(token: ShownToken, stored_hash: str) -> bool:
    """Whether the shown token is the stored one; takes the same time for every wrong hash."""
    return hmac.compare_digest(token.hash.encode(), stored_hash.encode())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
