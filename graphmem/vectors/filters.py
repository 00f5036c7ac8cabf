"""A filter on its way to an engine: as plain JSON values, and never with an empty clause.

Engines disagree on an empty clause (Qdrant reads an empty ``should`` as "no constraint" in one place and as
"nothing" in another), so one is a mistake of the caller and is refused before it can show too much.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from qdrant_client import models

CLAUSES = ("must", "should", "must_not")


def filter_values(where: models.Filter) -> dict[str, object]:
    """The filter as nested dictionaries, lists, texts, numbers and booleans, without what is unset.

    Raises:
        InvalidInput: it holds an empty clause.
    """
    values: dict[str, object] = where.model_dump(mode="json", exclude_none=True)
    _refuse_empty(values)
    return values


def _refuse_empty(condition: Mapping[str, object]) -> None:
    for name in CLAUSES:
        clause = condition.get(name)
        if clause is None:
            continue
        if not clause:
            raise InvalidInput("where", f"has an empty {name!r} clause, which engines read in different ways")
        for part in clause if isinstance(clause, list) else [clause]:
            if isinstance(part, Mapping):
                _refuse_empty(part)
