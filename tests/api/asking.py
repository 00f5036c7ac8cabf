"""Sending operations over HTTP, and reading what comes back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True, slots=True)
class Refusal:
    """One error of an answer."""

    message: str
    code: str
    field: str | None = None
    limit: object = None
    index: int | None = None


class Asker:
    """One client of one service."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def __call__(self, document: str, **variables: object) -> Any:
        """The data of an operation; fails where there are errors."""
        answer = await self.answer(document, **variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    async def refusal(self, document: str, **variables: object) -> Refusal:
        """The one error of an operation that does nothing else."""
        answer = await self.answer(document, **variables)
        [error] = answer["errors"]
        found = error["extensions"]
        return Refusal(
            error["message"], found["code"], found.get("field"), found.get("limit"), found.get("index")
        )

    async def answer(self, document: str, **variables: object) -> dict[str, Any]:
        """The whole answer of an operation."""
        # Escaped: half a surrogate pair has no UTF-8, and what becomes of it is a question of some tests.
        content = json.dumps({"query": document, "variables": variables})
        headers = {"Content-Type": "application/json"}
        answer = await self.http.post("/graphql", content=content, headers=headers)
        body = answer.json()
        assert isinstance(body, dict)
        return body


STORE = """
mutation Store($input: StoreFactInput!) {
  storeFact(input: $input) { action memoryId reason indexed warnings memory { id path content version } }
}
"""

STORE_MANY = """
mutation StoreMany($input: [StoreFactInput!]!) { storeFacts(input: $input) { action memoryId } }
"""

ADD_DRAWERS = """
mutation AddDrawers($input: [AddDrawerInput!]!) { addDrawers(input: $input) { action memoryId } }
"""

IMPORT = """
mutation Import($input: ImportMarkdownInput!) {
  importMarkdown(input: $input) { stored unchanged failed { path reason } }
}
"""


async def store(ask: Asker, path: str, content: str, **more: object) -> str:
    """Stores a fact; its id."""
    receipt = (await ask(STORE, input={"path": path, "content": content, **more}))["storeFact"]
    assert receipt["action"] == "STORED"
    return str(receipt["memoryId"])


async def store_many(ask: Asker, rows: list[dict[str, object]]) -> list[str]:
    """Stores facts in one batch; their ids in order."""
    receipts = (await ask(STORE_MANY, input=rows))["storeFacts"]
    assert [receipt["action"] for receipt in receipts] == ["STORED"] * len(rows)
    return [str(receipt["memoryId"]) for receipt in receipts]
