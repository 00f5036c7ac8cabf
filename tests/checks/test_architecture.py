"""The rules of the house: who may import whom, how large a module is, what no code and no document says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.data import PACKAGE

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(PACKAGE.rglob("*.py"))
SOURCES = {path: path.read_text(encoding="utf-8") for path in MODULES}
TREES = {path: ast.parse(source) for path, source in SOURCES.items()}

RULES = {"memory", "access"}
STORES = {"graph", "vectors"}
EDGE = {"settings", "bootstrap"}
MAY_IMPORT: dict[str, set[str]] = {
    "memory": set(),
    "access": {"memory"},
    "graph": RULES,
    "vectors": RULES,
    "local": set(),
    "service": RULES | STORES,
    "markdown": RULES | {"service"},
    "tools": RULES | {"service"},
    "api": RULES | {"service"} | EDGE,
    "bench": RULES | {"service", "markdown"} | EDGE,
    "cli": RULES | {"service", "api", "bench", "local", "markdown"} | EDGE,
    "bootstrap": RULES | STORES | {"service", "api", "bench", "cli", "local", "markdown", "settings"},
    "settings": {"memory"},
    "data": set(),
    "errors": set(),
    "__init__": set(),
    "__main__": {"cli"},
}
"""Layer to the layers that it may know, besides itself, ``errors``, ``data`` and the version."""

FOR_ALL = {"errors", "data", "__init__"}

MOST_LINES = 300
LARGE_LINES = 250
LARGE_MODULES: dict[str, str] = {
    "memory/ledger.py": "every command stands beside the others, so that what they share is seen at once",
}
"""Modules above ``LARGE_LINES``, each with the reason why it is one idea all the same."""

CATCHES_ALL = {
    "service/group_commit.py": "one writer works for many: each failure goes to those who wait for it",
    "service/indexing.py": "a text that breaks a library is noted with its entry, and others go on",
    "service/leased.py": "a loop in the background outlives every failure and shows it in the status",
    "vectors/edge_requests.py": "the worker answers a request with the failure instead of dying of it",
}
"""Modules that catch every ``Exception`` without raising it again, with the reason."""

CLOCKS = re.compile(
    r"\b(datetime\.now|datetime\.today|utcnow|date\.today|time\.time|perf_counter|monotonic)\("
)

NOT_SAID = re.compile(
    "|".join(["helper" + " session", "/wo" + r"rk/(main\b|shared\b|plan\b|\.)", "/ro" + "ot/"]), re.I
)
"""Words about where the project was written, which it never says."""

GENERATED = {".git", ".venv", "__pycache__", "dist", "build", ".hypothesis", "node_modules"}
TEXT_ENDINGS = {"", ".cypher", ".graphql", ".html", ".in", ".json", ".lock", ".md", ".py"} | {
    ".toml",
    ".txt",
    ".yaml",
    ".yml",
}


def own(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def layer_of(path: Path) -> str:
    return own(path).split("/")[0].removesuffix(".py")


def imported_layers(tree: ast.AST) -> Iterator[str]:
    """The layers of this package that a module names in an import, wherever the import stands."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [name.name for name in names]
            case ast.ImportFrom(module="graphmem", names=names, level=0):
                modules = [f"graphmem.{name.name}" for name in names]
            case ast.ImportFrom(module=str() as module, level=0):
                modules = [module]
            case ast.ImportFrom(level=level) if level > 0:
                modules = ["graphmem.a_relative_import"]
            case _:
                continue
        for module in modules:
            parts = module.split(".")
            if parts[0] == "graphmem":
                yield "__init__" if len(parts) == 1 or parts[1] == "__version__" else parts[1]


def catch_alls(tree: ast.AST) -> Iterator[int]:
    """Lines of handlers that catch everything and do not raise it again as their last act."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and _catches_all(node.type):
            last = node.body[-1]
            if not (isinstance(last, ast.Raise) and last.exc is None):
                yield node.lineno


def _catches_all(kind: ast.expr | None) -> bool:
    match kind:
        case None | ast.Name(id="Exception" | "BaseException"):
            return True
        case ast.Tuple(elts=kinds):
            return any(_catches_all(one) for one in kinds)
        case _:
            return False


def project_files() -> Iterator[Path]:
    """Every text that belongs to the project, without what tools leave behind."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if any(part in GENERATED or part.endswith(("_cache", ".egg-info")) for part in parts):
            continue
        if path.is_file() and path.suffix in TEXT_ENDINGS:
            yield path


