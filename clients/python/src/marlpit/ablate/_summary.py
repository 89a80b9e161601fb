"""What runs come to: a line for each arm, and the comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from marlpit.ablate._load import Run, Study
from marlpit.ablate._plan import Comparison
from marlpit.ablate._stats import Estimate, Floats, Paired, area, estimate, holm, mean, paired, reached

LEVELS = {"to50": 0.5, "to80": 0.8}
FEWER_IS_BETTER = tuple(LEVELS)


class Censored(NamedTuple):
    """Frames to a level.

    Attributes:
        mean: The restricted mean: runs that never got there count with the horizon.
        never: How many these are.
    """

    mean: Estimate
    never: int


@dataclass(frozen=True)
class Line:
    """An arm in a world with a learner, or in all of a part's together (world and algo are empty then).

    Attributes:
        key: Part, world, learner and arm.
        seeds: Runs that are in it.
        planned: Runs that should be.
        success: At the horizon, interquartile mean.
        team_return: Likewise.
        area: Under the curve of success, likewise.
        to50: Frames to 50 % success.
        to80: Frames to 80 % success.
        charged: Mean frames before training; NaN where it is unknown.
        cpu_seconds: Mean, at the end.
        tokens: Mean, at the end.
    """

    key: tuple[str, str, str, str]
    seeds: int
    planned: int
    success: Estimate
    team_return: Estimate
    area: Estimate
    to50: Censored
    to80: Censored
    charged: float
    cpu_seconds: float
    tokens: float


@dataclass(frozen=True)
class Verdict:
    """A comparison in one part; `corrected` is its p after Holm's correction over all of the report."""

    of: Comparison
    part: str
    result: Paired
    corrected: float


def horizons(runs: Iterable[Run]) -> dict[tuple[str, str], float]:
    """Frames up to which the runs of each part and world are compared: the last evaluation of the shortest of them."""
    out: dict[tuple[str, str], float] = {}
    for r in runs:
        out[r.part, r.world] = min(r.frames[-1], out.get((r.part, r.world), np.inf))
    return out


def value(run: Run, metric: str, horizon: float) -> float:
    """One number of a run: `success` and `team_return` at the horizon, `area`, `to50`, `to80` (restricted to the horizon)."""
    if metric == "area":
        return area(run.frames, run.success, horizon)
    if metric in LEVELS:
        return min(reached(run.frames, run.success, LEVELS[metric], horizon), horizon)
    last = max((i for i, f in enumerate(run.frames) if f <= horizon), default=None)
    values = run.success if metric == "success" else run.team_return
    return 0.0 if last is None else values[last]


def lines(study: Study) -> list[Line]:
    """A line for each part, world, learner and arm that has runs."""
    ends = horizons(study.runs)
    keys = list(dict.fromkeys([p[:4] for p in study.planned] + [r.key for r in study.runs]))
    mine = {k: [r for r in study.runs if r.key == k] for k in keys}
    return [_line(k, [runs], study.seeds(k), ends) for k, runs in mine.items() if runs]


def totals(study: Study) -> list[Line]:
    """A line for each part and arm over all of its worlds and learners, where there are several."""
    ends = horizons(study.runs)
    out = []
    for part in dict.fromkeys(r.part for r in study.runs):
        runs = [r for r in study.runs if r.part == part]
        tasks = list(dict.fromkeys((r.world, r.algo) for r in runs))
        if len(tasks) < 2:
            continue
        for arm in dict.fromkeys(r.arm for r in runs):
            groups = [[r for r in runs if r.arm == arm and (r.world, r.algo) == t] for t in tasks]
            planned = sum(study.seeds((part, *t, arm)) for t in tasks)
            out.append(_line((part, "", "", arm), [g for g in groups if g], planned, ends))
    return out


def _line(
    key: tuple[str, str, str, str], groups: Sequence[Sequence[Run]], planned: int, ends: dict[tuple[str, str], float]
) -> Line:
    runs = [r for g in groups for r in g]

    def of(metric: str) -> list[list[float]]:
        return [[value(r, metric, ends[r.part, r.world]) for r in g] for g in groups]

    def censored(metric: str) -> Censored:
        never = sum(np.isinf(reached(r.frames, r.success, LEVELS[metric], ends[r.part, r.world])) for r in runs)
        return Censored(estimate(of(metric), mean), int(never))

    return Line(
        key, len(runs), planned, estimate(of("success")), estimate(of("team_return")), estimate(of("area")), censored("to50"),
        censored("to80"), float(np.mean([r.manifest.get("charged", np.nan) for r in runs])),
        float(np.mean([r.cpu_seconds[-1] for r in runs])), float(np.mean([r.tokens[-1] for r in runs])),
    )  # fmt: skip


def verdicts(study: Study) -> list[Verdict]:
    """All comparisons in all parts that have both arms."""
    ends = horizons(study.runs)
    found: list[tuple[Comparison, str, Paired]] = []
    for c in study.comparisons:
        for part in dict.fromkeys(r.part for r in study.runs):
            if c.part not in (None, part):
                continue
            tasks = _tasks([r for r in study.runs if r.part == part and (not c.worlds or r.world in c.worlds)], c, ends)
            if tasks:
                found.append((c, part, paired(tasks, c.metric not in FEWER_IS_BETTER)))
    corrected = holm([p.p for _, _, p in found])
    return [Verdict(*f, p) for f, p in zip(found, corrected, strict=True)]


def _tasks(runs: Sequence[Run], c: Comparison, ends: Mapping[tuple[str, str], float]) -> list[tuple[Floats, Floats]]:
    """Values of both arms for each world, (seeds, learners): the seeds for which both arms have all learners that both have."""
    numbers = {(r.world, r.algo, r.arm, r.seed): value(r, c.metric, ends[r.part, r.world]) for r in runs}
    there = {k: v for k, v in numbers.items() if not np.isnan(v)}  # a CSV may not say its team return
    out = []
    for world in dict.fromkeys(r.world for r in runs):
        has = {arm: {(a, s) for w, a, x, s in there if (w, x) == (world, arm)} for arm in (c.a, c.b)}
        algos = sorted({a for a, _ in has[c.a]} & {a for a, _ in has[c.b]})
        seeds = sorted({s for _, s in has[c.a] | has[c.b] if all((a, s) in has[arm] for a in algos for arm in has)})
        if algos and seeds:
            a, b = (np.array([[there[world, algo, arm, s] for algo in algos] for s in seeds]) for arm in (c.a, c.b))
            out.append((a, b))
    return out
