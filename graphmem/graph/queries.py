"""The query files: one Cypher statement each, read and checked once, then called by name.

``cypher/memory/get_many.cypher`` is the query ``memory/get_many``. Comment lines open the file: first
what it answers, then headers, then Cypher that is valid as it stands::

    // The live memories among these ids that the caller may read, in no order.
    // mode: read
    // params: ids
    // rows: zero or more {memory}

``unscoped`` gives the reason of a file without an access slot; ``autocommit: true`` marks one with
``CALL {…} IN TRANSACTIONS``. Nothing here talks to the database.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from graphmem.access.cypher import to_cypher
from graphmem.access.predicate import Predicate
from graphmem.data import data_folder
from graphmem.errors import QueryFileError
from graphmem.graph.slots import SLOT, masked, slot_problem, with_shown

Mode = Literal["read", "write"]

_NAME = re.compile(r"[a-z][a-z0-9_]*(/[a-z][a-z0-9_]*)+")
_HEADER = re.compile(r"//\s*([A-Za-z]\w*):\s*(.*)")
_PARAM = re.compile(r"\$([A-Za-z_]\w*)")
_IN_TRANSACTIONS = re.compile(r"\bIN\s+(?:\S+\s+CONCURRENT\s+)?TRANSACTIONS\b", re.I)
_HEADERS = frozenset({"mode", "params", "rows", "unscoped", "autocommit"})
_MODES: Mapping[str, Mode] = {"read": "read", "write": "write"}
_RESERVED = "access_"


@dataclass(frozen=True, slots=True)
class Query:
    """One Cypher statement from a file, checked when it was read.

    Attributes:
        text: The statement, without the comments above it, with its access slots.
        params: Names of the values that a caller gives; the rule brings its own, ``access_0`` and on.
        aliases: Variables that an access slot guards; empty when there is no slot.
        unscoped: Why there is no slot; ``None`` when there is one, or when the file only writes.
        rows: What the rows hold, in words.
        autocommit: Whether it commits in parts, so that it runs alone and is never retried.
    """

    name: str
    text: str
    mode: Mode
    params: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()
    unscoped: str | None = None
    doc: str = ""
    rows: str = ""
    autocommit: bool = False

    @property
    def writes(self) -> bool:
        """Whether it needs a server that takes writes."""
        return self.mode == "write"

    def scoped_to(self, rule: Predicate) -> tuple[str, dict[str, object]]:
        """The statement with ``rule`` in every slot, and the values of the rule."""
        if not self.aliases:
            raise QueryFileError(self.name, "has no access slot, so it takes no rule")
        values: dict[str, object] = {}

        def condition(slot: re.Match[str]) -> str:
            text, found = to_cypher(rule, slot[1])
            values.update(found)
            return f"({text})"

        return SLOT.sub(condition, self.text), values

    def bound(
        self, params: Mapping[str, object] | None, rule: Predicate | None
    ) -> tuple[str, dict[str, object]]:
        """The text to send and all its values.

        Raises:
            QueryFileError: A parameter is missing or unknown, or the rule is missing or out of place.
        """
        given = dict(params or {})
        if given.keys() != self.params:
            missing, extra = sorted(self.params - given.keys()), sorted(given.keys() - self.params)
            raise QueryFileError(self.name, f"was called without {missing} and with unknown {extra}")
        given = {key: Unspelt(value) if isinstance(value, list) else value for key, value in given.items()}
        if rule is None:
            if self.aliases:
                raise QueryFileError(self.name, "has an access slot, and was called without a rule")
            return self.text, given
        text, values = self.scoped_to(rule)
        return text, given | values


class Unspelt(list[object]):
    """A list that is only counted where its statement is spelt out.

    The driver spells each statement out with all its values, for a log that need not even be there: for a
    large batch that takes as long as the packing.
    """

    def __repr__(self) -> str:
        return f"<{len(self)} values>"


def load_queries(folder: Path | None = None) -> Mapping[str, Query]:
    """All query files by name, sorted; from the shipped folder when none is given.

    Raises:
        QueryFileError: A file breaks one of the rules.
    """
    root = folder or data_folder("cypher")
    names = {path.relative_to(root).with_suffix("").as_posix(): path for path in root.rglob("*.cypher")}
    return MappingProxyType(
        {name: parse_query(name, names[name].read_text(encoding="utf-8")) for name in sorted(names)}
    )


def parse_query(name: str, source: str) -> Query:
    """The query in a file's text.

    Raises:
        QueryFileError: The text breaks one of the rules; the message says which.
    """
    if not _NAME.fullmatch(name):
        raise QueryFileError(name, "is not named <subject>/<verb> in small letters, digits and _")
    doc, headers, written = _split(name, source)
    text = with_shown(written)
    mode = _MODES.get(headers.get("mode", ""))
    if mode is None:
        raise QueryFileError(name, "needs the header `// mode: read` or `// mode: write`")
    if headers.get("autocommit", "true") != "true":
        raise QueryFileError(name, "says autocommit, which is either `true` or left out")
    query = Query(
        name=name,
        text=text,
        mode=mode,
        params=frozenset(filter(None, (part.strip() for part in headers.get("params", "").split(",")))),
        aliases=frozenset(slot[1] for slot in SLOT.finditer(text)),
        unscoped=headers.get("unscoped"),
        doc=doc,
        rows=headers.get("rows", ""),
        autocommit="autocommit" in headers,
    )
    problem = _problem(query) or slot_problem(written)
    if problem:
        raise QueryFileError(name, problem)
    return query


def _split(name: str, source: str) -> tuple[str, dict[str, str], str]:
    """The description, the headers and the statement; a comment line after a header continues it."""
    lines = source.strip().splitlines()
    count = next((at for at, line in enumerate(lines) if not line.startswith("//")), len(lines))
    doc: list[str] = []
    headers: dict[str, str] = {}
    for line in lines[:count]:
        found = _HEADER.fullmatch(line.rstrip())
        if found and found[1] in headers:
            raise QueryFileError(name, f"says `{found[1]}` twice")
        if found and found[1] not in _HEADERS:
            raise QueryFileError(name, f"has an unknown header {found[1]!r}; known are {sorted(_HEADERS)}")
        if found:
            headers[found[1]] = found[2].strip()
        elif headers:
            last = next(reversed(headers))
            headers[last] = f"{headers[last]} {line.removeprefix('//').strip()}".strip()
        else:
            doc.append(line.removeprefix("//").strip())
    return " ".join(doc), headers, "\n".join(lines[count:]).strip()


def _problem(query: Query) -> str | None:
    """The first rule that the query breaks, as the rest of a sentence."""
    code = masked(query.text)
    used = frozenset(_PARAM.findall(code))
    if not query.doc:
        return "does not say in its first line what it answers"
    if not code.strip():
        return "holds no statement"
    if ";" in code:
        return "holds a `;`, and a query file is one statement"
    if any(param.startswith(_RESERVED) for param in used | query.params):
        return f"uses a parameter that starts with {_RESERVED}, which belongs to the rule"
    if used != query.params:
        return f"declares the parameters {sorted(query.params)} and uses {sorted(used)}"
    if query.unscoped == "":
        return "says unscoped without a reason"
    if query.aliases and query.unscoped is not None:
        return "has an access slot and a reason for having none"
    if not query.writes and not query.aliases and query.unscoped is None:
        return "reads without an access slot, and gives no `// unscoped: reason`"
    if query.autocommit != bool(_IN_TRANSACTIONS.search(code)):
        return "has `IN TRANSACTIONS` without `// autocommit: true`, or the header without the clause"
    if query.autocommit and not query.writes:
        return "commits in parts, so its mode is write"
    return None
