"""Room on the disk of a home."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from graphmem.errors import Unavailable
from graphmem.local.disk import require_room


@pytest.mark.parametrize("beyond", [0, 1])
def test_writing_needs_as_much_room_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beyond: int
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(9, 9, 2**28 + beyond))

    require_room(tmp_path, 2**28)


def test_a_full_disk_is_told_with_its_place_and_both_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(9, 9, 2**28 - 1))

    with pytest.raises(Unavailable) as refused:
        require_room(tmp_path, 2**28)

    assert str(refused.value) == (
        f"the disk of {tmp_path} has 255 MiB free, writing needs 256;"
        " nothing was stored, free some and try again"
    )
