"""Carries a plan out: tuning first, then the runs that are reported."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from marlpit.ablate import _store
from marlpit.ablate._plan import Job, Plan, matters
from marlpit.ablate._queue import Queue, clock, tasks
from marlpit.ablate._rehearse import rehearse
from marlpit.ablate._tune import chosen, configurations, tuned, tuning_jobs, untold
from marlpit.ablate._words import plural
from marlpit.errors import Invalid

MOST = 50_000  # runs of a plan, those of tuning included


def carry_out(
    plan: Plan, parts: Sequence[str] | None, out: Path, base: Path, call: dict[str, str], jobs: int, seconds: float, dry: bool
) -> int:
    """Does what is missing of a plan.

    Args:
        plan: The whole plan; it is noted in the folder, so that reports can say what wasn't run.
        parts: Names of the parts to do now; None: all.
        out: The folder.
        base: Folder that files of the plan are named from.
        call: Command and revision, for manifests.
        jobs: Processes at a time.
        seconds: After which nothing is begun.
        dry: Only say what there is to do.

    Returns:
        Number of runs that are still missing.

    Raises:
        Invalid: A part is unknown, frames leave nothing to train with, something would fail in each run, or the folder holds
            runs that were made otherwise.
    """
    names = [p.name for p in plan.parts]
    if wrong := [p for p in parts or [] if p not in names]:
        raise Invalid(f"there is no part {wrong[0]!r}; there are {', '.join(names)}")
    _bounded(plan)
    _enough(plan)
    now = replace(plan, parts=[p for p in plan.parts if parts is None or p.name in parts])
    queue = Queue(out, base, call, jobs, {a for p in now.parts for a in p.algos})
    tries = list(tuning_jobs(now))
    _as_planned(tries, out)
    first = tasks(tries, out)
    runs = _runs(now, tries, out)
    wait = untold(tuned(tries, out), now.tuning)
    _as_planned([j for j in runs if j.key not in wait], out)
    todo = [t for t in (*first, *tasks(runs, out)) if not t.done()]
    for t in todo:
        if t.needs is not None:
            _store.read(t.needs.folder / "model.json")  # one that is broken is named before anything is begun
    rehearse([t.job for t in todo if t.kind == "run"], base)
    frames = sum(t.job.frames for t in todo if t.kind == "run") / 1e6
    print(
        plural(len(runs), "run") + (f" and {len(tries)} of tuning" if tries else "") + f"; {plural(len(todo), 'piece')} of work "
        f"to do, models included: about {frames:.1f} million frames, {jobs} at a time"
    )
    if tries and (number := len(configurations(now.tuning))) < now.tuning.configs:
        print(f"tuning has {number} configurations, not {now.tuning.configs:,}: the plan's own, and all that tune.space holds")
    if dry:
        return len([t for t in todo if t.kind == "run"])
    _there({t.job.algo for t in todo if t.kind == "run"})
    with _store.alone(out):
        _note(plan, out, call)
        if queue.work(first, seconds):  # arms are trained with what was chosen once all was tried
            runs, wait = _runs(now, tries, out), untold(tuned(tries, out), now.tuning)
            ready = [j for j in runs if j.key not in wait]
            _as_planned(ready, out)
            for key in sorted(wait):
                print(f"not begun: {'/'.join(key)}, for its tuning isn't whole", file=sys.stderr)
            queue.work(tasks(ready, out), seconds - queue.spent())
    missing = sum(not (_store.run_folder(out, j) / "result.json").exists() for j in (*tries, *runs))
    for folder, why in sorted(queue.failed.items()):
        print(f"failed: {folder.relative_to(out)}: {why}", file=sys.stderr)
    print(
        f"{len(tries) + len(runs) - missing} of {plural(len(tries) + len(runs), 'run')} are there, {clock(queue.spent())}",
        file=sys.stderr,
    )
    if missing:
        print(f"{missing} missing, {plural(len(queue.failed), 'piece')} of work failed; the same call goes on", file=sys.stderr)
    print(f"python -m marlpit ablate report {out}", file=sys.stderr)
    return missing


def _runs(plan: Plan, tries: Sequence[Job], out: Path) -> list[Job]:
    best = chosen(tuned(tries, out), plan.tuning)
    return [j for p in plan.parts for j in p.jobs(best)]


def _there(algos: Collection[str]) -> None:
    """Refuses learners whose library isn't installed: each such run would fail once its votes were paid."""
    asked = sorted(a for a in algos if not a.endswith("-numpy"))
    if asked and (lost := [name for name in ("torch", "torchrl", "benchmarl") if importlib.util.find_spec(name) is None]):
        raise Invalid(
            f"{', '.join(asked)}: {', '.join(lost)} isn't installed: that is the package's extra [train], as in "
            f'pip install "clients/python[ablate,train]". Without it there are mappo-numpy and ippo-numpy'
        )


