"""The limits of what callers may send, in one place.

Every limit is a count of Unicode code points unless it says otherwise. Rules take a limit as an argument
where a setting may change it; these are the defaults.
"""

from __future__ import annotations

FACT_CHARACTERS = 500
"""Of the content of a fact; a setting may raise it. Source: TSUKA."""

DRAWER_CHARACTERS = 100_000
"""Of a drawer's verbatim text."""

TITLE_CHARACTERS = 200
"""Of a title, a display name or another one-line label."""

SUMMARY_CHARACTERS = 500
"""Of a summary that the caller gives."""

QUERY_CHARACTERS = 10_000
"""Of a search text; what is longer says more than 64 terms can hold."""

PATH_CHARACTERS = 1_024
"""Of a whole path, slashes included. Source: Embornal."""

SEGMENT_CHARACTERS = 128
"""Of one segment of a path. Source: Embornal."""

SUBJECT_CHARACTERS = 128
"""Of the name of a subject or a role. Source: Embornal."""

TAG_KEY_CHARACTERS = 64
"""Of the key of a tag."""

TAG_VALUE_CHARACTERS = 256
"""Of the value of a tag. Source: Embornal."""

OWN_TAGS = 32
"""Own tags of one memory or path, the owner tag not counted."""

KEYWORDS = 20
"""Keywords of one memory."""

KEYWORD_CHARACTERS = 64
"""Of one keyword."""

IDEMPOTENCY_KEY_CHARACTERS = 200
"""Of the key that makes a retried write safe."""

CURSOR_CHARACTERS = 4_096
"""Of an opaque cursor as it comes back from a caller."""

PAGE = 100
"""Items in one page."""

BATCH = 1_000
"""Rows in one batch write."""

TREE_DEPTH = 8
"""Levels below the root of one tree answer."""

SEARCH_DEPTH = 1_000
"""Hits that one search pages through before the next page is refused."""

QUERY_TERMS = 64
"""Unique terms of one search that reach the keyword index (833 terms take 58 ms, 64 take 9 ms)."""

SCOPE_CLAUSES = 500
"""Access and filter clauses inside one keyword query; Lucene refuses more than 1,024 clauses in all."""
