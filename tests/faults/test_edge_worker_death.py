"""The vector worker and its owner are killed at every moment; nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from graphmem.errors import Unavailable
from graphmem.vectors import edge_link, edge_process
from graphmem.vectors.edge import EdgeStore
from graphmem.vectors.edge_worker import FolderInUse, locked
from graphmem.vectors.index import VectorIndex, tombstone
from tests.stores.test_vector_contract import ALL, EAST, found, stored_revisions, window

pytestmark = pytest.mark.stores

LIMIT_S = 60.0


async def until(true: Callable[[], bool]) -> None:
    """Waits for a condition, at most ``LIMIT_S``."""
    async with asyncio.timeout(LIMIT_S):
        while not true():  # noqa: ASYNC110 - another process changes what is waited for
            await asyncio.sleep(0.01)


def gone(pid: int) -> bool:
    """Whether the process is no more, or only waits to be reaped."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def pid_of(store: EdgeStore) -> int:
    assert store.pid is not None
    return store.pid


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[EdgeStore]:
    opened = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log")
    yield opened
    await opened.close()


async def test_acknowledged_writes_survive_kills_in_the_middle_of_2000_writes(store: EdgeStore) -> None:
    index = await store.open("writes", 4)
    acknowledged: dict[str, int] = {}
    refused = 0

    async def write(writer: int) -> None:
        nonlocal refused
        for n in range(500):
            name = f"w{writer}-{n % 400}"
            revision = 1 if n < 400 else 2
            try:
                await index.upsert([window(name, revision=revision, vector=(1.0, n / 7, writer, 0.0))])
            except Unavailable:
                refused += 1
            else:
                acknowledged[name] = revision

    writing = asyncio.gather(*(write(writer) for writer in range(4)))
    killed = []
    for part in (300, 900, 1_500):
        await until(lambda part=part: len(acknowledged) >= part or writing.done())  # type: ignore[misc]
        if store.pid is not None:
            killed.append(store.pid)
            os.kill(store.pid, signal.SIGKILL)
    await writing

    held = {name: revision for (name, _), (revision, _) in (await everything(index)).items()}
    assert len(killed) >= 2
    assert refused < 20, "a call that the death of the worker interrupts is sent to the next worker"
    assert {name: held[name] for name in acknowledged} == acknowledged
    assert await index.count() == len(held)
    assert set(await found(index, limit=2_000)) == set(held)


async def everything(index: VectorIndex) -> dict[tuple[str, int], tuple[int, bool]]:
    """All revisions, page by page."""
    listed: dict[tuple[str, int], tuple[int, bool]] = {}
    after = None
    while page := await index.revisions(after, 500):
        assert not {(one.memory_id, one.window) for one in page} & set(listed), "a point is there twice"
        listed |= {(one.memory_id, one.window): (one.revision, one.dead) for one in page}
        after = page[-1].id
    return listed


async def test_tombstones_survive_a_kill_and_still_beat_late_upserts(store: EdgeStore) -> None:
    index = await store.open("graves", 4)
    await index.upsert([window("m1"), window("m2")])
    await index.upsert([tombstone("m1", 0, 2)])
    os.kill(pid_of(store), signal.SIGKILL)

    await index.upsert([window("m1", revision=2)])

    assert await found(index) == ["m2"]
    assert await stored_revisions(index) == {("m1", 0): (2, True), ("m2", 0): (1, False)}


async def test_a_search_that_is_running_while_the_worker_dies_is_answered_by_the_next(
    store: EdgeStore,
) -> None:
    index = await store.open("searched", 4)
    await index.upsert([window("m1")])
    first = pid_of(store)
    os.kill(first, signal.SIGSTOP)
    searching = asyncio.create_task(index.search(EAST, ALL, 1))
    await asyncio.sleep(0)
    os.kill(first, signal.SIGKILL)

    hits = await searching

    assert [hit.memory_id for hit in hits] == ["m1"]
    assert pid_of(store) != first


