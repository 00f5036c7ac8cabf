"""A ledger for unit tests: versions in, commands applied, what would be written out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

from graphmem.memory.commands import Command, NewFact
from graphmem.memory.ledger import Ledger
from graphmem.memory.model import Fact, Memory
from graphmem.memory.text import content_hash
from graphmem.memory.versions import Versions
from graphmem.memory.writes import Intent, Outcome

MONDAY = datetime(2026, 1, 5, 12, tzinfo=UTC)


def _always(memory: Memory) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class GivenRights:
    """Rights as a test states them."""

    read: Callable[[Memory], bool] = _always
    write: Callable[[Memory], bool] = _always
    delete: Callable[[Memory], bool] = _always
    admin: Callable[[Memory], bool] = _always


ALL_RIGHTS = GivenRights()


@dataclass
class Store:
    """Versions as a store would keep them, by id; each ``do`` is a transaction of its own."""

    versions: dict[str, Memory] = field(default_factory=dict)
    ids: Iterable[int] = field(default_factory=lambda: count(1))

    def do(
        self,
        *commands: Command,
        subject: str = "alice",
        rights: GivenRights = ALL_RIGHTS,
        now: datetime = MONDAY,
    ) -> list[Outcome]:
        """The outcomes of one request; the store then holds what it wrote."""
        ledger = self.ledger(now)
        outcomes = ledger.apply_all([Intent(command, subject, rights) for command in commands])
        self.versions |= ledger.writes.changed | ledger.writes.created
        for id in ledger.writes.purged:
            del self.versions[id]
        return outcomes

    def ledger(self, now: datetime = MONDAY) -> Ledger:
        """A ledger over all that is stored."""
        chains = {version.id: version.chain_id for version in self.versions.values()}
        ids = iter(self.ids)
        versions = Versions(self.versions.values(), chains)
        return Ledger(versions, now=now, new_id=lambda: f"id-{next(ids):04}")

    def live(self) -> list[Memory]:
        """The live versions, by id."""
        return sorted((one for one in self.versions.values() if one.live), key=lambda one: one.id)


def fact(content: str, path: str = "/a", **fields: Any) -> NewFact:
    """A fact to store."""
    return NewFact(path=path, content=content, **fields)


def first_version(id: str, content: str, **fields: Any) -> Fact:
    """A live first version of a fact of alice at ``/a``; of a later version only what differs is given."""
    given: dict[str, Any] = {
        "chain_id": id,
        "head_key": fields.get("chain_id", id),
        "version": 1,
        "path": "/a",
        "ancestors": ("/", "/a"),
        "tags": ("owner=alice",),
        "tag_keys": ("owner",),
        "owner": "alice",
        "author": "alice",
        "language": "en",
        "live": True,
        "created_at": MONDAY,
        "known_from": MONDAY,
    }
    return Fact(id=id, content=content, content_hash=content_hash(content), **{**given, **fields})
