"""A small Ray cluster for tests."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # loopback alone, and nothing written into the home folder
os.environ.setdefault("RAY_raylet_start_wait_time_s", "240")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray  # noqa: E402
import torch  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

torch.set_num_threads(1)


def free_port() -> int:
    """A port nobody has now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextlib.contextmanager
def cluster(*cpus: int) -> Iterator[Cluster]:
    """Nodes with so many CPUs each, all on this machine; everything ends with the block."""
    c = Cluster()
    try:
        for n in cpus:
            # Ports that are named needn't be waited for: a busy machine takes longer than Ray does by itself.
            names = ("metrics_agent_port", "metrics_export_port", "runtime_env_agent_port", "dashboard_agent_listen_port")
            c.add_node(num_cpus=n, object_store_memory=200_000_000, include_dashboard=False, **{p: free_port() for p in names})
        ray.init(address=c.address, log_to_driver=False)
        yield c
    finally:
        ray.shutdown()
        c.shutdown()
