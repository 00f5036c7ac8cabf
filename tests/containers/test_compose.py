"""``compose.yaml`` brought up for real: needs a container engine with compose."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from testcontainers.compose import DockerCompose

from graphmem.local.processes import free_port

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.containers, pytest.mark.timeout(1800)]


def missing_engine() -> str | None:
    """Why no compose project can be brought up here; None when one can."""
    if shutil.which("docker") is None:
        return "there is no docker command"
    for command in (["docker", "info"], ["docker", "compose", "version"]):
        asked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if asked.returncode != 0:
            return f"`{' '.join(command)}`: {(asked.stderr or asked.stdout).strip().splitlines()[-1]}"
    return None


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DockerCompose]:
    """The three services, healthy; everything of them is gone afterwards."""
    if (missing := missing_engine()) is not None:
        pytest.skip(missing)
    environment = tmp_path_factory.mktemp("compose") / "env"
    environment.write_text(
        f"GRAPHMEM_NEO4J_PASSWORD={secrets.token_hex(16)}\n"
        f"GRAPHMEM_QDRANT_KEY={secrets.token_hex(16)}\n"
        f"GRAPHMEM_PORT={free_port()}\n"
        "COMPOSE_PROJECT_NAME=graphmem-test\n"
    )
    with DockerCompose(ROOT, "compose.yaml", env_file=str(environment), build=True, wait=True) as running:
        yield running


def ask(project: DockerCompose, text: str, variables: dict[str, object]) -> dict[str, object]:
    """The data of one operation, sent as a person on this machine would."""
    token, _, _ = project.exec_in_container(["cat", "/var/lib/graphmem/token"], "graphmem")
    port = project.get_service_port("graphmem", 8420)
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/graphql",
        data=json.dumps({"query": text, "variables": variables}).encode(),
        headers={"Authorization": f"Bearer {token.strip()}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: dict[str, object] = json.load(answer)
    assert "errors" not in found, found
    data = found["data"]
    assert isinstance(data, dict)
    return data


def test_a_fact_is_stored_and_found_through_the_three_containers(project: DockerCompose) -> None:
    stored = ask(
        project,
        "mutation Store($input: StoreFactInput!) { storeFact(input: $input) { action memoryId } }",
        {"input": {"path": "/projects/embornal", "content": "Signal strength fades with time."}},
    )

    found = ask(
        project,
        "query Find($query: String!) { search(query: $query, mode: KEYWORD) { nodes { path content } } }",
        {"query": "what fades"},
    )

    assert stored["storeFact"] != {}
    assert {"path": "/projects/embornal", "content": "Signal strength fades with time."} in found["search"][
        "nodes"
    ]  # type: ignore[index]


def test_neither_store_can_be_reached_from_outside(project: DockerCompose) -> None:
    containers = {container.Service: container for container in project.get_containers()}

    for name in ("neo4j", "qdrant"):
        published = [port.PublishedPort for port in containers[name].Publishers or [] if port.PublishedPort]
        assert published == [], name
