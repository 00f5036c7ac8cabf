"""Where the files are that are shipped beside the code: query files and schema.

A wheel carries them inside the package; in an editable install they are folders of the repository.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from graphmem.errors import Misconfigured

PACKAGE = Path(__file__).resolve().parent


def data_folder(name: Literal["cypher", "schema"]) -> Path:
    """The folder ``name``: the one inside the package, else the one of the repository around it.

    Raises:
        Misconfigured: Neither is there, so the installation is not whole.
    """
    shipped = PACKAGE / "_data" / name
    if shipped.is_dir():
        return shipped
    repository = PACKAGE.parent
    # Only beside our own pyproject.toml: next to an installed package a "schema" may belong to anybody.
    if (repository / "pyproject.toml").is_file() and (repository / name).is_dir():
        return repository / name
    raise Misconfigured(f"the folder {name!r} of GraphMem is missing; install the package again")
