"""Room on the disk of the stores."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem.errors import Unavailable
from graphmem.local.disk import STARTING_BYTES, WRITING_BYTES, require_room_to_start, require_room_to_write

Require = Callable[[Path], None]

BOTH = [
    (require_room_to_write, WRITING_BYTES, "writing"),
    (require_room_to_start, STARTING_BYTES, "starting"),
]


def free(monkeypatch: pytest.MonkeyPatch, size: int) -> list[Path]:
    """So many bytes are free everywhere; the folders that were looked at."""
    looks: list[Path] = []

    def usage(folder: Path) -> object:
        looks.append(folder)
        return shutil._ntuple_diskusage(2**40, 2**40 - size, size)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    return looks


def test_reading_goes_on_where_writing_does_not() -> None:
    assert STARTING_BYTES < WRITING_BYTES


@pytest.mark.parametrize(("require", "needed", "doing"), BOTH)
def test_as_much_room_as_it_says_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require: Require, needed: int, doing: str
) -> None:
    free(monkeypatch, needed)

    require(tmp_path)


@pytest.mark.parametrize(("require", "needed", "doing"), BOTH)
def test_less_is_told_with_both_sizes_and_no_folder_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require: Require, needed: int, doing: str
) -> None:
    free(monkeypatch, needed - 1)

    with pytest.raises(Unavailable) as refused:
        require(tmp_path)

    sizes = f"{(needed >> 20) - 1} MiB free, {doing} needs {needed >> 20}"
    assert str(refused.value) == f"the disk of the stores has {sizes}; free some and try again"


def test_before_the_first_start_the_nearest_parent_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = free(monkeypatch, WRITING_BYTES)

    require_room_to_write(tmp_path / "home" / "neo4j")

    assert looks == [tmp_path]


def test_a_disk_that_is_gone_takes_no_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(folder: Path) -> object:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(shutil, "disk_usage", gone)

    with pytest.raises(Unavailable, match="cannot be looked at: Input/output error"):
        require_room_to_write(tmp_path)
