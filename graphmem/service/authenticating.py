"""Whose request it is: bearer tokens against what the store keeps of them."""

from __future__ import annotations

import asyncio
from time import monotonic

from graphmem.access.tokens import matches, new_token, parse
from graphmem.errors import Unauthenticated
from graphmem.graph.token_store import KeptToken, TokenStore
from graphmem.service.clock import Clock

TRUSTED_SECONDS = 0.2
"""How long a token that was looked up counts without being looked up again."""

REMEMBERED = 1_024
"""Tokens that are remembered at once."""


class TokenAuthenticator:
    """Knows which subject a token stands for."""

    def __init__(self, tokens: TokenStore) -> None:
        self._tokens = tokens
        self._known: dict[str, tuple[float, KeptToken]] = {}
        self._asked: dict[str, asyncio.Task[KeptToken | None]] = {}

    async def authenticate(self, token: str) -> str:
        """The subject of a token.

        Raises:
            Unauthenticated: It is not a token of this store.
        """
        shown = parse(token)
        kept = await self._find(shown.prefix)
        if kept is None or not matches(shown, kept.hash):
            raise Unauthenticated("the token is not known here")
        return kept.subject

    async def _find(self, prefix: str) -> KeptToken | None:
        """What the store keeps of a token; requests that come while it is asked share the one question."""
        trusted_until, kept = self._known.get(prefix, (0.0, None))
        if kept is not None and monotonic() < trusted_until:
            return kept
        asked = self._asked.get(prefix)
        if asked is None:
            asked = self._asked[prefix] = asyncio.create_task(self._ask(prefix), name="token")
        # Shielded, since whoever asked first may hang up while the others wait.
        return await asyncio.shield(asked)

    async def _ask(self, prefix: str) -> KeptToken | None:
        asked = monotonic()
        try:
            found = await self._tokens.find(prefix)
        finally:
            del self._asked[prefix]
        if found is not None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[prefix] = (asked + TRUSTED_SECONDS, found)
        return found


async def create_token(tokens: TokenStore, subject: str, clock: Clock) -> str:
    """A new token of the subject, as it is shown once."""
    made = new_token()
    await tokens.create(made.prefix, made.hash, subject, clock.now())
    return made.text


async def adopt_token(tokens: TokenStore, text: str, subject: str, clock: Clock) -> None:
    """Makes a token that the operator chose valid for the subject.

    Raises:
        Unauthenticated: The text does not look like a token.
    """
    shown = parse(text)
    if await tokens.find(shown.prefix) is None:
        await tokens.create(shown.prefix, shown.hash, subject, clock.now())
