"""PPO of RLlib with env runners on all nodes of a Ray cluster.

    ray start --head                                   on the first machine
    ray start --address=FIRST:6379                     on each other one
    python ray_train.py two-switch-v1 --address auto --runners 8 --reward oracle

Each node starts a server of its own next to its runners, so that no step crosses the network; --url names a server for all of
them instead. Runners and servers that die are started again; the episodes that were under way are counted apart. The package
has to be installed on every node.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import ray
from ray.exceptions import RayError

from marlpit._options import param
from marlpit.rllib import configure
from rllib_train import learner


class Progress(NamedTuple):
    """What an iteration gave.

    Attributes:
        frames: Steps of single copies so far.
        episodes: That ended in this iteration.
        team_return: Mean of the latest episodes that ended; None where none has.
        success: Their share that succeeded; None likewise.
        lost_with_servers: Episodes so far that were under way when their server died.
        lost_with_runners: Likewise, their runner.
        nodes: Node to its runners, those that answer now.
    """

    frames: int
    episodes: int
    team_return: float | None
    success: float | None
    lost_with_servers: int
    lost_with_runners: int
    nodes: dict[str, int]


def where(algorithm: Any) -> dict[str, int]:
    """Counts runners by node."""
    return dict(Counter(algorithm.env_runner_group.foreach_env_runner(
        lambda _: ray.get_runtime_context().get_node_id(), local_env_runner=False, timeout_seconds=10)))  # fmt: skip


def progress(algorithm: Any, result: dict[str, Any]) -> Progress:
    """Reads an iteration's result."""
    played = result.get("env_runners", {})
    return Progress(
        frames=int(played.get("num_env_steps_sampled_lifetime", 0)),
        episodes=int(played.get("num_episodes", 0)),
        team_return=played.get("team_return"),
        success=played.get("success"),
        lost_with_servers=int(played.get("episodes_lost", 0)),
        lost_with_runners=int(result.get("episodes_lost_with_runners", 0)),
        nodes=where(algorithm),
    )


def build(world: str, runners: int, envs: int, reward: str, seed: int | None, url: str | None, params: dict[str, Any]) -> Any:
    """Makes the algorithm; Ray has to be connected."""
    config = configure(learner(runners * envs), world, num_envs=envs, reward=reward, seed=seed, url=url, **params)
    config.env_runners(num_env_runners=runners, num_cpus_per_env_runner=1, sample_timeout_s=120)
    return config.build_algo()


def train(algorithm: Any, iterations: int) -> Iterator[Progress]:
    """Trains on, and tells of each iteration."""
    for _ in range(iterations):
        yield progress(algorithm, algorithm.train())


def main() -> None:
    """Trains once."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world", help="id of the world")
    parser.add_argument("--address", default="auto", help="of the cluster (auto: the one of this machine)")
    parser.add_argument("--runners", type=int, default=4, help="env runners of all nodes (4), a CPU each")
    parser.add_argument("--envs", type=int, default=64, help="copies that each plays (64)")
    parser.add_argument("--reward", default="team", help="reward scheme (team)")
    parser.add_argument("--iterations", type=int, default=100, help="updates (100)")
    parser.add_argument("--seed", type=int, help="of everything")
    parser.add_argument("--url", help="of a server for all nodes")
    parser.add_argument(
        "-p", "--param", type=param, action="append", default=[], metavar="KEY=VALUE", help="parameter of the world"
    )
    a = parser.parse_args()
    try:
        ray.init(address=a.address, log_to_driver=False)
    except (RayError, ConnectionError, ValueError) as e:
        parser.exit(1, f"{parser.prog}: there is no cluster at {a.address}: {e}\n")
    algorithm = build(a.world, a.runners, a.envs, a.reward, a.seed, a.url, dict(a.param))
    try:
        for i, p in enumerate(train(algorithm, a.iterations), 1):
            ended = "no episode ended yet" if p.team_return is None else f"team return {p.team_return:.2f}"
            lost = f", lost {p.lost_with_servers} with servers, {p.lost_with_runners} with runners"
            print(f"{i}: {p.frames:,} frames on {len(p.nodes)} nodes, {ended}{lost}", flush=True)
    finally:
        algorithm.stop()
        ray.shutdown()


if __name__ == "__main__":
    main()
