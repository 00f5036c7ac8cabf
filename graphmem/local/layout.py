"""Where the managed Neo4j of one home keeps its things, and what a user may set about it.

The tree of a home::

    neo4j/          for its owner only: conf/  data/  password  process.json  java.arguments  lock
    logs/neo4j/     console.log (what the JVM prints)  neo4j.log  debug.log  security.log
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import Misconfigured, shown

LOOPBACK = "127.0.0.1"
"""The managed Neo4j listens here and nowhere else."""

_SIZE = re.compile(r"[1-9][0-9]*[kmg]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths under ``home``, which is absolute."""

    home: Path

    @property
    def folder(self) -> Path:
        """What only the managed Neo4j uses, and nobody but the owner may read."""
        return self.home / "neo4j"

    @property
    def conf(self) -> Path:
        return self.folder / "conf"

    @property
    def password(self) -> Path:
        return self.folder / "password"

    @property
    def data(self) -> Path:
        """The store."""
        return self.folder / "data"

    @property
    def first_login(self) -> Path:
        """What Neo4j reads when it makes its first user."""
        return self.data / "dbms" / "auth.ini"

    @property
    def unfinished(self) -> Path:
        """There until a new store has answered for the first time."""
        return self.folder / "unfinished"

    @property
    def record(self) -> Path:
        """What is known about the running process."""
        return self.folder / "process.json"

    @property
    def arguments(self) -> Path:
        """The class path, as an argument file of Java."""
        return self.folder / "java.arguments"

    @property
    def logs(self) -> Path:
        return self.home / "logs" / "neo4j"

    @property
    def console(self) -> Path:
        return self.logs / "console.log"

    def crash_log(self, pid: int | str) -> Path:
        """What a JVM writes when an error inside itself ends it; ``%p`` is its pid to a JVM."""
        return self.logs / f"jvm-crash-{pid}.log"

    @property
    def has_store(self) -> bool:
        """Whether there is a store that has answered before: then its users are in it."""
        return (self.data / "databases" / "system").is_dir() and not self.unfinished.exists()


@dataclass(frozen=True, slots=True)
class Ports:
    """TCP ports on the loopback address."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class Tuning:
    """What a user may set.

    Attributes:
        heap: Upper limit of the Java heap, ``512m`` or ``2g``.
        pagecache: Memory for pages of the store, beside the heap.
        guide_url: Page that Neo4j Browser opens after login; None for none.

    Raises:
        Misconfigured: A size that Java would not understand.
    """

    heap: str = "512m"
    pagecache: str = "128m"
    guide_url: str | None = None

    def __post_init__(self) -> None:
        for name, value in (("heap", self.heap), ("pagecache", self.pagecache)):
            if not _SIZE.fullmatch(value):
                raise Misconfigured(
                    f"the {name} of Neo4j is {shown(value)}; it is a number with k, m or g, such as 512m"
                )
