"""Where shipped files are found: in a wheel, in an editable install, and not beside a stranger's package."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem import data
from graphmem.data import data_folder
from graphmem.errors import Misconfigured


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package without anything around it."""
    found = tmp_path / "site" / "graphmem"
    found.mkdir(parents=True)
    monkeypatch.setattr(data, "PACKAGE", found)
    return found


def test_this_installation_has_both_folders() -> None:
    assert any(data_folder("cypher").rglob("*.cypher"))
    assert (data_folder("schema") / "migrations").is_dir()


def test_a_wheel_carries_its_folders_inside_the_package(package: Path) -> None:
    (package / "_data" / "cypher").mkdir(parents=True)
    (package.parent / "cypher").mkdir()

    assert data_folder("cypher") == package / "_data" / "cypher"


def test_an_editable_install_finds_the_folder_of_its_repository(package: Path) -> None:
    (package.parent / "pyproject.toml").touch()
    (package.parent / "schema").mkdir()

    assert data_folder("schema") == package.parent / "schema"


def test_a_folder_beside_an_installed_package_is_not_ours(package: Path) -> None:
    (package.parent / "schema").mkdir()

    with pytest.raises(Misconfigured, match="the folder 'schema' of GraphMem is missing"):
        data_folder("schema")
