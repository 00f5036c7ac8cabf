"""A disk that is nearly full: nothing is written, all is read, and writing goes on by itself afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.bootstrap import open_platform
from graphmem.errors import Unavailable
from graphmem.local.disk import WRITING_BYTES
from graphmem.memory.commands import NewFact
from graphmem.service.platform import Caller
from graphmem.service.reading import memory
from graphmem.service.status import readiness, status
from graphmem.service.writing import write
from graphmem.settings import Settings
from tests.running import until

pytestmark = pytest.mark.stores

FULL = "the disk of the stores has 255 MiB free, writing needs 256; free some and try again"


@pytest.fixture
def fill(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Where what is free can be set."""
    with monkeypatch.context() as patched:
        yield patched


async def test_a_nearly_full_disk_takes_no_writes_and_reading_goes_on(
    tmp_path: Path, fill: pytest.MonkeyPatch
) -> None:
    settings = Settings(home=tmp_path, embedder="hash")
    async with open_platform(settings) as platform:
        caller = Caller.of(platform, "default")
        [kept] = await write(caller, [NewFact(path="/a", content="Ada keeps the key.")])
        fill.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(9, 9, WRITING_BYTES - 1))

        with pytest.raises(Unavailable, match=FULL):
            await write(caller, [NewFact(path="/a", content="Ben lost the key.")])

        assert kept.memory_id is not None
        assert (await memory(caller, kept.memory_id)).content == "Ada keeps the key."
        assert (await readiness(platform)).ready
        assert f"writing: {FULL}" in (await status(caller)).degraded
        lease = await platform.stores.meta.take_lease("lease/test", "me", 5)
        assert lease is not None
        await platform.stores.meta.drop_lease(lease)

        fill.undo()
        [stored] = await write(caller, [NewFact(path="/a", content="Ben lost the key.")])

        async def well() -> bool:
            found = await status(caller)
            return not found.degraded and not found.outbox_waiting

        await until(well)
        assert stored.action == "STORED"
