"""How much one operation may ask for: each limit, one under and one over."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from graphql import GraphQLSchema, build_schema, get_introspection_query, parse, validate

from graphmem.api.limits import ALIASES, COST, DEPTH, check_limits
from graphmem.api.schema import schema as ours
from graphmem.errors import LimitExceeded
from graphmem.memory.limits import PAGE

SCHEMA = build_schema("""
    type Thing { name: String inner: Thing list: [Thing!]! page(first: Int = 20): ThingConnection }
    type ThingConnection { nodes: [Thing!]! edges: [Edge!]! total: Int }
    type Edge { node: Thing cursor: String }
    input Row { name: String }
    type Receipt { id: ID name: String }
    type Query { name: String thing: Thing page(first: Int = 10): ThingConnection }
    type Mutation { store(input: [Row!]!): [Receipt!]! }
""")


def refused(
    query: str, variables: Mapping[str, object] | None = None, *, schema: GraphQLSchema = SCHEMA
) -> str | None:
    """The message with which a valid document is refused; None when it passes."""
    document = parse(query)
    assert validate(schema, document) == []
    try:
        check_limits(schema, document, None, variables or {})
    except LimitExceeded as error:
        return str(error)
    return None


def nested(levels: int) -> str:
    return "{ thing " + "{ inner " * (levels - 2) + "{ name }" + " }" * (levels - 2) + " }"


def test_eight_levels_of_fields_pass_and_nine_do_not() -> None:
    assert refused(nested(DEPTH)) is None
    assert refused(nested(DEPTH + 1)) == "fields are nested more than 8 levels deep"


def test_levels_inside_fragments_count() -> None:
    inner = "{ inner " * (DEPTH - 1) + "{ name }" + " }" * (DEPTH - 1)

    assert refused("{ thing { ...F } } fragment F on Thing " + inner) is not None


def test_fifteen_aliases_pass_and_sixteen_do_not() -> None:
    def aliases(count: int) -> str:
        return "{ " + " ".join(f"a{at}: name" for at in range(count)) + " }"

    assert refused(aliases(ALIASES)) is None
    assert refused(aliases(ALIASES + 1)) == "more than 15 aliases; send several operations"


def test_an_alias_in_a_fragment_counts_each_time_the_fragment_is_used() -> None:
    fragment = "fragment F on Thing { a: name b: name c: name d: name }"
    query = "{ thing { ...F inner { ...F inner { ...F inner { ...F } } } } } " + fragment

    assert refused(query) == "more than 15 aliases; send several operations"


def test_the_page_size_multiplies_what_is_selected_below_it() -> None:
    def page(first: int) -> str:
        inner = " ".join(f"inner {{ {' '.join(['name'] * 50)} }}" for _ in range(1))
        return f"{{ page(first: {first}) {{ nodes {{ {inner} }} }} }}"

    # connection 1, then for each of the items: nodes, inner, and 50 names
    fits = (COST - 1) // 52
    assert refused(page(fits)) is None
    assert "more than 5000 values" in (refused(page(fits + 1)) or "")


def test_a_page_size_in_a_variable_counts_as_much() -> None:
    names = " ".join(["name"] * 60)
    query = f"query Q($n: Int) {{ page(first: $n) {{ nodes {{ {names} }} }} }}"

    assert refused(query, {"n": 50}) is None
    assert refused(query, {"n": 100}) is not None


def test_a_variable_that_is_left_out_counts_as_its_default() -> None:
    names = " ".join(["name"] * 60)

    assert refused(f"query Q($n: Int = 100) {{ page(first: $n) {{ nodes {{ {names} }} }} }}") is not None
    assert refused(f"query Q($n: Int) {{ page(first: $n) {{ nodes {{ {names} }} }} }}") is None


def test_pages_inside_pages_multiply() -> None:
    query = "{ page(first: 100) { nodes { page(first: 100) { nodes { name } } } } }"

    assert "more than 5000 values" in (refused(query) or "")


def test_a_page_size_above_the_largest_page_is_left_to_the_field_to_refuse() -> None:
    assert PAGE == 100
    assert refused("{ page(first: 1000000) { nodes { name } } }") is None


def test_a_list_without_a_page_size_counts_ten_times() -> None:
    query = "{ thing { list { list { list { name } } } } }"

    # 1 + 1 + 10 + 100 + 1000 passes; one level more does not
    assert refused(query) is None
    assert refused("{ thing { list { list { list { list { name } } } } } }") is not None


def test_a_batch_counts_by_its_rows() -> None:
    query = "mutation M($rows: [Row!]!) { store(input: $rows) { id a: name b: name c: name d: name } }"

    assert refused(query, {"rows": [{}] * 900}) is None
    assert refused(query, {"rows": [{}] * 1_000}) is not None


def test_fragments_that_double_are_stopped_at_the_limit_and_not_walked() -> None:
    chain = "".join(f"fragment F{at} on Query {{ ...F{at + 1} ...F{at + 1} }} " for at in range(60))
    document = parse("{ ...F0 } " + chain + "fragment F60 on Query { name }")

    with pytest.raises(LimitExceeded, match="more than 5000 values"):
        check_limits(SCHEMA, document, None, {})


def test_what_graphiql_asks_of_the_schema_passes() -> None:
    query = get_introspection_query(specified_by_url=True, input_value_deprecation=True)

    assert refused(query, schema=ours._schema) is None


def test_deep_introspection_does_not() -> None:
    deep = '{ __type(name: "Query") ' + "{ ofType " * 20 + "{ name }" + " }" * 20 + " }"

    assert refused(deep) == "fields are nested more than 16 levels deep"


def test_a_rich_page_of_a_hundred_hits_passes() -> None:
    query = """
        query Q($query: String!, $first: Int) {
          search(query: $query, first: $first) {
            edges { cursor score why contributions { channel score weight value }
              node { id path content title tags keywords createdAt signalStrength ... on Fact { kind } } }
            pageInfo { hasNextPage endCursor } degraded termsDropped } }
    """

    assert refused(query, {"query": "x", "first": 100}, schema=ours._schema) is None
