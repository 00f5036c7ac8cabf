"""A loader that keeps the levels of an operation in step.

Fields of one level ask at the same moment, are read together, and go on together, those whose value was
known already too. So the fields below them ask at the same moment again, and a level costs one read at most;
a loader that answered from its memory at once would split the level below in two.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Loader(Generic[Key, Value]):
    """Reads values by key, each once a request.

    Args:
        read: Gives the value of each key, in order; an exception in the place of a value is raised where that
            key was asked for.
    """

    def __init__(self, read: Callable[[list[Key]], Awaitable[Sequence[Value | Exception]]]) -> None:
        self._read = read
        self._known: dict[Key, Value | Exception] = {}
        self._batch: _Batch[Key] | None = None

    async def load(self, key: Key) -> Value:
        """The value of the key.

        Raises:
            Exception: What ``read`` raised, or gave for this key.
        """
        if self._batch is None:
            keys: dict[Key, None] = {}
            self._batch = _Batch(keys, asyncio.create_task(self._run(keys)))
        batch = self._batch
        batch.keys[key] = None
        # Shielded: whoever gives up does not take the others along.
        await asyncio.shield(batch.task)
        found = self._known[key]
        if isinstance(found, Exception):
            raise found
        return found

    def remember(self, values: Mapping[Key, Value]) -> None:
        """Keeps values that were read elsewhere; later ones replace earlier ones."""
        self._known.update(values)

    def forget(self) -> None:
        """Reads everything anew from now on."""
        self._known.clear()

    async def _run(self, keys: dict[Key, None]) -> None:
        # One more turn of the event loop: whoever was woken together with the first asks in it.
        await asyncio.sleep(0)
        self._batch = None
        unknown = [key for key in keys if key not in self._known]
        if unknown:
            self._known.update(zip(unknown, await self._read(unknown), strict=True))


@dataclass(frozen=True, slots=True)
class _Batch(Generic[Key]):
    """Keys that were asked for at the same moment, in order, and the reading of them."""

    keys: dict[Key, None]
    task: asyncio.Task[None]
