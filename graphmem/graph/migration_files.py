"""The migrations that this version of GraphMem knows, read from their files and checked.

``schema/migrations/V001__memories_and_paths.cypher`` holds statements that each end with ``;`` at the end of
a line, under comment lines of which one is ``// kind: schema`` or ``// kind: data``; the database does not
let one transaction do both. Nothing here talks to the database.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from graphmem.data import data_folder
from graphmem.errors import Misconfigured
from graphmem.graph.slots import masked

Kind = Literal["schema", "data"]

_FILE = re.compile(r"V(\d{3})__[a-z][a-z0-9_]*")
_KIND = re.compile(r"^// *kind: *(schema|data) *$", re.M)
_END = re.compile(r";[ \t]*$", re.M)
_SAFE_TWICE = re.compile(
    r"\s*(CREATE\s+(RANGE\s+|TEXT\s+|POINT\s+|FULLTEXT\s+|VECTOR\s+)?(INDEX|CONSTRAINT)\s+\w+\s+IF\s+NOT\s+EXISTS"
    r"|DROP\s+(INDEX|CONSTRAINT)\s+\w+\s+IF\s+EXISTS)\b",
    re.I,
)
_KINDS: dict[str, Kind] = {"schema": "schema", "data": "data"}


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema; never changed once it is released.

    Attributes:
        number: From 1 on, without gaps.
        name: The file's name without its ending, ``V001__memories_and_paths``.
        checksum: SHA-256 of the text, in hexadecimal; line ends count as ``\\n``.
    """

    number: int
    name: str
    kind: Kind
    statements: tuple[str, ...]
    checksum: str

    @property
    def key(self) -> str:
        """The key of its ``Meta`` node, ``migration/V001``."""
        return f"migration/{self.name.split('__', 1)[0]}"


def load_migrations(folder: Path | None = None) -> tuple[Migration, ...]:
    """All migrations by number; from the shipped folder when none is given.

    Raises:
        Misconfigured: A file breaks a rule, or a number is missing or taken twice.
    """
    root = folder or data_folder("schema") / "migrations"
    found = tuple(
        parse_migration(path.stem, path.read_text(encoding="utf-8")) for path in sorted(root.glob("*.cypher"))
    )
    numbers = [migration.number for migration in found]
    if numbers != list(range(1, len(found) + 1)):
        raise Misconfigured(f"schema/migrations: numbers must run 1, 2, 3, … and are {numbers}")
    return found


def parse_migration(name: str, source: str) -> Migration:
    """The migration in a file's text.

    Raises:
        Misconfigured: The text breaks a rule; the message says which.
    """
    named = _FILE.fullmatch(name)
    if named is None:
        raise _broken(name, "is not named V001__what_it_does in small letters, digits and _")
    source = source.replace("\r\n", "\n")
    kinds = _KIND.findall(source)
    if len(kinds) != 1:
        raise _broken(name, "needs one line `// kind: schema` or `// kind: data`")
    statements = _statements(name, source)
    for statement in statements:
        if kinds[0] == "schema" and not _SAFE_TWICE.match(masked(statement)):
            raise _broken(
                name, "has a schema statement that is not named, or lacks IF NOT EXISTS (IF EXISTS)"
            )
    checksum = hashlib.sha256(source.encode()).hexdigest()
    return Migration(int(named[1]), name, _KINDS[kinds[0]], statements, checksum)


def _statements(name: str, source: str) -> tuple[str, ...]:
    code = masked(source)
    ends = [0, *(found.end() for found in _END.finditer(code))]
    if code[ends[-1] :].strip():
        raise _broken(name, "has a last statement without `;` at the end of its line")
    pieces = [source[start:end] for start, end in pairwise(ends)]
    if not pieces:
        raise _broken(name, "holds no statement")
    return tuple(piece.strip().removesuffix(";") for piece in pieces)


def _broken(name: str, problem: str) -> Misconfigured:
    return Misconfigured(f"schema/migrations/{name}.cypher: {problem}")
