"""Group commit: what queued while the last transaction ran goes into the next one together.

A commit costs milliseconds whatever it holds, so writers that arrive together share one. Each request stays
whole: it is stored as a whole or refused as a whole, and answered after the commit.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from graphmem.errors import GraphMemError, Unavailable
from graphmem.graph.client import GraphClient
from graphmem.graph.path_rows import KnownPath
from graphmem.graph.retry_store import Claim, RetryStore
from graphmem.graph.transactions import Tx
from graphmem.graph.write_store import WriteStore
from graphmem.memory.ledger import Ledger
from graphmem.memory.limits import FACT_CHARACTERS
from graphmem.memory.writes import Intent, Outcome
from graphmem.service.clock import Clock
from graphmem.service.locking import locked
from graphmem.service.retries import Replays

MOST_COMMANDS = 500
"""Commands in one transaction; a larger request still goes through, alone. While the store takes one batch,
the next one is read: two batches in one transaction would only take turns."""

WRITE_SECONDS = 30.0
"""Limit of one transaction with all its repetitions; a fresh server still compiles its plans."""

PAUSE_SECONDS = 0.15
"""After a crowded transaction the next one is at most this long away while many writes are under way: a
client that sends batches one after another needs as long between two."""

CROWD = 8
"""Commands of one transaction from which writers are in a hurry: they came together, or as a batch."""

Answer = Outcome | Claim
"""What became of a command now, or what an earlier request with its key left."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """An intent with the key that makes repeating it safe, and the hash of its input."""

    intent: Intent
    key: str | None = None
    input_hash: str | None = None


@dataclass(slots=True)
class _Request:
    """One caller's commands, and the promise of their answers."""

    commands: tuple[Keyed, ...]
    answer: asyncio.Future[list[Answer]] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class GroupCommit:
    """The one writer of this process.

    Args:
        written: Called after each commit: there may be index work and changes to number.
    """

    def __init__(
        self,
        graph: GraphClient,
        store: WriteStore,
        clock: Clock,
        *,
        written: Callable[[], object],
        fact_characters: int = FACT_CHARACTERS,
    ) -> None:
        self._graph = graph
        self._store = store
        self._retries = RetryStore(graph)
        self._clock = clock
        self._written = written
        self._fact_characters = fact_characters
        self._queue: list[_Request] = []
        self._filled = asyncio.Event()
        self._known: set[KnownPath] = set()
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._busy_until = 0.0

    def start(self) -> None:
        """Begins to write."""
        self._task = asyncio.create_task(self._run(), name="group commit")

    async def close(self) -> None:
        """Writes what is queued and stops."""
        self._closed = True
        self._filled.set()
        if self._task is not None:
            await self._task

    async def quiet(self) -> None:
        """Returns once nobody is in the middle of many writes; single ones now and then hold up nothing."""
        while True:
            await self._idle.wait()
            pause = self._busy_until - time.monotonic()
            if pause <= 0:
                return
            await asyncio.sleep(pause)

    async def submit(self, commands: Sequence[Keyed]) -> list[Answer]:
        """Stores the commands of one request together; one answer a command, in order, after the commit.

        Raises:
            GraphMemError: The request was refused, or the store did not take it; nothing of it is stored
                (``UnknownOutcome``: it may be).
        """
        if self._closed:
            raise Unavailable("the service is stopping; try again")
        request = _Request(tuple(commands))
        self._queue.append(request)
        self._filled.set()
        return await asyncio.shield(request.answer)

    async def _run(self) -> None:
        while True:
            await self._filled.wait()
            group = self._take()
            if not group:
                if self._closed:
                    return
                self._filled.clear()
                continue
            self._idle.clear()
            await self._write_group(group)
            if sum(len(request.commands) for request in group) >= CROWD:
                self._busy_until = time.monotonic() + PAUSE_SECONDS
            self._idle.set()

    def _take(self) -> list[_Request]:
        """As many queued requests as one transaction holds, at least one."""
        taken, commands = 0, 0
        for request in self._queue:
            commands += len(request.commands)
            if taken and commands > MOST_COMMANDS:
                break
            taken += 1
        group, self._queue = self._queue[:taken], self._queue[taken:]
        return group

    async def _write_group(self, group: list[_Request]) -> None:
        """Writes a group together; where one request spoils it for the others, each alone.

        When the store is away, or nobody knows whether it took the group, a second try would only add to the
        harm: then all of them are told.
        """
        try:
            answers = await self._transact(group)
        except Exception as problem:  # every failure goes to the callers that wait for it
            if len(group) == 1 or isinstance(problem, Unavailable):
                for request in group:
                    _fail(request, problem)
                return
            for request in group:
                await self._write_group([request])
            return
        for request, answer in zip(group, answers, strict=True):
            if isinstance(answer, GraphMemError):
                _fail(request, answer)
            elif not request.answer.done():
                request.answer.set_result(answer)

    async def _transact(self, group: list[_Request]) -> list[list[Answer] | GraphMemError]:
        async def work(tx: Tx) -> tuple[list[list[Answer] | GraphMemError], frozenset[KnownPath]]:
            return await self._work(tx, group)

        try:
            answers, made = await self._graph.write(work, name="write", timeout_s=WRITE_SECONDS)
        except GraphMemError:
            self._known.clear()  # what was known may be why
            raise
        self._known |= made
        self._written()
        return answers

    async def _work(
        self, tx: Tx, group: list[_Request]
    ) -> tuple[list[list[Answer] | GraphMemError], frozenset[KnownPath]]:
        """One try of the transaction; repeated as a whole when the store asks for it."""
        now, claim = self._clock.now(), self._clock.new_id()
        hashes: dict[str, str] = {}
        for keyed in (k for r in group for k in r.commands if k.key is not None):
            hashes.setdefault(keyed.key or "", keyed.input_hash or "")
        replays = Replays(await self._retries.claim_keys(tx, hashes, claim, now))
        intents = [k.intent for r in group for k in r.commands if not replays.answered(k.key)]
        ledger = Ledger(
            await locked(self._store, tx, intents),
            now=now,
            new_id=self._clock.new_id,
            fact_characters=self._fact_characters,
        )
        answers = [self._decide(ledger, replays, request) for request in group]
        made = await self._store.write(tx, ledger.writes, self._known, now)
        await self._retries.settle_keys(tx, replays.settled(ledger.writes.purged), replays.dropped())
        return answers, made

    def _decide(self, ledger: Ledger, replays: Replays, request: _Request) -> list[Answer] | GraphMemError:
        """The answers to one request; what was answered before is not done again."""
        try:
            return replays.through(
                [(k.intent, k.key, k.input_hash) for k in request.commands], ledger.apply_all
            )
        except GraphMemError as refusal:
            return refusal


def _fail(request: _Request, problem: BaseException) -> None:
    if not request.answer.done():
        request.answer.set_exception(problem)
