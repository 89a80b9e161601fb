"""What a server has to offer."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from marlpit._session import Client


def list_envs(url: str | None = None, *, token: str | None = None) -> list[dict[str, Any]]:
    """Lists a server's worlds.

    Args:
        url: Of the server; None starts this process's own.
        token: Of the server.

    Returns:
        For each world its `id` and `summary`.

    Raises:
        ConnectionLost: No server answers.
    """
    client = Client(url, token)
    try:
        worlds: list[dict[str, Any]] = client.call("GET", "/v1/envs")["envs"]
        return worlds
    finally:
        client.connection.close()


def describe_env(id: str, url: str | None = None, *, token: str | None = None) -> dict[str, Any]:
    """Tells what a world is.

    Args:
        id: Of the world.
        url: Of the server; None starts this process's own.
        token: Of the server.

    Returns:
        `id`, `summary`, `card` (its page: story, actions, observations, rewards), `params` (JSON schema of its parameters) and
        `spec` (with the default parameters).

    Raises:
        NotFound: No such world.
        ConnectionLost: No server answers.
    """
    client = Client(url, token)
    try:
        world: dict[str, Any] = client.call("GET", f"/v1/envs/{quote(id, safe='')}")
        return world
    finally:
        client.connection.close()
