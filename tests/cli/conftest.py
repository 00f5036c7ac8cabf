"""What the tests of the command line share: the command in this process, and a service of a few lines."""

from __future__ import annotations

import json
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from graphmem.cli.main import run
from graphmem.cli.service_file import this_process, token_path, write_record
from tests.homes import Ended

TOKEN = "gm_testtesttest_" + "x" * 43


Command = Callable[..., Ended]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home; no setting of the machine reaches the test."""
    for name in [name for name in os.environ if name.startswith("GRAPHMEM_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPHMEM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "home"


@pytest.fixture
def graphmem(home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Iterator[Command]:
    """Runs a command in this process: ``graphmem("search", "words", "--json")``."""

    def command(*arguments: str) -> Ended:
        code = run(arguments)
        captured = capfdbinary.readouterr()
        return Ended(code, captured.out.decode("utf-8"), captured.err.decode("utf-8"))

    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield command
    # `serve` sends the log of its process to its home; this process goes on without.
    for handler in set(root.handlers) - set(handlers):
        handler.close()
    root.handlers[:], root.level = handlers, level


@dataclass
class ScriptedService:
    """Answers each operation with what it was told, and keeps what it was asked."""

    url: str = ""
    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    exported: list[bytes] = field(default_factory=list)
    imported: bytes = b""

    def says(self, name: str, field_name: str, value: Any) -> None:
        """The operation ``name`` is answered with ``value`` at its root field; a list of them in turn."""
        self.answers[name] = {"data": {field_name: value}}

    def refuses(self, name: str, message: str, **extensions: object) -> None:
        """The operation ``name`` is refused."""
        self.answers[name] = {"data": None, "errors": [{"message": message, "extensions": extensions}]}

    async def graphql(self, request: Request) -> Response:
        self.tokens.append(request.headers.get("authorization", ""))
        body = json.loads(await request.body())
        name = body["query"].split("(")[0].split("{")[0].split()[1]
        self.asked.append((name, body["variables"]))
        answer = self.answers[name]
        return JSONResponse(answer.pop(0) if isinstance(answer, list) else answer)

    async def ready(self, request: Request) -> Response:
        return JSONResponse({"ready": True, "degraded": False})

    async def export(self, request: Request) -> Response:
        return Response(b"".join(self.exported), media_type="application/x-ndjson")

    async def take(self, request: Request) -> Response:
        self.imported = await request.body()
        return JSONResponse({"stored": self.imported.count(b"\n"), "skipped": 0})


@pytest.fixture
def service(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedService]:
    """A scripted service on loopback that ``GRAPHMEM_URL`` names."""
    scripted = ScriptedService()
    routes = [
        Route("/graphql", scripted.graphql, methods=["POST"]),
        Route("/ready", scripted.ready),
        Route("/export", scripted.export),
        Route("/import", scripted.take, methods=["POST"]),
    ]
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(Starlette(routes=routes), log_config=None, lifespan="off", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    wait_for(lambda: server.started)
    scripted.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    monkeypatch.setenv("GRAPHMEM_URL", scripted.url)
    monkeypatch.setenv("GRAPHMEM_TOKEN", TOKEN)
    yield scripted
    server.should_exit = True
    thread.join()


@pytest.fixture
def local_service(service: ScriptedService, home: Path, monkeypatch: pytest.MonkeyPatch) -> ScriptedService:
    """The same service as the one that this home has running."""
    monkeypatch.delenv("GRAPHMEM_URL")
    monkeypatch.delenv("GRAPHMEM_TOKEN")
    home.mkdir()
    write_record(home, this_process(f"{service.url}/graphql", "0.1.0", {}))
    token_path(home).write_text(TOKEN)
    return service


def wait_for(condition: Callable[[], object], seconds: float = 30.0) -> None:
    """Until the condition holds; fails when it does not in time."""
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "the condition did not hold in time"
        time.sleep(0.01)


def memory_answer(**changes: Any) -> dict[str, Any]:
    """A memory as the service answers it."""
    known: dict[str, Any] = {
        "__typename": "Fact",
        "id": "019a0000-0000-7000-8000-000000000001",
        "chainId": "019a0000-0000-7000-8000-000000000001",
        "version": 1,
        "path": "/projects/embornal",
        "title": None,
        "content": "Signal strength fades.",
        "owner": "default",
        "author": "default",
        "tags": ["owner=default"],
        "keywords": [],
        "status": "ACTIVE",
        "live": True,
        "createdAt": "2026-01-05T08:00:00Z",
        "deletedAt": None,
        "validFrom": None,
        "validTo": None,
        "expiresAt": None,
        "indexed": True,
        "signalStrength": 0.5,
        "kind": "FACT",
    }
    return known | changes


MEMORY_ID = "019a0000-0000-7000-8000-000000000001"


def receipt_answer(action: str, **memory: object) -> dict[str, object]:
    """A receipt as the service answers it."""
    shown = memory_answer(**memory)
    return {
        "action": action,
        "memoryId": MEMORY_ID,
        "memory": shown,
        "reason": None,
        "indexed": False,
        "warnings": ["close to another one"],
    }


def hit_answer(**changes: object) -> dict[str, object]:
    """A hit of a search as the service answers it."""
    return {
        "cursor": "c1",
        "score": 0.75,
        "why": "both words, near in meaning",
        "contributions": [
            {"channel": "KEYWORD", "score": 1.0, "weight": 0.5, "value": 0.5},
            {"channel": "VECTOR", "score": 0.5, "weight": 0.5, "value": 0.25},
        ],
        "node": memory_answer(**changes),
    }


def page_answer(
    *hits: dict[str, object], more: bool = False, degraded: tuple[str, ...] = ()
) -> dict[str, object]:
    """A page of a search as the service answers it."""
    info = {"hasNextPage": more, "endCursor": "c1" if hits else None}
    return {"edges": list(hits), "pageInfo": info, "degraded": list(degraded), "termsDropped": 0}
