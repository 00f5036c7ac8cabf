"""The translations of rules, asked of the real stores: each finds exactly what the rule means."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from neo4j import AsyncGraphDatabase, AsyncSession

from graphmem.access.cypher import to_cypher
from graphmem.access.lucene import Clause, scope_tokens, to_lucene
from graphmem.access.predicate import Everything, HasTag, Nothing, Predicate, Under, any_of, not_
from graphmem.graph.client import GraphClient
from graphmem.local.ready import Neo4jAddress
from graphmem.memory.languages import LANGUAGES
from graphmem.memory.limits import SCOPE_CLAUSES
from graphmem.memory.terms import query_terms, search_terms
from tests.resources import NAMED_RULES, SAMPLE, matched, predicates, raw_predicates

pytestmark = pytest.mark.stores

ASKED = settings(
    max_examples=100,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
RULES = predicates() | raw_predicates()

HOSTILE = (
    "*", "?", "title:*", "/.*/", "[a TO z]", "{a TO z}", "a AND NOT b", "OR", "+a -b !c", "(((", ")", '"open',
    "a\\", "~2", "foo^3", "a && b || c", "search_scope:x", "\\u0041", "🦊🦊", "a\u0301\u0301", "\u3000",
    "C++ C# .NET", "it's l'acqua", "- - -", "数据库 ｆｕｌｌ", "\u202eabc", "a:b:c", "http://x/y?z=1#q",
)  # fmt: skip


class Graph:
    """The sample in the graph, in one session of its own."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session
        self.mark = f"probe{uuid4().hex}"

    async def rows(self, text: str, **values: object) -> list[Mapping[str, Any]]:
        """The rows of a statement."""
        found = await self._session.run(text, values)
        return [row.data() async for row in found]

    async def by_cypher(self, rule: Predicate) -> set[str]:
        """Ids that the rule's Cypher form lets through."""
        condition, values = to_cypher(rule, "m")
        text = f"MATCH (m:Memory) WHERE m.mark = $mark AND ({condition}) RETURN m.id AS id"
        return {row["id"] for row in await self.rows(text, mark=self.mark, **values)}

    async def by_words(self, words: str, *clauses: Clause | None) -> dict[str, float]:
        """Ids and scores that a keyword query finds."""
        query = " ".join([words, *(clause.text for clause in clauses if clause is not None)])
        text = (
            "CALL db.index.fulltext.queryNodes('memory_terms', $query) YIELD node, score"
            " WHERE node.mark = $mark RETURN node.id AS id, score"
        )
        return {row["id"]: row["score"] for row in await self.rows(text, query=query, mark=self.mark)}

    async def by_rule(self, rule: Predicate) -> dict[str, float]:
        """Ids and scores of the memories with the probe word that the rule's Lucene form lets through."""
        return await self.by_words(f"+search_terms:({self.mark})", to_lucene(rule))

    async def add(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Stores memories; each row holds all properties but the mark."""
        text = "UNWIND $rows AS row CREATE (m:Memory) SET m = row, m.mark = $mark"
        await self.rows(text, rows=[dict(row) for row in rows], mark=self.mark)


@pytest.fixture(scope="module")
async def sample(graph: GraphClient, neo4j_address: Neo4jAddress) -> AsyncIterator[Graph]:
    """The sample as memories, one of them without the properties that rules read."""
    address = neo4j_address
    driver = AsyncGraphDatabase.driver(address.bolt_url, auth=(address.user, address.password))
    async with driver, driver.session() as session:
        stored = Graph(session)
        await stored.add([_row(stored.mark, at) for at in range(len(SAMPLE))])
        await stored.add([{"id": "bare", "search_terms": stored.mark}])
        yield stored
        await stored.rows("MATCH (m:Memory {mark: $mark}) DETACH DELETE m", mark=stored.mark)


def _row(mark: str, at: int) -> dict[str, object]:
    one = SAMPLE[at]
    read: dict[str, object] = {
        "path": one.path,
        "ancestors": list(one.ancestors),
        "tags": list(one.tags),
        "tag_keys": list(one.tag_keys),
    }
    scope = scope_tokens(
        path=one.path,
        ancestors=one.ancestors,
        tags=one.tags,
        tag_keys=one.tag_keys,
        label="Fact",
        live=True,
    )
    return {"id": one.id, "search_terms": " ".join([mark, *["word"] * at]), "search_scope": scope} | read


@pytest.mark.parametrize("name", NAMED_RULES)
async def test_R13_a_named_rule_finds_the_same_in_the_graph_and_in_the_keyword_index(
    sample: Graph, name: str
) -> None:
    expected = matched(NAMED_RULES[name])

    assert await sample.by_cypher(NAMED_RULES[name]) - {"bare"} == expected
    assert set(await sample.by_rule(NAMED_RULES[name])) == expected


@ASKED
@given(rule=RULES)
async def test_R13_any_rule_finds_in_the_graph_what_it_means(sample: Graph, rule: Predicate) -> None:
    assert await sample.by_cypher(rule) - {"bare"} == matched(rule)


@ASKED
@given(rule=RULES)
async def test_R13_any_rule_finds_in_the_keyword_index_what_it_means(sample: Graph, rule: Predicate) -> None:
    assert set(await sample.by_rule(rule)) == matched(rule)


@pytest.mark.parametrize("rule", [Under("/notes"), not_(Under("/notes")), not_(HasTag("env=prod"))])
async def test_a_memory_without_the_properties_that_rules_read_is_hidden_also_under_not(
    sample: Graph, rule: Predicate
) -> None:
    assert "bare" not in await sample.by_cypher(rule)
    assert "bare" not in await sample.by_rule(rule)


async def test_a_rule_adds_nothing_to_the_score(sample: Graph) -> None:
    words = f"+search_terms:({sample.mark} word)"
    alone = await sample.by_words(words)

    under = await sample.by_words(words, to_lucene(not_(Under("/notes"))))

    assert under == {id: alone[id] for id in matched(not_(Under("/notes")))}
    assert len(set(under.values())) > 1


async def test_a_rule_of_many_words_still_runs_in_the_keyword_index(sample: Graph) -> None:
    paths = [Under(f"/p{number}") for number in range(SCOPE_CLAUSES - 1)]
    words = " ".join(f"term{number}" for number in range(64))
    rule = any_of([*paths, Under("/notes")])

    found = await sample.by_words(f"+search_terms:({sample.mark} {words})", to_lucene(rule))

    assert set(found) == matched(Under("/notes"))


async def test_nothing_finds_nothing_and_everything_finds_all(sample: Graph) -> None:
    assert await sample.by_cypher(Nothing()) == set()
    assert await sample.by_rule(Nothing()) == {}
    assert await sample.by_cypher(Everything()) == {one.id for one in SAMPLE} | {"bare"}
    assert set(await sample.by_rule(Everything())) == {one.id for one in SAMPLE}


@ASKED
@given(text=st.sampled_from(HOSTILE) | st.text(max_size=80), language=st.sampled_from(sorted(LANGUAGES)))
async def test_R14_any_text_is_a_legal_query(sample: Graph, text: str, language: str) -> None:
    clause = query_terms(text, [language, "en", "zh"]).lucene()

    if clause:
        found = await sample.by_words(f"+search_terms:({sample.mark}) {clause}", to_lucene(Everything()))
        assert set(found) == {one.id for one in SAMPLE}


async def test_R14_a_text_of_ten_thousand_characters_is_a_legal_query(sample: Graph) -> None:
    text = " ".join(f'"word{number}" AND (x:{number}*' for number in range(500))

    clause = query_terms(text, list(LANGUAGES)).lucene()

    assert len(text) > 10_000
    assert set(await sample.by_words(f"+search_terms:({sample.mark}) {clause}")) >= {SAMPLE[0].id}


TEXTS = {
    "code": "Deploys read src/config.ts through getUserName() in C++",
    "prose": "The builder's running dogs didn't stop",
    "italian": "L'università è lontana dalle città",
    "german": "Die Größe der Straßen überrascht",
    "chinese": "图数据库保存记忆",
    "japanese": "データベースの設計",
    "korean": "기억을 저장하는 그래프",
    "thai": "ฐานข้อมูลกราฟ",
    "arabic": "قاعدة البيانات سريعة",
    "russian": "Сервер перезапускается ночью",
}
FOUND_BY = (
    ("config.ts", "code"), ("src/config.ts", "code"), ("getusername", "code"), ("user name", "code"),
    ("c++", "code"), ("build", "prose"), ("dog", "prose"), ("RUN", "prose"), ("universita", "italian"),
    ("città", "italian"), ("strasse", "german"), ("GROSSE", "german"), ("数据库", "chinese"),
    ("データ", "japanese"), ("저장", "korean"), ("ข้อมูล", "thai"), ("البيانات", "arabic"),
    ("серверы", "russian"),
)  # fmt: skip
LANGUAGE_OF = {
    "code": "en", "prose": "en", "italian": "it", "german": "de", "chinese": "zh", "japanese": "ja",
    "korean": "ko", "thai": "th", "arabic": "ar", "russian": "ru",
}  # fmt: skip


@pytest.fixture(scope="module")
async def texts(sample: Graph) -> Graph:
    """The texts beside the sample."""
    rows = [
        {"id": name, "search_terms": " ".join(search_terms(text, LANGUAGE_OF[name])), "search_scope": ["x"]}
        for name, text in TEXTS.items()
    ]
    await sample.add(rows)
    return sample


@pytest.mark.parametrize(("query", "name"), FOUND_BY)
async def test_R22_words_of_every_script_find_their_text_alone(texts: Graph, query: str, name: str) -> None:
    clause = query_terms(query, ["en", "it", "de", "ru", "ar"]).lucene()

    assert set(await texts.by_words(f"+{clause}")) == {name}


@pytest.mark.parametrize(("query", "name"), [("C#", "code"), ("buildings", "prose"), ("config.js", "code")])
async def test_words_that_only_look_alike_are_not_found(texts: Graph, query: str, name: str) -> None:
    terms = query_terms(query, ["en"]).words

    assert name not in await texts.by_words(f"+search_terms:({terms[0]})")
