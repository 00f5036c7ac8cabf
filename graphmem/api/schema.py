"""The GraphQL schema. ``schema`` is what is exported; a service builds its own by its settings."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Any

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.name_converter import NameConverter
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.graphql import OperationType
from strawberry.utils.str_converters import to_camel_case

from graphmem.api.documents import document_extensions
from graphmem.api.failures import shown_error
from graphmem.api.memory_types import DrawerType, FactType
from graphmem.api.mutation import Mutation
from graphmem.api.query import Query
from graphmem.api.scalars import DATE_TIME


class KnownNames(NameConverter):
    """Names in the schema's case, each made once: Strawberry asks for every field of every input it reads."""

    def apply_naming_config(self, name: str) -> str:
        return _camel_case(name)


@cache
def _camel_case(name: str) -> str:
    return to_camel_case(name)


class Schema(strawberry.Schema):
    """Answers with the errors that ``failures`` shows, and logs only those that it masks: what Strawberry
    would log repeats what the caller wrote."""

    async def execute(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any | None = None,
        root_value: Any | None = None,
        operation_name: str | None = None,
        allowed_operation_types: Iterable[OperationType] | None = None,
        operation_extensions: dict[str, Any] | None = None,
    ) -> ExecutionResult:
        result = await super().execute(
            query,
            variable_values,
            context_value,
            root_value,
            operation_name,
            allowed_operation_types,
            operation_extensions,
        )
        if result.errors:
            result.errors = [shown_error(error) for error in result.errors]
        return result

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        pass


def build_schema(*, introspection: bool = True) -> Schema:
    """The schema; without introspection it neither shows itself nor suggests names."""
    return Schema(
        query=Query,
        mutation=Mutation,
        types=[FactType, DrawerType],
        config=StrawberryConfig(
            name_converter=KnownNames(),
            disable_field_suggestions=not introspection,
            scalar_map={datetime: DATE_TIME},
        ),
        extensions=document_extensions(introspection=introspection),
    )


schema = build_schema()
