"""A rule as a filter of Qdrant finds what the rule means; evaluated by the client's in-memory mode."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from qdrant_client import QdrantClient
from qdrant_client import models as q

from graphmem.access.predicate import AllOf, AnyOf, Everything, Nothing, Predicate, Under
from graphmem.access.qdrant import to_qdrant
from tests.resources import NAMED_RULES, SAMPLE, matched, predicates, raw_predicates

ANCESTORS_ARE_THERE = [{"is_empty": {"key": "ancestors"}}]
GOLDEN: dict[str, object] = {
    "everything": {"must_not": ANCESTORS_ARE_THERE},
    "nothing": {"must": [{"has_id": []}], "must_not": ANCESTORS_ARE_THERE},
    "a subtree": {
        "must": [{"key": "ancestors", "match": {"any": ["/notes"]}}],
        "must_not": ANCESTORS_ARE_THERE,
    },
    "many paths": {
        "must": [
            {
                "should": [
                    {"key": "path", "match": {"any": ["/note"]}},
                    {"key": "ancestors", "match": {"any": ["/notes", "/a"]}},
                ]
            }
        ],
        "must_not": ANCESTORS_ARE_THERE,
    },
    "all but a tag": {
        "must": [{"must_not": [{"key": "tags", "match": {"any": ["env=prod"]}}]}],
        "must_not": ANCESTORS_ARE_THERE,
    },
    "allow minus deny": {
        "must": [
            {
                "must": [
                    {"key": "ancestors", "match": {"any": ["/notes", "/a"]}},
                    {
                        "must_not": [
                            {
                                "should": [
                                    {"key": "ancestors", "match": {"any": ["/notes/a"]}},
                                    {"key": "tags", "match": {"any": ["env=prod"]}},
                                ]
                            }
                        ]
                    },
                ]
            }
        ],
        "must_not": ANCESTORS_ARE_THERE,
    },
}


@pytest.fixture(scope="module")
def client() -> Iterator[QdrantClient]:
    """The sample as points, and three points that lack what rules read."""
    client = QdrantClient(":memory:")
    client.create_collection("sample", q.VectorParams(size=1, distance=q.Distance.COSINE))
    payloads: list[dict[str, object]] = [
        {
            "id": one.id,
            "path": one.path,
            "ancestors": list(one.ancestors),
            "tags": list(one.tags),
            "tag_keys": list(one.tag_keys),
        }
        for one in SAMPLE
    ]
    payloads += [{"id": "tombstone"}, {"id": "no ancestors", "path": "/notes", "ancestors": []}]
    payloads += [{"id": "null", "path": "/notes", "ancestors": None, "tags": ["env=prod"]}]
    points = [q.PointStruct(id=at, vector=[1.0], payload=payload) for at, payload in enumerate(payloads)]
    client.upsert("sample", points)
    yield client
    client.close()


def found(client: QdrantClient, where: q.Filter) -> set[str]:
    points, _ = client.scroll("sample", scroll_filter=where, limit=100)
    return {str((point.payload or {})["id"]) for point in points}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_filter_of_a_named_rule(name: str) -> None:
    assert json.loads(to_qdrant(NAMED_RULES[name]).model_dump_json(exclude_none=True)) == GOLDEN[name]


@pytest.mark.parametrize("name", NAMED_RULES)
def test_R13_a_named_rule_finds_what_it_means(client: QdrantClient, name: str) -> None:
    assert found(client, to_qdrant(NAMED_RULES[name])) == matched(NAMED_RULES[name])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rule=predicates() | raw_predicates())
def test_R13_any_rule_finds_what_it_means(client: QdrantClient, rule: Predicate) -> None:
    assert found(client, to_qdrant(rule)) == matched(rule)


@given(rule=predicates() | raw_predicates())
def test_no_clause_is_ever_empty(rule: Predicate) -> None:
    def check(node: object) -> None:
        if isinstance(node, Mapping):
            for name, inner in node.items():
                assert name not in ("must", "should", "must_not") or inner
                check(inner)
        elif isinstance(node, list):
            for inner in node:
                check(inner)

    check(to_qdrant(rule).model_dump(exclude_none=True))


def test_extra_conditions_must_hold_as_well(client: QdrantClient) -> None:
    bob = q.FieldCondition(key="tags", match=q.MatchValue(value="owner=bob"))

    assert found(client, to_qdrant(Everything(), [bob])) == {
        one.id for one in SAMPLE if "owner=bob" in one.tags
    }
    assert found(client, to_qdrant(Under("/notes"), [bob])) == {"/notes/a/b owner=bob"}
    assert found(client, to_qdrant(Nothing(), [bob])) == set()


@pytest.mark.parametrize("rule", [AnyOf(()), AllOf((Nothing(),)), AnyOf((Nothing(),))])
def test_an_empty_disjunction_finds_nothing_even_when_put_together_by_hand(
    client: QdrantClient, rule: Predicate
) -> None:
    assert found(client, to_qdrant(rule)) == set()
