"""Every option of GraphMem, read once from the environment at the edge.

Variables are named ``GRAPHMEM_`` and the field in capitals; ``docs/reference/settings.md`` explains each.
"""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_cache_path, user_data_path
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from graphmem.memory.limits import DRAWER_CHARACTERS, FACT_CHARACTERS


class Settings(BaseSettings):
    """The options of one process; an unset one has a sane default."""

    model_config = SettingsConfigDict(env_prefix="GRAPHMEM_", env_ignore_empty=True, frozen=True)

    home: Path = Field(
        default_factory=lambda: user_data_path("graphmem", appauthor=False),
        description="Folder of the data: graph, vectors, password, token, logs.",
    )
    cache: Path = Field(
        default_factory=lambda: user_cache_path("graphmem", appauthor=False),
        description="Folder of downloads that all homes share.",
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int | None = Field(
        default=None, ge=1, le=65_535, description="Port to listen on; unset: 8420, or the next free one."
    )
    hosts: tuple[str, ...] = Field(
        default=(),
        description="Names, as a JSON list, under which the service is called besides this machine's own.",
    )
    origins: tuple[str, ...] = Field(
        default=(), description="Origins of web pages, as a JSON list, that may call the service."
    )
    url: str | None = Field(
        default=None, description="For commands: talk to this service instead of the local one."
    )
    token: SecretStr | None = Field(
        default=None, description="For commands: the bearer token for that service."
    )
    initial_token: SecretStr | None = Field(
        default=None,
        description="Token of the subject default in a new store; unset: a random one, in the home.",
    )

    neo4j_url: str | None = Field(
        default=None, description="Neo4j to use (bolt:// or neo4j+s://); unset: GraphMem starts its own."
    )
    neo4j_user: str = Field(default="neo4j", description="Login of that Neo4j.")
    neo4j_password: SecretStr | None = Field(default=None, description="Password of that Neo4j.")
    neo4j_database: str = Field(default="neo4j", description="Database in it.")
    neo4j_bolt_port: int | None = Field(
        default=None,
        ge=1,
        le=65_535,
        description="Bolt port of the managed Neo4j; unset: 7687, or a free one.",
    )
    neo4j_http_port: int | None = Field(
        default=None,
        ge=1,
        le=65_535,
        description="HTTP port of the managed Neo4j; unset: 7474, or a free one.",
    )
    neo4j_heap: str = Field(default="512m", description="Upper limit of its Java heap.")
    neo4j_pagecache: str = Field(default="128m", description="Its memory for pages of the store.")

    qdrant_url: str | None = Field(
        default=None, description="Qdrant server to use; unset: the embedded engine in a process of its own."
    )
    qdrant_key: SecretStr | None = Field(default=None, description="API key of that Qdrant.")

    embedder: str = Field(
        default="minilm",
        description="minilm, hash, none, sentence-transformers:<model>, fastembed:<model>"
        " or openai:<model>@<url>.",
    )
    embedder_key: SecretStr | None = Field(
        default=None, description="Key of an embedder that is asked over HTTP."
    )
    embedder_threads: int | None = Field(
        default=None, ge=1, description="Threads of the embedder; unset: at most 2."
    )
    languages: tuple[str, ...] = Field(
        default=("en", "it", "de", "es", "fr"),
        description="Languages, as a JSON list, whose stems a query finds.",
    )

    fact_characters: int = Field(
        default=FACT_CHARACTERS, ge=1, le=DRAWER_CHARACTERS, description="Longest fact."
    )
    drawer_characters: int = Field(
        default=DRAWER_CHARACTERS, ge=1, le=1_000_000, description="Longest drawer."
    )
    idempotency_days: int = Field(default=7, ge=1, description="How long a retry key is remembered.")
    operation_seconds: float = Field(default=10.0, gt=0, description="Longest GraphQL operation.")
    introspection: bool = Field(default=True, description="Whether clients may read the GraphQL schema.")
    graphiql: bool = Field(default=True, description="Whether a browser gets GraphiQL at /graphql.")