def _bounded(plan: Plan) -> None:
    """Refuses numbers that are a slip, before all their runs are listed."""
    grid = math.prod(map(len, plan.tuning.space.values()))
    if grid > MOST:
        raise Invalid(f"tune: space has {grid:,} combinations, and {MOST:,} at most")
    configs = min(plan.tuning.configs, 1 + grid)
    number = 0
    for p in plan.parts:
        places = len(p.worlds) * len(p.algos)
        number += places * (len(p.arms) * len(p.seeds) + len(p.tuned) * configs * plan.tuning.seeds)
    if number > MOST:
        tuning = f", {configs:,} × {plan.tuning.seeds:,} of tuning for each arm that is tuned" if configs else ""
        raise Invalid(f"the plan comes to {number:,} runs{tuning}; there are {MOST:,} at most")


def _enough(plan: Plan) -> None:
    """Refuses budgets that collecting pairs leaves no update of: each such run would fail once its pairs were paid."""
    for job in (*plan.jobs(), *tuning_jobs(plan)):
        least = job.collected + job.learning.batch
        if job.frames < least and not job.collected:
            raise Invalid(
                f"part {job.part}, {job.arm.name}: frames is at least {least:,}, one update "
                f"({job.learning.num_envs} × {job.learning.horizon}), got {job.frames:,}"
            )
        if job.frames < least:
            pairs, update = job.arm.ranker["collect"] if job.arm.ranker else {}, job.learning
            raise Invalid(
                f"part {job.part}, {job.arm.name}: frames is at least {least:,}, got {job.frames:,}: pairs take "
                f"{job.collected:,} ({pairs['copies']} copies × {pairs['steps']} steps) and one update {update.batch:,} "
                f"({update.num_envs} × {update.horizon}). Give more frames, or pairs with fewer copies or steps"
            )


def _as_planned(jobs: Sequence[Job], out: Path) -> None:
    """Refuses to go on in a folder whose runs were made otherwise: numbers of two kinds would be averaged."""
    for job in jobs:
        folder = _store.run_folder(out, job)
        there = _store.read(folder / "result.json")
        if there is not None and matters(there["job"]) != job.matters():
            other = "; ".join(_differences(matters(there["job"]), job.matters()))
            raise Invalid(f"{folder} was made otherwise: {other}. Take the same again, another --out, or delete it")


def _differences(there: Any, here: Any, at: str = "") -> list[str]:
    if isinstance(there, dict) and isinstance(here, dict):
        keys = dict.fromkeys((*there, *here))
        return [d for k in keys for d in _differences(there.get(k), here.get(k), f"{at}.{k}" if at else k)]
    return [] if there == here else [f"{at} {there}, here {here}"]


def _note(plan: Plan, out: Path, call: dict[str, str]) -> None:
    """Notes what is planned, and the call."""
    before = _store.read(out / "plan.json") or {"runs": [], "calls": []}
    planned = [{"part": j.part, "world": j.world.name, "algo": j.algo, "arm": j.arm.name, "seed": j.seed} for j in plan.jobs()]
    runs = before["runs"] + [r for r in planned if r not in before["runs"]]
    note = {
        "runs": runs,
        "comparisons": [vars(c) for c in plan.comparisons],
        "budgets": {p.name: p.frames for p in plan.parts},
        "tuning": {
            "configurations": configurations(plan.tuning), "seeds": plan.tuning.seeds,
            "arms": {p.name: list(p.tuned) for p in plan.parts},
        },
        "calls": [*before["calls"], {"at": _store.now(), **call, "versions": _store.versions()}],
    }  # fmt: skip
    _store.keep(out / "plan.json", note)
