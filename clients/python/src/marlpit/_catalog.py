"""What a server has to offer."""

from __future__ import annotations

from typing import Any

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
