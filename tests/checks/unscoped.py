"""The reading queries that have no access slot, each with the reason that its file gives.

A reading query without a slot shows whatever is there. So that their number never grows by accident, every
reason stands twice: in the file and here.
"""

from __future__ import annotations

UNSCOPED: dict[str, str] = {
    "change/waiting": "a figure for the operator, told to admins only",
    "index/revisions": "the doctor compares stores; it tells counts to admins only",
    "index/some": "the rebuild of the index copies every version; no caller sees the rows",
    "index/scan": (
        "the rebuild of the index and the doctor copy or count every version; no caller sees the rows"
    ),
    "meta/get": "settings of the store, no caller sees them",
    "migration/applied": "holds the schema's history and nothing that a caller stored",
    "migration/await_indexes": "returns nothing",
    "migration/constraints": "holds the schema and nothing that a caller stored",
    "migration/indexes": "holds the schema and nothing that a caller stored",
    "outbox/dead": "ids and reasons for the operator, told to admins only",
    "outbox/figures": "figures for the operator, told to admins only",
    "outbox/take": "the index worker copies what rules read into the index; no caller sees the rows",
    "token/find": "asked before anybody is known; answers the hash to the authenticator alone",
    "transfer/audits": "the audit of the whole store, for an admin of everything",
    "transfer/changed_since": "ids alone, for an admin of everything",
    "transfer/known_audits": "ids that the asker sent, for an admin of everything",
    "transfer/tombstones": "a purged memory has no rights left; for an admin of everything",
}
