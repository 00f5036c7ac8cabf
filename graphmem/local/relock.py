"""Writes ``jars.lock`` anew, for a maintainer who changes the Neo4j version:

    python -m graphmem.local.relock

Resolves the roots with jgo in an empty folder and hashes what came. Never part of a running service.
"""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import replace
from pathlib import Path

from jgo.env import EnvironmentBuilder, LockFile
from jgo.maven import MavenContext

from graphmem.local.lockfile import LOCK_FILE, ROOTS, LockedJar, format_lock
from graphmem.local.repositories import remote_repositories

ONLY_IN_NEO4J_TESTS = frozenset(
    {
        "bcpkix-jdk18on",
        "bcprov-jdk18on",
        "bcutil-jdk18on",
        "byte-buddy",
        "byte-buddy-agent",
        "gson",
        "hamcrest",
        "jspecify",
        "junit",
        "mockito-core",
        "objenesis",
    }
)
"""Artifacts that jgo adds because it overlooks a managed test scope; Maven's own closure is without them."""


def resolve(work: Path) -> list[LockedJar]:
    """Every jar of the roots' run-time closure, fetched into ``work``."""
    context = MavenContext(repo_cache=work / "m2", remote_repos=remote_repositories())
    builder = EnvironmentBuilder(context=context, cache_dir=work / "environment")
    environment = builder.from_endpoint("+".join(ROOTS), main_class="org.neo4j.server.Neo4jCommunity")
    present = {path.name: path for path in environment.all_jars}
    jars = []
    for found in LockFile.load(environment.lock_path).dependencies:
        jar = LockedJar(found.groupId, found.artifactId, found.version, found.classifier or "", 0, "")
        content = present.pop(jar.file_name).read_bytes()
        if jar.artifact not in ONLY_IN_NEO4J_TESTS:
            jars.append(replace(jar, size=len(content), sha256=hashlib.sha256(content).hexdigest()))
    if present:
        raise RuntimeError(f"jars that jgo did not name: {', '.join(sorted(present))}")
    return jars


def main() -> None:
    """Resolve, and write the lock file beside this module."""
    with tempfile.TemporaryDirectory() as work:
        jars = resolve(Path(work))
    Path(__file__).with_name(LOCK_FILE).write_text(format_lock(jars), encoding="utf-8")


if __name__ == "__main__":
    main()
