"""Tokens are looked up in the store, seldom: not once a request, and never later than they may be trusted."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from graphmem.access.tokens import NewToken, new_token
from graphmem.errors import Unauthenticated, Unavailable
from graphmem.graph.token_store import KeptToken, TokenStore
from graphmem.service import authenticating
from graphmem.service.authenticating import TRUSTED_SECONDS, TokenAuthenticator


class Tokens:
    """A store of one token that answers when it is told to."""

    def __init__(self, token: NewToken) -> None:
        self.kept: KeptToken | None = KeptToken(hash=token.hash, subject="alice")
        self.prefix = token.prefix
        self.asked = 0
        self.away = False
        self.was_asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def find(self, prefix: str) -> KeptToken | None:
        self.asked += 1
        self.was_asked.set()
        await self.may_answer.wait()
        if self.away:
            raise Unavailable("Neo4j does not answer")
        return self.kept if prefix == self.prefix else None


@pytest.fixture
def token() -> NewToken:
    return new_token()


@pytest.fixture
def tokens(token: NewToken) -> Tokens:
    return Tokens(token)


@pytest.fixture
def known(tokens: Tokens) -> TokenAuthenticator:
    return TokenAuthenticator(cast(TokenStore, tokens))


async def test_requests_that_come_together_ask_the_store_once(
    known: TokenAuthenticator, tokens: Tokens, token: NewToken
) -> None:
    subjects = await asyncio.gather(*(known.authenticate(token.text) for _ in range(32)))

    assert subjects == ["alice"] * 32
    assert tokens.asked == 1


async def test_a_token_is_asked_for_again_when_its_time_is_over(
    known: TokenAuthenticator, tokens: Tokens, token: NewToken, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [100.0]
    monkeypatch.setattr(authenticating, "monotonic", lambda: seconds[0])
    await known.authenticate(token.text)
    tokens.kept = None
    seconds[0] += TRUSTED_SECONDS * 0.99
    assert await known.authenticate(token.text) == "alice"
    seconds[0] += TRUSTED_SECONDS * 0.02

    with pytest.raises(Unauthenticated):
        await known.authenticate(token.text)


async def test_the_time_of_a_token_counts_from_the_question_and_not_from_the_answer(
    known: TokenAuthenticator, tokens: Tokens, token: NewToken, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [100.0]
    monkeypatch.setattr(authenticating, "monotonic", lambda: seconds[0])
    tokens.may_answer.clear()
    first = asyncio.create_task(known.authenticate(token.text))
    await tokens.was_asked.wait()
    seconds[0] += TRUSTED_SECONDS
    tokens.may_answer.set()
    await first
    tokens.kept = None

    with pytest.raises(Unauthenticated):
        await known.authenticate(token.text)


async def test_who_hangs_up_leaves_the_others_their_answer(
    known: TokenAuthenticator, tokens: Tokens, token: NewToken
) -> None:
    tokens.may_answer.clear()
    first, second = (asyncio.create_task(known.authenticate(token.text)) for _ in range(2))
    await tokens.was_asked.wait()
    first.cancel()
    tokens.may_answer.set()

    assert await second == "alice"
    assert tokens.asked == 1


async def test_a_store_that_was_away_is_asked_again(
    known: TokenAuthenticator, tokens: Tokens, token: NewToken
) -> None:
    tokens.away = True
    with pytest.raises(Unavailable):
        await known.authenticate(token.text)
    tokens.away = False

    assert await known.authenticate(token.text) == "alice"


async def test_a_token_that_is_unknown_is_not_remembered_as_such(
    known: TokenAuthenticator, tokens: Tokens, token: NewToken
) -> None:
    kept, tokens.kept = tokens.kept, None
    with pytest.raises(Unauthenticated):
        await known.authenticate(token.text)
    tokens.kept = kept

    assert await known.authenticate(token.text) == "alice"
