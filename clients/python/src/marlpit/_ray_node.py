"""A server for each node of a Ray cluster, next to the runners that use it.

It stands outside of the adapter: the process of a server has no need of RLlib and torch.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from marlpit import _launcher
from marlpit.errors import ServerDied

_WAIT = 180.0  # seconds a node may take to have a server
_LOOK = 0.2  # seconds between two looks at the server's process


class NodeServer:
    """A Ray actor with a server: `node_server` finds or makes the one of this node.

    Where the server dies, so does the actor, and Ray starts both again. When nobody has used the server for a minute it ends,
    and the actor with it.
    """

    def __init__(self, arguments: list[str]) -> None:
        """Starts the server.

        Args:
            arguments: Further ones of ``marlpit serve``.
        """
        self._me = ray.get_runtime_context().current_actor
        self._server = _launcher.Server(["--exit-when-idle", "60s", "--idle-timeout", "2h", *arguments])
        assert self._server._process is not None
        self._process = self._server._process
        threading.Thread(target=self._watch, daemon=True).start()

    def address(self) -> tuple[str, str | None]:
        """Returns the server's address and token."""
        if not self._server.alive:
            os._exit(1)  # before the watch has seen it; whoever asks is answered by the actor's next life
        return self._server.url, self._server.token

    def pid(self) -> int:
        """Returns the number of the server's process."""
        return self._process.pid

    def _watch(self) -> None:
        while self._process.poll() is None:
            time.sleep(_LOOK)
        if self._process.returncode == 0:  # it was idle
            ray.kill(self._me, no_restart=True)
        os._exit(1)


def node_server(*arguments: str) -> Any:
    """Finds the actor of this node's server, or makes it.

    Args:
        *arguments: Further ones of ``marlpit serve``, such as ``"--credit", "two-switch.credit"``; a server is shared by all
            who name the same.

    Returns:
        A handle of `NodeServer`.
    """
    node = ray.get_runtime_context().get_node_id()
    kind = hashlib.sha256("\0".join(arguments).encode()).hexdigest()[:8]
    return ray.remote(NodeServer).options(
        name=f"server {node} {kind}", namespace="marlpit", get_if_exists=True, lifetime="detached", num_cpus=0, max_restarts=-1,
        max_task_retries=-1, scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False),
    ).remote(list(arguments))  # fmt: skip


def addressed(config: dict[str, Any]) -> dict[str, Any]:
    """Fills in ``url`` and ``token`` of this node's server where no ``url`` is given; ``server`` holds its arguments.

    Without Ray (a runner that is tried out) the process has a server of its own.

    Raises:
        ServerDied: The node got none in time.
    """
    arguments = config.pop("server", ())
    if config.get("url") is not None or not ray.is_initialized():
        return config
    until = time.monotonic() + _WAIT
    while True:
        try:
            url, token = ray.get(node_server(*arguments).address.remote(), timeout=max(until - time.monotonic(), 1.0))
            return {**config, "url": url, "token": token}
        except (ray.exceptions.RayActorError, ray.exceptions.GetTimeoutError) as e:
            if time.monotonic() > until:
                raise ServerDied(f"this node has got no server within {_WAIT:.0f} s: {e}") from e
            time.sleep(_LOOK)  # the actor was ending, being idle: its name is free soon
