"""Opens everything in order and closes it in reverse: the one place that knows every part.

Neo4j first, then its schema, the vectors, the writer, the background work; a failure on the way closes what
was open already.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from starlette.types import ASGIApp

from graphmem.access.guard import DEFAULT_SUBJECT
from graphmem.api.app import create_app
from graphmem.api.guide import browser_guide
from graphmem.api.options import LOOPBACK_HOSTS, ApiOptions
from graphmem.errors import Misconfigured, Unauthenticated
from graphmem.graph.client import GraphClient
from graphmem.graph.migrations import migrate
from graphmem.local.disk import require_room_to_start, require_room_to_write
from graphmem.local.layout import Layout
from graphmem.local.neo4j import ManagedNeo4j
from graphmem.local.password import write_private
from graphmem.local.progress import Progress, Quiet
from graphmem.service.authenticating import TokenAuthenticator, adopt_token, create_token
from graphmem.service.clock import Clock
from graphmem.service.engines import engine_name
from graphmem.service.group_commit import GroupCommit
from graphmem.service.indexing import IndexWorker
from graphmem.service.leased import LeasedLoop
from graphmem.service.platform import Caller, Limits, Platform, Stores
from graphmem.service.pruning import IDLE_SECONDS, Pruner
from graphmem.service.seeding import seed
from graphmem.service.sequencing import Sequencer
from graphmem.service.shelving import open_room
from graphmem.service.sweeping import IDLE_SECONDS as SWEEP_SECONDS
from graphmem.service.sweeping import Sweeper
from graphmem.service.vector_room import VectorRoom
from graphmem.service.warming import warm
from graphmem.settings import Settings
from graphmem.vectors.choose import open_embedder
from graphmem.vectors.edge import EdgeStore
from graphmem.vectors.index import VectorStore
from graphmem.vectors.server import ServerStore

TOKEN_FILE = "token"
"""In the home: the bearer token of the command line, readable by its owner alone."""


@asynccontextmanager
async def open_platform(
    settings: Settings, *, progress: Progress | None = None, url: str | None = None, rebuild: bool = False
) -> AsyncIterator[Platform]:
    """The platform, open and at work, as long as the context lasts.

    Args:
        progress: Sees the long steps.
        url: Where the service is called, for the guide of Neo4j Browser.
        rebuild: Take another embedder than the store's; the caller reindexes.

    Raises:
        Misconfigured: The operator has to change something; the message says what.
        Unavailable: A store did not come up.
    """
    seen = progress or Quiet()
    settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    async with AsyncExitStack() as stack:
        address = await _neo4j(settings, seen, url, stack)
        graph = await stack.enter_async_context(address.client(settings.neo4j_database))
        await graph.verify()
        seen.message("preparing the graph")
        await migrate(graph)
        stores, clock = Stores.over(graph), Clock()
        seen.message("opening the vectors")
        room = await _vectors(settings, stores, stack, rebuild=rebuild)
        platform = assembled(settings, graph, stores, room, clock, address.shown)
        platform.writer.start()
        stack.push_async_callback(platform.writer.close)
        await _first_steps(settings, platform)
        for loop in platform.loops:
            loop.start()
            stack.push_async_callback(loop.close)
        warming = asyncio.create_task(warm(Caller.of(platform, DEFAULT_SUBJECT)), name="warming up")
        stack.push_async_callback(_ended, warming)
        yield platform


def service_app(platform: Platform, settings: Settings) -> ASGIApp:
    """The HTTP face over an open platform."""
    hosts = None if settings.host in ("0.0.0.0", "::") and not settings.hosts else LOOPBACK_HOSTS
    options = ApiOptions(
        introspection=settings.introspection,
        graphiql=settings.graphiql,
        operation_seconds=settings.operation_seconds,
        hosts=None if hosts is None else hosts | set(settings.hosts) | {settings.host},
        origins=frozenset(settings.origins),
        guide=browser_guide,
    )
    return create_app(platform, TokenAuthenticator(platform.stores.tokens), options)


@dataclass(frozen=True, slots=True)
class _Address:
    url: str
    user: str
    password: str
    shown: Mapping[str, str]
    may_write: Callable[[], None] = lambda: None

    def client(self, database: str) -> GraphClient:
        """A client for it that has opened no connection yet."""
        return GraphClient.connect(self.url, self.user, self.password, database, may_write=self.may_write)


async def _neo4j(settings: Settings, progress: Progress, url: str | None, stack: AsyncExitStack) -> _Address:
    """Where Neo4j is: at the URL that is set, or started here."""
    if settings.neo4j_url is not None:
        if settings.neo4j_password is None:
            raise Misconfigured("GRAPHMEM_NEO4J_URL is set; set GRAPHMEM_NEO4J_PASSWORD as well")
        password = settings.neo4j_password.get_secret_value()
        shown = {"bolt_url": settings.neo4j_url, "user": settings.neo4j_user}
        return _Address(settings.neo4j_url, settings.neo4j_user, password, shown)
    layout = Layout(settings.home.absolute())
    require_room_to_start(layout.folder)
    progress.message("starting Neo4j")
    managed = ManagedNeo4j(
        settings.home,
        settings.cache,
        bolt_port=settings.neo4j_bolt_port,
        http_port=settings.neo4j_http_port,
        heap=settings.neo4j_heap,
        pagecache=settings.neo4j_pagecache,
        progress=progress,
        guide_url=None if url is None else f"{url}/guide.html",
    )
    stack.push_async_callback(managed.stop)
    found = await managed.start()
    shown = {
        "bolt_url": found.bolt_url,
        "browser_url": f"{found.http_url}/browser/",
        "user": found.user,
        "password_file": str(layout.password),
    }
    may_write = partial(require_room_to_write, layout.folder)
    return _Address(found.bolt_url, found.user, found.password, shown, may_write)


async def _vectors(settings: Settings, stores: Stores, stack: AsyncExitStack, *, rebuild: bool) -> VectorRoom:
    """The embedder and its collection; without an embedder a room that says so."""
    embedder = await open_embedder(
        settings.embedder,
        key=None if settings.embedder_key is None else settings.embedder_key.get_secret_value(),
        threads=settings.embedder_threads,
    )
    if embedder is None:
        room = VectorRoom(None, None)
    else:
        key = None if settings.qdrant_key is None else settings.qdrant_key.get_secret_value()
        store: VectorStore
        if settings.qdrant_url is None:
            store = await EdgeStore.start(settings.home / "vectors", settings.home / "logs" / "vectors.log")
        else:
            store = await ServerStore.connect(settings.qdrant_url, key)
        stack.push_async_callback(store.close)
        engine = engine_name(settings.qdrant_url)
        room = await open_room(stores, store, embedder, engine=engine, accept_other=rebuild)
    stack.push_async_callback(room.close)
    return room


def assembled(
    settings: Settings,
    graph: GraphClient,
    stores: Stores,
    room: VectorRoom,
    clock: Clock,
    neo4j_address: Mapping[str, str],
) -> Platform:
    """The parts joined; nothing runs yet."""
    holder = clock.new_id()

    def ask_loops() -> None:
        indexing.ask()
        sequencing.ask()

    writer = GroupCommit(
        graph, stores.writing, clock, written=ask_loops, fact_characters=settings.fact_characters
    )
    # What waits for its vector is stored and acknowledged; who writes waits for the answer.
    worker = IndexWorker(stores.outbox, room, clock)
    indexing = LeasedLoop("indexing", holder, stores.meta, worker.step, quiet=writer.quiet)
    numberer = Sequencer(stores.changes)
    sequencing = LeasedLoop("sequencing", holder, stores.meta, numberer.step, quiet=writer.quiet)
    pruner = Pruner(stores.retries, clock, settings.idempotency_days)
    pruning = LeasedLoop("pruning", holder, stores.meta, pruner.step, idle_seconds=IDLE_SECONDS)
    sweeper = Sweeper(stores.meta, room, clock)
    sweeping = LeasedLoop("sweeping", holder, stores.meta, sweeper.step, idle_seconds=SWEEP_SECONDS)
    return Platform(
        graph=graph,
        stores=stores,
        vectors=room,
        writer=writer,
        clock=clock,
        limits=Limits(settings.fact_characters, settings.drawer_characters),
        languages=settings.languages,
        loops=(indexing, sequencing, pruning, sweeping),
        neo4j_address=neo4j_address,
    )


async def _first_steps(settings: Settings, platform: Platform) -> None:
    """A new store gets a token for its owner and the facts about itself."""
    tokens, clock = platform.stores.tokens, platform.clock
    if settings.initial_token is not None:
        await adopt_token(tokens, settings.initial_token.get_secret_value(), DEFAULT_SUBJECT, clock)
    file = settings.home / TOKEN_FILE
    if not await _is_good(platform, await asyncio.to_thread(_read, file)):
        text = await create_token(tokens, DEFAULT_SUBJECT, clock)
        await asyncio.to_thread(write_private, file, text + "\n")
    await seed(Caller.of(platform, DEFAULT_SUBJECT))


async def _is_good(platform: Platform, token: str) -> bool:
    """Whether the text is a token of this store."""
    try:
        await TokenAuthenticator(platform.stores.tokens).authenticate(token)
    except Unauthenticated:
        return False
    return True


def _read(file: Path) -> str:
    return file.read_text().strip() if file.exists() else ""


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
