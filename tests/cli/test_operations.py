"""The documents that the command line sends are good ones, and small enough for the largest page."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphql import build_schema, parse, validate

from graphmem.api.limits import check_limits
from graphmem.cli import operations
from graphmem.cli.operations import Operation
from graphmem.cli.tour import CURL_DOCUMENT
from graphmem.memory.limits import PAGE, TREE_DEPTH

SCHEMA = build_schema((Path(__file__).resolve().parents[2] / "schema" / "graphmem.graphql").read_text())

DOCUMENTS = {name: each.text for name, each in vars(operations).items() if isinstance(each, Operation)}
DOCUMENTS["CURL"] = CURL_DOCUMENT

LARGEST = {"first": PAGE, "depth": TREE_DEPTH}


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_every_document_fits_the_published_schema(name: str) -> None:
    assert validate(SCHEMA, parse(DOCUMENTS[name])) == []


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_every_document_is_within_the_limits_of_an_operation(name: str) -> None:
    check_limits(SCHEMA, parse(DOCUMENTS[name]), None, LARGEST)


def test_every_document_names_its_operation_and_the_field_that_is_read() -> None:
    found = [each for each in vars(operations).values() if isinstance(each, Operation)]

    assert len({each.text.split()[1].partition("(")[0] for each in found}) == len(found) > 10
    assert all(each.field in each.text for each in found)
