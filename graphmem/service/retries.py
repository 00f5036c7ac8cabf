"""Retry keys inside one transaction: what is answered from a record, and what the records are filled with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from graphmem.errors import Conflict, GraphMemError
from graphmem.graph.write_store import Claim
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
        return key is not None and not self._claims[key].fresh

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
        known = {at: self._known(key, mark) for at, (_, key, mark) in enumerate(commands) if key is not None}
        open_at = [at for at in range(len(commands)) if known.get(at) is None]
        try:
            applied = apply([commands[at][0] for at in open_at]) if open_at else []
        except GraphMemError as refusal:
            self._refuse([commands[at][1] for at in open_at], refusal)
            raise
        answers = dict(zip(open_at, applied, strict=True))
        for at in open_at:
            _, key, mark = commands[at]
            if key is not None:
                self._done[key] = (mark, answers[at])
        return [answers.get(at) or _present(known[at]) for at in range(len(commands))]

    def settled(self) -> list[Claim]:
        """The records to fill: key, action and memory id of what was done."""
        return [
            replace(
                self._claims[key], action=outcome.action, memory_id=outcome.memory_id, reason=outcome.reason
            )
            for key, (_, outcome) in self._done.items()
        ]

    def dropped(self) -> list[str]:
        """The keys whose commands were refused; they may be used again."""
        return [key for key in self._refused if key not in self._done]

    def _known(self, key: str, mark: str | None) -> Answer | None:
        """The answer that the key has already, in the store or in this transaction."""
        if key in self._refused and key not in self._done:
            raise self._refused[key]
        if key in self._done:
            before, outcome = self._done[key]
            _require_same(before, mark)
            return outcome
        claim = self._claims[key]
        if claim.fresh:
            return None
        if claim.input_hash is not None:
            _require_same(claim.input_hash, mark)
        return claim

    def _refuse(self, keys: Sequence[str | None], refusal: GraphMemError) -> None:
        self._refused |= {key: refusal for key in keys if key is not None and key not in self._done}


def _require_same(before: str | None, now: str | None) -> None:
    if before != now:
        raise Conflict("idempotencyKey was used before with other input; use a new key for a new request")


def _present(answer: Answer | None) -> Answer:
    if answer is None:
        raise AssertionError("a command has neither an outcome nor a record")
    return answer
