"""Search over HTTP: found by words and by meaning, explained, paged, and explained when not found."""

from __future__ import annotations

import pytest

from graphmem.service.platform import Platform
from tests.api.asking import Asker, store, store_many
from tests.running import indexed

pytestmark = pytest.mark.stores

SEARCH = """
query Search($query: String!, $filter: MemoryFilter, $first: Int, $after: String, $mode: SearchMode) {
  search(query: $query, filter: $filter, first: $first, after: $after, mode: $mode) {
    edges { cursor score why contributions { channel score weight value } node { id content } }
    nodes { id }
    pageInfo { hasNextPage hasPreviousPage endCursor }
    degraded
    termsDropped
  }
}
"""


async def test_the_scores_of_the_channels_sum_to_the_score(ask: Asker, platform: Platform) -> None:
    await store_many(
        ask,
        [
            {"path": "/work", "content": "The engine of the plane is loud."},
            {"path": "/work", "content": "The plane lands in Rome."},
            {"path": "/work", "content": "Cooking pasta takes ten minutes."},
        ],
    )
    await indexed(platform)

    found = (await ask(SEARCH, query="loud plane engine"))["search"]

    assert found["edges"][0]["node"]["content"] == "The engine of the plane is loud."
    for edge in found["edges"]:
        assert sum(part["value"] for part in edge["contributions"]) == pytest.approx(edge["score"], abs=1e-9)
        for part in edge["contributions"]:
            assert part["value"] == pytest.approx(part["score"] * part["weight"], abs=1e-9)
    scores = [edge["score"] for edge in found["edges"]]
    assert scores == sorted(scores, reverse=True)
    assert [edge["node"]["id"] for edge in found["edges"]] == [node["id"] for node in found["nodes"]]


@pytest.mark.parametrize("mode", ["HYBRID", "KEYWORD", "VECTOR"])
async def test_every_mode_finds_the_words_themselves(ask: Asker, platform: Platform, mode: str) -> None:
    id = await store(ask, "/work", "Zanzibar exports cloves.")
    await store(ask, "/work", "A bicycle has two wheels.")
    await indexed(platform)

    found = (await ask(SEARCH, query="Zanzibar exports cloves", mode=mode))["search"]

    assert found["edges"][0]["node"]["id"] == id
    assert found["degraded"] == []


async def test_a_fact_can_be_found_by_its_words_before_its_vector_is_there(ask: Asker) -> None:
    id = await store(ask, "/work", "Zanzibar exports cloves.")

    found = (await ask(SEARCH, query="zanzibar"))["search"]

    assert [edge["node"]["id"] for edge in found["edges"]] == [id]
    assert "by its words" in found["edges"][0]["why"]


async def test_pages_of_hits_follow_each_other_without_repeating(ask: Asker, platform: Platform) -> None:
    ids = await store_many(ask, [{"path": "/work", "content": f"plane number {at}"} for at in range(9)])
    await indexed(platform)

    seen: list[str] = []
    after = None
    more = True
    while more:
        page = (await ask(SEARCH, query="plane", first=2, after=after))["search"]
        seen += [node["id"] for node in page["nodes"]]
        assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]

    assert sorted(seen) == sorted(ids)


async def test_a_filter_narrows_the_search(ask: Asker) -> None:
    await store(ask, "/work/a", "the plane in a")
    inside = await store(ask, "/work/b", "the plane in b")

    found = (await ask(SEARCH, query="plane", filter={"under": "/work/b"}))["search"]

    assert [node["id"] for node in found["nodes"]] == [inside]


async def test_why_not_names_the_step_at_which_a_memory_fell_out(ask: Asker, platform: Platform) -> None:
    id = await store(ask, "/work/a", "the plane in a")
    await indexed(platform)
    document = """
        query Q($id: ID!, $filter: MemoryFilter) {
          whyNot(id: $id, query: "plane", filter: $filter) { found step detail } }
    """

    here = (await ask(document, id=id))["whyNot"]
    elsewhere = (await ask(document, id=id, filter={"kinds": ["PIN"]}))["whyNot"]
    await ask("mutation F($id: ID!) { forgetMemory(input: {id: $id}) { action } }", id=id)
    gone = (await ask(document, id=id))["whyNot"]

    assert here["found"] is True
    assert (elsewhere["found"], elsewhere["step"]) == (False, "filter")
    assert (gone["found"], gone["step"]) == (False, "live")


async def test_words_above_the_limit_are_counted_and_the_rest_still_finds(ask: Asker) -> None:
    id = await store(ask, "/work", "Zanzibar exports cloves.")
    query = "zanzibar " + " ".join(f"word{at}x" for at in range(200))

    found = (await ask(SEARCH, query=query))["search"]

    assert found["termsDropped"] > 0
    assert [node["id"] for node in found["nodes"]] == [id]


async def test_a_search_changes_nothing(ask: Asker) -> None:
    id = await store(ask, "/work", "Zanzibar exports cloves.")
    state = "query Q($id: ID!) { memory(id: $id) { revision hits recallCount lastUsedAt stabilityDays } }"
    before = await ask(state, id=id)

    await ask(SEARCH, query="zanzibar")

    assert await ask(state, id=id) == before
