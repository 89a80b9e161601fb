"""A team learns from credited rewards what it does not learn from the team's.

    python demo.py [--frames N] [--seeds N] [--jobs N] [--out FOLDER]

For each seed: transitions of `two-switch-v1` are collected from random play and
ranked by a critic, scoring models are fitted to the votes, and one small learner
(marlpit.ppo) is trained on several reward schemes. Only the `reward=` argument
differs. Every arm is evaluated greedily on the game's own success, on seeds that
training never sees. The frames spent on collecting pairs are charged to the arms
that use them.

The critic is a *simulated* ranker that knows the right answer and gives the wrong
one a quarter of the time, unless MARLPIT_BASE_URL and MARLPIT_MODEL name a real
model behind an OpenAI-compatible endpoint; then it takes as long as that model.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # one process a run: threads inside would only get in the way

import numpy as np

from marlpit.ppo import Settings
from pipeline import make_models
from progress import bar, end_with_parent
from report import print_table, save_plot
from runs import Job, Run, run

ENV = "two-switch-v1"
ARMS = ("team", "credit", "oracle", "none", "coin", "shared")
USES_PAIRS = {"credit", "coin", "shared"}


def main() -> None:
    """Runs the demo."""
    quick = bool(os.environ.get("MARLPIT_DEMO_QUICK"))
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--frames", type=int, default=60_000 if quick else 300_000, help="training frames of a run")
    options.add_argument("--seeds", type=int, default=1 if quick else 3, help="seeds for each reward scheme")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at a time")
    options.add_argument("--transitions", type=int, default=2000, help="pairs to collect and have ranked")
    options.add_argument("--out", type=Path, default=Path("demo-out"), help="folder for votes, models and the plot")
    o = options.parse_args()
    try:
        settings = Settings(frames=o.frames)
    except ValueError as e:
        options.error(f"--{e}")
    o.out.mkdir(parents=True, exist_ok=True)

    begin = time.monotonic()
    models = []
    for seed in range(o.seeds):
        bar(seed, o.seeds, begin, "collecting, ranking and fitting")
        models.append(make_models(ENV, o.out, seed, o.transitions))
    bar(o.seeds, o.seeds, begin, "collecting, ranking and fitting")
    print(f"\nRanked by {models[0].critic}; {models[0].frames:,} frames of random play for the pairs of a seed.")
    for agent, accuracy in models[0].accuracy.items():
        print(f"  {agent}: the scoring model agrees with {accuracy:.0%} of held-out votes (seed 0)")
    print()

    jobs = [
        Job(ENV, arm, seed, settings, models[seed].paths.get(arm), models[seed].frames if arm in USES_PAIRS else 0)
        for seed in range(o.seeds)
        for arm in ARMS
    ]
    runs: list[Run] = []
    begin = time.monotonic()
    with ProcessPoolExecutor(o.jobs, get_context("spawn"), end_with_parent, (os.getpid(),)) as pool:
        for future in as_completed([pool.submit(run, job) for job in jobs]):
            runs.append(future.result())
            bar(len(runs), len(jobs), begin, f"trained {runs[-1].arm}, seed {runs[-1].seed}")

    print_table(runs, ARMS, o.frames)
    (o.out / "runs.json").write_text(json.dumps([asdict(r) for r in runs], indent=1))
    save_plot(runs, ARMS, o.out / "demo.png")
    print(f"\nCurves: {o.out / 'demo.png'}   Runs: {o.out / 'runs.json'}   Votes and models: {o.out}")


if __name__ == "__main__":
    np.seterr(over="raise", invalid="raise")
    main()
