"""RLlib on a Ray cluster: training, two nodes, and what dies in the middle of it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HEAVY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HEAVY), str(HEAVY.parents[1] / "examples"), str(Path(__file__).parent)]

import pytest  # noqa: E402
import ray  # noqa: E402
from doc_blocks import blocks  # noqa: E402
from ray_kit import cluster  # noqa: E402

import marlpit  # noqa: E402
from marlpit.rllib import MarlpitEnvRunner, configure, node_server  # noqa: E402
from ray_train import build, progress  # noqa: E402
from rllib_train import learner, through_pettingzoo  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")  # Ray's and Gymnasium's own

EASY = {"width_left": 3, "width_right": 2, "height": 3, "max_cycles": 40}


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    with cluster(1, 1) as c:  # so that each has room for one runner
        yield c


def greedy(algorithm: Any) -> tuple[float, float]:
    result = algorithm.evaluate()["env_runners"]
    return float(result["success"]), float(result["team_return"])


def test_ppo_learns(nodes: Any) -> None:
    config = configure(learner(64), "two-switch-v1", num_envs=64, reward="oracle", seed=1, **EASY).env_runners(num_env_runners=0)
    config.evaluation(evaluation_interval=1000, evaluation_duration=16, evaluation_num_env_runners=0)
    algorithm = config.build_algo()
    chance = MarlpitEnvRunner(config, worker_index=7)
    chance.sample(num_episodes=64, random_actions=True, explore=True)
    random = chance.get_metrics()["team_return"].peek()
    chance.stop()
    for _ in range(30):
        played = algorithm.train()["env_runners"]
        if played.get("team_return", 0.0) > 0.9 and played["success"] == 1.0:
            break
    success, team = greedy(algorithm)
    algorithm.stop()
    print(f"random {random:.2f}, greedy {team:.2f} after {int(played['num_env_steps_sampled_lifetime']):,} frames")
    assert success == 1.0
    assert team > random + 0.1


def test_it_works_through_rllibs_own_wrapper(nodes: Any) -> None:
    config = through_pettingzoo(learner(8, 32), "two-switch-v1", "oracle", 8, 0, EASY).env_runners(num_env_runners=0)
    algorithm = config.training(minibatch_size=128).build_algo()
    for _ in range(3):
        played = algorithm.train()["env_runners"]
    algorithm.stop()
    assert played["num_env_steps_sampled_lifetime"] >= 3 * 256
    assert 0 <= played["success"] <= 1
    assert -1 <= played["team_return"] <= 1


def test_what_dies_in_training_is_started_again_and_counted_apart(nodes: Any) -> None:
    algorithm = build("two-switch-v1", 2, 8, "oracle", 0, None, EASY)
    group = algorithm.env_runner_group

    def of_runners() -> dict[str, tuple[int, int]]:  # node → the runner's process, its server's
        told = group.foreach_env_runner(
            lambda r: (ray.get_runtime_context().get_node_id(), os.getpid(), ray.get(node_server().pid.remote())),
            local_env_runner=False,
        )
        return {node: (runner, server) for node, runner, server in told}

    def train(until: Any, seconds: float = 120.0) -> Any:
        end = time.monotonic() + seconds
        while True:
            p = progress(algorithm, algorithm.train())
            assert p.success is None or 0 <= p.success <= 1
            if until(p):
                return p
            assert time.monotonic() < end, p

    try:
        p = train(lambda p: p.team_return is not None)
        before = of_runners()
        assert len(before) == 2, "a runner and a server on each node"
        assert len({server for _, server in before.values()}) == 2
        assert (p.lost_with_servers, p.lost_with_runners) == (0, 0)

        node, other = before
        os.kill(before[node][1], signal.SIGKILL)
        p = train(lambda p: p.lost_with_servers > 0)
        assert (p.lost_with_servers, p.lost_with_runners) == (8, 0), "one for each copy of the runner there"
        after = of_runners()
        assert after[other] == before[other], "the other node has noticed nothing"
        assert after[node][0] == before[node][0]
        assert after[node][1] != before[node][1], "Ray has started a server anew"

        os.kill(before[other][0], signal.SIGKILL)
        p = train(lambda p: p.lost_with_runners > 0)
        assert (p.lost_with_servers, p.lost_with_runners) == (8, 8)
        p = train(lambda p: len(p.nodes) >= 1 and sum(p.nodes.values()) == 2)
        assert all(runner != before[other][0] for runner, _ in of_runners().values())
        assert p.frames > 0
    finally:
        algorithm.stop()


def test_a_central_server_serves_all_nodes(nodes: Any) -> None:
    with marlpit.serve() as server:
        algorithm = build("two-switch-v1", 2, 8, "team", 0, server.url, EASY)
        try:
            p = progress(algorithm, algorithm.train())
            asked = algorithm.env_runner_group.foreach_env_runner(lambda r: r.env.vec._session.url, local_env_runner=False)
        finally:
            algorithm.stop()
    assert asked == [server.url] * 2
    assert p.frames >= 2 * 8 * 32


def test_the_docs_lines_run(nodes: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks("learners.md", "RLlib"):
        exec(compile(block, "learners.md", "exec"), {"__name__": "__main__"})
    assert 0 <= float(capsys.readouterr().out.split()[-1]) <= 1
