"""Stable-Baselines3 through SuperSuit: PettingZoo's usual road, one request a step of each copy.

pip install "marlpit[train]" supersuit
python supersuit_train.py --frames 2000

`marlpit.sb3.MarlpitVecEnv` (sb3_train.py) does the same in one request for all copies, with masks, with ``seed`` and with the
team's return in the log. Here ``PPO(seed=…)`` fails, for SuperSuit's vector has no ``seed``: the world is seeded when it is made,
and each copy, being unpickled from it, draws a stream of its own.
"""

from __future__ import annotations

import argparse

import supersuit
from stable_baselines3 import PPO

import marlpit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="two-switch-v1")
    parser.add_argument("--reward", default="credit")
    parser.add_argument("--copies", type=int, default=4)
    parser.add_argument("--frames", type=int, default=100_000, help="steps of a copy, all agents acting once")
    args = parser.parse_args()
    with marlpit.serve() as server:  # one for all copies
        world = marlpit.parallel_env(args.world, reward=args.reward, url=server.url)
        rows = supersuit.pettingzoo_env_to_vec_env_v1(supersuit.black_death_v3(world))
        env = supersuit.concat_vec_envs_v1(rows, args.copies, num_cpus=0, base_class="stable_baselines3")
        model = PPO("MlpPolicy", env, n_steps=128, batch_size=256, gamma=0.98, verbose=1)
        model.learn(args.frames * len(world.possible_agents))  # SB3 counts rows
        print(f"{model.num_timesteps} steps of agents")
        env.close()


if __name__ == "__main__":
    main()
