"""The schema as it is published."""

from __future__ import annotations

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, is_list_type, is_non_null_type

from graphmem.api.export_schema import exported
from graphmem.api.schema import build_schema, schema
from graphmem.data import data_folder

CORE = schema._schema


def test_the_published_schema_is_current() -> None:
    published = (data_folder("schema") / "graphmem.graphql").read_text(encoding="utf-8")

    assert published == exported(), "run: make export-schema"


def test_everything_in_the_schema_says_what_it_is() -> None:
    silent = []
    for name, type_ in CORE.type_map.items():
        if name.startswith("__") or type_ in (CORE.query_type, CORE.mutation_type):
            continue
        fields = getattr(type_, "fields", {})
        silent += [f"{name}.{field}" for field, definition in fields.items() if not definition.description]
        if not type_.description:
            silent.append(name)

    assert silent == []


def test_every_mutation_that_stores_takes_one_input_with_an_idempotency_key() -> None:
    assert CORE.mutation_type is not None
    keyless = []
    for name, field in CORE.mutation_type.fields.items():
        if "input" in field.args:
            type_ = field.args["input"].type
            while is_non_null_type(type_) or is_list_type(type_):
                type_ = type_.of_type
            if "idempotencyKey" not in type_.fields:
                keyless.append(name)

    assert keyless == []


@pytest.mark.parametrize("name", ["Fact", "Drawer"])
def test_facts_and_drawers_are_memories(name: str) -> None:
    type_ = CORE.type_map[name]

    assert isinstance(type_, GraphQLObjectType)
    assert [interface.name for interface in type_.interfaces] == ["Memory"]


def test_the_memory_interface_has_what_callers_rely_on() -> None:
    memory = CORE.type_map["Memory"]
    assert isinstance(memory, GraphQLInterfaceType)

    relied_on = {
        "id": "ID!",
        "chainId": "ID!",
        "version": "Int!",
        "path": "String!",
        "content": "String!",
        "title": "String",
        "owner": "String!",
        "author": "String!",
        "tags": "[String!]!",
        "keywords": "[String!]!",
        "status": "Status!",
        "createdAt": "DateTime!",
        "validFrom": "DateTime",
        "validTo": "DateTime",
        "signalStrength": "Float!",
        "stabilityDays": "Float!",
        "recallCount": "Int!",
        "hits": "Int!",
        "importance": "Float",
        "confidence": "Float",
        "indexed": "Boolean!",
        "history": "[Memory!]!",
        "links": "[Link!]!",
    }

    assert {name: str(memory.fields[name].type) for name in relied_on} == relied_on


async def test_a_closed_schema_neither_shows_itself_nor_suggests_names() -> None:
    closed = build_schema(introspection=False)

    shown = await closed.execute("{ __schema { types { name } } }")
    guessed = await closed.execute("{ viwer { subject } }")

    assert "introspection has been disabled" in str(shown.errors)
    assert guessed.errors is not None
    assert guessed.errors[0].message == "Cannot query field 'viwer' on type 'Query'."


async def test_an_open_schema_does_both() -> None:
    shown = await schema.execute('{ __type(name: "Memory") { kind } }')
    guessed = await schema.execute("{ viwer { subject } }")

    assert shown.data == {"__type": {"kind": "INTERFACE"}}
    assert "Did you mean 'viewer'" in str(guessed.errors)
