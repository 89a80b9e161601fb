"""COMA, QPLEX and QTRAN on a world of marlpit, by pymarlzooplus.

python pymarlzooplus_train.py qtran --frames 2000

It needs an environment of its own (docs/learners.md, EPyMARL). Results are in ``results/`` beside this file: Sacred's metrics,
with ``test_success_mean`` and ``test_episode_team_return_mean``. Test episodes of COMA are drawn, not greedy.
"""

from __future__ import annotations

import argparse

import pymarlzooplus

import marlpit
from marlpit import epymarl


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("algorithm", help="qtran, or a configuration of pymarlzooplus: coma, qplex, qmix …")
    parser.add_argument("--world", default="two-switch-v1")
    parser.add_argument("--reward", default="team")
    parser.add_argument("--limit", type=int, default=100, help="steps of an episode")
    parser.add_argument("--frames", type=int, default=500_000)
    parser.add_argument("--parallel", type=int, help="copies, for algorithms that run several: COMA; by default its own 10")
    parser.add_argument("--batch", type=int, help="episodes of an update; by default the configuration's")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    settings = {"env": "marlpit", "t_max": args.frames, "test_interval": max(args.frames // 10, 1), "test_nepisode": 20}
    if args.parallel:
        settings |= {"batch_size_run": args.parallel}
    if args.batch:
        settings |= {"batch_size": args.batch, "buffer_size": args.batch}
    if args.algorithm == "qtran":
        settings |= epymarl.QTRAN
    epymarl.register()
    with marlpit.serve() as server:  # one for all copies
        world = {"key": args.world, "time_limit": args.limit, "reward": args.reward, "seed": args.seed, "url": server.url}
        config = "vdn" if args.algorithm == "qtran" else args.algorithm
        pymarlzooplus.pymarlzooplus({"config": config, "env-config": "gymma", "algo_args": {**settings, "env_args": world}})


if __name__ == "__main__":
    main()
