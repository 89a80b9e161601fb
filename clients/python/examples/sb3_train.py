"""Stable-Baselines3 on a world of marlpit: MaskablePPO, one policy for all agents.

pip install "marlpit[train]"
python sb3_train.py --reward oracle --frames 40000

SB3 logs the team's own return (``rollout/ep_rew_mean``) and success, whatever the learner is paid.
"""

from __future__ import annotations

import argparse

import numpy as np
from sb3_contrib import MaskablePPO

from marlpit.sb3 import MarlpitVecEnv


def success(model: MaskablePPO, world: str, seed: int, copies: int = 20, **params: object) -> float:
    """Greedy success rate over one episode of each copy, on a seed that training never saw."""
    env = MarlpitVecEnv(world, copies, seed=seed, **params)
    obs, won = env.reset(), {}
    while len(won) < env.num_envs:
        actions, _ = model.predict(obs, action_masks=env.action_masks(), deterministic=True)
        obs, _, _, infos = env.step(actions)
        won |= {row: info["is_success"] for row, info in enumerate(infos) if "is_success" in info and row not in won}
    env.close()
    return float(np.mean(list(won.values())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="two-switch-v1")
    parser.add_argument("--reward", default="credit")
    parser.add_argument("--copies", type=int, default=16)
    parser.add_argument("--frames", type=int, default=200_000, help="steps of a copy, all agents acting once")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    env = MarlpitVecEnv(args.world, args.copies, reward=args.reward, seed=args.seed)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=128, batch_size=512, learning_rate=1e-3, gamma=0.98, ent_coef=0.01, seed=args.seed, verbose=1
    )
    model.learn(args.frames * len(env.agents))  # SB3 counts rows
    env.close()
    print(f"greedy success {success(model, args.world, seed=args.seed + 1000):.0%}")


if __name__ == "__main__":
    main()
