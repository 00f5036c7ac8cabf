"""The jars of the managed Neo4j in the cache folder: complete, each with the SHA-256 of the lock file.

The folder is shared by all stores of a user. A file appears in it by renaming only, after its hash was
checked; ``stamps.json`` remembers what every checked file looked like, so that a normal start reads none.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager
from pathlib import Path

from filelock import FileLock, Timeout

from graphmem.errors import Misconfigured, Unavailable
from graphmem.local.download import Cancelled, Downloader
from graphmem.local.lockfile import LockedJar, locked_jars
from graphmem.local.progress import Progress, Quiet

PARALLEL = 8
"""Downloads at a time: most jars are small, so what takes long is waiting for answers."""

ATTEMPTS = 3
"""Tries for each jar, one right after the other: they are there for a broken connection."""

STAMPS = "stamps.json"


def ensure_jars(
    cache: Path,
    progress: Progress | None = None,
    *,
    jars: Sequence[LockedJar] | None = None,
    cancel: threading.Event | None = None,
) -> list[Path]:
    """Paths of all jars, in the order of the lock file; fetches what is missing or damaged.

    Blocks: a minute on the first call, milliseconds after it. Several processes may call it at once; one of
    them fetches. An interrupted download goes on where it stopped, jar by jar.

    Args:
        cache: Folder of everything that can be fetched again.
        progress: Sees the bytes that have to be fetched.
        jars: What has to be there; default: the lock file's.
        cancel: Once set by another thread, the call ends soon.

    Raises:
        Unavailable: Something is missing and cannot be fetched.
        Misconfigured: A repository sends other bytes than the lock file says, or the disk is full.
        Cancelled: ``cancel`` was set.
    """
    jars = locked_jars() if jars is None else jars
    folder = cache / "jars"
    if _unstamped(folder, jars, _read_stamps(folder)):
        _mend(folder, jars, progress or Quiet(), cancel or threading.Event())
    return [folder / jar.file_name for jar in jars]


def verify_jars(cache: Path, *, jars: Sequence[LockedJar] | None = None) -> list[str]:
    """File names of the jars that are missing or not what the lock file says; reads every byte.

    A jar that is found damaged is fetched again by the next ``ensure_jars``.
    """
    folder = cache / "jars"
    jars = locked_jars() if jars is None else jars
    wrong = [jar.file_name for jar in jars if not _is_right(folder / jar.file_name, jar)]
    stamps = _read_stamps(folder)
    if stamps.keys() & set(wrong):
        _write_stamps(folder, {name: stamp for name, stamp in stamps.items() if name not in wrong})
    return wrong


def _mend(folder: Path, jars: Sequence[LockedJar], progress: Progress, cancel: threading.Event) -> None:
    """Hashes what carries no stamp, fetches what is not there or not right, and stamps all of it."""
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder, progress, cancel):
        progress.message("checking the jars of Neo4j")
        stamps = _read_stamps(folder)
        wanted = []
        for jar in _unstamped(folder, jars, stamps):
            if _is_right(folder / jar.file_name, jar):
                stamps[jar.file_name] = _stamp(folder / jar.file_name, jar)
            else:
                wanted.append(jar)
        try:
            _fetch_all(folder, wanted, stamps, progress, cancel)
        finally:
            _write_stamps(folder, stamps)


def _alone(folder: Path, progress: Progress, cancel: threading.Event) -> AbstractContextManager[object]:
    """The folder, with no other process at work in it; waits for one that is."""
    lock = FileLock(folder / ".lock")
    try:
        return lock.acquire(timeout=0)
    except Timeout:
        progress.message("waiting for another GraphMem that downloads Neo4j")
    try:
        return lock.acquire(cancel_check=cancel.is_set)
    except Timeout as error:
        raise Cancelled from error


def _fetch_all(
    folder: Path,
    jars: Sequence[LockedJar],
    stamps: dict[str, str],
    progress: Progress,
    cancel: threading.Event,
) -> None:
    """Fetches the jars side by side; the first failure ends the others."""
    if not jars:
        return
    progress.message("downloading Neo4j (once)")
    progress.total(sum(jar.size for jar in jars))
    staging = folder / ".staging"
    shutil.rmtree(staging, ignore_errors=True)
    downloader = Downloader(staging, progress, cancel)
    pool = ThreadPoolExecutor(PARALLEL, thread_name_prefix="jars")
    try:
        futures = {pool.submit(_fetch, downloader, jar, folder): jar for jar in jars}
        for future in as_completed(futures):
            stamps[futures[future].file_name] = future.result()
    except BaseException:
        cancel.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        shutil.rmtree(staging, ignore_errors=True)


def _fetch(downloader: Downloader, jar: LockedJar, folder: Path) -> str:
    """The stamp of the jar, which then is at its place, checked."""
    problem: Unavailable | Misconfigured = Unavailable(f"{jar.coordinates} was not fetched")
    for _ in range(ATTEMPTS):
        try:
            came = downloader.fetch(jar)
        except (OSError, RuntimeError) as error:
            if isinstance(error, OSError) and error.errno == errno.ENOSPC:
                raise Misconfigured(f"no room in {folder} for the jars of Neo4j (180 MB)") from error
            problem = Unavailable(_no_network(jar, folder, error))
            continue
        if _is_right(came, jar):
            os.replace(came, folder / jar.file_name)
            return _stamp(folder / jar.file_name, jar)
        problem = Misconfigured(_other_bytes(jar))
    raise problem


def _no_network(jar: LockedJar, folder: Path, error: Exception) -> str:
    return (
        f"cannot download {jar.coordinates}: {error}\n"
        "Neo4j is fetched once, before its first start. Either connect to the network and start again (what "
        "has come is kept; HTTPS_PROXY and a mirror in ~/.m2/settings.xml are used), or copy the folder "
        f"{folder} from a machine where GraphMem has run, or set GRAPHMEM_NEO4J_URL to a server of your own."
    )


def _other_bytes(jar: LockedJar) -> str:
    return (
        f"{jar.coordinates} came with another SHA-256 than jars.lock says, and was thrown away. Something on "
        "the way changes files: look at the repositories in ~/.m2/settings.xml and jgo.conf, and at proxies."
    )


def _unstamped(folder: Path, jars: Sequence[LockedJar], stamps: Mapping[str, str]) -> list[LockedJar]:
    """The jars without a file, or with one that is not what it was when it was checked."""
    wanted = []
    for jar in jars:
        path = folder / jar.file_name
        if not path.is_file() or stamps.get(jar.file_name) != _stamp(path, jar):
            wanted.append(jar)
    return wanted


def _is_right(path: Path, jar: LockedJar) -> bool:
    """Whether the file is, byte for byte, what the lock file says."""
    if not path.is_file() or path.stat().st_size != jar.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == jar.sha256


def _stamp(path: Path, jar: LockedJar) -> str:
    """What a checked file looks like without reading it: size, time of change, and the hash it had."""
    status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns} {jar.sha256}"


def _read_stamps(folder: Path) -> dict[str, str]:
    """Stamps by file name; empty where there are none or they are unreadable: then every file is hashed."""
    try:
        found = json.loads((folder / STAMPS).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return {str(name): str(stamp) for name, stamp in found.items()} if isinstance(found, dict) else {}


def _write_stamps(folder: Path, stamps: Mapping[str, str]) -> None:
    new = folder / f"{STAMPS}.new"
    new.write_text(json.dumps(stamps, indent=0, sort_keys=True), encoding="utf-8")
    os.replace(new, folder / STAMPS)
