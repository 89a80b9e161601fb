"""How wrong may a ranker be? The noise study of arXiv 2410.17389, with several agents.

    python noise_study.py [--out FOLDER] [--jobs N] [--budget-minutes N] [--dry-run] …

A simulated ranker that is right 60, 70, 80, 90 or 100 % of the time votes 1, 3 or 10
times on each pair. Its mistakes are independent (`iid`), or the same whenever the words
are the same (`per-text`, as those of a model at temperature 0: asking again helps
nothing). Scoring models are fitted to the votes, and a learner is trained on their
differences in place of the team reward (`credit`), added to it (`add`), or on the scores
themselves (`direct`); beside controls without a model, with coin-flip votes, and with one
score for the whole team. Each seed draws pairs, votes, models and training anew.

Runs are kept whole in FOLDER and not made again: a study may be broken off and gone on
with, or widened. A run whose scoring model is equal to the last digit to another's is
that other run, and is copied. What failed or is missing is named, and left out.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from pathlib import Path

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # one process a run: threads inside would only get in the way

import numpy as np

from marlpit.ppo import Settings
from noise_arms import CONTROLS, SCHEMES, arms
from noise_queue import Queue, tasks
from noise_report import Report
from noise_work import Plan
from progress import clock
from study_call import names, numbers, open_folder, read, running

WORLDS = ("two-switch-v1", "victim-rubble-v1")
SMOKE = (
    "--worlds two-switch-v1 --accuracies 60,100 --queries 1,3 --noise per-text --schemes credit --controls none --seeds 1 "
    "--frames 20000 --transitions 300 --copies 8 --steps 250 --episodes 8"
)


def parse(words: list[str]) -> argparse.Namespace:
    """Reads the command line."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", type=Path, default=Path("noise-study"), help="folder of the study")
    p.add_argument("--worlds", type=names(WORLDS), default=list(WORLDS), help="with commas between")
    p.add_argument("--accuracies", type=numbers(50, 100), default=[60, 70, 80, 90, 100], help="of the ranker, percent")
    p.add_argument("--queries", type=numbers(1, 1000), default=[1, 3, 10], help="votes on each pair and agent")
    p.add_argument("--noise", type=names(("iid", "per-text")), default=["iid", "per-text"], help="what mistakes depend on")
    p.add_argument("--schemes", type=names(SCHEMES), default=list(SCHEMES), help="rewards made of the scores")
    p.add_argument("--controls", type=names(CONTROLS), default=list(CONTROLS), help="rewards to compare with")
    p.add_argument("--seeds", type=int, default=5, help="number of seeds, from 0")
    p.add_argument("--frames", type=int, default=300_000, help="of a run, those of collecting pairs included")
    p.add_argument("--transitions", type=int, default=2000, help="pairs to collect")
    p.add_argument("--copies", type=int, default=64, help="copies that play at random while pairs are collected")
    p.add_argument("--steps", type=int, default=1000, help="steps of each of them")
    p.add_argument("--episodes", type=int, default=64, help="of one evaluation")
    p.add_argument("--greedy", action="store_true", help="evaluate the likeliest choices, not drawn ones as in training")
    p.add_argument("--stop-early", action="store_true", help="end a run after two perfect evaluations in a row")
    running(p)
    o = read(p, words, SMOKE, "noise-study-")
    pairs, update = o.copies * o.steps, Settings.num_envs * Settings.horizon
    if o.frames < pairs + update:
        p.error(
            f"--frames is at least {pairs + update}: pairs take {pairs} (--copies × --steps), an update {update}; got {o.frames}"
        )
    for name in ("seeds", "transitions", "copies", "steps", "episodes", "jobs"):
        if getattr(o, name) < 1:
            p.error(f"--{name} is at least 1")
    return o


def main(words: list[str]) -> int:
    """Runs the study; 0 where all that was asked for is there."""
    o = parse(words)
    plan = Plan(o.frames, o.transitions, o.copies, o.steps, o.episodes, o.greedy, o.stop_early)
    every = list(arms(o.worlds, o.schemes, o.accuracies, o.queries, o.noise, o.controls))
    seeds = range(o.seeds)
    queue = Queue(o.out, plan, tasks(every, seeds), o.jobs)
    todo, left = queue.left()
    print(f"{len(every)} arms × {o.seeds} seeds = {len(every) * o.seeds} runs.")
    print(f"{todo} of {len(queue.tasks)} pieces of work to do: about {clock(left)}, {o.jobs} at a time")
    if o.dry_run:
        return 0
    pinned = {**asdict(plan), **asdict(Settings(frames=plan.frames))}
    calls = open_folder(o.out, "noise_study", pinned, words, todo)
    failed = queue.work(o.budget_minutes * 60)
    print("\n" + Report(o.out, plan, every, seeds, failed, calls).write())
    print(f"Table, plots and runs: {o.out}")
    missing = queue.left()[0]
    if missing:
        print(f"{missing} pieces of work are missing, {len(failed)} of them failed; the same call goes on", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    np.seterr(over="raise", invalid="raise")
    sys.exit(main(sys.argv[1:]))
