"""One open transaction, as the work inside it sees it."""

from __future__ import annotations

from collections.abc import Mapping

from neo4j import AsyncTransaction

from graphmem.access.predicate import Predicate
from graphmem.errors import QueryFileError
from graphmem.graph.queries import Query
from graphmem.graph.round_trips import note_round_trip
from graphmem.graph.rows import Row, plain_row

LANGUAGE = "CYPHER 25\n"
"""Opens every statement, so that a server whose default is an older Cypher reads it alike."""


def statement(text: str) -> str:
    """The text to send, which always comes from a file of ours."""
    return LANGUAGE + text


def found_query(queries: Mapping[str, Query], name: str) -> Query:
    """The query ``name``.

    Raises:
        QueryFileError: There is no such file.
    """
    query = queries.get(name)
    if query is None:
        raise QueryFileError(name, "is not there")
    return query


class Tx:
    """Runs query files inside one transaction, with the same checks as ``GraphClient.run``.

    After an error the transaction is over; let the error pass.
    """

    def __init__(self, transaction: AsyncTransaction, queries: Mapping[str, Query]) -> None:
        self._transaction = transaction
        self._queries = queries

    async def run(
        self, name: str, params: Mapping[str, object] | None = None, *, rule: Predicate | None = None
    ) -> list[Row]:
        """The rows of the query ``name``, in its order."""
        return await self.execute(found_query(self._queries, name), params, rule=rule)

    async def execute(
        self, query: Query, params: Mapping[str, object] | None = None, *, rule: Predicate | None = None
    ) -> list[Row]:
        """The rows of a query that is at hand; for migrations, whose files are not query files."""
        if query.autocommit:
            raise QueryFileError(query.name, "commits in parts, so it cannot run inside a transaction")
        text, values = query.bound(params, rule)
        return await self.send(query.name, text, values)

    async def send(self, name: str, text: str, values: dict[str, object]) -> list[Row]:
        """The rows of a statement whose values were checked."""
        note_round_trip(name)
        result = await self._transaction.run(statement(text), values)
        return [plain_row(record) async for record in result]
