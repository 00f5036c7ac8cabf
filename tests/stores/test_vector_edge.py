"""The embedded engine in its worker process."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import psutil
import pytest
from qdrant_client import models as q

from graphmem.errors import Unavailable
from graphmem.vectors.edge import EdgeStore
from graphmem.vectors.edge_search import PROBE_FROM
from graphmem.vectors.embedder import normalised
from graphmem.vectors.index import Point, VectorHit, VectorIndex, VectorStore, point_id
from tests.stores.test_vector_contract import ALL, EAST, VectorContract, found, match, window
from tests.stores.test_vector_filter_contract import VectorFilterContract

pytestmark = pytest.mark.stores

WIDTH = 16
MANY = 2 * PROBE_FROM
SHARES = {"one": 20, "some": 400, "half": MANY // 2, "most": MANY * 9 // 10}
"""Points that carry each keyword: from far too few to probe for, to nearly all."""


SHARED_MEMORY = Path("/dev/shm")
"""Making a collection waits for the disk a hundred times; the battery makes seventy."""


@pytest.fixture(scope="module")
def quick_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory where there is room for it, else on disk."""
    roomy = SHARED_MEMORY.is_dir() and shutil.disk_usage(SHARED_MEMORY).free > 2**30
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY if roomy else tmp_path_factory.getbasetemp()) as name:
        yield Path(name)


@pytest.fixture(scope="module")
async def vector_store(quick_folder: Path) -> AsyncIterator[VectorStore]:
    store = await EdgeStore.start(quick_folder / "vectors", quick_folder / "vectors.log")
    yield store
    await store.close()


class TestEdge(VectorContract, VectorFilterContract):
    """The battery against Qdrant Edge."""


@pytest.fixture(scope="module")
def rows() -> npt.NDArray[np.float32]:
    """``(MANY, WIDTH)`` directions; every tenth row repeats the one before, so that scores tie."""
    drawn = np.random.default_rng(7).normal(size=(MANY, WIDTH)).astype(np.float32)
    drawn[10::10] = drawn[9:-1:10]
    return normalised(drawn)


@pytest.fixture(scope="module")
async def many(vector_store: VectorStore, rows: npt.NDArray[np.float32]) -> VectorIndex:
    """A collection large enough to be probed: two windows a memory."""
    index = await vector_store.open("many", WIDTH)
    points = []
    for n, row in enumerate(rows):
        words = [word for word, share in SHARES.items() if n * share % MANY < share]
        points.append(window(f"m{n // 2:05}", n % 2, vector=row.tolist(), keywords=words))
    await index.upsert(points)
    return index


def assert_exact(
    hits: Sequence[VectorHit],
    rows: npt.NDArray[np.float32],
    query: npt.NDArray[np.float32],
    word: str | None,
    limit: int,
) -> None:
    """The hits are what a plain scan over all rows finds, up to the rounding of a score."""
    scores: dict[str, float] = {}
    for n, score in enumerate(rows @ query):
        if word is None or n * SHARES[word] % MANY < SHARES[word]:
            memory = f"m{n // 2:05}"
            scores[memory] = max(scores.get(memory, -2.0), float(score))
    expected = sorted(scores.values(), reverse=True)[:limit]
    assert [hit.score for hit in hits] == pytest.approx(expected, abs=1e-5)
    assert [hit.score for hit in hits] == pytest.approx([scores[hit.memory_id] for hit in hits], abs=1e-5)
    assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.memory_id))
    assert len({hit.memory_id for hit in hits}) == len(expected)


@pytest.mark.parametrize("word", [None, *SHARES])
@pytest.mark.parametrize("limit", [1, 10, 100])
async def test_a_search_is_exact_whatever_share_the_filter_lets_through(
    many: VectorIndex, rows: npt.NDArray[np.float32], word: str | None, limit: int
) -> None:
    where = ALL if word is None else q.Filter(must=[match("keywords", word)])
    for seed in range(5):
        query = np.random.default_rng(seed).normal(size=WIDTH).astype(np.float32)
        query /= np.linalg.norm(query)

        hits = await many.search(query.tolist(), where, limit)

        assert_exact(hits, rows, query, word, limit)


