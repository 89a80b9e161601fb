"""An OpenEnv echo environment and its synchronous client, as a yardstick.

Run by `bench_step.py` in an interpreter that has `openenv` installed:

    python echo_peer.py STEPS

It prints one JSON object: the median and the 99th percentile of a step, in
microseconds. The environment does nothing but echo, so what is timed is the
library's own road from `step()` to the observation.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from typing import Any

import uvicorn
from openenv.core import GenericEnvClient
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State


class Say(Action):
    """What is to be echoed."""

    message: str


class Heard(Observation):
    """What was echoed."""

    message: str = ""


class Echo(Environment):
    """Gives back what it is told."""

    def __init__(self) -> None:
        """Starts at step 0."""
        super().__init__()
        self._count = State(episode_id="echo", step_count=0)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Heard:
        """Starts anew."""
        self._count = State(episode_id="echo", step_count=0)
        return Heard(message="", done=False, reward=0.0)

    def step(self, action: Say, timeout_s: float | None = None, **_: Any) -> Heard:  # type: ignore[override]
        """Echoes."""
        self._count.step_count += 1
        return Heard(message=action.message, done=False, reward=0.0)

    @property
    def state(self) -> State:
        """Steps so far."""
        return self._count


def serve(port: int) -> None:
    """Serves the echo environment on loopback until the process is ended."""
    app = create_app(Echo, Say, Heard, env_name="echo", max_concurrent_envs=1)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


def wait_for(port: int) -> None:
    """Returns once something listens on the port; gives up after a minute."""
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the echo server did not start within a minute")


def measure(steps: int) -> dict[str, float]:
    """Times `steps` steps through the synchronous client, the server in a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, __file__, "serve", str(port)])
    try:
        wait_for(port)
        with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as client:
            client.reset()
            times = []
            for _ in range(steps + 200):
                start = time.perf_counter()
                client.step({"message": "hello"})
                times.append(time.perf_counter() - start)
    finally:
        server.terminate()
        server.wait()
    times = sorted(times[200:])
    return {"p50_us": times[len(times) // 2] * 1e6, "p99_us": times[len(times) * 99 // 100] * 1e6}


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]))
    else:
        print(json.dumps(measure(int(sys.argv[1]))))
