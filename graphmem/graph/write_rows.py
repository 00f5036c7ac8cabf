"""The rows that go with a written memory: its audit record, its change, and the index work it asks for."""

from __future__ import annotations

from datetime import datetime

from graphmem.graph.mapping import properties_of
from graphmem.memory.keys import link_key, scope_key
from graphmem.memory.model import Memory
from graphmem.memory.writes import Audit, Writes

FEWEST_WINDOW_CHARACTERS = 100
"""By fewer characters a window seldom advances. A purge buries that many points even where the index holds
none: one may still be on its way."""


def births_of(writes: Writes) -> dict[str, Audit]:
    """The audit record of each new version that says how it came to be, by its id."""
    found: dict[str, Audit] = {}
    for audit in writes.audits:
        if audit.memory.id in writes.created:
            found.setdefault(audit.memory.id, audit)
    return found


def new_places(writes: Writes, now: datetime) -> list[dict[str, object]]:
    """The new versions by path and own tags, each with its audit record and its change.

    Instants that are ``now`` are only named, in ``now``: the driver needs 25 µs for each that it sends.
    """
    births = births_of(writes)
    places: dict[str, dict[str, object]] = {}
    versions: dict[str, list[dict[str, object]]] = {}
    for memory in writes.created.values():
        key = scope_key(memory.path, memory.tags)
        properties = properties_of(memory)
        written_now = [name for name, value in properties.items() if value is now]
        for name in written_now:
            del properties[name]
        versions.setdefault(key, []).append(
            {
                "label": memory.label.value,
                "properties": properties,
                "now": written_now,
                "counted": ("IN_DATED" if memory.dated else "IN") if memory.live else None,
                "audit": audit_row(births[memory.id]),
                "change": change_row(births[memory.id]),
            }
        )
        places[key] = {
            "path": memory.path,
            "scope": key,
            "ancestors": list(memory.ancestors),
            "tags": list(memory.tags),
            "tag_keys": list(memory.tag_keys),
            "versions": versions[key],
        }
    return [places[key] for key in sorted(places)]


def audit_row(audit: Audit) -> dict[str, object]:
    """Who did what to which version; never its content. When is the instant of the transaction."""
    memory = audit.memory
    return {
        "id": audit.id,
        "actor": audit.actor,
        "action": audit.action.value,
        "memory_id": memory.id,
        "chain_id": memory.chain_id,
        "version": memory.version,
        "fields": list(audit.fields),
        "reason": audit.reason,
    }


def change_row(audit: Audit) -> dict[str, object]:
    """What followers of changes hear: no text, and what rules read of the memory."""
    memory = audit.memory
    return {
        "id": audit.id,
        "action": audit.action.value,
        "memory_id": memory.id,
        "chain_id": memory.chain_id,
        "path": memory.path,
        "ancestors": list(memory.ancestors),
        "tags": list(memory.tags),
        "tag_keys": list(memory.tag_keys),
        "owner": memory.owner,
    }


def outbox_row(memory: Memory) -> dict[str, object]:
    """Index work for one revision of a version."""
    return {"memory_id": memory.id, "revision": memory.revision, "purge": False, "windows": None}


def purge_row(memory: Memory) -> dict[str, object]:
    """Index work that buries every point of a version, at least those that it is likely to have had."""
    windows = len(memory.content) // FEWEST_WINDOW_CHARACTERS + 2
    return {"memory_id": memory.id, "revision": memory.revision + 1, "purge": True, "windows": windows}


def names_of(memory: Memory) -> tuple[str, ...]:
    """Everything under which a link finds the memory: its names and its title, each key once."""
    names = (*memory.names, *((memory.title,) if memory.title else ()))
    return tuple({link_key(name): name for name in reversed(names)}.values())[::-1]
