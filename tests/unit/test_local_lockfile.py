"""The lock file of the jars: what a line says, and that the one in the package is whole."""

from __future__ import annotations

import pytest

from graphmem.errors import Misconfigured
from graphmem.local.lockfile import NEO4J_VERSION, ROOTS, LockedJar, format_lock, locked_jars, parse_lock

SHA = "ab" * 32

KERNEL = LockedJar("org.neo4j", "neo4j-kernel", "1.0", "", 17, SHA)
EPOLL = LockedJar("io.netty", "netty-transport-native-epoll", "4.2", "linux-x86_64", 5, SHA)


def test_a_jar_is_named_as_maven_names_it() -> None:
    assert (KERNEL.coordinates, KERNEL.file_name) == ("org.neo4j:neo4j-kernel:1.0", "neo4j-kernel-1.0.jar")
    assert EPOLL.coordinates == "io.netty:netty-transport-native-epoll:4.2:linux-x86_64"
    assert EPOLL.file_name == "netty-transport-native-epoll-4.2-linux-x86_64.jar"


def test_a_lock_file_is_read_as_it_was_written() -> None:
    assert parse_lock(format_lock([KERNEL, EPOLL])) == [EPOLL, KERNEL]


@pytest.mark.parametrize(
    "line",
    [
        f"org.neo4j:neo4j-kernel 17 {SHA}",
        f"org.neo4j:neo4j-kernel:1.0 {SHA}",
        f"org.neo4j:neo4j-kernel:1.0 17 {SHA[:-1]}",
        f"org.neo4j:../../etc:1.0/x 17 {SHA}",
    ],
    ids=["no version", "no size", "short hash", "a path"],
)
def test_a_line_that_is_no_jar_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(Misconfigured, match=r"^jars\.lock line 2 is "):
        parse_lock(f"{KERNEL.line()}\n{line}\n")


def test_two_jars_of_one_file_name_are_refused() -> None:
    other = LockedJar("com.example", "neo4j-kernel", "1.0", "", 17, SHA)

    with pytest.raises(Misconfigured, match=r"line 2 names neo4j-kernel-1\.0\.jar a second time"):
        parse_lock(f"{KERNEL.line()}\n{other.line()}\n")


def test_the_package_locks_the_server_the_browser_and_all_they_need() -> None:
    jars = locked_jars()
    coordinates = [jar.coordinates for jar in jars]

    assert len(jars) == 231
    assert set(ROOTS) <= set(coordinates)
    assert coordinates == sorted(coordinates)
    assert {jar.version for jar in jars if jar.artifact == "neo4j-kernel"} == {NEO4J_VERSION}
    assert not [jar.artifact for jar in jars if jar.artifact in ("junit", "mockito-core")]
