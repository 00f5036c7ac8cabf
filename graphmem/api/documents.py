"""What happens to a document before it runs: parsed and validated once, counted every time.

Clients that send variables hit both caches. Extensions are made anew for each operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphql import GraphQLError, NoSchemaIntrospectionCustomRule, specified_rules
from graphql.validation import MaxIntrospectionDepthRule
from strawberry.extensions import MaxTokensLimiter, ParserCache, SchemaExtension, ValidationCache

from graphmem.api.limits import TOKENS, check_limits
from graphmem.errors import LimitExceeded

CACHED_DOCUMENTS = 512
"""Documents whose parsed and validated form is kept; about 50 KiB each at the limit of tokens."""

RULES = (*specified_rules, MaxIntrospectionDepthRule)
RULES_WITHOUT_INTROSPECTION = (*RULES, NoSchemaIntrospectionCustomRule)


class OpenSchema(SchemaExtension):
    """Validates by the rules of the specification, and lets callers read the schema."""

    rules = RULES

    def on_operation(self) -> Iterator[None]:
        self.execution_context.validation_rules = self.rules
        yield


class ClosedSchema(OpenSchema):
    """The same without introspection."""

    rules = RULES_WITHOUT_INTROSPECTION


class Limits(SchemaExtension):
    """Refuses a valid operation that asks for too much; stands behind the cache of validations."""

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        if not context.pre_execution_errors and context.graphql_document is not None:
            try:
                check_limits(
                    context.schema._schema,
                    context.graphql_document,
                    context.operation_name,
                    context.variables or {},
                )
            except LimitExceeded as error:
                context.pre_execution_errors = [GraphQLError(str(error), original_error=error)]
        yield


def document_extensions(*, introspection: bool) -> list[Callable[[], SchemaExtension]]:
    """The extensions that guard a document, in the order in which they act."""
    return [
        OpenSchema if introspection else ClosedSchema,
        lambda: MaxTokensLimiter(max_token_count=TOKENS),
        lambda: ParserCache(maxsize=CACHED_DOCUMENTS),
        lambda: ValidationCache(maxsize=CACHED_DOCUMENTS),
        Limits,
    ]
