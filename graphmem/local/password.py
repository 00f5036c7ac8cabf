"""The password of the managed Neo4j: random, made once, in a file that only its owner can read."""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from pathlib import Path

OWNER_ONLY = 0o600

PASSWORD_BYTES = 24
"""Randomness of a password; written as hex, so that no URL and no shell has to quote it."""

ROUNDS = 1024
"""How often Neo4j hashes; the password is random and long, so no more are needed."""


def read_or_make(path: Path) -> str:
    """The password at ``path``; made if there is no file. The file's mode is 0600 afterwards."""
    if not path.exists():
        write_private(path, secrets.token_hex(PASSWORD_BYTES) + "\n")
    elif stat.S_IMODE(path.stat().st_mode) != OWNER_ONLY:
        path.chmod(OWNER_ONLY)
    return path.read_text(encoding="utf-8").strip()


def first_login(user: str, password: str, salt: bytes) -> str:
    """The line of ``auth.ini`` from which Neo4j makes its first user.

    What ``neo4j-admin dbms set-initial-password`` writes, without a second JVM and without the password on a
    command line: ``user:SHA-256,hash,salt,rounds:`` with hash(salt + password) hashed again and again.
    """
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(ROUNDS - 1):
        digest = hashlib.sha256(digest).digest()
    return f"{user}:SHA-256,{digest.hex()},{salt.hex()},{ROUNDS}:\n"


def write_private(path: Path, text: str) -> None:
    """Writes a file that never was readable for others, in one step."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(new, path)
