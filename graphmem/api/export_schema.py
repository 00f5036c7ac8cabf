"""``python -m graphmem.api.export_schema [FILE]``: writes the schema that clients rely on."""

from __future__ import annotations

import sys
from pathlib import Path

from graphmem.api.schema import schema
from graphmem.data import data_folder


def exported() -> str:
    """The schema in GraphQL's own language, as it is kept in ``schema/graphmem.graphql``."""
    return schema.as_str().rstrip() + "\n"


def main(arguments: list[str]) -> None:
    """Writes the schema to the file that is named, or to its place in the project."""
    target = Path(arguments[0]) if arguments else data_folder("schema") / "graphmem.graphql"
    target.write_text(exported(), encoding="utf-8")
    print(f"wrote {target}")


if __name__ == "__main__":
    main(sys.argv[1:])
