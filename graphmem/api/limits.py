"""How much one operation may ask for: depth, aliases and cost, counted before anything runs.

Tokens are limited by the parser and bodies by ``bodies``. The count walks the operation once, without
recursion, and stops at the first limit that is passed, so a document cannot make the counting itself dear.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from graphql import (
    ArgumentNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLCompositeType,
    GraphQLField,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_named_type,
    get_operation_ast,
    is_composite_type,
    is_introspection_type,
    is_list_type,
    is_non_null_type,
)

from graphmem.errors import LimitExceeded
from graphmem.memory.limits import BATCH, PAGE

DEPTH: Final = 8
"""Levels of fields, the root fields being the first."""

INTROSPECTION_DEPTH: Final = 16
"""The same below ``__schema`` and ``__type``: what GraphiQL asks is 15 deep."""

ALIASES: Final = 15
"""Renamed fields of one operation, those inside fragments counted each time they are used."""

TOKENS: Final = 1_000
"""Lexical tokens of one document."""

COST: Final = 5_000
"""Values that one answer may hold, about: each field counts once for each time it may be answered."""

LIST_SIZE: Final = 10
"""How often a list without a page size is taken to repeat its fields."""

LIST_SIZES: Final[Mapping[str, int]] = {"contributions": 3, "tree": 20}
"""The same for lists whose usual length is known to be another one."""

Values = Mapping[str, object]


@dataclass(slots=True)
class _Pending:
    """Selections that are still to be counted.

    Attributes:
        depth: Levels of fields above these.
        times: How often each of these is answered, at most.
    """

    selections: SelectionSetNode
    parent: GraphQLCompositeType
    depth: int
    times: int
    limit: int = DEPTH


def check_limits(
    schema: GraphQLSchema, document: DocumentNode, operation_name: str | None, variables: Values
) -> None:
    """Refuses an operation of a valid document that asks for too much.

    Raises:
        LimitExceeded: Names the limit; page sizes count as given, or as their defaults.
    """
    operation = get_operation_ast(document, operation_name)
    root = schema.get_root_type(operation.operation) if operation is not None else None
    if operation is None or root is None:
        return
    counter = _Counter(schema, document, operation, variables)
    counter.count(_Pending(operation.selection_set, root, 0, 1))


class _Counter:
    """Counts one operation; good for one count."""

    def __init__(
        self,
        schema: GraphQLSchema,
        document: DocumentNode,
        operation: OperationDefinitionNode,
        variables: Values,
    ) -> None:
        self._schema = schema
        self._fragments = {
            definition.name.value: definition
            for definition in document.definitions
            if isinstance(definition, FragmentDefinitionNode)
        }
        self._values = {**_defaults(operation), **variables}
        self._aliases = 0
        self._cost = 0

    def count(self, start: _Pending) -> None:
        waiting = [start]
        while waiting:
            waiting.extend(self._inner(waiting.pop()))

    def _inner(self, pending: _Pending) -> Iterator[_Pending]:
        for node in pending.selections.selections:
            self._spend(pending.times)
            match node:
                case FieldNode():
                    yield from self._field(node, pending)
                case InlineFragmentNode():
                    condition = node.type_condition
                    parent = self._type(condition.name.value) if condition else pending.parent
                    yield _Pending(node.selection_set, parent, pending.depth, pending.times, pending.limit)
                case FragmentSpreadNode():
                    fragment = self._fragments[node.name.value]
                    parent = self._type(fragment.type_condition.name.value)
                    yield _Pending(
                        fragment.selection_set, parent, pending.depth, pending.times, pending.limit
                    )

    def _field(self, node: FieldNode, above: _Pending) -> Iterator[_Pending]:
        if node.alias is not None:
            self._aliases += 1
            if self._aliases > ALIASES:
                raise LimitExceeded(f"more than {ALIASES} aliases; send several operations", limit=ALIASES)
        field = self._schema.get_field(above.parent, node.name.value)
        if field is None:
            return
        named = get_named_type(field.type)
        limit = INTROSPECTION_DEPTH if is_introspection_type(named) else above.limit
        depth = above.depth + 1
        if depth > limit:
            raise LimitExceeded(f"fields are nested more than {limit} levels deep", limit=limit)
        if node.selection_set is not None and is_composite_type(named):
            times = (
                above.times if is_introspection_type(named) else above.times * self._times(node, field, above)
            )
            yield _Pending(node.selection_set, named, depth, times, limit)

    def _times(self, node: FieldNode, field: GraphQLField, above: _Pending) -> int:
        """How often the field repeats what is selected below it."""
        given = {argument.name.value: argument for argument in node.arguments or ()}
        if "first" in field.args:
            default = field.args["first"].default_value
            return self._number(given.get("first"), default if isinstance(default, int) else LIST_SIZE)
        type_ = field.type.of_type if is_non_null_type(field.type) else field.type
        if not is_list_type(type_) or above.parent.name.endswith("Connection"):
            return 1
        if "input" in given:
            return self._length(given["input"].value)
        return LIST_SIZES.get(node.name.value, LIST_SIZE)

    def _number(self, argument: ArgumentNode | None, default: int) -> int:
        """A page size between 1 and the largest page; what lies outside is refused where it is used."""
        value: object = default
        if argument is not None and isinstance(argument.value, IntValueNode):
            value = int(argument.value.value)
        elif argument is not None and isinstance(argument.value, VariableNode):
            value = self._values.get(argument.value.name.value, default)
        return min(max(value, 1), PAGE) if isinstance(value, int) else PAGE

    def _length(self, value: ValueNode) -> int:
        """Rows of a batch, at most as many as a batch may have."""
        rows: object = None
        if isinstance(value, ListValueNode):
            rows = value.values
        elif isinstance(value, VariableNode):
            rows = self._values.get(value.name.value)
        return min(len(rows), BATCH) if isinstance(rows, list | tuple) else 1

    def _type(self, name: str) -> GraphQLCompositeType:
        found = self._schema.get_type(name)
        if not is_composite_type(found):
            raise LimitExceeded(f"{name} is no type that can be selected from")
        return found

    def _spend(self, times: int) -> None:
        self._cost += times
        if self._cost > COST:
            raise LimitExceeded(
                f"the answer may hold more than {COST} values; ask for smaller pages or fewer fields",
                limit=COST,
            )


def _defaults(operation: OperationDefinitionNode) -> dict[str, object]:
    """The default page sizes of the operation's variables."""
    found: dict[str, object] = {}
    for definition in operation.variable_definitions or ():
        if isinstance(definition.default_value, IntValueNode):
            found[definition.variable.name.value] = int(definition.default_value.value)
    return found
