"""The versions that a transaction has locked, as it finds and leaves them.

Keeps three things true at once: one head a chain, one live holder of an identity key, and a note of every
version that has to be written. The rules that use it are in ``ledger``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from graphmem.memory.drafts import held_identity, with_identity
from graphmem.memory.model import Memory
from graphmem.memory.writes import Writes


class Versions:
    """The locked versions, by id, by chain and by identity key.

    Args:
        locked: Versions as the store holds them.
        asked: Ids that commands name, each with the chain it belongs to.
    """

    def __init__(self, locked: Iterable[Memory], asked: Mapping[str, str]) -> None:
        self._by_id: dict[str, Memory] = {}
        self._heads: dict[str, str] = {}
        self._holders: dict[str, str] = {}
        self._chains = dict(asked)
        self.writes = Writes()
        for version in locked:
            self._enter(version)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """What happens inside stays only if nothing is raised: one refusal undoes a whole batch."""
        kept = (dict(self._by_id), dict(self._heads), dict(self._holders), dict(self._chains))
        writes, self.writes = self.writes, self.writes.copied()
        try:
            yield
        except BaseException:
            self._by_id, self._heads, self._holders, self._chains = kept
            self.writes = writes
            raise

    def get(self, id: str) -> Memory:
        """The version as it stands now."""
        return self._by_id[id]

    def head_of(self, id: str) -> Memory | None:
        """The head of the chain that any of its ids names."""
        chain = self._chains.get(id)
        return None if chain is None else self._by_id.get(self._heads.get(chain, ""))

    def chain(self, chain_id: str) -> list[Memory]:
        """The locked versions of a chain, oldest first."""
        found = (version for version in self._by_id.values() if version.chain_id == chain_id)
        return sorted(found, key=lambda version: version.version)

    def holder(self, key: str, now: datetime) -> Memory | None:
        """The live memory that holds an identity key; one that is expired gives it up on the way."""
        found = self._holders.get(key)
        if found is None:
            return None
        memory = self._by_id[found]
        if not memory.expired(now):
            return memory
        self.put(replace(with_identity(memory, None), revision=memory.revision + 1))
        return None

    def create(self, version: Memory) -> None:
        """Enters a version that the store does not hold yet."""
        self._enter(version)
        self.writes.created[version.id] = version

    def put(self, version: Memory) -> None:
        """Changes a version that is there already, in the store or only in this transaction."""
        before = self._by_id[version.id]
        if version.id in self.writes.created:
            self.writes.created[version.id] = version
        else:
            self.writes.before.setdefault(version.id, before)
            self.writes.changed[version.id] = version
        self._enter(version)

    def close(self, head: Memory, now: datetime, *, deleted_by: str | None = None) -> Memory:
        """Ends the span in which ``head`` was known (rule 3), with its chain when somebody deletes it."""
        closed = replace(with_identity(head, None), live=False, known_to=now, revision=head.revision + 1)
        if deleted_by is None:
            closed = replace(closed, head_key=None)
        else:
            closed = replace(closed, deleted_at=now, deleted_by=deleted_by)
        self.put(closed)
        return closed

    def erase(self, version: Memory) -> None:
        """Takes a version out for good."""
        self._leave(version)
        writes = self.writes
        for noted in (
            writes.created,
            writes.changed,
            writes.before,
            writes.supersedes,
            writes.links,
            writes.copied_links,
        ):
            noted.pop(version.id, None)
        writes.audits = [
            replace(audit, reason=None) if audit.memory.chain_id == version.chain_id else audit
            for audit in writes.audits
        ]
        writes.purged[version.id] = version

    def _enter(self, version: Memory) -> None:
        if version.id in self._by_id:
            self._leave(self._by_id[version.id])
        self._by_id[version.id] = version
        self._chains[version.id] = version.chain_id
        if version.head_key is not None:
            self._heads[version.head_key] = version.id
        key = held_identity(version)
        if key is not None:
            self._holders[key] = version.id

    def _leave(self, version: Memory) -> None:
        del self._by_id[version.id]
        if version.head_key is not None and self._heads.get(version.head_key) == version.id:
            del self._heads[version.head_key]
        key = held_identity(version)
        if key is not None and self._holders.get(key) == version.id:
            del self._holders[key]
