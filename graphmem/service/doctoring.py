"""The doctor: compares the graph with itself and with the vectors, and says what it found."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from graphmem.service.comparing import differences
from graphmem.service.platform import Caller
from graphmem.service.status import require_operator

SHOWN = 5
"""Ids that one finding names."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    check: str
    ok: bool
    detail: str


async def doctor(caller: Caller) -> list[Finding]:
    """What a comparison of the stores finds, in a fixed order.

    Raises:
        NotFound: The caller is no admin of everything.
    """
    require_operator(caller, "doctor")
    shelf = caller.platform.vectors.shelf
    found = await differences(caller.platform, shelf)
    behind = found.behind - found.waiting
    return [
        Finding("versions", True, f"{found.versions} versions in the graph"),
        _finding("properties", found.torn, "versions lack a required property"),
        _finding("paths and scopes", found.badly_placed, "versions hang at the wrong number of places"),
        _finding("keyword index", found.wordless, "versions lack the tokens of the keyword index"),
        Finding(
            "vectors",
            shelf is not None,
            f"{found.points} points" if shelf else str(caller.platform.vectors.degraded),
        ),
        _finding("vectors behind", behind, "versions have no current vector; `graphmem reindex` mends it"),
        _finding("vectors without a memory", found.orphans, "memories are known to the vectors alone"),
        Finding("index work", True, f"{len(found.waiting)} versions wait for their vector"),
    ]


def _finding(check: str, ids: Collection[str], problem: str) -> Finding:
    if not ids:
        return Finding(check, True, "all agree")
    named = ", ".join(sorted(ids)[:SHOWN]) + (", …" if len(ids) > SHOWN else "")
    return Finding(check, False, f"{len(ids)} {problem}: {named}")
