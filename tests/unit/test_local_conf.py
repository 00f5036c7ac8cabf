"""What the managed Neo4j is told: settings, command line, environment. Whether it obeys: tests/stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.errors import Misconfigured
from graphmem.local.conf import conf_text, settings
from graphmem.local.java import (
    ARCHIVING_COLLECTOR,
    COLLECTOR,
    Program,
    class_data_command,
    class_path_arguments,
    environment,
    server_command,
)
from graphmem.local.layout import Layout, Ports, Tuning

LAYOUT = Layout(Path("/data/graphmem"))
PORTS = Ports(7001, 7002)
PROGRAM = Program((Path("/cache/jars/a.jar"), Path("/cache/jars/b.jar")), ("-XX:SharedArchiveFile=/cache/x",))


def test_every_listener_is_on_the_loopback_address() -> None:
    found = settings(LAYOUT, PORTS, Tuning())

    listeners = {name: value for name, value in found.items() if name.endswith("listen_address")}
    assert listeners == {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": "127.0.0.1:7001",
        "server.http.listen_address": "127.0.0.1:7002",
    }
    assert found["server.https.enabled"] == "false"


def test_every_folder_is_inside_the_home_and_named_in_ascii() -> None:
    home = Layout(Path("/data/mémoire"))

    found = settings(home, PORTS, Tuning())

    assert {name: value for name, value in found.items() if name.startswith("server.directories.")} == {
        "server.directories.data": "neo4j/data",
        "server.directories.import": "neo4j/import",
        "server.directories.lib": "neo4j/lib",
        "server.directories.licenses": "neo4j/licenses",
        "server.directories.logs": "logs/neo4j",
        "server.directories.plugins": "neo4j/plugins",
        "server.directories.run": "neo4j/run",
    }
    assert conf_text(home, PORTS, Tuning()).isascii()


def test_what_a_user_set_is_in_the_settings() -> None:
    tuning = Tuning(heap="1g", pagecache="64m", guide_url="http://127.0.0.1:8000/guide.html")

    found = settings(LAYOUT, PORTS, tuning)

    assert found["server.memory.pagecache.size"] == "64m"
    assert found["browser.post_connect_cmd"] == "play http://127.0.0.1:8000/guide.html"
    assert found["browser.remote_content_hostname_whitelist"] == "127.0.0.1"
    assert "-Xmx1g" in server_command(LAYOUT, PROGRAM, tuning, "-Dx=1")


def test_without_a_guide_the_browser_plays_none() -> None:
    assert not [name for name in settings(LAYOUT, PORTS, Tuning()) if name.startswith("browser.")]


def test_the_conf_file_has_a_setting_a_line_and_warns_its_reader() -> None:
    first, *rest = conf_text(LAYOUT, PORTS, Tuning()).splitlines()

    assert first == "# Written by GraphMem at every start; changes made here are lost."
    assert dict(line.split("=", 1) for line in rest) == settings(LAYOUT, PORTS, Tuning())


@pytest.mark.parametrize("size", ["", "512", "half", "0m", "1.5g", "-512m", "512m -Xdebug"])
def test_a_size_that_java_does_not_know_is_refused(size: str) -> None:
    with pytest.raises(Misconfigured, match=r"^the heap of Neo4j is .*such as 512m$"):
        Tuning(heap=size)
    with pytest.raises(Misconfigured, match=r"^the pagecache of Neo4j is "):
        Tuning(pagecache=size)


def test_the_mark_is_an_argument_of_the_server_and_before_its_class() -> None:
    command = server_command(LAYOUT, PROGRAM, Tuning(), "-Dmark=1")

    assert command.index("-Dmark=1") < command.index("org.neo4j.server.Neo4jCommunity")
    assert "-XX:SharedArchiveFile=/cache/x" in command
    assert command[-3:] == [
        "--home-dir=/data/graphmem",
        "--config-dir=/data/graphmem/neo4j/conf",
        "--console-mode",
    ]


def test_class_data_are_dumped_under_the_flags_under_which_they_are_used() -> None:
    dump = class_data_command(LAYOUT, Path("/tmp/classes"), Path("/tmp/archive"))
    server = server_command(LAYOUT, PROGRAM, Tuning(), "-Dmark=1")

    assert dump[: dump.index(ARCHIVING_COLLECTOR)] == server[: server.index(COLLECTOR)]
    assert dump.index(ARCHIVING_COLLECTOR) < dump.index("-Xshare:dump")
    assert [word for word in server if word.endswith("GC")] == ["-XX:+UseParallelGC"]


def test_odd_characters_in_the_class_path_are_quoted_as_java_reads_them() -> None:
    text = class_path_arguments([Path('/a b/"c".jar'), Path("/d\\e.jar")])

    assert text == '--class-path "/a b/\\"c\\".jar:/d\\\\e.jar"\n'


def test_no_variable_reaches_the_jvm_that_would_change_it() -> None:
    inherited = {
        "PATH": "/bin",
        "LANG": "C",
        "JAVA_TOOL_OPTIONS": "-Xmx1m",
        "JDK_JAVA_OPTIONS": "-version",
        "NEO4J_AUTH": "none",
        "GRAPHMEM_TOKEN": "secret",
    }

    assert environment(LAYOUT, inherited) == {
        "PATH": "/bin",
        "LANG": "C",
        "LC_ALL": "C.UTF-8",
        "NEO4J_HOME": "/data/graphmem",
        "NEO4J_CONF": "/data/graphmem/neo4j/conf",
    }
