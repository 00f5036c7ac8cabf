"""The jar cache against a repository on this machine that counts, breaks and lies as told."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from graphmem.errors import Misconfigured, Unavailable
from graphmem.local.download import Cancelled
from graphmem.local.jars import ATTEMPTS, ensure_jars, verify_jars
from graphmem.local.lockfile import LockedJar
from graphmem.local.processes import free_port


def jar(name: str, content: bytes) -> LockedJar:
    return LockedJar("org.example", name, "1.0", "", len(content), hashlib.sha256(content).hexdigest())


CONTENTS = {"alpha": b"first " * 3000, "beta": b"second " * 3000, "gamma": b"third " * 3000}
JARS = [jar(name, content) for name, content in CONTENTS.items()]
NAMES = [each.file_name for each in JARS]


@dataclass
class Repository:
    """What the server gives, and what it was asked for.

    Attributes:
        files: Bodies by artifact; an artifact that is not in it is answered with 404.
        cut: Artifacts whose connection breaks in the middle, so many times.
        asked: Artifacts of the requests for jars, in order.
        gate: Requests wait for it.
    """

    files: dict[str, bytes]
    cut: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)


class Handler(BaseHTTPRequestHandler):
    def __init__(self, repository: Repository, *arguments: object) -> None:
        self.repository = repository
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        artifact = self.path.split("/")[4]
        if not self.path.endswith(".jar"):
            return self.send_error(404)
        self.repository.gate.wait(30)
        self.repository.asked.append(artifact)
        body = self.repository.files.get(artifact)
        if body is None:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.repository.cut.get(artifact, 0) > 0:
            self.repository.cut[artifact] -= 1
            body = body[: len(body) // 2]
        self.wfile.write(body)
        return None

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is printed."""


@dataclass
class Told:
    """A progress that keeps what it is told."""

    whole: int = 0
    done: int = 0
    messages: list[str] = field(default_factory=list)

    def message(self, text: str) -> None:
        self.messages.append(text)

    def total(self, amount: int) -> None:
        self.whole = amount

    def advance(self, amount: int) -> None:
        self.done += amount


