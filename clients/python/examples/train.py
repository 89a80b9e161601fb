"""One small learner on one world and reward scheme; greedy success is printed.

    python train.py two-switch-v1 credit [--seeds N] [--frames N] [--model FILE]

With `credit` and no `--model` the scoring model is the one that comes with the
program for the world's defaults. `--charged N` adds the frames that were spent
on collecting its pairs (64,000 for the shipped ones) to every count.
"""

from __future__ import annotations

import argparse
import os

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

from learner import Settings
from runs import SOLVED, Job, run


def main() -> None:
    """Trains each seed in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world", help="id of the world")
    parser.add_argument("scheme", help="reward scheme")
    parser.add_argument("--seeds", type=int, default=3, help="runs (3)")
    parser.add_argument("--frames", type=int, default=250_000, help="environment steps of a run at most (250,000)")
    parser.add_argument("--model", help="file of a fitted model")
    parser.add_argument("--charged", type=int, default=0, help="frames to add for the collection of pairs (0)")
    a = parser.parse_args()
    for seed in range(a.seeds):
        r = run(Job(a.world, a.scheme, seed, Settings(frames=a.frames), a.model, a.charged))
        solved = "never" if r.solved_at is None else f"at {r.solved_at:,} frames"
        print(f"{a.world} {a.scheme} seed {seed}: {SOLVED:.0%} success {solved}, {r.success[-1]:.0%} at the end, {r.seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
