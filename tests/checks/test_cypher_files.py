"""The query files keep their rules, and no Cypher is written anywhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.data import PACKAGE, data_folder
from graphmem.graph.queries import Query, load_queries
from tests.checks.unscoped import UNSCOPED

QUERIES = load_queries()
MODULES = sorted(PACKAGE.rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
RUNNERS = ("graph", "vectors", "service", "bootstrap.py")
"""Where ``.run("…")`` can only mean a query file."""

CYPHER = re.compile(r"\b(MATCH|MERGE|CREATE|RETURN|UNWIND|DETACH)\b")
STATEMENT = re.compile(r"\s*(CYPHER|EXPLAIN|PROFILE|MATCH|MERGE|CREATE|RETURN|UNWIND|CALL|SHOW|DROP)\s+\S")

STATEMENTS_IN_CODE = {
    "api/guide.py": "the guide shows them to a person, who runs them in Neo4j Browser",
    "graph/client.py": "asks a server whether it is there, before any query file fits",
    "graph/transactions.py": "names the language that every file is written in",
    "local/class_data.py": "trains a new server, which knows nothing of our schema",
    "local/ready.py": "asks a server that was just started whether it answers",
}


def own(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def texts(tree: ast.AST) -> Iterator[str]:
    """Every string constant that is not part of an f-string or a docstring."""
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside | alone:
            yield node.value


def built_texts(tree: ast.AST) -> Iterator[str]:
    """The constant parts of strings that are put together: f-strings, ``+``, ``%``, ``format``, ``join``."""
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=parts):
                found = parts
            case ast.BinOp(left=left, op=ast.Add() | ast.Mod(), right=right):
                found = [left, right]
            case ast.Call(func=ast.Attribute(value=value, attr="format" | "format_map" | "join" | "replace")):
                found = [value, *node.args]
            case ast.Call(func=ast.Attribute(attr="substitute" | "safe_substitute"), args=args):
                found = args
            case _:
                continue
        for part in found:
            for inner in ast.walk(part):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield inner.value


def run_names(tree: ast.AST) -> Iterator[str]:
    """The literals that are given to ``.run(`` as the first argument."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="run" | "stream"), args=[ast.Constant(value=str() as name), *_]
            ):
                yield name


NAMED = [(text, own(path)) for path, tree in TREES.items() for text in texts(tree) if text in QUERIES]


def test_there_are_query_files() -> None:
    assert len(QUERIES) >= 5


@pytest.mark.parametrize("query", QUERIES.values(), ids=lambda query: query.name)
def test_a_file_has_exactly_one_caller(query: Query) -> None:
    callers = [path for name, path in NAMED if name == query.name]

    assert len(callers) == 1, f"named by {callers}"


@pytest.mark.parametrize("path", MODULES, ids=own)
def test_every_name_that_is_run_is_a_file(path: Path) -> None:
    if not own(path).startswith(RUNNERS):
        assert not [name for name in run_names(TREES[path]) if name in QUERIES], "only stores run query files"
        return
    unknown = [name for name in run_names(TREES[path]) if name not in QUERIES and name != "true"]
    assert unknown == []


@pytest.mark.parametrize(
    "query", [query for query in QUERIES.values() if not query.writes], ids=lambda query: query.name
)
def test_a_reading_file_has_a_slot_or_a_reason_that_stands_here_too(query: Query) -> None:
    assert query.unscoped == UNSCOPED.get(query.name), "repeat the reason in tests/checks/unscoped.py"
    assert bool(query.aliases) != (query.name in UNSCOPED)


def test_every_reason_belongs_to_a_reading_file() -> None:
    assert [name for name in UNSCOPED if name not in QUERIES or QUERIES[name].writes] == []


@pytest.mark.parametrize("query", QUERIES.values(), ids=lambda query: query.name)
def test_a_file_says_what_it_answers_and_what_its_rows_hold(query: Query) -> None:
    assert query.doc.endswith((".", "…"))
    assert query.rows, "add `// rows: …`, or `// rows: none`"


@pytest.mark.parametrize("path", MODULES, ids=own)
def test_no_cypher_is_put_together_in_code(path: Path) -> None:
    assert [text for text in built_texts(TREES[path]) if CYPHER.search(text)] == []


@pytest.mark.parametrize("path", MODULES, ids=own)
def test_no_statement_is_written_in_code(path: Path) -> None:
    found = [text for text in texts(TREES[path]) if STATEMENT.match(text)]

    assert found == [] or own(path) in STATEMENTS_IN_CODE, "move it into a query file"


def test_only_the_graph_package_imports_the_driver() -> None:
    users = {
        own(path)
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "neo4j")
        or (isinstance(node, ast.Import) and any(name.name.split(".")[0] == "neo4j" for name in node.names))
    }

    assert {user for user in users if not user.startswith("graph/")} <= {
        "local/ready.py",
        "local/class_data.py",
    }


def test_nothing_but_query_files_lies_in_their_folder() -> None:
    strangers = [path.name for path in data_folder("cypher").rglob("*") if path.is_file()]

    assert [name for name in strangers if not name.endswith((".cypher", ".md"))] == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('f"MATCH (n:{label})"', True),
        ('"MATCH (n:" + label + ")"', True),
        ('"MATCH (n:%s)" % label', True),
        ('"MATCH (n:{})".format(label)', True),
        ('" ".join(["MATCH (n)", rest])', True),
        ('Template("…").substitute("RETURN n")', True),
        ('f"no match for {label}"', False),
    ],
)
def test_the_check_sees_every_way_to_put_a_text_together(code: str, found: bool) -> None:
    assert any(CYPHER.search(text) for text in built_texts(ast.parse(code))) is found
