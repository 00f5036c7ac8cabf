"""The lock file: every jar of the managed Neo4j by Maven coordinates, size and SHA-256.

No jar is part of this package: Neo4j is GPLv3, a process of its own, fetched on the user's machine.
``relock`` writes the file; nothing here touches the network or the cache.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from graphmem.errors import Misconfigured, shown

NEO4J_VERSION = "2026.09.0"
BROWSER_VERSION = "5.24.0"

ROOTS = (f"org.neo4j:neo4j:{NEO4J_VERSION}", f"org.neo4j.client:neo4j-browser:{BROWSER_VERSION}")
"""What the lock file is resolved from: the server (Community) and Neo4j Browser."""

LOCK_FILE = "jars.lock"

_LINE = re.compile(r"(?P<coordinates>[\w.-]+(?::[\w.-]+){2,3}) (?P<size>\d+) (?P<sha256>[0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class LockedJar:
    """One jar as it has to be.

    Attributes:
        group: Maven group, ``org.neo4j``.
        artifact: Maven artifact, ``neo4j-kernel``.
        version: Exact version.
        classifier: Maven classifier, ``linux-x86_64``; empty for most.
        size: In bytes.
        sha256: Hex digest of the whole file.
    """

    group: str
    artifact: str
    version: str
    classifier: str
    size: int
    sha256: str

    @property
    def coordinates(self) -> str:
        """``group:artifact:version``, and ``:classifier`` where there is one."""
        parts = (self.group, self.artifact, self.version, self.classifier)
        return ":".join(part for part in parts if part)

    @property
    def file_name(self) -> str:
        """The name that Maven gives the file; unique in the lock file."""
        parts = (self.artifact, self.version, self.classifier)
        return "-".join(part for part in parts if part) + ".jar"

    def line(self) -> str:
        """The jar as the lock file writes it."""
        return f"{self.coordinates} {self.size} {self.sha256}"


def parse_lock(text: str) -> list[LockedJar]:
    """The jars of a lock file in its order; ``#`` starts a comment line.

    Raises:
        Misconfigured: A line that is no jar, or a file name that comes twice.
    """
    jars: dict[str, LockedJar] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise Misconfigured(
                f"{LOCK_FILE} line {number} is {shown(line)}, not 'group:artifact:version[:classifier] size "
                f"sha256'; install GraphMem again"
            )
        group, artifact, version, *classifier = match["coordinates"].split(":")
        jar = LockedJar(group, artifact, version, "".join(classifier), int(match["size"]), match["sha256"])
        if jar.file_name in jars:
            raise Misconfigured(f"{LOCK_FILE} line {number} names {jar.file_name} a second time")
        jars[jar.file_name] = jar
    return list(jars.values())


def format_lock(jars: Iterable[LockedJar]) -> str:
    """The lock file of these jars, sorted by coordinates."""
    head = ["# Jars of the managed Neo4j: coordinates, bytes, SHA-256. Written by graphmem.local.relock from"]
    roots = [f"#   {root}" for root in ROOTS]
    lines = [jar.line() for jar in sorted(jars, key=lambda jar: jar.coordinates)]
    return "\n".join([*head, *roots, *lines]) + "\n"


def locked_jars() -> list[LockedJar]:
    """The jars that this version of GraphMem runs on."""
    return parse_lock(files(__package__).joinpath(LOCK_FILE).read_text(encoding="utf-8"))