@pytest.mark.parametrize("number", [signal.SIGBUS, signal.SIGABRT, signal.SIGTERM], ids=lambda one: one.name)
async def test_any_end_of_the_worker_is_followed_by_a_new_one(
    store: EdgeStore, number: signal.Signals
) -> None:
    index = await store.open("ends", 4)
    await index.upsert([window("m1")])
    first = pid_of(store)

    os.kill(first, number)

    await until(lambda: gone(first))
    assert await found(index) == ["m1"]
    assert pid_of(store) != first


async def test_a_worker_that_dies_again_and_again_gives_a_clean_refusal(
    store: EdgeStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_process, "RESTART_WAIT_S", 0.2)
    index = await store.open("dying", 4)
    await index.upsert([window("m1")])
    monkeypatch.setattr(sys, "executable", "/bin/false")
    os.kill(pid_of(store), signal.SIGKILL)
    await until(lambda: store.pid is None)

    with pytest.raises(Unavailable, match=r"the vector worker does not run: .*vectors\.log"):
        await index.search(EAST, ALL, 1)

    monkeypatch.undo()
    assert await found(index) == ["m1"]


async def test_a_worker_that_hangs_is_reported_and_recovers(
    store: EdgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = await store.open("hanging", 4)
    await index.upsert([window("m1")])
    monkeypatch.setattr(edge_link, "CALL_S", 0.3)
    os.kill(pid_of(store), signal.SIGSTOP)

    with pytest.raises(Unavailable, match=r"did not answer search in 0\.3 s"):
        await index.search(EAST, ALL, 1)

    monkeypatch.undo()
    os.kill(pid_of(store), signal.SIGCONT)
    assert await found(index) == ["m1"]


async def test_a_worker_that_will_not_end_is_killed_at_the_close(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_link, "STOP_S", 0.3)
    store = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log")
    pid = pid_of(store)
    os.kill(pid, signal.SIGSTOP)

    await store.close()

    assert gone(pid)


OWNER = """
import asyncio, sys
from pathlib import Path
from graphmem.vectors.edge import EdgeStore
from graphmem.vectors.index import Point, point_id

async def main():
    home = Path(sys.argv[1])
    store = await EdgeStore.start(home / "vectors", home / "vectors.log")
    index = await store.open("owned", 4)
    for n in range(1, 100_000):
        await index.upsert([Point(point_id(f"m{n}", 0), [1.0, n, 0, 0], {"memory_id": f"m{n}", "window": 0, "revision": 1})])
        print(store.pid, n, flush=True)

asyncio.run(main())
"""  # noqa: E501


def killed_owner(home: Path) -> tuple[int, int]:
    """Another process that owned a store and was killed in the middle of its writes.

    Returns:
        The id of its worker and how many writes were acknowledged.
    """
    command = [sys.executable, "-c", OWNER, str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as owner:
        assert owner.stdout is not None
        worker, acknowledged = 0, 0
        for line in owner.stdout:  # ends with what was printed before the kill arrived
            worker, acknowledged = (int(word) for word in line.split())
            if acknowledged == 200:
                os.kill(owner.pid, signal.SIGKILL)
    return worker, acknowledged


async def test_the_worker_ends_with_a_killed_owner_and_the_next_owner_finds_all(tmp_path: Path) -> None:
    worker, acknowledged = await asyncio.to_thread(killed_owner, tmp_path)

    store = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log")
    held = await (await store.open("owned", 4)).count()
    await store.close()

    assert gone(worker)
    assert acknowledged >= 200
    assert acknowledged <= held <= acknowledged + 1


def test_a_folder_that_another_process_holds_is_named(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "worker.lock"),
        pytest.raises(FolderInUse, match=f"in use by process {os.getpid()}"),
    ):
        locked(tmp_path / "worker.lock", wait_s=0.1)


def test_a_lock_is_free_again_when_its_holder_has_ended(tmp_path: Path) -> None:
    locked(tmp_path / "worker.lock").close()

    with locked(tmp_path / "worker.lock", wait_s=0.1) as lock:
        lock.seek(0)
        assert lock.read() == str(os.getpid())