async def test_a_probe_that_misses_the_visible_points_is_no_answer(
    many: VectorIndex, rows: npt.NDArray[np.float32]
) -> None:
    """Half of the points pass, and all of them are farther from the query than all others."""
    query = rows[0]
    nearest = np.argsort(-(rows @ query))[: MANY // 2]
    hidden = q.Filter(
        must_not=[q.HasIdCondition(has_id=[point_id(f"m{n // 2:05}", int(n % 2)) for n in nearest])]
    )

    hits = await many.search(query.tolist(), hidden, 10)

    left = [n for n in np.argsort(-(rows @ query)) if n not in set(nearest.tolist())]
    assert len(hits) == 10
    assert hits[0].score == pytest.approx(float(rows[left[0]] @ query), abs=1e-5)
    assert hits[0].memory_id == f"m{left[0] // 2:05}"


async def test_concurrent_searches_give_each_its_own_answer(
    many: VectorIndex, rows: npt.NDArray[np.float32]
) -> None:
    words = [None, *SHARES]
    jobs = [(rows[n * 37], words[n % len(words)]) for n in range(40)]

    pages = await asyncio.gather(
        *(
            many.search(query.tolist(), ALL if word is None else q.Filter(must=[match("keywords", word)]), 10)
            for query, word in jobs
        )
    )

    for (query, word), page in zip(jobs, pages, strict=True):
        assert_exact(page, rows, query, word, 10)


async def test_searches_are_answered_during_a_long_upsert(
    vector_store: VectorStore, many: VectorIndex
) -> None:
    other = await vector_store.open("long-upsert", WIDTH)
    writing = asyncio.create_task(
        other.upsert([window(f"m{n}", vector=[1.0, n, *[0.0] * (WIDTH - 2)]) for n in range(3_000)])
    )
    searches = 0
    while not writing.done():
        await many.search([1.0] * WIDTH, ALL, 5)
        searches += 1

    await writing
    assert searches >= 15, "a search had to wait for more than two batches"
    await vector_store.drop("long-upsert")


async def test_points_are_there_after_the_store_was_closed(tmp_path: Path) -> None:
    first = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log")
    await (await first.open("kept", 4)).upsert([window("m1"), window("m2", vector=(1, 1, 0, 0))])
    await first.close()

    second = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log")
    assert await second.collections() == ["kept"]
    assert await found(await second.open("kept", 4)) == ["m1", "m2"]
    await second.close()


async def test_a_very_long_folder_path_works(tmp_path: Path) -> None:
    folder = tmp_path / ("d" * 120) / ("e" * 120)
    store = await EdgeStore.start(folder, tmp_path / "vectors.log")
    await (await store.open("deep", 4)).upsert([window("m1")])

    assert (folder / "deep").is_dir()
    await store.close()


async def test_a_collection_that_was_not_finished_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "vectors" / "half.new" / "segments").mkdir(parents=True)
    (tmp_path / "vectors" / "old.gone").mkdir(parents=True)
    store = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log")

    index = await store.open("half", 4)
    await index.upsert([window("m1")])

    assert await store.collections() == ["half"]
    assert await found(index) == ["m1"]
    assert not (tmp_path / "vectors" / "old.gone").exists()
    await store.close()


async def test_writes_are_refused_and_searches_answered_when_the_disk_is_nearly_full(tmp_path: Path) -> None:
    first = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log")
    await (await first.open("full", 4)).upsert([window("m1")])
    await first.close()
    free = shutil.disk_usage(tmp_path).free
    store = await EdgeStore.start(
        tmp_path / "vectors", tmp_path / "vectors.log", min_free_bytes=free * 3 // 2
    )
    index = await store.open("full", 4)

    with pytest.raises(Unavailable, match=r"has \d+ MiB free, the vector index needs \d+"):
        await index.upsert([window("m2")])

    assert await found(index) == ["m1"]
    await store.close()


async def test_nothing_is_opened_when_half_of_the_reserve_is_missing(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    store = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log", min_free_bytes=free * 3)

    with pytest.raises(Unavailable, match=r"MiB free"):
        await store.open("never", 4)

    await store.close()


async def test_the_worker_has_its_own_process_group_and_ends_with_the_store(tmp_path: Path) -> None:
    store = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log")
    pid = store.pid
    assert pid is not None
    assert os.getpgid(pid) == pid
    assert 10 * 2**20 < (store.resident_bytes() or 0) < 500 * 2**20

    await store.close()

    assert not psutil.pid_exists(pid)
    assert (store.pid, store.resident_bytes()) == (None, None)
    with pytest.raises(Unavailable, match="it was closed"):
        await store.health()


async def test_a_closed_collection_is_not_searched(vector_store: VectorStore) -> None:
    index = await vector_store.open("closed", 4)
    await index.close()
    await index.close()

    with pytest.raises(Unavailable, match="the collection closed is not open"):
        await index.search(EAST, ALL, 1)


async def test_a_damaged_collection_is_named_with_the_way_out(tmp_path: Path) -> None:
    store = await EdgeStore.start(tmp_path / "vectors", tmp_path / "vectors.log")
    await (await store.open("damaged", 4)).close()
    shutil.rmtree(tmp_path / "vectors" / "damaged" / "segments")
    (tmp_path / "vectors" / "damaged" / "segments").write_text("not a folder")

    with pytest.raises(
        Unavailable, match=r"damaged does not open: .* remove .*damaged and run: graphmem reindex"
    ):
        await store.open("damaged", 4)

    await store.close()


async def test_a_name_that_is_no_plain_folder_is_refused(vector_store: VectorStore) -> None:
    with pytest.raises(Unavailable, match="collection name"):
        await vector_store.open("../elsewhere", 4)


async def test_the_log_says_what_the_worker_did(tmp_path: Path) -> None:
    store = await EdgeStore.start(tmp_path / "vectors", tmp_path / "logs" / "vectors.log")
    await store.close()

    text = (tmp_path / "logs" / "vectors.log").read_text()
    assert "serves" in text
    assert "ended" in text


def test_points_of_a_memory_have_ids_of_their_own() -> None:
    ids = {point_id("a", 0), point_id("a", 1), point_id("b", 0)}

    assert len(ids) == 3
    assert point_id("a", 0) == point_id("a", 0)
    assert Point(point_id("a", 0), EAST, {}).id in ids
