"""The actions that rules name. What each operation needs is said where the operation is."""

from __future__ import annotations

from enum import StrEnum


class Action(StrEnum):
    """What a subject wants to do with a resource; none includes another."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    APPROVE = "approve"
    ADMIN = "admin"
