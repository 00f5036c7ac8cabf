"""The payload fields that every collection indexes, read from ``schema/vectors.json``.

A field that a filter names and that is not indexed costs a hundred times more, so a new filter starts there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal, cast

from graphmem.data import data_folder
from graphmem.errors import Misconfigured

FieldType = Literal["keyword", "bool", "datetime", "integer"]
FIELD_TYPES: tuple[FieldType, ...] = ("keyword", "bool", "datetime", "integer")


@dataclass(frozen=True, slots=True)
class PayloadSchema:
    """Indexed payload fields and their types, by name."""

    fields: Mapping[str, FieldType]


@cache
def payload_schema() -> PayloadSchema:
    """The schema that is shipped.

    Raises:
        Misconfigured: the file names a type that no adapter knows, or another distance than Cosine.
    """
    path = data_folder("schema") / "vectors.json"
    read = json.loads(path.read_text(encoding="utf-8"))
    unknown = sorted(set(read["fields"].values()) - set(FIELD_TYPES))
    if unknown or read["distance"] != "Cosine":
        raise Misconfigured(f"schema/vectors.json: unknown {', '.join(unknown) or read['distance']}")
    return PayloadSchema(MappingProxyType(cast("dict[str, FieldType]", read["fields"])))
