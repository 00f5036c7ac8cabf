"""Background work under a lease: it gives way to what is more urgent, but not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

import pytest

from graphmem.graph.meta_store import Lease, MetaStore
from graphmem.service import leased, leases
from graphmem.service.leased import LeasedLoop


class Leases:
    """Gives the lease to whoever asks."""

    on_take: Callable[[], None] | None = None

    async def take_lease(self, key: str, holder: str, seconds: int) -> Lease:
        if self.on_take is not None:
            self.on_take()
        return Lease(key, holder, 1)

    async def drop_lease(self, lease: Lease) -> None:
        pass


class Work:
    """Counts its steps; there is always more to do."""

    def __init__(self) -> None:
        self.steps = 0
        self.stepped = asyncio.Event()

    async def step(self, lease: Lease) -> int:
        self.steps += 1
        self.stepped.set()
        await asyncio.sleep(0)
        return 1


def loop(work: Work, quiet: asyncio.Event) -> LeasedLoop:
    async def is_quiet() -> None:
        await quiet.wait()

    return LeasedLoop("work", "me", cast(MetaStore, Leases()), work.step, quiet=is_quiet)


async def test_a_step_waits_until_it_is_quiet() -> None:
    work, quiet = Work(), asyncio.Event()
    running = loop(work, quiet)
    running.start()
    for _ in range(20):
        await asyncio.sleep(0)
    assert work.steps == 0

    quiet.set()
    await asyncio.wait_for(work.stepped.wait(), 5)
    await running.close()


async def test_where_it_never_gets_quiet_it_works_on_after_a_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leased, "GIVES_WAY_SECONDS", 0.01)
    work = Work()
    running = loop(work, asyncio.Event())
    running.start()
    await asyncio.wait_for(work.stepped.wait(), 5)
    for _ in range(20):
        await asyncio.sleep(0)

    assert work.steps > 1
    await running.close()


async def test_the_lease_is_renewed_while_a_step_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.01)
    given, renewed = Leases(), asyncio.Event()

    async def step(lease: Lease) -> int:
        given.on_take = renewed.set
        await renewed.wait()
        return 0

    running = LeasedLoop("work", "me", cast(MetaStore, given), step)
    running.start()
    await asyncio.wait_for(renewed.wait(), 5)
    await running.close()


async def test_a_renewal_that_ends_by_a_fault_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.0)
    given, failed = Leases(), asyncio.Event()

    def fail() -> None:
        failed.set()
        raise RuntimeError("a fault of ours")

    given.on_take = fail
    async with leases.kept(cast(MetaStore, given), Lease("lease/work", "me", 1)):
        await asyncio.wait_for(failed.wait(), 5)

    assert "lease/work was not renewed to the end" in caplog.text
    assert "a fault of ours" in caplog.text
