"""Every label, relationship type and property that the graph may hold, as the design names them.

The database warns of a name in a query that it has never met. So that a misspelt name is told from one that
no test has stored yet, it is shown all of these first.
"""

from __future__ import annotations

from dataclasses import fields

from graphmem.memory.model import Drawer, Fact

RULED = ("path", "ancestors", "tags", "tag_keys", "owner")

PROPERTIES: dict[str, tuple[str, ...]] = {
    "Memory": ("search_terms", "search_scope", "given_vector"),
    "Fact": tuple(found.name for found in fields(Fact)),
    "Drawer": tuple(found.name for found in fields(Drawer)),
    "Ruled": RULED,
    "Path": ("path", "segment", "display_name", "declared", "quota"),
    "Wing": (),
    "Room": (),
    "Scope": ("key", *RULED),
    "Tombstone": ("memory_id", "chain_id", "purged_at", "actor"),
    "LinkTarget": ("key", "name", "path"),
    "AuditRecord": (
        "id",
        "at",
        "actor",
        "action",
        "memory_id",
        "chain_id",
        "version",
        "reason",
        "fields",
        "run",
    ),
    "Change": ("id", "seq", "at", "action", "memory_id", "chain_id", *RULED),
    "Unnumbered": (),
    "OutboxEntry": (
        *(
            "memory_id",
            "revision",
            "purge",
            "windows",
            "created_at",
            "due_at",
            "attempts",
            "last_error",
            "dead",
        ),
    ),
    "IdempotencyRecord": ("key", "input_hash", "at", "claim", "action", "memory_id", "reason"),
    "Meta": ("key", "value", "holder", "fence", "until", "name", "checksum", "version", "applied_at"),
    "MigrationLock": ("key",),
    "Token": ("prefix", "hash", "subject", "created_at", "last_used_at", "expires_at"),
}

RELATIONSHIPS: dict[str, tuple[str, ...]] = {
    "AT": (),
    "IN": (),
    "IN_DATED": (),
    "CHILD_OF": (),
    "SUPERSEDES": ("reason", "actor", "at"),
    "LINKS_TO": ("text", "target", "position"),
    "NAMED": ("by_title",),
    "ABOUT": (),
}
