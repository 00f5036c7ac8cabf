"""A service that belongs to one benchmark: its own process, its own temporary home, gone afterwards.

It manages its own Neo4j and its own vector worker, whatever stores the environment names, so that a benchmark
never writes into a store that somebody uses. Downloaded jars stay in the shared cache.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from graphmem.errors import Unavailable

START_S = 1_800.0
"""Seconds that a start may take; the first one on a machine downloads 176 MB of jars."""

STOP_S = 60.0
"""Seconds that a service gets to close its stores before its processes are killed."""

LOOK_S = 0.05
"""Seconds between two looks at a service that starts; the error of ``start_s``."""

NOT_PASSED_ON = ("GRAPHMEM_URL", "GRAPHMEM_TOKEN", "GRAPHMEM_HOST", "GRAPHMEM_PORT", "GRAPHMEM_HOSTS")
"""Settings that name another service, or the address of one."""

STORES = ("GRAPHMEM_NEO4J_", "GRAPHMEM_QDRANT_")
"""Beginnings of settings that name stores; the sizes of the managed Neo4j are passed on."""

SIZES = ("GRAPHMEM_NEO4J_HEAP", "GRAPHMEM_NEO4J_PAGECACHE")


@dataclass(frozen=True, slots=True)
class Service:
    """A service that answers.

    Attributes:
        url: Of GraphQL.
        pid: Its process; ``None`` when it is not one of this machine that we know.
        start_s: Seconds from the start of the process until it was ready; ``None`` when it ran already.
    """

    url: str
    token: str
    pid: int | None = None
    start_s: float | None = None

    def started_in(self) -> float:
        """``start_s`` of a service that we started.

        Raises:
            ValueError: Somebody else did.
        """
        if self.start_s is None:
            raise ValueError(f"nobody saw how long {self.url} took to start")
        return self.start_s


class OwnService:
    """A service with a home of its own that can be started again on the same store."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> Service:
        """The service, once it is ready.

        Raises:
            Unavailable: It ended, or was not ready in time; with the last line that it wrote.
        """
        begun = time.perf_counter()
        with (self.home / "output.txt").open("ab") as output:
            process = self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "graphmem", "serve"),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.home,
                env=_environment(os.environ, self.home),
                start_new_session=True,
            )
        url = await self._ready(process, begun)
        token = (self.home / "token").read_text(encoding="utf-8").strip()
        return Service(url, token, process.pid, time.perf_counter() - begun)

    async def stop(self) -> None:
        """Ends the service and waits until everything it started is gone; kills what does not end in time."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        family = _family(process.pid)
        process.terminate()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), STOP_S)
        for member in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                member.kill()
        await process.wait()
        await asyncio.to_thread(psutil.wait_procs, family, STOP_S)

    async def _ready(self, process: asyncio.subprocess.Process, begun: float) -> str:
        async with httpx.AsyncClient(trust_env=False) as http:
            while time.perf_counter() - begun < START_S:
                if process.returncode is not None:
                    raise Unavailable(
                        f"the service ended with code {process.returncode} while starting{self._last()}"
                    )
                url = _recorded_url(self.home, process.pid)
                if url is not None and await _is_ready(http, url):
                    return url
                await asyncio.sleep(LOOK_S)
        raise Unavailable(f"the service was not ready after {START_S:.0f} s{self._last()}")

    def _last(self) -> str:
        lines = (self.home / "output.txt").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""


@asynccontextmanager
async def own_service() -> AsyncIterator[OwnService]:
    """A service that was not started yet; inside the block it may be, afterwards nothing of it is left."""
    home = Path(tempfile.mkdtemp(prefix="graphmem-bench-"))
    service = OwnService(home)
    try:
        yield service
    finally:
        await service.stop()
        shutil.rmtree(home)


def _environment(given: Mapping[str, str], home: Path) -> dict[str, str]:
    """The environment of the service: the caller's settings, but a home and stores of its own."""
    kept = {
        name: value
        for name, value in given.items()
        if name in SIZES or not (name in NOT_PASSED_ON or name.startswith(STORES))
    }
    return kept | {"GRAPHMEM_HOME": str(home)}


def _recorded_url(home: Path, pid: int) -> str | None:
    """The address in ``service.json``, once the process has written it."""
    try:
        record = json.loads((home / "service.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return str(record["url"]) if record["pid"] == pid else None


async def _is_ready(http: httpx.AsyncClient, url: str) -> bool:
    try:
        answer = await http.get(url.removesuffix("/graphql") + "/ready")
    except httpx.HTTPError:
        # It took the port and does not answer yet.
        return False
    return answer.status_code == httpx.codes.OK


def _family(pid: int) -> list[psutil.Process]:
    """The process and everything below it, children before it, as it stands now."""
    try:
        process = psutil.Process(pid)
        return [*process.children(recursive=True), process]
    except psutil.NoSuchProcess:
        return []
