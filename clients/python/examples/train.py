"""One small learner on one world and reward scheme; greedy success is printed.

    python train.py two-switch-v1 credit [--seeds N] [--frames N] [--model FILE] [-p KEY=VALUE …]

With `credit` and no `--model` the scoring model is the one that comes with the
program for the world's defaults; the output names it. `--charged N` adds the frames that were spent
on collecting its pairs (64,000 for the shipped ones) to every count.
"""

from __future__ import annotations

import argparse
import os

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import marlpit
from marlpit._options import param
from marlpit.ppo import Settings
from runs import SOLVED, Job, run


def main() -> None:
    """Trains each seed in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world", help="id of the world")
    parser.add_argument("scheme", help="reward scheme")
    parser.add_argument("--seeds", type=int, default=3, help="runs (3)")
    parser.add_argument("--frames", type=int, default=250_000, help="environment steps of a run at most (250,000)")
    parser.add_argument("--model", help="file of a fitted model, for a scheme that takes one")
    parser.add_argument(
        "-p",
        "--param",
        type=param,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="parameter of the world; may be repeated",
    )
    parser.add_argument("--charged", type=int, default=0, help="frames to add for the collection of pairs (0)")
    a = parser.parse_args()
    try:
        settings = Settings(frames=a.frames)
    except ValueError as e:
        parser.error(f"--{e}")
    if a.model is not None and not os.path.isfile(a.model):
        parser.error(f"--model: there is no file {a.model}")
    for seed in range(a.seeds):
        try:
            r = run(Job(a.world, a.scheme, seed, settings, a.model, a.charged, params=dict(a.param)))
        except marlpit.MarlpitError as e:
            parser.exit(1, f"{parser.prog}: {e}\n")
        model = f" ({r.scored_by})" if r.scored_by else ""
        solved = "never" if r.solved_at is None else f"at {r.solved_at:,} frames"
        end = f"{r.success[-1]:.0%} at the end, {r.seconds:.0f} s"
        print(f"{a.world} {a.scheme}{model} seed {seed}: {SOLVED:.0%} success {solved}, {end}", flush=True)


if __name__ == "__main__":
    main()
