"""AgileRL's IPPO on a world of marlpit: copies in processes of their own.

python agilerl_train.py --frames 20000

It needs an environment of its own (docs/learners.md, AgileRL). Masks are passed when acting only with ``--masks``: IPPO's update
weighs actions without them, and what a mask forbids does nothing in these worlds, so it learns to leave that alone.
"""

from __future__ import annotations

import argparse
import functools
from typing import Any

import numpy as np
from agilerl.algorithms import IPPO
from agilerl.vector.pz_async_vec_env import AsyncPettingZooVecEnv

import marlpit


def as_lists(infos: dict[str, Any]) -> dict[str, Any]:
    """Masks as IPPO reads them: for each agent one flat list over the copies, of Python's ints; arrays make it fail."""
    return {a: {"action_mask": np.ravel(i["action_mask"]).tolist()} for a, i in infos.items() if "action_mask" in i}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="two-switch-v1")
    parser.add_argument("--reward", default="credit")
    parser.add_argument("--copies", type=int, default=2)
    parser.add_argument("--frames", type=int, default=100_000, help="steps of a copy, all agents acting once")
    parser.add_argument("--rollout", type=int, default=128, help="steps between two updates")
    parser.add_argument("--masks", action="store_true")
    args = parser.parse_args()
    with marlpit.serve() as server:  # one for all copies
        make = functools.partial(marlpit.parallel_env, args.world, reward=args.reward, url=server.url)  # it can be pickled
        env = AsyncPettingZooVecEnv([make] * args.copies)
        names = env.possible_agents
        seen, acts = ([space(a) for a in names] for space in (env.single_observation_space, env.single_action_space))
        agent = IPPO(seen, acts, agent_ids=names, batch_size=256, lr=1e-3, gamma=0.98, learn_step=args.rollout)
        obs, infos = env.reset()
        done = {a: np.zeros(args.copies) for a in names}
        for update in range(max(args.frames // args.rollout, 1)):
            kept: list[dict[str, list[Any]]] = [{a: [] for a in names} for _ in range(6)]
            for _ in range(args.rollout):
                actions, logp, _, values = agent.get_action(obs, infos=as_lists(infos) if args.masks else None)
                after, rewards, ended, cut, infos = env.step(actions)
                for store, step in zip(kept, (obs, actions, logp, rewards, done, values), strict=True):
                    for a in names:
                        store[a].append(step[a])
                obs, done = after, {a: np.logical_or(ended[a], cut[a]).astype(float) for a in names}
            losses = agent.learn((*kept, obs, done))
            print(f"update {update + 1}: {np.mean([np.mean(kept[3][a]) for a in names]):.4f} a step, loss {losses}")
        env.close()


if __name__ == "__main__":
    main()
