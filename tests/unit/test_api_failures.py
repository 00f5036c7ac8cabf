"""What callers see of errors."""

from __future__ import annotations

import logging
import re

import pytest
from graphql import GraphQLError, GraphQLSyntaxError, parse

from graphmem.api.failures import shown_error
from graphmem.errors import Conflict, InvalidInput, NotFound, Unavailable


def raised(cause: Exception) -> GraphQLError:
    return GraphQLError(str(cause), path=["storeFact"], original_error=cause)


def test_an_error_of_ours_keeps_its_message_and_gains_its_code() -> None:
    shown = shown_error(raised(NotFound("memory", "0190")))

    assert (shown.message, shown.extensions, shown.path) == (
        "no memory '0190'",
        {"code": "NOT_FOUND"},
        ["storeFact"],
    )


def test_a_refused_value_names_field_and_limit() -> None:
    shown = shown_error(raised(InvalidInput("content", "has 501 characters, the limit is 500", limit=500)))

    assert shown.extensions == {"code": "INVALID_INPUT", "field": "content", "limit": 500}


def test_a_conflict_names_the_head() -> None:
    assert shown_error(raised(Conflict("stale", head="0190"))).extensions == {
        "code": "CONFLICT",
        "head": "0190",
    }


def test_an_error_that_is_not_ours_is_masked_and_logged_under_its_id(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR, logger="graphmem.api"):
        shown = shown_error(raised(RuntimeError("password=hunter2")))

    log_id = (shown.extensions or {})["logId"]
    assert (shown.extensions or {})["code"] == "INTERNAL"
    assert shown.message == f"internal error; the log of the service has it as {log_id}"
    assert "hunter2" not in shown.message
    assert re.fullmatch("[0-9a-f]{12}", log_id)
    assert f"internal error {log_id} at ['storeFact']" in caplog.text


def test_a_broken_promise_of_the_schema_is_masked_too() -> None:
    shown = shown_error(GraphQLError("Cannot return null for non-nullable field X.y.", path=["x", "y"]))

    assert (shown.extensions or {})["code"] == "INTERNAL"


@pytest.mark.parametrize(
    "error",
    [
        GraphQLError("Cannot query field 'x' on type 'Query'."),
        GraphQLError("Argument 'first' of non-null type 'Int!' must not be null.", path=["search"]),
    ],
)
def test_a_bad_request_is_invalid_input_and_keeps_its_words(error: GraphQLError) -> None:
    shown = shown_error(error)

    assert (shown.message, shown.extensions) == (error.message, {"code": "INVALID_INPUT"})


def test_too_many_tokens_are_a_limit() -> None:
    with pytest.raises(GraphQLSyntaxError) as found:
        parse("{ a b c d e f }", max_tokens=3)

    shown = shown_error(found.value)

    assert shown.extensions == {"code": "LIMIT_EXCEEDED", "limit": 1000}
    assert shown.message == "the document has more than 1000 tokens; send values as variables"


def test_a_document_that_the_parser_finds_too_deep_is_a_limit() -> None:
    with pytest.raises(GraphQLSyntaxError) as found:
        parse("{ a" + "{ a" * 5_000 + "}" * 5_001)

    assert shown_error(found.value).extensions == {"code": "LIMIT_EXCEEDED"}


def test_a_document_that_is_nested_too_deeply_is_a_limit() -> None:
    shown = shown_error(GraphQLError("recursion", original_error=RecursionError()))

    assert (shown.message, shown.extensions) == (
        "the document is nested too deeply",
        {"code": "LIMIT_EXCEEDED"},
    )


def test_an_error_that_has_its_code_stays_as_it_is() -> None:
    error = GraphQLError("slow", original_error=Unavailable("slow"), extensions={"code": "UNAVAILABLE"})

    assert shown_error(error) is error
