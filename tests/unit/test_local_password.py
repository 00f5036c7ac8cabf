"""The password of the managed Neo4j: random, private, and hashed as Neo4j hashes."""

from __future__ import annotations

import stat
from pathlib import Path

from graphmem.local.password import first_login, read_or_make, write_private


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_password_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "password"

    made = read_or_make(path)

    assert len(made) == 48
    assert mode(path) == 0o600
    assert read_or_make(path) == made
    assert read_or_make(tmp_path / "other") != made


def test_a_file_that_others_may_read_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text("kept\n", encoding="utf-8")
    path.chmod(0o644)

    assert read_or_make(path) == "kept"
    assert mode(path) == 0o600


def test_what_a_killed_start_left_does_not_make_the_file_readable(tmp_path: Path) -> None:
    left = tmp_path / "password.new"
    left.write_text("", encoding="utf-8")
    left.chmod(0o644)

    write_private(tmp_path / "password", "text\n")

    assert (tmp_path / "password").read_text(encoding="utf-8") == "text\n"
    assert mode(tmp_path / "password") == 0o600
    assert not left.exists()


def test_the_first_login_is_what_the_admin_command_of_neo4j_writes() -> None:
    salt = bytes.fromhex("f1c8aa1e271fbbb3e2bd8b578d94b2a95966efe3fad4cc49fdcaad2a4082eb22")

    assert first_login("neo4j", "testtest1234", salt) == (
        "neo4j:SHA-256,d5c057be3510e31dcc47de7dbde0515d8db6fdf1db43a390986d44fdc0d74202,"
        "f1c8aa1e271fbbb3e2bd8b578d94b2a95966efe3fad4cc49fdcaad2a4082eb22,1024:\n"
    )
