"""Any filter shows the same memories in the embedded engine and in the client's local mode."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from qdrant_client import AsyncQdrantClient
from qdrant_client import models as q

from graphmem.vectors.edge import EdgeStore
from graphmem.vectors.index import Point, VectorIndex, point_id, tombstone
from graphmem.vectors.server import ServerStore
from tests.stores.test_vector_contract import EAST, window

pytestmark = [
    pytest.mark.stores,
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]

DAY = datetime(2026, 1, 5, tzinfo=UTC)
PATHS = ["/", "/a", "/a/b", "/ab", "/größe"]
TAGS = ["owner=ann", "owner=bob", "a=b=c", "q='\"\\"]
KINDS = ["FACT", "LESSON"]
TIMES = [DAY, DAY + timedelta(microseconds=1), DAY + timedelta(days=400)]


def sample(n: int) -> Point:
    """A point whose fields depend on its number alone; some fields are missing on some."""
    optional: dict[str, object] = {}
    if n % 4:
        optional["kind"] = KINDS[n % 2]
    if n % 5 == 0:
        optional["valid_to"] = (TIMES[n % 3]).isoformat()
    return window(
        f"m{n:02}",
        0,
        1,
        (1.0, 0.05 * n, 0.0, 0.0),
        path=PATHS[n % 5],
        tags=[tag for bit, tag in enumerate(TAGS) if n >> bit & 1],
        live=n % 3 > 0,
        created_at=(TIMES[n % 3]).isoformat(),
        **optional,
    )


def field(key: str, **condition: object) -> q.FieldCondition:
    return q.FieldCondition.model_validate({"key": key} | condition)


WORDS = {"path": PATHS, "ancestors": PATHS, "tags": TAGS, "kind": KINDS}
LEAVES = st.one_of(
    st.sampled_from(sorted(WORDS)).flatmap(
        lambda key: st.builds(
            lambda words, one: field(key, match={"value": words[0]} if one and words else {"any": words}),
            st.lists(st.sampled_from([*WORDS[key], "none of them"]), max_size=3),
            st.booleans(),
        )
    ),
    st.builds(lambda value: field("live", match={"value": value}), st.booleans()),
    st.builds(
        lambda key, bound, moment: field(key, range={bound: moment}),
        st.sampled_from(["created_at", "valid_to"]),
        st.sampled_from(["gt", "gte", "lt", "lte"]),
        st.sampled_from(TIMES),
    ),
    st.builds(
        lambda key: q.IsEmptyCondition(is_empty=q.PayloadField(key=key)),
        st.sampled_from(["tags", "kind", "valid_to"]),
    ),
    st.builds(
        lambda names: q.HasIdCondition(has_id=[point_id(f"m{n:02}", 0) for n in names]),
        st.lists(st.integers(0, 25), max_size=4),
    ),
)
FILTERS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda clauses: q.Filter.model_validate(clauses),
        st.dictionaries(
            st.sampled_from(["must", "should", "must_not"]),
            st.lists(inner, min_size=1, max_size=3),
            min_size=1,
        ),
    ),
    max_leaves=8,
).map(lambda one: one if isinstance(one, q.Filter) else q.Filter(must=[one]))


@pytest.fixture(scope="module")
async def indexes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[VectorIndex, VectorIndex]]:
    """The same points in both engines."""
    folder = tmp_path_factory.mktemp("agree")
    edge = await EdgeStore.start(folder / "vectors", folder / "vectors.log")
    local = ServerStore(AsyncQdrantClient(location=":memory:"))
    opened = await edge.open("agree", 4), await local.open("agree", 4)
    for index in opened:
        await index.upsert([*map(sample, range(20)), tombstone("gone", 0, 1)])
    yield opened
    await edge.close()
    await local.close()


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(where=FILTERS)
async def test_both_engines_show_the_same_memories(
    indexes: tuple[VectorIndex, VectorIndex], where: q.Filter
) -> None:
    edge, local = [[hit.memory_id for hit in await index.search(EAST, where, 50)] for index in indexes]

    assert edge == local
