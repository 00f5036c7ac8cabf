"""The page that Neo4j Browser shows after login: what is in the graph, with queries to click."""

from __future__ import annotations

from html import escape

QUERIES = (
    ("The tree of paths", "MATCH (p:Path)-[:CHILD_OF]->(above:Path) RETURN p, above LIMIT 100"),
    (
        "The newest live memories and where they are",
        "MATCH (m:Memory {live: true})-[:AT]->(p:Path) RETURN m, p ORDER BY m.created_at DESC LIMIT 50",
    ),
    (
        "Memories that link to each other",
        "MATCH (a:Memory {live: true})-[l:LINKS_TO]->(t:LinkTarget)<-[n:NAMED]-(b:Memory {live: true})"
        " RETURN a, l, t, n, b LIMIT 50",
    ),
    (
        "Chains of versions",
        "MATCH chain = (:Memory)-[:SUPERSEDES]->(:Memory) RETURN chain LIMIT 50",
    ),
    (
        "Who did what lately",
        "MATCH (a:AuditRecord)-[:ABOUT]->(m:Memory)"
        " RETURN a.at AS at, a.actor AS who, a.action AS what, m.path AS path ORDER BY at DESC LIMIT 50",
    ),
)
"""Title and query; each runs as it stands."""


def browser_guide() -> str:
    """The guide as the HTML that ``:play`` understands."""
    slides = "".join(
        f"<h4>{escape(title)}</h4><pre class='pre-scrollable code runnable'>{escape(query)}</pre>"
        for title, query in QUERIES
    )
    return (
        "<article class='guide'><carousel class='deck container-fluid'><slide class='row-fluid'>"
        "<div class='col-sm-12'><h3>GraphMem</h3>"
        "<p>Every memory is a node <code>Memory</code> at a <code>Path</code>; versions of one chain are"
        " joined by <code>SUPERSEDES</code>, links go through <code>LinkTarget</code>. What you see here"
        " passes no access rule: this is the operator's window. Look, and write through the API only.</p>"
        f"{slides}</div></slide></carousel></article>"
    )
