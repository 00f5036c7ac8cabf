"""Failures: one line on stderr, the exit code of the kind, a document where one was asked for."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from graphmem.cli.exits import ServiceError, StartRefused, exit_code
from graphmem.cli.main import wants_json
from graphmem.errors import (
    Conflict,
    Degraded,
    Forbidden,
    GraphMemError,
    InvalidInput,
    LimitExceeded,
    Misconfigured,
    NotFound,
    Unauthenticated,
    Unavailable,
)
from tests.cli.conftest import Command, ScriptedService


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidInput("path", "is bad"), 2),
        (LimitExceeded("too many"), 2),
        (NotFound("memory", "x"), 2),
        (Conflict("stale"), 2),
        (Misconfigured("wrong width"), 2),
        (Unavailable("away"), 3),
        (Degraded("no vectors"), 3),
        (Unauthenticated("no token"), 1),
        (Forbidden("no"), 1),
        (GraphMemError("a fault"), 1),
        (StartRefused(Unavailable("no network")), 2),
        (ServiceError("unknown", "SOMETHING_NEW"), 1),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, GraphMemError) else str(value),
)
def test_every_kind_of_failure_has_its_exit_code(error: GraphMemError, code: int) -> None:
    assert exit_code(error) == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("search",), "Missing argument 'query'"),
        (("nonsense",), "No such command 'nonsense'"),
        (("tree", "--nonsense"), "No such option: --nonsense"),
        (("search", "x", "--mode", "psychic"), "--mode"),
        (("export", "--json"), "--json needs a FILE"),
    ],
    ids=["a missing argument", "an unknown command", "an unknown option", "an unknown choice", "no file"],
)
def test_a_command_line_that_cannot_be_read_is_one_line_and_code_2(
    graphmem: Command, arguments: tuple[str, ...], message: str
) -> None:
    ended = graphmem(*arguments)

    assert ended.code == 2
    assert message in ended.err
    assert ended.err.startswith("error: ")
    assert ended.err.count("\n") == 1


def test_a_refusal_of_the_service_names_field_and_limit_in_the_document(
    graphmem: Command, service: ScriptedService
) -> None:
    service.refuses(
        "Remember",
        "content has 501 characters, the limit is 500",
        code="INVALID_INPUT",
        field="content",
        limit=500,
    )

    ended = graphmem("remember", "/a", "x" * 501, "--json")

    assert ended.code == 2
    assert ended.document == {
        "error": {
            "message": "content has 501 characters, the limit is 500",
            "code": "INVALID_INPUT",
            "field": "content",
            "limit": 500,
        }
    }
    assert ended.err == "error: content has 501 characters, the limit is 500\n"


def test_a_refusal_without_json_leaves_stdout_empty(graphmem: Command, service: ScriptedService) -> None:
    service.refuses("CatPath", "no path '/nowhere'", code="NOT_FOUND")

    ended = graphmem("cat", "/nowhere")

    assert (ended.code, ended.out, ended.err) == (2, "", "error: no path '/nowhere'\n")


def test_a_service_that_does_not_answer_is_code_3(
    graphmem: Command, service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv("GRAPHMEM_URL", f"http://127.0.0.1:{port}")

    ended = graphmem("search", "anything")

    assert ended.code == 3
    assert f"http://127.0.0.1:{port} does not answer" in ended.err


def test_a_service_elsewhere_without_a_token_is_refused_before_anything_is_sent(
    graphmem: Command, service: ScriptedService, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    (home / "token").write_text("gm_secret")
    monkeypatch.delenv("GRAPHMEM_TOKEN")

    ended = graphmem("search", "anything")

    assert ended.code == 2
    assert "GRAPHMEM_TOKEN" in ended.err
    assert service.tokens == []


def test_status_of_a_home_where_nothing_runs_is_code_3_and_a_document(graphmem: Command, home: Path) -> None:
    ended = graphmem("status", "--json")

    assert ended.code == 3
    assert (ended.document["running"], ended.document["ready"]) == (False, False)
    assert ended.document["token_file"] == str(home / "token")
    assert not home.exists()


def test_down_where_nothing_runs_does_nothing(graphmem: Command, home: Path) -> None:
    ended = graphmem("down", "--json")

    assert (ended.code, ended.document) == (0, {"stopped": False})
    assert not home.exists()


@pytest.mark.parametrize("command", ["up", "down"])
def test_a_service_elsewhere_is_neither_started_nor_ended(
    graphmem: Command, service: ScriptedService, command: str
) -> None:
    ended = graphmem(command)

    assert ended.code == 2
    assert "GRAPHMEM_URL" in ended.err


def test_a_setting_that_cannot_be_read_is_named_with_its_value(
    graphmem: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_PORT", "eighty")

    ended = graphmem("status")

    assert ended.code == 2
    assert "GRAPHMEM_PORT is 'eighty'" in ended.err
    assert ended.err.count("\n") == 1


def test_ctrl_c_is_code_130(
    graphmem: Command, service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("graphmem.cli.client.ServiceClient.ask", interrupted)

    assert graphmem("search", "anything").code == 130


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [(("search", "--json"), True), (("search", "json"), False), (("remember", "/a", "--", "--json"), False)],
    ids=["an option", "a word", "after the end of options"],
)
def test_json_is_wanted_where_it_is_an_option(arguments: tuple[str, ...], wanted: bool) -> None:
    assert wants_json(arguments) is wanted
