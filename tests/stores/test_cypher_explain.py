"""Every query file, planned by the real database: names that it knows, declared parameters, and no scan."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase, ResultSummary

from graphmem.access.predicate import At, HasKey, HasTag, Under, allow_minus_deny
from graphmem.graph.client import GraphClient
from graphmem.graph.queries import Query, load_queries
from graphmem.graph.transactions import statement
from graphmem.local.ready import Neo4jAddress
from tests.stores.sample_words import PROPERTIES, RELATIONSHIPS

pytestmark = pytest.mark.stores

QUERIES = load_queries()
SAMPLE_RULE = allow_minus_deny(
    [Under("/palace"), HasTag("visibility=public")], [At("/palace/study"), HasKey("secret")]
)

UNKNOWN_NAMES = {"01N50", "01N51", "01N52"}
COSTLY = {"03N90", "03N91", "03N92"}
DEPRECATED = {"01N00", "01N01", "01N02", "01N03"}
REFUSED = UNKNOWN_NAMES | COSTLY | DEPRECATED
MISSING_PARAMETERS = "01N60"

MAY_SCAN = {
    "change/number": "every change without a number is wanted",
    "outbox/figures": "takes the first of an index, and a number that Neo4j keeps",
    "status/memories": "counts every scope",
}
"""Statements that may walk through all nodes of a label, or through an index from end to end, and why."""

TYPES = {"read": {"r", "s"}, "write": {"w", "rw", "s"}}
"""What a mode allows: reading, writing, both, or the schema, which SHOW reads and CREATE writes."""


@pytest.fixture(scope="module")
async def planner(graph: GraphClient, neo4j_address: Neo4jAddress) -> AsyncIterator[AsyncDriver]:
    """A driver that hears all notifications, over a migrated database that knows every name."""
    address = neo4j_address
    async with AsyncGraphDatabase.driver(
        address.bolt_url,
        auth=(address.user, address.password),
        notifications_min_severity="INFORMATION",
        warn_notification_severity="OFF",
    ) as driver:
        await introduce_names(driver)
        yield driver


async def introduce_names(driver: AsyncDriver) -> None:
    """Shows the database every name; it remembers them when the nodes are gone again."""
    labels = {label: dict.fromkeys(names, "word") for label, names in PROPERTIES.items()}
    types = {kind: dict.fromkeys(names, "word") for kind, names in RELATIONSHIPS.items()}
    await driver.execute_query(
        "UNWIND keys($labels) AS label CREATE (n:Word) SET n = $labels[label], n:$(label) REMOVE n:$(label)"
        " WITH collect(n)[0] AS n"
        " UNWIND keys($types) AS type CREATE (n)-[r:$(type)]->(n) SET r = $types[type]",
        {"labels": labels, "types": types},
    )
    await driver.execute_query("MATCH (n:Word) DETACH DELETE n")


async def plan(driver: AsyncDriver, text: str) -> ResultSummary:
    async with driver.session() as session:
        result = await session.run(statement("EXPLAIN " + text))
        return await result.consume()


def operators(found: dict[str, Any]) -> Iterator[str]:
    """The names of all steps of a plan."""
    yield found["operatorType"].split("@")[0]
    for child in found.get("children", ()):
        yield from operators(child)


def scans(summary: ResultSummary) -> list[str]:
    """The steps that look at everything there is."""
    return [name for name in operators(summary.plan or {"operatorType": ""}) if name.endswith("Scan")]


def problems(summary: ResultSummary) -> list[str]:
    """What the database warns of, apart from values that EXPLAIN has none of."""
    return sorted(
        status.status_description for status in summary.gql_status_objects if status.gql_status in REFUSED
    )


def missing_parameters(summary: ResultSummary) -> set[str]:
    """The parameters that the database misses: all that the statement uses."""
    told = [
        one.status_description for one in summary.gql_status_objects if one.gql_status == MISSING_PARAMETERS
    ]
    return {name for text in told for name in re.findall(r"\$`(\w+)`", text)}


@pytest.mark.parametrize("query", QUERIES.values(), ids=lambda query: query.name)
async def test_the_database_accepts_the_plan(query: Query, planner: AsyncDriver) -> None:
    text, values = query.scoped_to(SAMPLE_RULE) if query.aliases else (query.text, {})

    summary = await plan(planner, text)

    assert problems(summary) == []
    assert summary.query_type in TYPES[query.mode]
    assert missing_parameters(summary) == query.params | values.keys()
    assert "AllNodesScan" not in scans(summary)


@pytest.fixture(scope="module")
async def young(planner: AsyncDriver) -> AsyncIterator[AsyncDriver]:
    """A store right after its first thousand memories: the counts are new, the samples of the indexes are
    not, and plans that are made now stay for long."""
    await planner.execute_query(
        "UNWIND range(1, 1000) AS n"
        " CREATE (m:Memory:Fact:Ruled {id: 'young-' + n, head_key: 'young-' + n, chain_id: 'young-' + n,"
        "   live: true, created_at: datetime(), dedupe_key: 'young-' + n})"
        " MERGE (s:Scope {key: 'young-' + n % 40}) ON CREATE SET s.path = '/young/' + n % 40"
        " MERGE (p:Path {path: '/young/' + n % 40}) ON CREATE SET p.declared = false"
        " CREATE (m)-[:IN]->(s), (m)-[:AT]->(p),"
        "   (:AuditRecord {id: 'young-' + n, memory_id: m.id})-[:ABOUT]->(m),"
        "   (:OutboxEntry {memory_id: m.id, due_at: datetime(), revision: 1, young: true}),"
        "   (:Change:Ruled:Unnumbered {id: 'young-' + n})"
    )
    yield planner
    await planner.execute_query(
        "MATCH (n) WHERE n.id STARTS WITH 'young-' OR n.key STARTS WITH 'young-'"
        " OR n.path STARTS WITH '/young/' OR n.young DETACH DELETE n"
    )


@pytest.mark.parametrize("query", QUERIES.values(), ids=lambda query: query.name)
async def test_a_young_store_looks_up_what_it_is_asked_for(query: Query, young: AsyncDriver) -> None:
    text, _ = query.scoped_to(SAMPLE_RULE) if query.aliases else (query.text, {})

    found = scans(await plan(young, text))

    assert found == [] or query.name in MAY_SCAN


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("MATCH (m:Memroy) RETURN m", "label does not exist"),
        ("MATCH (m:Memory)-[:SUPERSEDED]->() RETURN m", "relationship type does not exist"),
        ("MATCH (m:Memory) RETURN m.contents", "property key does not exist"),
        ("MATCH (m:Memory), (p:Path) RETURN m, p", "cartesian product"),
    ],
)
async def test_the_check_sees_what_it_looks_for(text: str, says: str, planner: AsyncDriver) -> None:
    found = problems(await plan(planner, text))

    assert len(found) == 1
    assert says in found[0]


async def test_the_check_sees_a_scan_a_write_and_the_parameters(planner: AsyncDriver) -> None:
    summary = await plan(planner, "MATCH (n) WHERE n.id = $id SET n.name = $name RETURN n.name AS name")

    assert summary.query_type == "rw"
    assert missing_parameters(summary) == {"id", "name"}
    assert scans(summary) == ["AllNodesScan"]
