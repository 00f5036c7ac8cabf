"""``compose.yaml`` and the ``Dockerfile`` say what the settings say, and keep the stores to themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from graphmem.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")

VARIABLES = {f"GRAPHMEM_{name.upper()}" for name in Settings.model_fields}
SECRETS = ("PASSWORD", "KEY", "TOKEN")

NAMED = re.compile(r"GRAPHMEM_[A-Z0-9_]+")
FILLED_IN = re.compile(r"\$\{(?P<name>[A-Z0-9_]+)(?P<rest>[^}]*)\}")


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE)["services"]
    return found


@pytest.mark.parametrize("text", [COMPOSE, DOCKERFILE], ids=["compose.yaml", "Dockerfile"])
def test_every_variable_is_one_of_the_settings(text: str) -> None:
    named = set(NAMED.findall(text))

    assert named, "no variable was found, so nothing was checked"
    assert named <= VARIABLES


def test_no_secret_has_a_default() -> None:
    secrets = [match for match in FILLED_IN.finditer(COMPOSE) if match["name"].endswith(SECRETS)]

    assert {match["name"] for match in secrets} == {"GRAPHMEM_NEO4J_PASSWORD", "GRAPHMEM_QDRANT_KEY"}
    assert [match["name"] for match in secrets if not match["rest"].startswith(":?")] == []


def test_graphmem_is_given_the_secrets_that_its_stores_were_given() -> None:
    given = {name: service["environment"] for name, service in services().items()}

    assert "${GRAPHMEM_NEO4J_PASSWORD" in given["neo4j"]["NEO4J_AUTH"]
    assert "${GRAPHMEM_QDRANT_KEY" in given["qdrant"]["QDRANT__SERVICE__API_KEY"]
    assert given["graphmem"]["GRAPHMEM_NEO4J_PASSWORD"].startswith("${GRAPHMEM_NEO4J_PASSWORD")
    assert given["graphmem"]["GRAPHMEM_QDRANT_KEY"].startswith("${GRAPHMEM_QDRANT_KEY")


def test_only_graphmem_can_be_reached_and_only_from_this_machine() -> None:
    published = {name: service["ports"] for name, service in services().items() if "ports" in service}

    assert list(published) == ["graphmem"]
    assert all(port.startswith("127.0.0.1:") for port in published["graphmem"])


def test_the_stores_have_no_way_out() -> None:
    networks = yaml.safe_load(COMPOSE)["networks"]

    assert networks["stores"] == {"internal": True}
    assert [services()[name]["networks"] for name in ("neo4j", "qdrant")] == [["stores"], ["stores"]]


def test_every_service_has_a_health_check_and_keeps_its_data_in_a_named_volume() -> None:
    volumes = yaml.safe_load(COMPOSE)["volumes"]

    for name, service in services().items():
        assert service["healthcheck"]["test"][0] == "CMD", name
        assert [volume.partition(":")[0] for volume in service["volumes"]] == [name]
        assert name in volumes


def test_graphmem_waits_until_both_stores_are_healthy() -> None:
    waits = services()["graphmem"]["depends_on"]

    assert waits == {name: {"condition": "service_healthy"} for name in ("neo4j", "qdrant")}


@pytest.mark.parametrize("name", ["neo4j", "qdrant"])
def test_every_image_has_an_exact_version(name: str) -> None:
    image = services()[name]["image"]

    assert re.fullmatch(r"\$\{[A-Z0-9_]+:-[a-z0-9/]+:v?\d+\.\d+\.\d+\}", image), image


def test_the_image_of_graphmem_runs_as_nobody_else_and_with_the_pinned_packages() -> None:
    last_stage = DOCKERFILE.rpartition("\nFROM ")[2]

    assert re.search(r"^USER graphmem$", last_stage, re.MULTILINE)
    assert "HEALTHCHECK" in last_stage
    assert "--constraint constraints.txt" in DOCKERFILE


def test_what_the_image_is_built_from_is_let_in() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        name
        for line in DOCKERFILE.splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for name in line.split()[1:-1]
    }

    assert copied <= let_in
