"""Do process rewards teach teams to use a screen, and what is it worth elsewhere?

    python ui_study.py [--out FOLDER] [--jobs N] [--budget-minutes N] [--dry-run] …

Teams of four agents with one small policy (ui_learner.py) learn eight kinds of tasks of each
world: from the game's own sparse reward, and from a critic's score of every agent's proposal:
one that knows the solution, the same wrong 20 % of the time, and one that knows nothing;
with and without rounds of talk, with and without changes to who hears whom. Each policy is
then tried on the tasks it learnt, from starts it has seen and has not, on other tasks of its
world, and on the tasks of the other world.

Runs are kept whole in FOLDER and not made again: a study may be broken off and gone on with,
or widened. All arms' first seed comes first, then their second. What failed or is missing is
named, and left out. FOLDER/README.md is the report.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # one process a run: threads inside would only get in the way

import numpy as np

from progress import clock
from study_call import names, open_folder, read, running
from study_queue import WorkQueue
from ui_report import Report
from ui_tasks import TRAIN
from ui_work import REWARDS, Case, Plan, arms, run

SMOKE = (
    "--worlds phone-v1,web-v1 --rewards process --rounds 1 --edges off --seeds 1 --frames 128 --copies 4 --horizon 16 "
    "--templates 2 --episodes 1 --agents 2 --hidden 8 --every 64"
)
GUESS = {1: 0.0005, 3: 0.0009}  # seconds of a frame of four agents by rounds, tests included, where none was measured yet


class Queue(WorkQueue[Case]):
    """The study's runs."""

    def __init__(self, out: Path, plan: Plan, cases: list[Case], jobs: int) -> None:
        """Takes the runs; those that are there say how long others will take."""
        super().__init__(cases, jobs)
        self.out, self.plan = out, plan
        self.measured: dict[int, list[float]] = {}
        for t in cases:
            if self.done(t):
                self.took(t, json.loads(t.record(out).read_text())["seconds"])

    def done(self, t: Case) -> bool:
        """Whether its record is there."""
        return t.record(self.out).exists()

    def cost(self, t: Case) -> float:
        """As those of as many rounds took, in the mean."""
        if took := self.measured.get(t.arm.rounds):
            return float(np.mean(took))
        return GUESS[1 if t.arm.rounds == 1 else 3] * self.plan.frames * self.plan.agents / 4

    def call(self, t: Case) -> tuple[Callable[..., float], tuple[Any, ...]]:
        """Trains and tests."""
        return run, (self.out, self.plan, t)

    def took(self, t: Case, seconds: float) -> None:
        """Remembers how long."""
        self.measured.setdefault(t.arm.rounds, []).append(seconds)


def parse(words: list[str]) -> argparse.Namespace:
    """Reads the command line."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", type=Path, default=Path("ui-study"), help="folder of the study")
    p.add_argument("--worlds", type=names(tuple(TRAIN)), default=list(TRAIN), help="with commas between")
    p.add_argument("--rewards", type=names(REWARDS), default=list(REWARDS), help="with commas between")
    p.add_argument("--rounds", type=names(("1", "2", "3", "4")), default=["1", "3"], help="of talk before an action is executed")
    p.add_argument("--edges", type=names(("off", "on")), default=["off", "on"], help="edge updates")
    p.add_argument("--seeds", type=int, default=5, help="number of seeds, from 0")
    for f in fields(Plan):
        kind = float if isinstance(f.default, float) else int
        p.add_argument(f"--{f.name.replace('_', '-')}", type=kind, default=f.default, help=f"see Plan ({f.default})")
    running(p)
    o = read(p, words, SMOKE, "ui-study-")
    for name in ("seeds", "jobs", "copies", "horizon", "hidden", "agents", "templates", "episodes", "every"):
        if getattr(o, name) < 1:
            p.error(f"--{name} is at least 1, got {getattr(o, name)}")
    if o.frames < o.copies * o.horizon:
        p.error(f"--frames is at least {o.copies * o.horizon} (--copies × --horizon), got {o.frames}")
    if o.copies < min(o.templates, 8):
        p.error(f"--copies is at least {min(o.templates, 8)}, one for each template, got {o.copies}")
    return o


def main(words: list[str]) -> int:
    """Runs the study; 0 where all that was asked for is there."""
    o = parse(words)
    plan = Plan(**{f.name: getattr(o, f.name) for f in fields(Plan)})
    every = arms(o.worlds, o.rewards, [int(r) for r in o.rounds], [e == "on" for e in o.edges])
    cases = [Case(seed, a) for seed in range(o.seeds) for a in every]
    queue = Queue(o.out, plan, cases, o.jobs)
    todo, left = queue.left()
    print(f"{len(every)} arms × {o.seeds} seeds = {len(cases)} runs; {todo} to do: about {clock(left)}, {o.jobs} at a time")
    if o.dry_run:
        return 0
    calls = open_folder(o.out, "ui_study", asdict(plan), words, todo)
    failed = queue.work(o.budget_minutes * 60)
    print("\n" + Report(o.out, plan, every, range(o.seeds), failed, calls).write())
    print(f"Table, plots and runs: {o.out}")
    missing = queue.left()[0]
    if missing:
        print(f"{missing} runs are missing, {len(failed)} of them failed; the same call goes on", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    np.seterr(over="raise", invalid="raise")
    sys.exit(main(sys.argv[1:]))
