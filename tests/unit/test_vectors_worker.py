"""The order in which the vector worker answers, and when it flushes; its engine is a list here."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from graphmem.vectors import edge_worker
from graphmem.vectors.edge_worker import FLUSH_POINTS, PAUSE_FLUSH_POINTS, SEARCHES_AT_ONCE, Worker
from graphmem.vectors.frames import Decoder, encode

Frame = tuple[dict[str, Any], bytes]


class Notes:
    """Notes what it is asked and answers with the number of requests that came together."""

    def __init__(self) -> None:
        self.rounds: list[list[str]] = []
        self.unflushed = 0
        self.flushes = 0
        self.flushed = threading.Event()

    def answer(self, frames: list[Frame]) -> list[Frame]:
        self.rounds.append([header["name"] for header, _ in frames])
        self.unflushed += sum(header.get("points", 0) for header, _ in frames)
        return [({"together": len(frames)}, body) for _, body in frames]

    def flush(self) -> None:
        self.flushes += 1
        self.unflushed = 0
        self.flushed.set()


def search(name: str, collection: str = "c") -> dict[str, Any]:
    return {"op": "search", "name": name, "collection": collection}


def upsert(name: str, points: int = 0) -> dict[str, Any]:
    return {"op": "upsert", "name": name, "collection": "c", "points": points}


class Owner:
    """The owner's end of the socket; the worker's end is served by a thread."""

    def __init__(self) -> None:
        self.notes = Notes()
        self._ours, self._theirs = socket.socketpair()
        self._decoder = Decoder()
        self._sent = 0
        self._thread = threading.Thread(target=Worker(self._theirs, self.notes).run)  # type: ignore[arg-type]

    def send(self, *headers: dict[str, Any]) -> None:
        """Sends requests; before ``start`` they all wait when the worker looks."""
        for header in headers:
            self._ours.sendall(encode(header | {"id": self._sent}, str(self._sent).encode()))
            self._sent += 1

    def start(self) -> None:
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the worker still runs."""
        return self._thread.is_alive()

    def receive(self, count: int) -> list[Frame]:
        """The next replies."""
        received: list[Frame] = []
        self._ours.settimeout(30)
        while len(received) < count:
            received += self._decoder.feed(self._ours.recv(65_536))
        return received

    def close(self) -> None:
        self._ours.close()
        if self._thread.ident is not None:
            self._thread.join(30)
        self._theirs.close()


@pytest.fixture
def owner() -> Iterator[Owner]:
    held = Owner()
    yield held
    held.close()


def test_waiting_searches_go_first_and_together(owner: Owner) -> None:
    owner.send(upsert("u1"), search("s1"), search("s2"), upsert("u2"), search("s3"))
    owner.start()

    owner.receive(5)

    assert owner.notes.rounds == [["s1", "s2", "s3"], ["u1"], ["u2"]]


def test_every_reply_carries_the_number_of_its_request(owner: Owner) -> None:
    owner.send(upsert("u1"), search("s1"), search("s2"))
    owner.start()

    replies = owner.receive(3)

    assert [(header["id"], body) for header, body in replies] == [(1, b"1"), (2, b"2"), (0, b"0")]
    assert [header["together"] for header, _ in replies] == [2, 2, 1]


def test_a_write_is_never_passed_by_two_rounds_of_searches(owner: Owner) -> None:
    owner.send(upsert("u1"), upsert("u2"), *(search(f"s{n}") for n in range(SEARCHES_AT_ONCE + 3)))
    owner.start()

    owner.receive(SEARCHES_AT_ONCE + 5)

    assert [len(names) for names in owner.notes.rounds] == [SEARCHES_AT_ONCE, 1, 3, 1]
    assert owner.notes.rounds[1] == ["u1"]


def test_searches_of_two_collections_are_not_answered_together(owner: Owner) -> None:
    owner.send(search("s1"), search("s2", "other"), search("s3", "other"))
    owner.start()

    owner.receive(3)

    assert owner.notes.rounds == [["s1"], ["s2", "s3"]]


def test_many_points_are_flushed_without_a_pause(owner: Owner) -> None:
    owner.send(upsert("u1", FLUSH_POINTS - 1), upsert("u2", 1), upsert("u3", 5))
    owner.start()

    owner.receive(3)

    assert (owner.notes.flushes, owner.notes.unflushed) == (1, 5)


def test_a_pause_is_used_for_a_flush_that_is_worth_it(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_worker, "PAUSE_S", 0.01)
    owner.send(upsert("few", PAUSE_FLUSH_POINTS - 1))
    owner.start()
    owner.receive(1)
    assert not owner.notes.flushed.wait(0.1), "a few points can wait"

    owner.send(upsert("more", 1))

    owner.receive(1)
    assert owner.notes.flushed.wait(30)


def test_a_few_points_are_flushed_in_a_pause_after_a_while(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_worker, "PAUSE_S", 0.01)
    monkeypatch.setattr(edge_worker, "PAUSE_FLUSH_S", 0.05)
    owner.send(upsert("one", 1))
    owner.start()

    owner.receive(1)

    assert owner.notes.flushed.wait(30)


def test_the_worker_ends_when_its_owner_is_gone(owner: Owner) -> None:
    owner.start()

    owner.close()

    assert not owner.alive
