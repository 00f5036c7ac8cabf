"""Kill -9 of the service, of Neo4j and of the vector worker, each in the middle of writes.

Every write that was acknowledged is there and searchable afterwards, none twice. A writer that hears nothing,
or an error that may pass, repeats its write with the same key, as the docs say.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.homes import Home, ended_home

pytestmark = [pytest.mark.stores, pytest.mark.timeout(1_800)]

WRITERS = 16
LIMIT_SECONDS = 240.0

STORE = """
mutation Store($input: StoreFactInput!) { storeFact(input: $input) { action memoryId } }
"""
FACTS = """
query Facts($after: String) {
  facts(filter: {under: "/kill"}, orderBy: OLDEST, first: 100, after: $after) {
    nodes { id content } pageInfo { hasNextPage endCursor }
  }
}
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A home with a running service."""
    yield from ended_home(tmp_path / "home")


class Writer:
    """Clients that store facts and do not give up; what was acknowledged is kept."""

    def __init__(self, home: Home, facts: int) -> None:
        self._home = home
        self._left = list(range(facts))[::-1]
        self.acknowledged: dict[str, str] = {}
        self.problems: Counter[str] = Counter()
        self._half_way = facts // 2
        self._half = asyncio.Event()

    async def run(self, kill: Callable[[], None]) -> None:
        """Stores all facts; ``kill`` is called once, when half of them are acknowledged."""
        async with httpx.AsyncClient(timeout=20) as client:
            tasks = [asyncio.create_task(self._store(client)) for _ in range(WRITERS)]
            await self._half.wait()
            await asyncio.to_thread(kill)
            await asyncio.gather(*tasks)

    async def _store(self, client: httpx.AsyncClient) -> None:
        while self._left:
            number = self._left.pop()
            content = f"fact number {number} of the kill test"
            fact = {"path": f"/kill/{number % 7}", "content": content, "idempotencyKey": f"kill-{number}"}
            self.acknowledged[content] = await self._acknowledged(client, fact)
            if len(self.acknowledged) >= self._half_way:
                self._half.set()

    async def _acknowledged(self, client: httpx.AsyncClient, fact: dict[str, str]) -> str:
        end = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < end:
            try:
                answer = await ask(client, self._home, STORE, {"input": fact})
            except (httpx.HTTPError, OSError) as problem:
                self.problems[type(problem).__name__] += 1
            else:
                if "errors" not in answer:
                    return str(answer["data"]["storeFact"]["memoryId"])
                code = answer["errors"][0]["extensions"]["code"]
                assert code == "UNAVAILABLE", answer
                self.problems[code] += 1
            await asyncio.sleep(0.2)
        raise AssertionError(f"{fact['idempotencyKey']} was not stored in {LIMIT_SECONDS} s")


async def ask(client: httpx.AsyncClient, home: Home, query: str, variables: dict[str, Any]) -> dict[str, Any]:
    """The answer of the service that runs now; its address is read anew, since a restart may move it."""
    url, token = await asyncio.to_thread(home.address)
    answer = await client.post(
        url, json={"query": query, "variables": variables}, headers={"Authorization": f"Bearer {token}"}
    )
    if answer.status_code >= 500:
        return {"errors": [{"extensions": {"code": "UNAVAILABLE"}}]}
    found: dict[str, Any] = answer.json()
    return found


def kill(pid: int) -> None:
    """Ends a process of ours as nothing else could."""
    psutil.Process(pid)
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    "facts", [400, pytest.param(2_000, marks=pytest.mark.soak)], ids=["400 writes", "2000 writes"]
)
@pytest.mark.parametrize("victim", ["service", "neo4j", "vector worker"])
def test_no_acknowledged_write_is_lost_or_doubled(home: Home, victim: str, facts: int) -> None:
    home.ok("up")
    [target] = [p["pid"] for p in home.ok("status")["processes"] if p["kind"] == victim]

    def strike() -> None:
        kill(target)
        if victim == "service":
            assert home.ok("up")["pid"] != target

    writer = Writer(home, facts)
    asyncio.run(writer.run(strike))

    assert len(writer.acknowledged) == facts
    wait_until_searchable(home)
    stored = asyncio.run(all_facts(home))
    assert Counter(stored.values()) == Counter(writer.acknowledged.keys())
    assert {content: id for id, content in stored.items()} == writer.acknowledged
    assert home.ok("doctor")["healthy"]


async def all_facts(home: Home) -> dict[str, str]:
    """Every fact of the test, content by id."""
    found: dict[str, str] = {}
    after: str | None = None
    async with httpx.AsyncClient(timeout=30) as client:
        while True:
            answer = await ask(client, home, FACTS, {"after": after})
            page = answer["data"]["facts"]
            found |= {node["id"]: node["content"] for node in page["nodes"]}
            if not page["pageInfo"]["hasNextPage"]:
                return found
            after = page["pageInfo"]["endCursor"]


def wait_until_searchable(home: Home) -> None:
    """Waits until no index work waits."""
    end = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < end:
        status = home.run("status", "--json")
        if status.code == 0 and status.document["outbox_waiting"] == 0 and not status.document["degraded"]:
            return
        time.sleep(0.5)
    raise AssertionError(f"index work still waits after {LIMIT_SECONDS} s")
