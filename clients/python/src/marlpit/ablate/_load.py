"""Runs to report on: those of a folder, and anybody's from CSV files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marlpit.ablate import _shapes, _store
from marlpit.ablate._csv import read_csv
from marlpit.ablate._plan import Comparison, Job
from marlpit.ablate._tune import Tuned, tuned
from marlpit.errors import Invalid

NAN = math.nan


@dataclass(frozen=True)
class Run:
    """One run; lists run over its evaluations.

    Attributes:
        part: Of the plan.
        world: Its name.
        algo: The learner.
        arm: The reward.
        seed: Of the run.
        frames: Environment steps, those of collecting pairs included.
        success: In [0, 1].
        team_return: NaN where it is unknown.
        cpu_seconds: Labelling and fit included; NaN where it is unknown.
        tokens: Spent so far on votes.
        manifest: What is known of how it was made; empty for CSV.
    """

    part: str
    world: str
    algo: str
    arm: str
    seed: int
    frames: list[float]
    success: list[float]
    team_return: list[float]
    cpu_seconds: list[float]
    tokens: list[float]
    manifest: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Part, world, learner and arm."""
        return self.part, self.world, self.algo, self.arm


@dataclass
class Study:
    """All that a report is made of.

    Attributes:
        runs: Those that are there whole.
        planned: Part, world, learner, arm and seed of what was to be run; empty where no plan is known.
        failed: Folder of what failed, to the reason.
        comparisons: Those named beforehand.
        tuning: What tuning found.
        tried: Its configurations.
        calls: Those that made the runs.
    """

    runs: list[Run] = field(default_factory=list)
    planned: list[tuple[str, str, str, str, int]] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    comparisons: list[Comparison] = field(default_factory=list)
    tuning: list[Tuned] = field(default_factory=list)
    tried: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)

    def unplanned(self) -> int:
        """How many runs are none of the plan's, those of CSV files; 0 where no plan is known."""
        return len(self.runs) + len(self.missing()) - len(self.planned) if self.planned else 0

    def missing(self) -> list[tuple[str, str, str, str, int]]:
        """What was planned and isn't there, failed runs included."""
        there = {(*r.key, r.seed) for r in self.runs}
        return [p for p in self.planned if p not in there]

    def seeds(self, key: tuple[str, str, str, str]) -> int:
        """Seeds that were planned for an arm; those that are there where no plan is known."""
        asked = sum(p[:4] == key for p in self.planned)
        return asked or sum(r.key == key for r in self.runs)


def load(folder: Path | None, files: Sequence[Path] = ()) -> Study:
    """Reads runs.

    Args:
        folder: Of ``ablate run``; None for CSV alone.
        files: CSV files, one row for each evaluation.

    Raises:
        Invalid: There are no runs, or a file isn't what was expected; the message says where.
    """
    study = Study()
    if folder is not None:
        plan = _store.read(folder / "plan.json") if folder.is_dir() else None
        if plan is None:
            raise Invalid(f"{folder} is no folder of runs: {'it is a file' if folder.is_file() else 'it has no plan.json'}")
        study.planned = [(p["part"], p["world"], p["algo"], p["arm"], p["seed"]) for p in plan["runs"]]
        study.comparisons = _shapes.comparisons(plan)
        study.calls, study.tried = plan["calls"], plan["tuning"]["configurations"]
        study.runs = [_run(_there(f)) for f in sorted(folder.glob("runs/**/result.json"))]
        jobs = [_tried(f) for f in sorted(folder.glob("tuning/**/job.json"))]
        study.tuning = tuned(sorted(jobs, key=lambda j: (j.key, j.config or 0, j.seed)), folder)
        for f in sorted(folder.glob("*/**/failed.json")):
            if not (f.parent / "result.json").exists() and not (f.parent / "model.json").exists():
                study.failed[f.parent.relative_to(folder).as_posix()] = _there(f)["why"]
    order = {key: n for n, key in enumerate(dict.fromkeys(p[:4] for p in study.planned))}
    study.runs.sort(key=lambda r: (order.get(r.key, len(order)), r.seed))
    for file in files:
        for key, x in read_csv(file).items():
            study.runs.append(Run(*key, x["frames"], x["success"], x["team_return"], x["cpu_seconds"], x["tokens"]))
    times = Counter((*r.key, r.seed) for r in study.runs)
    if twice := [key for key, n in times.items() if n > 1]:
        raise Invalid(f"two runs have the same part, env, algo, arm and seed: {', '.join(map(str, twice[0]))}")
    if not study.runs and not study.planned:
        raise Invalid("there are no runs to report on")
    return study


def _there(path: Path) -> dict[str, Any]:
    found = _store.read(path)
    if found is None:
        raise Invalid(f"{path} was taken away meanwhile")
    return found


def _tried(path: Path) -> Job:
    job = _shapes.job(_there(path))
    if job.config is None:
        raise Invalid(f"{path} is broken: it is no job of tuning. Delete it, and the same call makes it anew")
    return job


def _run(r: Mapping[str, Any]) -> Run:
    job = _shapes.job(r)
    tokens = [float(r["tokens"])] * len(r["frames"])
    notes = {k: r[k] for k in ("charged", "seconds", "model", "reward")}
    return Run(*job.key, job.seed, r["frames"], r["success"], r["team_return"], r["cpu_seconds"], tokens, notes)


def usual(runs: Iterable[Run]) -> list[Comparison]:
    """Comparisons where none were named: each arm against `none`, or else `team`."""
    arms = list(dict.fromkeys(r.arm for r in runs))
    base = next((a for a in ("none", "team") if a in arms), None)
    return [Comparison(f"{a} against {base}", a, base) for a in arms if base and a != base]
