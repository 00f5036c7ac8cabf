"""Retry keys inside one transaction: what is answered from a record, and what the records are filled with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from graphmem.errors import Conflict, GraphMemError
from graphmem.graph.retry_store import Claim
from graphmem.memory.model import WriteAction
from graphmem.memory.writes import Intent, Outcome

Answer = Outcome | Claim


class Replays:
    """The claims of one transaction, by retry key.

    Args:
        claims: What claiming each key found.
    """

    def __init__(self, claims: Mapping[str, Claim]) -> None:
        self._claims = claims
        self._done: dict[str, tuple[str | None, Outcome]] = {}
        self._refused: dict[str, GraphMemError] = {}

    def answered(self, key: str | None) -> bool:
        """Whether an earlier transaction filled the key."""
        return key is not None and self._claims[key].filled

    def through(
        self,
        commands: Sequence[tuple[Intent, str | None, str | None]],
        apply: Callable[[Sequence[Intent]], list[Outcome]],
    ) -> list[Answer]:
        """The answers of one request: from records and earlier requests, and what is new applied now.

        Raises:
            Conflict: A key was used before with other input.
            GraphMemError: As ``apply``.
        """
        try:
            first = _first_of_each(commands)
            known = {at: self._known(commands[at][1], commands[at][2]) for at in set(first)}
            open_at = [at for at in sorted(known) if known[at] is None]
            applied = apply([commands[at][0] for at in open_at]) if open_at else []
        except GraphMemError as refusal:
            self._refuse([key for _, key, _ in commands], refusal)
            raise
        answers: dict[int, Answer] = dict(zip(open_at, applied, strict=True))
        for at, outcome in zip(open_at, applied, strict=True):
            _, key, mark = commands[at]
            if key is not None:
                self._done[key] = (mark, outcome)
        return [answers.get(at) or _present(known[at]) for at in first]

    def settled(self, purged: Collection[str]) -> list[Claim]:
        """The records to fill: key, action and memory id of what was done.

        Of a memory that this very transaction purged nothing else is kept.
        """
        return [self._settled(key, mark, outcome, purged) for key, (mark, outcome) in self._done.items()]

    def _settled(self, key: str, mark: str | None, outcome: Outcome, purged: Collection[str]) -> Claim:
        gone = outcome.memory_id in purged
        return replace(
            self._claims[key],
            input_hash=mark,
            action=WriteAction.PURGED if gone else outcome.action,
            memory_id=outcome.memory_id,
            reason=None if gone else outcome.reason,
        )

    def dropped(self) -> list[str]:
        """The keys whose commands were refused; they may be used again."""
        return [key for key in self._refused if key not in self._done]

    def _known(self, key: str | None, mark: str | None) -> Answer | None:
        """The answer that the key has already, in the store or in this transaction."""
        if key is None:
            return None
        if key in self._refused and key not in self._done:
            raise self._refused[key]
        if key in self._done:
            before, outcome = self._done[key]
            _require_same(before, mark)
            return outcome
        claim = self._claims[key]
        if not claim.filled:
            return None
        if claim.input_hash is not None:
            _require_same(claim.input_hash, mark)
        return claim

    def _refuse(self, keys: Sequence[str | None], refusal: GraphMemError) -> None:
        for key in keys:
            if key is not None and key not in self._done and not self._claims[key].filled:
                self._refused[key] = refusal


def _first_of_each(commands: Sequence[tuple[Intent, str | None, str | None]]) -> list[int]:
    """For each command the place of the first one with its key; its own place without a key.

    Raises:
        Conflict: Two commands share a key and say different things.
    """
    places: dict[str, int] = {}
    found = []
    for at, (_, key, mark) in enumerate(commands):
        first = at if key is None else places.setdefault(key, at)
        _require_same(commands[first][2], mark)
        found.append(first)
    return found


def _require_same(before: str | None, now: str | None) -> None:
    if before != now:
        raise Conflict("idempotencyKey was used before with other input; use a new key for a new request")


def _present(answer: Answer | None) -> Answer:
    if answer is None:
        raise AssertionError("a command has neither an outcome nor a record")
    return answer
