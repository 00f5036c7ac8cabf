"""Query files for the tests of the client, over nodes that nothing else uses."""

from __future__ import annotations

from graphmem.graph.queries import parse_query

CONSTRAINT = "CREATE CONSTRAINT probe_key IF NOT EXISTS FOR (p:Probe) REQUIRE p.key IS UNIQUE"

_FILES = {
    "probe/one": """
        // mode: read
        // unscoped: a constant
        RETURN 1 AS n""",
    "probe/count_up": """
        // mode: read
        // params: last
        // unscoped: constants
        UNWIND range(1, $last) AS n
        RETURN n""",
    "probe/echo": """
        // mode: read
        // params: value
        // unscoped: a constant
        RETURN $value AS value, datetime('2026-01-05T12:00+01:00') AS at""",
    "probe/slow": """
        // mode: read
        // unscoped: a constant
        UNWIND range(1, 3000) AS a
        UNWIND range(1, 300000) AS b
        RETURN sum(a % 7 + b) AS n""",
    "probe/seen": """
        // mode: read
        MATCH (p:Probe)
        WHERE /*access:p*/ false
        RETURN p.key AS key
        ORDER BY key""",
    "probe/counted": """
        // mode: read
        MATCH (p:Probe)
        WHERE /*access:p*/ false
        RETURN count(p) AS n""",
    "probe/values": """
        // mode: read
        // params: key
        // unscoped: nodes of a test
        MATCH (p:Probe {key: $key})
        RETURN p.n AS n""",
    "probe/node": """
        // mode: read
        // params: key
        // unscoped: nodes of a test
        MATCH (p:Probe {key: $key})
        RETURN p AS node""",
    "probe/bad_read": """
        // mode: read
        // unscoped: says that it reads, and writes
        CREATE (p:Probe {key: 'never'})
        RETURN p.key AS key""",
    "probe/make": """
        // mode: write
        // params: key, path
        CREATE (p:Probe {key: $key, n: 1, path: $path})
        SET p.ancestors = CASE WHEN $path = '/a/b' THEN ['/', '/a', '/a/b'] ELSE ['/', $path] END,
            p.tags = [], p.tag_keys = []
        RETURN p.key AS key""",
    "probe/bump": """
        // mode: write
        // params: key
        MERGE (p:Probe {key: $key})
        SET p.n = coalesce(p.n, 0) + 1
        RETURN p.n AS n""",
    "probe/lock": """
        // mode: write
        // params: key
        MATCH (p:Probe {key: $key})
        SET p += {}""",
    "probe/wrong": """
        // mode: write
        // params: value
        CREATE (p:Probe)
        SET p.key = $value""",
    "probe/in_parts": """
        // mode: write
        // autocommit: true
        UNWIND range(1, 10) AS n
        CALL (n) { CREATE (:Probe {key: 'part-' + n, n: n}) } IN TRANSACTIONS OF 4 ROWS""",
    "probe/parts_fail": """
        // mode: write
        // autocommit: true
        UNWIND [1, 2, 0] AS n
        CALL (n) { CREATE (:Probe {key: 'failed-' + n, n: 4 / n}) } IN TRANSACTIONS OF 1 ROWS""",
}

QUERIES = {
    name: parse_query(name, f"// {name}.\n" + "\n".join(line.strip() for line in text.strip().splitlines()))
    for name, text in _FILES.items()
}
