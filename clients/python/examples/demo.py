"""A team learns from credited rewards what it does not learn from the team's.

    python demo.py [--frames N] [--seeds N] [--jobs N] [--out FOLDER]

For each seed: transitions of `two-switch-v1` are collected from random play and
ranked by a critic, scoring models are fitted to the votes, and one small learner
(learner.py) is trained on several reward schemes. Only the `reward=` argument
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
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # one process a run: threads inside would only get in the way

import numpy as np

import marlpit
from learner import Learner, Settings, train
from pipeline import make_models
from report import print_table, save_plot
from runs import Job, Run

ENV = "two-switch-v1"
ARMS = ("team", "credit", "oracle", "none", "coin", "shared")
USES_PAIRS = {"credit", "coin", "shared"}
EPISODES = 100  # of one evaluation


def evaluate(env: marlpit.VecEnv, learner: Learner, seed: int) -> float:
    """Greedy success rate over one episode of each of the env's copies."""
    step = env.reset(seed=seed)
    while not (step.terminated | step.truncated).all():
        action, _ = learner.act(step.obs, step.mask, greedy=True)
        step = env.step(action)
    return float(step.info["success"][:, 0].mean())


def run(job: Job) -> Run:
    """Trains and evaluates one arm with one seed, on a server of its own."""
    start = time.monotonic()
    arm, settings = job.arm, job.settings
    model = job.models.paths.get(arm)
    with marlpit.serve(credit=[model] if model else []) as server:
        env = marlpit.vec_env(
            ENV, settings.num_envs, reward=arm, seed=job.seed, autoreset="same_step", url=server.url,
            arrays=("obs", "mask", "state", "rewards", "terminated", "truncated"),
        )  # fmt: skip
        test = marlpit.vec_env(ENV, EPISODES, reward="team", autoreset="disabled", url=server.url)
        spec = env.spec
        learner = Learner(len(spec.agents), env.obs_size, env.state_size, env.choices, job.seed, settings)
        frames: list[int] = []
        success: list[float] = []

        def progress(at: int, rate: float) -> bool:
            frames.append(at)
            success.append(rate)
            return success[-2:] == [1.0, 1.0]

        train(env, learner, lambda who: evaluate(test, who, 10_000 + job.seed), progress)
    charged = job.models.frames if arm in USES_PAIRS else 0
    stopped = frames[-1] + settings.num_envs * settings.horizon <= settings.frames
    return Run(arm, job.seed, charged, frames, success, time.monotonic() - start, stopped)


def bar(done: int, total: int, since: float, what: str) -> None:
    """Draws a progress bar on a terminal, and a line a step elsewhere."""
    spent = time.monotonic() - since
    left = f", about {spent / done * (total - done):3.0f} s left" if done else ""
    text = f"[{'█' * (24 * done // total):<24}] {done}/{total}  {spent:3.0f} s{left}  {what}"
    if sys.stderr.isatty():
        print(f"\r{text:<100}", end="\n" if done == total else "", file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)


def end_with_parent(parent: int) -> None:
    """Ends this worker soon after the demo was ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


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

    settings = Settings(frames=o.frames)
    jobs = [Job(arm, seed, settings, models[seed]) for seed in range(o.seeds) for arm in ARMS]
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