def use_repository(monkeypatch: pytest.MonkeyPatch, folder: Path, url: str) -> None:
    """A home without settings, and a settings file of jgo that puts ``url`` in the place of its default."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    settings = folder / "jgo.conf"
    settings.write_text(f"[repositories]\ncentral = {url}\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("JGO_CONFIG_FILE", str(settings))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Repository]:
    served = Repository(dict(CONTENTS))
    served.gate.set()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, served))
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    use_repository(monkeypatch, tmp_path, f"http://127.0.0.1:{server.server_port}/maven")
    yield served
    server.shutdown()
    serving.join()
    server.server_close()


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_jars_come_once_and_in_the_order_of_the_lock_file(repository: Repository, cache: Path) -> None:
    first = ensure_jars(cache, jars=JARS)
    second = ensure_jars(cache, jars=JARS)

    assert first == second == [cache / "jars" / name for name in NAMES]
    assert [path.read_bytes() for path in first] == list(CONTENTS.values())
    assert sorted(repository.asked) == ["alpha", "beta", "gamma"]


def test_nothing_is_written_outside_the_cache(repository: Repository, cache: Path, tmp_path: Path) -> None:
    ensure_jars(cache, jars=JARS)

    assert not list((tmp_path / "home").rglob("*"))
    assert not (cache / "jars" / ".staging").exists()


def test_the_bar_ends_at_its_total_also_after_a_broken_connection(
    repository: Repository, cache: Path
) -> None:
    repository.cut["beta"] = 1
    told = Told()

    ensure_jars(cache, told, jars=JARS)

    assert (told.whole, told.done) == (sum(each.size for each in JARS),) * 2
    assert told.messages == ["checking the jars of Neo4j", "downloading Neo4j (once)"]


def test_a_damaged_jar_is_seen_and_fetched_again(repository: Repository, cache: Path) -> None:
    path = ensure_jars(cache, jars=JARS)[1]
    path.write_bytes(b"damaged")

    assert verify_jars(cache, jars=JARS) == ["beta-1.0.jar"]
    assert ensure_jars(cache, jars=JARS)[1].read_bytes() == CONTENTS["beta"]
    assert repository.asked.count("beta") == 2
    assert repository.asked.count("alpha") == 1


def test_a_flipped_byte_with_the_old_time_is_found_by_verify(repository: Repository, cache: Path) -> None:
    path = ensure_jars(cache, jars=JARS)[0]
    before = path.stat()
    path.write_bytes(b"F" + CONTENTS["alpha"][1:])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert verify_jars(cache, jars=JARS) == ["alpha-1.0.jar"]
    assert ensure_jars(cache, jars=JARS)[0].read_bytes() == CONTENTS["alpha"]


def test_a_copied_cache_is_hashed_and_not_fetched(repository: Repository, cache: Path) -> None:
    (cache / "jars").mkdir(parents=True)
    for name, content in zip(NAMES, CONTENTS.values(), strict=True):
        (cache / "jars" / name).write_bytes(content)

    ensure_jars(cache, jars=JARS)

    assert repository.asked == []


def test_unreadable_stamps_cost_a_hash_and_nothing_else(repository: Repository, cache: Path) -> None:
    ensure_jars(cache, jars=JARS)
    (cache / "jars" / "stamps.json").write_text("[broken", encoding="utf-8")

    ensure_jars(cache, jars=JARS)

    assert len(repository.asked) == len(JARS)
    assert verify_jars(cache, jars=JARS) == []


def test_a_jar_with_another_hash_is_thrown_away(repository: Repository, cache: Path) -> None:
    repository.files["beta"] = CONTENTS["beta"].replace(b"second", b"sECOND")

    with pytest.raises(Misconfigured, match=r"org\.example:beta:1\.0 came with another SHA-256"):
        ensure_jars(cache, jars=JARS)

    assert not (cache / "jars" / "beta-1.0.jar").exists()
    assert repository.asked.count("beta") == ATTEMPTS


def test_a_lock_file_with_another_hash_makes_the_old_jar_wrong(repository: Repository, cache: Path) -> None:
    ensure_jars(cache, jars=JARS)
    changed = CONTENTS["alpha"].replace(b"first", b"FIRST")
    repository.files["alpha"] = changed

    paths = ensure_jars(cache, jars=[jar("alpha", changed), *JARS[1:]])

    assert paths[0].read_bytes() == changed


def test_an_interrupted_download_goes_on_where_it_stopped(repository: Repository, cache: Path) -> None:
    del repository.files["gamma"]
    with pytest.raises(Unavailable):
        ensure_jars(cache, jars=JARS)
    kept = [name for name in NAMES if (cache / "jars" / name).exists()]
    asked = len(repository.asked)
    repository.files["gamma"] = CONTENTS["gamma"]

    ensure_jars(cache, jars=JARS)

    assert len(repository.asked) - asked == len(JARS) - len(kept)
    assert verify_jars(cache, jars=JARS) == []


def test_a_broken_connection_is_tried_again(repository: Repository, cache: Path) -> None:
    repository.cut["alpha"] = ATTEMPTS - 1

    assert ensure_jars(cache, jars=JARS)[0].read_bytes() == CONTENTS["alpha"]


def test_without_network_one_error_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path
) -> None:
    use_repository(monkeypatch, tmp_path, f"http://127.0.0.1:{free_port()}/maven")

    with pytest.raises(Unavailable) as failed:
        ensure_jars(cache, jars=JARS)

    text = str(failed.value)
    assert text.startswith("cannot download org.example:")
    assert "connect to the network and start again" in text
    assert str(cache / "jars") in text
    assert "GRAPHMEM_NEO4J_URL" in text


def test_many_starters_at_once_fetch_each_jar_once(repository: Repository, cache: Path) -> None:
    with ThreadPoolExecutor(4) as starters:
        results = list(starters.map(lambda _: ensure_jars(cache, jars=JARS), range(4)))

    assert results == [[cache / "jars" / name for name in NAMES]] * 4
    assert sorted(repository.asked) == ["alpha", "beta", "gamma"]


def test_a_cancelled_download_ends_and_keeps_the_bar_where_it_is(repository: Repository, cache: Path) -> None:
    repository.gate.clear()
    cancel = threading.Event()
    told = Told()
    with ThreadPoolExecutor(1) as starter:
        running = starter.submit(ensure_jars, cache, told, jars=JARS, cancel=cancel)
        cancel.set()
        repository.gate.set()
        with pytest.raises(Cancelled):
            running.result(timeout=30)

    assert told.done == 0


def test_a_starter_that_waits_for_another_can_be_cancelled(repository: Repository, cache: Path) -> None:
    repository.gate.clear()
    cancel = threading.Event()
    with ThreadPoolExecutor(2) as starters:
        first = starters.submit(ensure_jars, cache, jars=JARS)
        second = starters.submit(ensure_jars, cache, jars=[replace(JARS[0])], cancel=cancel)
        cancel.set()
        with pytest.raises(Cancelled):
            second.result(timeout=30)
        repository.gate.set()
        assert len(first.result(timeout=30)) == len(JARS)


def test_a_mirror_of_maven_stands_in_for_the_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from graphmem.local.repositories import remote_repositories

    monkeypatch.setenv("JGO_CONFIG_FILE", str(tmp_path / "none.conf"))
    settings = tmp_path / ".m2" / "settings.xml"
    settings.parent.mkdir()
    default = remote_repositories(tmp_path)
    settings.write_text(
        '<settings xmlns="http://maven.apache.org/SETTINGS/1.2.0"><mirrors>'
        "<mirror><mirrorOf>other</mirrorOf><url>http://127.0.0.1/other</url></mirror>"
        "<mirror><mirrorOf>*,!central</mirrorOf><url>http://127.0.0.1/rest</url></mirror>"
        "<mirror><mirrorOf>external:*,!x</mirrorOf><url>http://127.0.0.1/all/</url></mirror>"
        "</mirrors></settings>",
        encoding="utf-8",
    )

    assert list(default) == ["central"]
    assert remote_repositories(tmp_path) == {"central": "http://127.0.0.1/all"}


def test_settings_of_maven_that_are_no_xml_are_named(tmp_path: Path) -> None:
    from graphmem.local.repositories import remote_repositories

    (tmp_path / ".m2").mkdir()
    (tmp_path / ".m2" / "settings.xml").write_text("<settings>", encoding="utf-8")

    with pytest.raises(Misconfigured, match=r"settings\.xml is no XML"):
        remote_repositories(tmp_path)
