"""The one door to Neo4j: every statement is a query file, and passes here.

Reads run as auto-commit statements (one round trip), writes in transactions that are tried again when
that is safe. Errors of the driver leave as ours. What a statement means is known to the stores alone.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any, Self, TypeVar

import neo4j
from neo4j import READ_ACCESS, WRITE_ACCESS

from graphmem.access.predicate import Nothing, Predicate
from graphmem.errors import QueryFileError
from graphmem.graph.connection import Notifications, is_routed, open_driver
from graphmem.graph.driver_errors import STORE_ERRORS, lost_to_twin, translated
from graphmem.graph.queries import Query, load_queries
from graphmem.graph.retries import Outcome, tried
from graphmem.graph.round_trips import note_round_trip
from graphmem.graph.rows import Row, plain_row
from graphmem.graph.sessions import Sessions
from graphmem.graph.transactions import Tx, found_query, statement

T = TypeVar("T")
Params = Mapping[str, object]

TIMEOUT_S = 10.0
"""Seconds that one call may take, its retries included, unless it says otherwise."""

READ_RETRY_S = 2.0
"""Seconds in which a failed read is tried again; somebody waits for it."""

STREAM_ROWS = 1000
"""Rows that ``stream`` fetches at once."""

_PING = "RETURN true AS here"


class GraphClient:
    """Runs query files by name. Made by ``connect``; to be closed, or used as a context manager."""

    def __init__(self, sessions: Sessions, queries: Mapping[str, Query], timeout_s: float) -> None:
        self._sessions = sessions
        self._queries = queries
        self._timeout_s = timeout_s

    @classmethod
    def connect(
        cls,
        url: str,
        user: str,
        password: str,
        database: str = "neo4j",
        timeout_s: float = TIMEOUT_S,
        *,
        queries: Mapping[str, Query] | None = None,
        notifications: Notifications = "OFF",
        may_write: Callable[[], None] = lambda: None,
    ) -> GraphClient:
        """A client for the server at ``url``, which has opened no connection yet: see ``verify``.

        An empty ``user`` means a server without logins; ``queries`` are those of the shipped folder.
        ``may_write`` is called before each transaction that writes; it raises ``Unavailable`` where none may.

        Raises:
            Misconfigured: The address cannot be one of a Neo4j, or a query file breaks a rule.
        """
        found = load_queries() if queries is None else queries
        driver = open_driver(url, user, password, wait_s=timeout_s, notifications=notifications)
        return cls(Sessions(driver, database, is_routed(url), may_write), found, timeout_s)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes all connections; a second call does nothing."""
        await self._sessions.driver.close()

    def require_room(self) -> None:
        """Raises ``Unavailable`` where the store takes no writes now, for want of room."""
        self._sessions.may_write()

    def even_when_full(self) -> GraphClient:
        """The same client for the few small writes that go on where the store takes no others."""
        sessions = replace(self._sessions, may_write=lambda: None)
        return GraphClient(sessions, self._queries, self._timeout_s)

    async def verify(self, timeout_s: float = 60.0) -> str:
        """Name and version of the server (``Neo4j/2026.09.0``), as soon as it answers.

        Raises:
            Misconfigured: It refuses the login, or has no such database.
            Unavailable: It did not answer in time.
        """

        async def ask() -> str:
            async with self._sessions.open(READ_ACCESS) as session:
                summary = await (await session.run(_PING)).consume()
                return str(summary.server.agent)

        return await tried(ask, "verify", limit_s=timeout_s, retry_s=timeout_s)

    async def run(
        self,
        name: str,
        params: Params | None = None,
        *,
        rule: Predicate | None = None,
        timeout_s: float | None = None,
    ) -> list[Row]:
        """The rows of the query ``name``, in its order.

        A read under ``Nothing`` has no rows, not even one that counts to 0, and makes no round trip. A
        write is one transaction, tried again where that is safe; a file with ``autocommit`` is sent once.

        Raises:
            QueryFileError: There is no such file, or the parameters or the rule do not fit it.
            Unavailable: Neo4j does not answer in time; ``UnknownOutcome`` when a write may be stored.
        """
        return await self.execute(found_query(self._queries, name), params, rule=rule, timeout_s=timeout_s)

    async def execute(
        self,
        query: Query,
        params: Params | None = None,
        *,
        rule: Predicate | None = None,
        timeout_s: float | None = None,
    ) -> list[Row]:
        """The rows of a query that is at hand; for migrations, whose files are not query files."""
        limit = self._limit(timeout_s)
        text, values = query.bound(params, rule)
        if query.writes and not query.autocommit:
            return await self.write(
                lambda tx: tx.send(query.name, text, values), name=query.name, timeout_s=limit
            )
        if query.autocommit:
            # Parts may be committed when it fails, so there is no second try.
            return await tried(
                lambda: self._alone(WRITE_ACCESS, query.name, text, values, limit),
                query.name,
                limit_s=limit,
                retry_s=0,
                outcome=Outcome(unknown=True),
            )
        if rule == Nothing():
            return []
        return await tried(
            lambda: self._alone(READ_ACCESS, query.name, text, values, limit),
            query.name,
            limit_s=limit,
            retry_s=READ_RETRY_S,
        )

    async def stream(
        self,
        name: str,
        params: Params | None = None,
        *,
        rule: Predicate | None = None,
        timeout_s: float | None = None,
    ) -> AsyncGenerator[Row, None]:
        """The rows of a read, a thousand at a time, for more than fits in memory; never tried again.

        Leave it early only through ``contextlib.aclosing``, so that its connection is free at once.
        """
        query = found_query(self._queries, name)
        if query.writes:
            raise QueryFileError(name, "writes, and only reads are streamed")
        text, values = query.bound(params, rule)
        if rule == Nothing():
            return
        sent = neo4j.Query(statement(text), metadata={"query": name}, timeout=self._limit(timeout_s))
        try:
            async with self._sessions.open(READ_ACCESS, STREAM_ROWS) as session:
                note_round_trip(name)
                async for record in await session.run(sent, values):
                    yield plain_row(record)
        except STORE_ERRORS as error:
            raise translated(error, name) from error

    async def write(
        self, work: Callable[[Tx], Awaitable[T]], *, name: str = "write", timeout_s: float | None = None
    ) -> T:
        """What ``work`` returns, once its transaction is committed.

        ``work`` runs again from its start after a deadlock, a lost connection, or a uniqueness constraint
        that another writer met first, so it must have no effect outside the transaction.

        Raises:
            UnknownOutcome: The connection broke, or time ran out, during the commit.
            Conflict: Other writers of the same key won again and again.
            LimitExceeded: The transaction is too large for the server's memory.
            Unavailable: Neo4j does not answer in time; nothing was stored.
        """
        limit = self._limit(timeout_s)
        outcome = Outcome()

        async def attempt() -> T:
            async with self._open(name, limit, outcome) as tx:
                return await work(tx)

        return await tried(attempt, name, limit_s=limit, retry_s=limit, outcome=outcome)

    @asynccontextmanager
    async def transaction(
        self, *, name: str = "transaction", timeout_s: float | None = None
    ) -> AsyncIterator[Tx]:
        """A transaction that is committed when the block ends, and rolled back when it raises.

        It is never tried again: for work that can be, use ``write``. Raises what ``write`` raises.
        """
        try:
            async with self._open(name, self._limit(timeout_s), Outcome()) as tx:
                yield tx
        except STORE_ERRORS as error:
            raise translated(error, name) from (None if lost_to_twin(error) else error)

    @asynccontextmanager
    async def _open(self, name: str, limit: float, outcome: Outcome) -> AsyncIterator[Tx]:
        outcome.unknown = False
        async with self._sessions.open(WRITE_ACCESS) as session:
            note_round_trip("begin")
            async with await session.begin_transaction(metadata={"query": name}, timeout=limit) as raw:
                yield Tx(raw, self._queries)
                note_round_trip("commit")
                outcome.unknown = True

    async def _alone(
        self, access: str, name: str, text: str, values: dict[str, Any], limit: float
    ) -> list[Row]:
        """The rows of one auto-commit statement, all of them in its one round trip."""
        async with self._sessions.open(access) as session:
            note_round_trip(name)
            sent = neo4j.Query(statement(text), metadata={"query": name}, timeout=limit)
            return [plain_row(record) async for record in await session.run(sent, values)]

    def _limit(self, timeout_s: float | None) -> float:
        return self._timeout_s if timeout_s is None else timeout_s
