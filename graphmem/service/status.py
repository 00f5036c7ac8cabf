"""How the service is: what an operator sees, and the two words that a load balancer asks for."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem import __version__
from graphmem.access.actions import Action
from graphmem.access.predicate import Everything
from graphmem.errors import GraphMemError, NotFound, Unavailable
from graphmem.graph.outbox_store import DeadLetter as DeadLetter
from graphmem.service.platform import Caller, Platform


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the service and of its index work.

    Attributes:
        degraded: What is away or behind, in words; empty when all is well.
        oldest_waiting_seconds: Age of the oldest waiting index work, 0 when none waits.
    """

    version: str
    ready: bool
    degraded: tuple[str, ...]
    memories: int
    outbox_waiting: int
    outbox_dead: int
    oldest_waiting_seconds: float
    changes_unnumbered: int
    embedder: str | None
    vectors: str
    neo4j: str
    collection: str | None


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether requests are answered, and whether something is missing."""

    ready: bool
    degraded: bool


async def status(caller: Caller) -> Status:
    """The state of the service, for admins of everything; counts are what the caller may read.

    Raises:
        NotFound: The caller is no admin of everything.
    """
    require_operator(caller, "status")
    platform = caller.platform
    neo4j = await platform.graph.verify()
    backlog = await platform.stores.outbox.backlog()
    oldest = 0.0 if backlog.oldest is None else (caller.now() - backlog.oldest).total_seconds()
    shelf, embedder = platform.vectors.shelf, platform.vectors.embedder
    return Status(
        version=__version__,
        ready=True,
        degraded=await _degraded(platform, backlog.dead),
        memories=await platform.stores.memories.count(caller.visible(), caller.now()),
        outbox_waiting=backlog.waiting,
        outbox_dead=backlog.dead,
        oldest_waiting_seconds=max(0.0, oldest),
        changes_unnumbered=await platform.stores.changes.waiting(),
        embedder=None if embedder is None else embedder.name,
        vectors=platform.vectors.engine,
        neo4j=neo4j,
        collection=None if shelf is None else shelf.index.collection,
    )


async def readiness(platform: Platform) -> Readiness:
    """Whether the graph answers, and whether anything is degraded."""
    try:
        await platform.graph.verify(timeout_s=2)
        dead = await platform.stores.outbox.dead_letters(1)
        return Readiness(True, bool(await _degraded(platform, len(dead))))
    except GraphMemError:
        return Readiness(False, True)


async def dead_letters(caller: Caller, first: int) -> list[DeadLetter]:
    """Index work that was given up, by memory id."""
    require_operator(caller, "status")
    return await caller.platform.stores.outbox.dead_letters(first)


async def retry_dead_letters(caller: Caller) -> int:
    """Makes the dead letters due again; how many there were."""
    require_operator(caller, "status")
    revived = await caller.platform.stores.outbox.revive(caller.now())
    for loop in caller.platform.loops:
        loop.ask()
    return revived


def require_operator(caller: Caller, thing: str) -> None:
    """Lets an admin of everything pass.

    Raises:
        NotFound: The caller is none; for others there is no such thing.
    """
    if caller.visible(Action.ADMIN) != Everything():
        raise NotFound("field", thing)


async def _degraded(platform: Platform, dead: int) -> tuple[str, ...]:
    """What is missing, in words; ``dead`` is how much index work was given up."""
    await platform.vectors.check()
    found = []
    try:
        platform.graph.require_room()
    except Unavailable as full:
        found.append(f"writing: {full}")
    if platform.vectors.degraded is not None:
        found.append(f"vectors: {platform.vectors.degraded}")
    found += [f"{loop.name}: {loop.problem}" for loop in platform.loops if loop.problem is not None]
    if dead:
        found.append(f"index: {dead} memories could not be indexed")
    return tuple(found)