@pytest.mark.parametrize("path", MODULES, ids=own)
def test_imports_point_down_only(path: Path) -> None:
    layer = layer_of(path)
    allowed = MAY_IMPORT[layer] | FOR_ALL | {layer}

    assert set(imported_layers(TREES[path])) <= allowed


def test_every_layer_has_its_directions() -> None:
    assert {layer_of(path) for path in MODULES} <= MAY_IMPORT.keys()


def test_the_two_stores_do_not_know_each_other_and_local_knows_nobody() -> None:
    assert "vectors" not in MAY_IMPORT["graph"]
    assert "graph" not in MAY_IMPORT["vectors"]
    assert MAY_IMPORT["local"] == set()


@pytest.mark.parametrize("path", MODULES, ids=own)
def test_a_module_is_small_enough_to_be_one_idea(path: Path) -> None:
    lines = SOURCES[path].count("\n")

    assert lines <= MOST_LINES
    assert lines <= LARGE_LINES or own(path) in LARGE_MODULES, "split it, or say why it is one idea"


def test_a_module_that_is_named_as_large_is_large() -> None:
    sizes = {own(path): source.count("\n") for path, source in SOURCES.items()}

    assert [name for name in LARGE_MODULES if sizes.get(name, 0) <= LARGE_LINES] == []


@pytest.mark.parametrize("path", [path for path in MODULES if SOURCES[path].strip()], ids=own)
def test_a_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(TREES[path])


@pytest.mark.parametrize("path", MODULES, ids=own)
def test_errors_are_caught_narrowly(path: Path) -> None:
    lines = list(catch_alls(TREES[path]))

    assert lines == [] or own(path) in CATCHES_ALL


def test_a_module_that_may_catch_all_does() -> None:
    catching = {own(path) for path, tree in TREES.items() if any(catch_alls(tree))}

    assert CATCHES_ALL.keys() <= catching


@pytest.mark.parametrize("path", MODULES, ids=own)
def test_no_exception_is_swallowed_in_silence(path: Path) -> None:
    silent = [
        node.lineno
        for node in ast.walk(TREES[path])
        if isinstance(node, ast.ExceptHandler)
        and _catches_all(node.type)
        and all(isinstance(step, ast.Pass | ast.Continue) for step in node.body)
    ]

    assert silent == []


@pytest.mark.parametrize("path", [path for path in MODULES if layer_of(path) in RULES], ids=own)
def test_rules_have_no_clock_and_no_input_or_output(path: Path) -> None:
    code = re.sub(r"(?m)#.*$", "", SOURCES[path])
    imported = {
        name.split(".")[0]
        for node in ast.walk(TREES[path])
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }

    assert CLOCKS.search(code) is None
    assert (
        imported & {"asyncio", "httpx", "io", "os", "pathlib", "random", "socket", "subprocess", "time"}
        == set()
    )


@pytest.mark.parametrize("path", list(project_files()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_project_speaks_of_itself_alone(path: Path) -> None:
    found = NOT_SAID.search(path.read_text(encoding="utf-8"))

    assert found is None


@pytest.mark.parametrize(
    ("code", "layers"),
    [
        ("import graphmem.graph.client", {"graph"}),
        ("from graphmem import __version__", {"__init__"}),
        ("from graphmem import errors, service", {"errors", "service"}),
        ("def late():\n    from graphmem.api import app", {"api"}),
        ("from . import client", {"a_relative_import"}),
        ("import neo4j", set()),
    ],
)
def test_the_check_sees_every_form_of_import(code: str, layers: set[str]) -> None:
    assert set(imported_layers(ast.parse(code))) == layers


@pytest.mark.parametrize(
    ("handler", "caught"),
    [
        ("except Exception: pass", True),
        ("except: pass", True),
        ("except (OSError, Exception): pass", True),
        ("except BaseException:\n    clean()\n    raise", False),
        ("except Exception as error: raise Other from error", True),
        ("except OSError: pass", False),
    ],
)
def test_the_check_sees_every_handler_that_catches_all(handler: str, caught: bool) -> None:
    tree = ast.parse(f"try:\n    work()\n{handler}")

    assert any(catch_alls(tree)) is caught
