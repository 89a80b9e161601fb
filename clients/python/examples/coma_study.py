"""COMA, a baseline of the papers, with four rewards on two worlds: runs for `python -m marlpit ablate report FOLDER --csv`.

    python coma_study.py [--out FOLDER] [--jobs N] [--budget-minutes N] [--seeds N] [--frames N] [--dry-run] …

pymarlzooplus's COMA learns from one reward for the team, the mean over the agents. `credit-mean` has σ of its own for each
seed, by the settings of docs/results/lca/plan.toml; its pairs are part of --frames. Evaluations are greedy, on the held-out
starts of `marlpit ablate`, by the game's own success and team return. Hyperparameters are LEARNING, the same in all arms and
not tuned; --defaults takes the package's. It needs an environment of its own, see docs/learners.md, EPyMARL.

A run is kept whole in FOLDER/work when it is done, and not made again; one that failed is named, left out of FOLDER/coma.csv,
and tried again by the next call.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # one process a run: threads inside would only get in the way

from noise_arms import keep
from progress import clock
from study_call import names, open_folder, read, running
from study_queue import WorkQueue

WORLDS = ("two-switch-v1", "victim-rubble-v1")
ARMS = ("credit-mean", "none", "team", "oracle")
COLUMNS = ("part", "env", "algo", "arm", "seed", "frames", "success", "team_return", "cpu_seconds")
VOTES = {"critic": "oracle", "error_rate": 0.25, "noise": "iid", "queries": 5}
# Beside the package's own: γ and lr of the other learners' plan, an update for each 4 episodes and not 10, so that 200,000
# frames have 500 of them, and a target critic that follows slowly, for the package's is copied each 200 updates.
LEARNING = {"batch_size_run": 4, "gamma": 0.98, "lr": 1e-3, "target_update_interval_or_tau": 0.01}
DEFAULTS = {"batch_size_run": 10}
SMOKE = (
    "--worlds two-switch-v1 --seeds 1 --frames 2800 --transitions 200 --copies 8 --steps 250 --episodes 4 --every 1000 --jobs 1"
)


@dataclass(frozen=True)
class Case:
    """A run: a world and a reward with a seed."""

    world: str
    arm: str
    seed: int

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.world} {self.arm}, seed {self.seed}"

    def record(self, out: Path) -> Path:
        """Where it is kept."""
        return out / "work" / "runs" / self.world / f"{self.arm}-s{self.seed}.json"


class Queue(WorkQueue[Case]):
    """The study's runs."""

    def __init__(self, out: Path, plan: Mapping[str, Any], todo: Sequence[Case], jobs: int) -> None:
        """Takes the runs; what is on disk is done."""
        super().__init__(todo, jobs)
        self.out, self.plan, self.seconds = out, plan, []

    def done(self, t: Case) -> bool:
        """Whether a run is there."""
        return t.record(self.out).exists()

    def cost(self, t: Case) -> float:
        """Seconds a run will take: the mean of those so far, or else about what it took one core of ours."""
        return sum(self.seconds) / len(self.seconds) if self.seconds else self.plan["frames"] * 1.2e-3

    def call(self, t: Case) -> tuple[Callable[..., float], tuple[Any, ...]]:
        """What to call in a worker."""
        return do, (self.out, self.plan, t)

    def took(self, t: Case, seconds: float) -> None:
        """Remembers what a run takes, and has it in the table."""
        self.seconds.append(seconds)
        table(self.out)


def do(out: Path, plan: Mapping[str, Any], t: Case) -> float:
    """Makes a run in a worker and returns the seconds it took."""
    from coma_work import train  # torch, where it is needed

    start = time.monotonic()
    keep(t.record(out), {"world": t.world, "arm": t.arm, "seed": t.seed, **train(t.world, t.arm, t.seed, plan)})
    return time.monotonic() - start


def table(out: Path) -> Path:
    """Writes the table of all runs that are there, a row for each evaluation."""
    part, path = out / "coma.csv.part", out / "coma.csv"
    with open(part, "w", newline="", encoding="utf-8") as f:
        rows = csv.writer(f, lineterminator="\n")
        rows.writerow(COLUMNS)
        for record in sorted((out / "work" / "runs").rglob("*.json")):
            run = json.loads(record.read_text(encoding="utf-8"))
            for row in run["rows"]:
                rows.writerow(["coma", run["world"], "coma", run["arm"], run["seed"], *(row[c] for c in COLUMNS[5:])])
    part.replace(path)
    return path


def parse(words: list[str]) -> argparse.Namespace:
    """Reads the words of a call."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", type=Path, default=Path("coma-study"))
    p.add_argument("--worlds", type=names(WORLDS), default=list(WORLDS), help=",".join(WORLDS))
    p.add_argument("--arms", type=names(ARMS), default=list(ARMS), help=",".join(ARMS))
    p.add_argument("--seeds", type=int, default=5, help="how many, from 0")
    p.add_argument("--frames", type=int, default=200_000, help="of a run in all, those of collecting pairs included")
    p.add_argument("--transitions", type=int, default=2000, help="pairs kept")
    p.add_argument("--copies", type=int, default=64, help="copies that play at random while pairs are collected")
    p.add_argument("--steps", type=int, default=1000, help="steps of each of them")
    p.add_argument("--episodes", type=int, default=64, help="of one evaluation")
    p.add_argument("--every", type=int, default=10_000, help="frames of training between evaluations")
    p.add_argument("--defaults", action="store_true", help="pymarlzooplus's own hyperparameters")
    running(p)
    o = read(p, words, SMOKE, "coma-study-")
    for name in ("seeds", "frames", "transitions", "copies", "steps", "episodes", "every", "jobs"):
        if getattr(o, name) < 1:
            p.error(f"--{name} is at least 1")
    return o


def main(words: list[str]) -> int:
    """Runs the study; 0 where all that was asked for is there."""
    o = parse(words)
    plan = {
        "frames": o.frames, "episodes": o.episodes, "every": o.every, "learning": DEFAULTS if o.defaults else LEARNING,
        "pairs": {"transitions": o.transitions, "copies": o.copies, "steps": o.steps}, "votes": VOTES,
        "packages": {name: version(name) for name in ("pymarlzooplus", "torch")},
    }  # fmt: skip
    queue = Queue(o.out, plan, [Case(w, a, s) for s in range(o.seeds) for w in o.worlds for a in o.arms], o.jobs)
    todo, left = queue.left()
    print(f"{todo} of {len(queue.tasks)} runs to do: about {clock(left)}, {o.jobs} at a time")
    if o.dry_run:
        return 0
    open_folder(o.out, "coma_study", plan, words, todo)
    failed = queue.work(o.budget_minutes * 60)
    print(f"python -m marlpit ablate report --csv {table(o.out)} --compare credit-mean,none --compare credit-mean,team")
    for name, why in failed.items():
        print(f"failed: {name}: {why}", file=sys.stderr)
    if missing := queue.left()[0]:
        print(f"{missing} runs are missing, {len(failed)} of them failed; the same call goes on", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
