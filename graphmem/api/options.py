"""What a service may set about its HTTP face."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})
"""Names under which a service on this machine is called from this machine."""

GRAPHQL_BODY_BYTES = 1024 * 1024
"""Of the body of one GraphQL request: 1 MiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiOptions:
    """The settings that the API looks at.

    Attributes:
        introspection: Whether callers may read the schema and get names suggested.
        graphiql: Whether a browser gets GraphiQL at ``/graphql``.
        operation_seconds: How long one GraphQL operation may take.
        body_seconds: How long the body of a GraphQL request may take to arrive, and how long a streamed
            body may pause.
        hosts: Names in the ``Host`` header that are answered, without port; None is any.
        origins: Pages (``https://host:port``) that may call besides those of the service itself.
        guide: The guide for Neo4j Browser, as HTML.
    """

    introspection: bool = True
    graphiql: bool = True
    operation_seconds: float = 10.0
    body_seconds: float = 10.0
    hosts: frozenset[str] | None = LOOPBACK_HOSTS
    origins: frozenset[str] = frozenset()
    guide: Callable[[], str] | None = None
