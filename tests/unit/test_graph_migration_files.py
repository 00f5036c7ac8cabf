"""The files of migrations: their form, their order, and what a store's history says about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.errors import Misconfigured
from graphmem.graph.migration_files import Migration, load_migrations, parse_migration
from graphmem.graph.migrations import pending

SCHEMA = """\
// kind: schema
// Two keys; a comment with a ; at its end;
CREATE CONSTRAINT memory_id IF NOT EXISTS FOR (m:Memory) REQUIRE m.id IS UNIQUE;
CREATE FULLTEXT INDEX words IF NOT EXISTS FOR (m:Memory) ON EACH [m.words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
"""


def known(count: int) -> tuple[Migration, ...]:
    return tuple(Migration(n, f"V00{n}__step", "schema", ("",), f"sum-{n}") for n in range(1, count + 1))


def recorded(*numbers: int, checksum: str | None = None) -> list[dict[str, object]]:
    return [
        {
            "key": f"migration/V00{n}",
            "name": f"V00{n}__step",
            "checksum": checksum or f"sum-{n}",
            "version": "9.1",
        }
        for n in numbers
    ]


def test_statements_end_at_semicolons_that_end_a_line() -> None:
    migration = parse_migration("V001__keys", SCHEMA)

    assert [statement.split("\n")[-1] for statement in migration.statements] == [
        "CREATE CONSTRAINT memory_id IF NOT EXISTS FOR (m:Memory) REQUIRE m.id IS UNIQUE",
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}",
    ]
    assert (migration.number, migration.kind, migration.key) == (1, "schema", "migration/V001")


def test_a_semicolon_inside_a_string_ends_nothing() -> None:
    source = "// kind: data\nMERGE (m:Meta {key: 'a;\n'});\n"

    assert parse_migration("V002__seed", source).statements == (
        "// kind: data\nMERGE (m:Meta {key: 'a;\n'})",
    )


def test_the_checksum_follows_the_text_and_not_its_line_ends() -> None:
    first = parse_migration("V001__keys", SCHEMA)

    assert parse_migration("V001__keys", SCHEMA.replace("\n", "\r\n")).checksum == first.checksum
    assert parse_migration("V001__keys", SCHEMA + "\n").checksum != first.checksum


@pytest.mark.parametrize(
    ("name", "source", "problem"),
    [
        ("001_keys", SCHEMA, "is not named V001__what_it_does"),
        ("V001__keys", SCHEMA.replace("// kind: schema\n", ""), "needs one line `// kind: schema`"),
        ("V001__keys", SCHEMA.replace(" IF NOT EXISTS", ""), "is not named, or lacks IF NOT EXISTS"),
        ("V001__keys", SCHEMA.replace("memory_id IF", "IF"), "is not named, or lacks IF NOT EXISTS"),
        ("V001__keys", SCHEMA + "MERGE (:A);\n", "is not named, or lacks IF NOT EXISTS"),
        ("V001__keys", SCHEMA + "CREATE INDEX x IF NOT EXISTS FOR (a:A) ON (a.b)", "without `;`"),
        ("V001__keys", "// kind: data\n", "holds no statement"),
    ],
)
def test_a_file_that_breaks_a_rule_is_refused_by_name(name: str, source: str, problem: str) -> None:
    with pytest.raises(Misconfigured) as refused:
        parse_migration(name, source)

    assert str(refused.value).startswith(f"schema/migrations/{name}.cypher: ")
    assert problem in str(refused.value)


@pytest.mark.parametrize("names", [["V001__a", "V003__c"], ["V001__a", "V001__b"], ["V002__a"]])
def test_numbers_run_without_gaps_and_repeats(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / f"{name}.cypher").write_text(SCHEMA, encoding="utf-8")

    with pytest.raises(Misconfigured, match="numbers must run 1, 2, 3"):
        load_migrations(tmp_path)


def test_the_shipped_migrations_keep_the_rules() -> None:
    assert [migration.number for migration in load_migrations()][:3] == [1, 2, 3]


def test_an_empty_store_lacks_everything_and_a_current_one_nothing() -> None:
    assert pending(known(3), []) == list(known(3))
    assert pending(known(3), recorded(1, 2, 3)) == []


def test_what_a_store_lacks_comes_in_order() -> None:
    assert [migration.number for migration in pending(known(4), recorded(2, 1))] == [3, 4]


@pytest.mark.parametrize(
    ("applied", "says"),
    [
        (recorded(1, 2, 3), "was written by a newer GraphMem (9.1, migration V003__step)"),
        (recorded(1, checksum="other"), "migration V001__step is not the text that GraphMem 9.1 applied"),
        (recorded(2), "lacks migration V001__step but has later ones"),
    ],
    ids=["newer", "changed", "gap"],
)
def test_a_store_that_does_not_fit_stops_the_start_and_says_the_way_out(
    applied: list[dict[str, object]], says: str
) -> None:
    with pytest.raises(Misconfigured) as refused:
        pending(known(2), applied)

    assert says in str(refused.value)
    assert "restore" in str(refused.value)
