"""Class data where they cannot be made: the start goes on without them, and says why once."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest
from filelock import FileLock

from graphmem.local import processes
from graphmem.local.class_data import archive_path, discard, make_class_data, with_class_data
from graphmem.local.java import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A class path without Neo4j in it: Java ends at once."""
    jar = tmp_path / "empty.jar"
    jar.write_bytes(b"no jar")
    return Program((jar,))


def refuse(*_arguments: object) -> None:
    raise AssertionError("a process was started")


async def test_a_failure_is_told_and_kept_and_not_tried_again(
    tmp_path: Path, program: Program, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with caplog.at_level(logging.WARNING, logger="graphmem.local"):
        await make_class_data(tmp_path, program)

    reason = archive_path(tmp_path, program).with_suffix(".failed").read_text(encoding="utf-8")
    assert "org.neo4j.server.Neo4jCommunity" in reason
    assert "so it starts slower: Neo4j did not start: its process ended." in caplog.text
    assert not (tmp_path / "class-data" / "training").exists()

    monkeypatch.setattr(processes, "spawn", refuse)
    await make_class_data(tmp_path, program)
    assert with_class_data(tmp_path, program) == program


async def test_a_cache_that_cannot_be_written_is_no_failure(
    tmp_path: Path, program: Program, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "class-data").write_text("in the way", encoding="utf-8")

    await make_class_data(tmp_path, program)

    assert with_class_data(tmp_path, program) == program
    assert "so it starts slower" in caplog.text


async def test_nobody_waits_for_another_process_that_makes_them(
    tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "spawn", refuse)
    (tmp_path / "class-data").mkdir()

    with FileLock(tmp_path / "class-data" / ".lock"):
        await make_class_data(tmp_path, program)

    assert with_class_data(tmp_path, program) == program


async def test_what_is_there_is_used_until_it_is_discarded(tmp_path: Path, program: Program) -> None:
    archive = archive_path(tmp_path, program)
    archive.parent.mkdir()
    archive.write_bytes(b"class data")

    await make_class_data(tmp_path, program)
    found = with_class_data(tmp_path, program)
    discard(tmp_path, program)

    assert found == Program(program.jars, (f"-XX:SharedArchiveFile={archive}",))
    assert not archive.exists()
    discard(tmp_path, program)


async def test_at_most_one_outdated_archive_stays(tmp_path: Path, program: Program) -> None:
    folder = archive_path(tmp_path, program).parent
    folder.mkdir()
    stem = archive_path(tmp_path, program).name.rsplit("-", 1)[0]
    for age, name in enumerate((f"{stem}-new.jsa", f"{stem}-old.jsa", f"{stem}-older.jsa", "other-1.jsa")):
        (folder / name).write_bytes(b"class data")
        os.utime(folder / name, (1_000_000 - age, 1_000_000 - age))

    await make_class_data(tmp_path, program)

    assert sorted(path.name for path in folder.glob("*.jsa")) == [f"{stem}-new.jsa", "other-1.jsa"]


def test_another_jar_needs_another_archive(tmp_path: Path, program: Program) -> None:
    before = archive_path(tmp_path, program)
    jar = program.jars[0]
    os.utime(jar, ns=(0, 0))

    assert archive_path(tmp_path, program) != before
    assert archive_path(tmp_path, Program((jar, jar))) != archive_path(tmp_path, program)
