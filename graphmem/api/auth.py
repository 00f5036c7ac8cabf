"""Who asks: the bearer token of a request, turned into a subject."""

from __future__ import annotations

from typing import Protocol

from starlette.requests import HTTPConnection

from graphmem.errors import Unauthenticated

TOKEN_CHARACTERS = 512
"""Of a token that is looked at at all; ours have 59."""


class Authenticator(Protocol):
    """Knows which subject a token stands for."""

    async def authenticate(self, token: str) -> str:
        """The subject.

        Raises:
            Unauthenticated: The token is not known, or has ended.
        """
        ...


async def subject_of(request: HTTPConnection, authenticator: Authenticator) -> str:
    """The subject in whose name the request comes.

    Raises:
        Unauthenticated: It carries no bearer token, or one that is not good.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("no token; send the header 'Authorization: Bearer gm_…'")
    if len(token) > TOKEN_CHARACTERS:
        raise Unauthenticated("the token is too long to be one of ours")
    return await authenticator.authenticate(token.strip())
