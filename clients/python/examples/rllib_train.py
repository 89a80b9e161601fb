"""PPO of RLlib on a world; greedy success on seeds of its own is printed.

    python rllib_train.py two-switch-v1 --reward oracle [--iterations N] [--runners N] [--envs N] [--pettingzoo] [-p KEY=VALUE …]

With --pettingzoo the world is stepped through RLlib's ParallelPettingZooEnv, one request a copy, in place of marlpit's runner.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv

import marlpit
from marlpit._options import param
from marlpit.rllib import TeamMetrics, configure


def learner(envs: int, steps: int = 32) -> Any:
    """PPO with settings that suit the small worlds.

    Args:
        envs: Copies of all runners together.
        steps: Of each copy in an iteration.
    """
    return (
        PPOConfig()
        .training(lr=1e-3, gamma=0.95, entropy_coeff=0.01, num_epochs=4)
        .training(train_batch_size_per_learner=envs * steps, minibatch_size=min(512, envs * steps))
        .rl_module(model_config={"fcnet_hiddens": [64, 64], "fcnet_activation": "tanh"})
        .env_runners(rollout_fragment_length=steps)
    )  # fmt: skip


def through_pettingzoo(config: Any, id: str, reward: str, envs: int, seed: int, params: dict[str, Any]) -> Any:
    """The same through RLlib's own wrapper: all agents share a module, masks aren't seen."""
    ray.tune.register_env("pettingzoo", lambda _: ParallelPettingZooEnv(marlpit.parallel_env(id, reward=reward, **params)))
    return (
        config.environment("pettingzoo", disable_env_checking=True)
        .env_runners(num_envs_per_env_runner=envs)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, *_, **__: "shared")
        .callbacks(TeamMetrics)
        .evaluation(evaluation_config={"explore": False})
        .debugging(seed=seed)
    )


def main() -> None:
    """Trains once."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world", help="id of the world")
    parser.add_argument("--reward", default="team", help="reward scheme (team)")
    parser.add_argument("--iterations", type=int, default=40, help="updates (40)")
    parser.add_argument(
        "--runners", type=int, default=0, help="env runners in processes of their own (0: the learner's process plays)"
    )
    parser.add_argument("--envs", type=int, default=64, help="copies that each runner plays (64)")
    parser.add_argument("--seed", type=int, default=0, help="of everything (0)")
    parser.add_argument("--pettingzoo", action="store_true", help="step through ParallelPettingZooEnv")
    parser.add_argument("--address", help="of a Ray cluster; without, one is started")
    parser.add_argument(
        "-p", "--param", type=param, action="append", default=[], metavar="KEY=VALUE", help="parameter of the world"
    )
    a = parser.parse_args()
    if a.address:
        ray.init(address=a.address, log_to_driver=False)
    else:
        ray.init(num_cpus=a.runners + 1, object_store_memory=200_000_000, include_dashboard=False, log_to_driver=False)
    config, params = learner(max(a.runners, 1) * a.envs), dict(a.param)
    if a.pettingzoo:
        config = through_pettingzoo(config, a.world, a.reward, a.envs, a.seed, params)
    else:
        config = configure(config, a.world, num_envs=a.envs, reward=a.reward, seed=a.seed, **params)
    config.env_runners(num_env_runners=a.runners)
    config.evaluation(evaluation_interval=a.iterations, evaluation_duration=64)
    algorithm = config.build_algo()
    try:
        for i in range(1, a.iterations + 1):
            result = algorithm.train()
            played = result["env_runners"]
            frames = int(played["num_env_steps_sampled_lifetime"])
            print(f"{i}: {frames:,} frames, team return {played.get('team_return', float('nan')):.2f}", flush=True)
        greedy = result["evaluation"]["env_runners"]
        print(f"greedy success {greedy['success']:.0%}, team return {greedy['team_return']:.2f}")
    finally:
        algorithm.stop()
        ray.shutdown()


if __name__ == "__main__":
    main()
