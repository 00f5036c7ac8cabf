"""The slots of a query file: where they stand, and whether they fail closed there.

An access slot is ``/*access:m*/ false``; the loader puts the compiled rule in its place. A slot
``/*shown:m*/ false`` stands for what a list, a search, a tree or a count shows at ``$now``, rights apart.
Unfilled, the text says ``false``. That only protects where ``false`` means "nothing", so a slot under a
negation, or beside an ``OR`` that opens another way in, is refused. No rule is compiled here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

SLOT = re.compile(r"/\*access:([a-z]\w*)\*/\s*false\b")

_SHOWN = re.compile(r"/\*shown:([a-z]\w*)\*/\s*false\b")
_ANY_SLOT = re.compile(r"/\*(?:access|shown):([a-z]\w*)\*/\s*false\b")

_SHOWN_NOW = """({m}.live
  AND ({m}.expires_at IS NULL OR {m}.expires_at > $now)
  AND ({m}.valid_from IS NULL OR {m}.valid_from <= $now)
  AND ({m}.valid_to IS NULL OR {m}.valid_to > $now))"""
"""Rule 1 of the design: live, not expired, and valid now; ``valid_to`` is the first instant it is not."""

_NOT_CODE = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.S)
_TOKEN = re.compile(r"(?<![.:$\w])[A-Za-z_]\w*|[()\[\]{}]|<>|<=|>=|=~|[=<>,|]")
_CLAUSES = frozenset(
    {",", "|", "MATCH", "WHERE", "WITH", "RETURN", "CALL", "YIELD", "UNWIND", "FILTER", "LET", "UNION"}
    | {"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "ORDER", "LIMIT", "SKIP", "OFFSET"}
)
_BRANCHES = frozenset({"CASE", "WHEN", "THEN", "ELSE", "END"})
_CONNECTIVES = frozenset({"AND", "OR", "XOR"})
_COMPARISONS = frozenset({"=", "<>", "<", "<=", "=~", "IS", "XOR"})


def masked(text: str) -> str:
    """``text`` with strings, quoted names and comments blanked; every position stays what it was."""
    return _NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def with_shown(text: str) -> str:
    """The statement with the condition in place of each ``shown`` slot; it asks for ``$now``."""
    return _SHOWN.sub(lambda slot: _SHOWN_NOW.format(m=slot[1]), text)


def slot_problem(text: str) -> str | None:
    """What is wrong with the slots of a statement, as the rest of a sentence; ``None`` when all is well."""
    comments = {found.start(): found[0] for found in _NOT_CODE.finditer(text) if found[0].startswith("/*")}
    slots = {found.start(): found for found in _ANY_SLOT.finditer(text)}
    for start, comment in comments.items():
        if re.search("access|shown", comment) and start not in slots:
            return f"has {comment}, which is no slot (/*access:alias*/ false, /*shown:alias*/ false)"
    if slots.keys() - comments.keys():
        return "has a slot inside a string"
    return _Walk({found.end() - len("false") for found in slots.values()}).problem(masked(text))


@dataclass(slots=True)
class _Frame:
    """One level of brackets: is it negated, and which operands of its ``OR`` hold a slot?"""

    negated_outside: bool = False
    negated: bool = False
    holds_slot: bool = False
    operands: list[bool] = field(default_factory=lambda: [False])

    def opens_a_way(self) -> bool:
        """Whether an ``OR`` joins an operand with a slot to one without."""
        return any(self.operands) and not all(self.operands)

    def take_slot(self) -> None:
        """A slot, or a bracket that holds one, is part of the operand at hand."""
        self.holds_slot = self.operands[-1] = True


class _Walk:
    """One pass over the code, with a frame for each open bracket."""

    def __init__(self, slots: set[int]) -> None:
        self._slots = slots
        self._frames = [_Frame()]
        self._before = ""
        self._after_slot = False

    def problem(self, code: str) -> str | None:
        """The first place where a slot does not fail closed."""
        for found in _TOKEN.finditer(code):
            token = found[0].upper()
            problem = self._step(token, found.start() in self._slots)
            if problem:
                return problem
            self._before = token
        return _WAY_IN if any(frame.opens_a_way() for frame in self._frames) else None

    def _step(self, token: str, is_slot: bool) -> str | None:
        frame = self._frames[-1]
        if self._after_slot and token in _COMPARISONS:
            return f"has a slot before {token}, where false can mean everything"
        self._after_slot = False
        if is_slot:
            return self._meet_slot(frame)
        if token in "([{":
            negated = frame.negated_outside or frame.negated or self._before == "NONE"
            self._frames.append(_Frame(negated_outside=negated))
        elif token in ")]}" and len(self._frames) > 1:
            return self._close()
        elif token == "NOT":
            frame.negated = frame.negated or self._before != "IS"
        elif token in _CONNECTIVES:
            frame.negated = token == "XOR"
            if token == "OR":
                frame.operands.append(False)
        elif token in _BRANCHES or (token in _CLAUSES and self._before not in ("STARTS", "ENDS")):
            opened = frame.opens_a_way()
            frame.negated = frame.negated and token in _BRANCHES
            frame.operands = [False]
            return _WAY_IN if opened else None
        return None

    def _meet_slot(self, frame: _Frame) -> str | None:
        if frame.negated or frame.negated_outside:
            return "has a slot under a negation, where false means everything"
        frame.take_slot()
        self._after_slot = True
        return None

    def _close(self) -> str | None:
        closed = self._frames.pop()
        if closed.holds_slot:
            self._frames[-1].take_slot()
            self._after_slot = True
        return _WAY_IN if closed.opens_a_way() else None


_WAY_IN = "has a slot beside an OR that lets rows in without it"
