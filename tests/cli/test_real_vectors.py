"""A real service whose vectors were lost: it says so, keeps what is written, and a rebuild mends it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.homes import Home, ended_home

pytestmark = [pytest.mark.stores, pytest.mark.timeout(900)]


@pytest.fixture
def fresh_home(tmp_path: Path) -> Iterator[Home]:
    """An empty home."""
    yield from ended_home(tmp_path / "home")


def test_vectors_that_were_lost_are_told_and_built_anew(fresh_home: Home) -> None:
    fresh_home.ok("remember", "/garden", "The ferns want water on Mondays.")
    fresh_home.ok("down")
    shutil.rmtree(fresh_home.path / "vectors")

    fresh_home.ok("up")
    fresh_home.ok("remember", "/garden", "The spade is in the shed.")
    status = fresh_home.ok("status")

    assert status["embedder"] == "hash"
    assert [said for said in status["degraded"] if "`graphmem reindex`" in said] == status["degraded"] != []
    assert status["outbox_waiting"] > 0

    fresh_home.ok("reindex")

    assert fresh_home.ok("status")["degraded"] == []
    for words in ("ferns water", "spade shed"):
        hits = fresh_home.ok("search", words, "--mode", "vector")["hits"]
        assert set(words.split()) <= set(hits[0]["content"].lower().rstrip(".").split())
