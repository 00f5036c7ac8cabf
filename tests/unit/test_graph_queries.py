"""The loader of query files: what a file must hold, and what a call must bring."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.access.predicate import (
    At,
    Everything,
    HasKey,
    HasTag,
    Nothing,
    Predicate,
    Under,
    all_of,
    any_of,
    not_,
)
from graphmem.errors import QueryFileError
from graphmem.graph.queries import Query, load_queries, parse_query

GET_MANY = """\
// The live facts among these ids that the caller may read, in no order.
// mode: read
// params: ids
// rows: zero or more
//   {fact}
MATCH (f:Fact)
WHERE f.id IN $ids
  AND f.live
  AND /*access:f*/ false
RETURN f {.*} AS fact
"""
WORDS = st.sampled_from(
    ["/", "/a", "/a/b", "/ab", "colour=blue", "colour", "owner=zoë", 'x=it\'s "$access_0"']
)
LEAVES = st.builds(At, WORDS) | st.builds(Under, WORDS) | st.builds(HasTag, WORDS) | st.builds(HasKey, WORDS)
RULES: st.SearchStrategy[Predicate] = st.recursive(
    LEAVES | st.just(Everything()) | st.just(Nothing()),
    lambda inner: (
        st.builds(any_of, st.lists(inner)) | st.builds(all_of, st.lists(inner)) | st.builds(not_, inner)
    ),
)


def file(*headers: str, text: str = "MATCH (m:Memory {id: $id}) WHERE /*access:m*/ false RETURN m") -> str:
    return "\n".join(["// One memory.", *headers, text])


def test_a_file_becomes_a_query() -> None:
    query = parse_query("fact/get_many", GET_MANY)

    assert query == Query(
        name="fact/get_many",
        text=GET_MANY[GET_MANY.index("MATCH") :].strip(),
        mode="read",
        params=frozenset({"ids"}),
        aliases=frozenset({"f"}),
        doc="The live facts among these ids that the caller may read, in no order.",
        rows="zero or more {fact}",
    )
    assert not query.writes


def test_the_rule_takes_the_place_of_every_slot() -> None:
    query = parse_query(
        "path/pair",
        file(
            "// mode: read",
            "// params:",
            text="MATCH (a)--(b) WHERE /*access:a*/ false AND /*access:b*/ false RETURN a",
        ),
    )

    text, values = query.scoped_to(At("/x"))

    assert "false" not in text
    assert text.index("a.path") < text.index("b.path")
    assert values == {"access_0": ["/x"]}


@given(RULES)
def test_no_value_of_a_rule_is_ever_part_of_the_text(rule: Predicate) -> None:
    text, values = parse_query("fact/get_many", GET_MANY).bound({"ids": []}, rule)

    used = set(re.findall(r"\$(\w+)", text))
    assert used == values.keys()
    assert not re.search(r"colour|owner|'|\"|/", text)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (file("// params: id"), "needs the header `// mode: read` or `// mode: write`"),
        (file("// mode: any", "// params: id"), "needs the header `// mode: read` or `// mode: write`"),
        (file("// mode: read", "// mode: read", "// params: id"), "says `mode` twice"),
        (file("// mode: read", "// parms: id"), "has an unknown header 'parms'"),
        (file("// mode: read"), "declares the parameters [] and uses ['id']"),
        (
            file("// mode: read", "// params: id, ids"),
            "declares the parameters ['id', 'ids'] and uses ['id']",
        ),
        (
            file("// mode: read", "// params: id", "// unscoped: a constant"),
            "has an access slot and a reason for having none",
        ),
        (
            file("// mode: read", "// params:", text="MATCH (m) RETURN m"),
            "reads without an access slot, and gives no `// unscoped: reason`",
        ),
        (file("// mode: read", "// unscoped:", text="RETURN 1"), "says unscoped without a reason"),
        (
            file("// mode: write", text="CREATE (:A); CREATE (:B)"),
            "holds a `;`, and a query file is one statement",
        ),
        (
            file("// mode: write", "// params: access_0", text="CREATE (:A {a: $access_0})"),
            "uses a parameter that starts with access_, which belongs to the rule",
        ),
        (file("// mode: write", text=""), "holds no statement"),
        ("// mode: write\nCREATE (:A)", "does not say in its first line what it answers"),
        (
            file(
                "// mode: write",
                text="MATCH (a) CALL (a) { DELETE a } IN 2 CONCURRENT TRANSACTIONS OF 9 ROWS",
            ),
            "has `IN TRANSACTIONS` without `// autocommit: true`",
        ),
        (
            file("// mode: write", "// autocommit: true", text="CREATE (:A)"),
            "has `IN TRANSACTIONS` without `// autocommit: true`, or the header without the clause",
        ),
        (
            file("// mode: write", "// autocommit: no", text="CREATE (:A)"),
            "says autocommit, which is either `true` or left out",
        ),
        (
            file(
                "// mode: read",
                "// params: id",
                text="MATCH (m {id: $id}) WHERE NOT /*access:m*/ false RETURN m",
            ),
            "has a slot under a negation",
        ),
    ],
)
def test_a_file_that_breaks_a_rule_is_refused_by_name(source: str, problem: str) -> None:
    with pytest.raises(QueryFileError) as refused:
        parse_query("memory/one", source)

    assert str(refused.value).startswith(f"cypher/memory/one.cypher: {problem}")


@pytest.mark.parametrize("name", ["one", "Memory/one", "memory/get-one", "memory/", "/one"])
def test_a_file_has_a_subject_and_a_verb(name: str) -> None:
    with pytest.raises(QueryFileError, match="is not named <subject>/<verb>"):
        parse_query(name, GET_MANY)


def test_parameters_in_strings_and_comments_do_not_count() -> None:
    source = file("// mode: write", text="CREATE (:Price {text: '$id', `$b`: 1}) // $c")

    assert parse_query("price/make", source).params == frozenset()


@pytest.mark.parametrize(
    ("params", "rule", "problem"),
    [
        (None, Everything(), "was called without ['ids'] and with unknown []"),
        ({"ids": [], "limit": 3}, Everything(), "was called without [] and with unknown ['limit']"),
        ({"ids": []}, None, "has an access slot, and was called without a rule"),
    ],
)
def test_a_call_that_does_not_fit_the_file_is_refused(
    params: dict[str, object] | None, rule: Predicate | None, problem: str
) -> None:
    with pytest.raises(QueryFileError) as refused:
        parse_query("fact/get_many", GET_MANY).bound(params, rule)

    assert problem in str(refused.value)


def test_a_rule_for_a_file_without_a_slot_is_refused() -> None:
    query = parse_query("meta/make", file("// mode: write", text="CREATE (:A)"))

    with pytest.raises(QueryFileError, match="has no access slot"):
        query.bound({}, Everything())


def test_queries_are_named_by_their_place_and_sorted(tmp_path: Path) -> None:
    for name in ("b/two", "a/one"):
        path = tmp_path / f"{name}.cypher"
        path.parent.mkdir()
        path.write_text(GET_MANY, encoding="utf-8")
    (tmp_path / "a" / "README.md").write_text("not a query", encoding="utf-8")

    assert list(load_queries(tmp_path)) == ["a/one", "b/two"]


def test_where_a_statement_is_spelt_out_its_lists_are_only_counted() -> None:
    query = parse_query("fact/get_many", GET_MANY)

    _, values = query.bound({"ids": ["the secret", "another"]}, Everything())

    assert values["ids"] == ["the secret", "another"]
    assert repr(values["ids"]) == "<2 values>"
