"""What the resolvers of one request share: who asks, the loaders that gather what they ask for, and the clock
that ends the operation."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import strawberry

from graphmem.api.loaders import Loaders
from graphmem.service.platform import Caller


@dataclass(slots=True)
class Deadline:
    """When an operation is given up; set where an operation that came by HTTP begins."""

    timeout: asyncio.Timeout | None = None

    def lift(self) -> None:
        """Lets the operation take as long as it takes."""
        if self.timeout is not None:
            self.timeout.reschedule(None)


@dataclass(frozen=True, slots=True)
class Context:
    """The caller of one request, its loaders and its deadline; never shared between requests."""

    caller: Caller
    loaders: Loaders
    deadline: Deadline = field(default_factory=Deadline)

    @staticmethod
    def of(caller: Caller) -> Context:
        """A context with empty loaders."""
        return Context(caller, Loaders(caller))


Info = strawberry.Info[Context, None]
"""What a resolver is told: the context of its request."""
