"""The line that the tour tells a person to paste."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from graphmem.api.guide import QUERIES, browser_guide
from graphmem.cli.tour import CURL_DOCUMENT, curl_line

RECORDER = """#!/usr/bin/env python3
import json, sys
print(json.dumps(sys.argv[1:]))
"""


def test_the_curl_line_works_as_pasted_whatever_is_in_path_and_query(tmp_path: Path) -> None:
    folder = tmp_path / "a home with 'quotes' and $signs"
    folder.mkdir()
    token = folder / "token"
    token.write_text("gm_secret\n")
    curl = tmp_path / "curl"
    curl.write_text(RECORDER)
    curl.chmod(0o755)
    query = """it's "quoted" \\ and $HOME"""

    ran = subprocess.run(
        ["bash", "-c", curl_line("http://127.0.0.1:8420/graphql", token, query)],
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        check=True,
    )

    arguments = json.loads(ran.stdout)
    assert "http://127.0.0.1:8420/graphql" in arguments
    assert "Authorization: Bearer gm_secret" in arguments
    assert json.loads(arguments[-1]) == {"query": CURL_DOCUMENT, "variables": {"query": query}}


def test_the_guide_shows_every_statement_as_one_that_runs_at_a_click() -> None:
    guide = browser_guide()

    assert guide.count("runnable") == len(QUERIES) > 0
    assert "<script" not in guide
    assert "passes no access rule" in guide
