"""Tuning: the same configurations and seeds for every arm that is tuned, and the best one on the mean area under the curve."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from marlpit.ablate import _store
from marlpit.ablate._plan import TUNING_SEEDS, Job, Plan, Tuning
from marlpit.ablate._stats import area


@dataclass(frozen=True)
class Tuned:
    """What tuning found for one arm.

    Attributes:
        key: Part, world, learner and arm.
        scores: Mean area of each configuration; None where one of its runs is missing or failed.
        best: Number of the best configuration; None while none is complete.
        frames: Spent on it.
    """

    key: tuple[str, str, str, str]
    scores: list[float | None]
    best: int | None
    frames: int


def configurations(tuning: Tuning) -> list[dict[str, Any]]:
    """The configurations that all tuned arms try: the plan's own values first, then different draws from the grid."""
    grid = [dict(zip(tuning.space, values, strict=True)) for values in itertools.product(*tuning.space.values())]
    drawn = np.random.default_rng(0).permutation(len(grid))[: max(0, tuning.configs - 1)]
    return [{}, *(grid[i] for i in drawn)][: tuning.configs]


def tuning_jobs(plan: Plan) -> Iterator[Job]:
    """Yields the runs of tuning; their seeds are none of the runs' that are reported."""
    tried = configurations(plan.tuning)
    for part in plan.parts:
        seeds = range(TUNING_SEEDS, TUNING_SEEDS + plan.tuning.seeds)
        arms = [a for a in part.arms if a.name in part.tuned]
        for job in replace(part, arms=arms, seeds=tuple(seeds)).jobs():
            for number, values in enumerate(tried):
                yield replace(job, config=number, learning=replace(job.learning, **values))


def tuned(jobs: Sequence[Job], out: Path) -> list[Tuned]:
    """Says what tuning found so far."""
    by_arm: dict[tuple[str, str, str, str], dict[int, list[Job]]] = {}
    for job in jobs:
        assert job.config is not None
        by_arm.setdefault(job.key, {}).setdefault(job.config, []).append(job)
    found = []
    for key, configs in by_arm.items():
        scores: list[float | None] = []
        frames = 0
        for number in range(1 + max(configs)):  # one may not have begun
            tries = configs.get(number, [])
            results = [_store.read(_store.run_folder(out, j) / "result.json") for j in tries]
            there = [r for r in results if r is not None]
            frames += sum(r["frames"][-1] for r in there)
            areas = [area(r["frames"], r["success"], j.frames) for r, j in zip(results, tries, strict=True) if r is not None]
            scores.append(float(np.mean(areas)) if there and len(there) == len(tries) else None)
        complete = [i for i, s in enumerate(scores) if s is not None]
        best = max(complete, key=lambda i: (scores[i], -i), default=None)
        found.append(Tuned(key, scores, best, frames))
    return found


def untold(found: Sequence[Tuned], tuning: Tuning) -> set[tuple[str, str, str, str]]:
    """Keys of the arms whose tuning isn't whole: what would be chosen now may be another once it is."""
    number = len(configurations(tuning))
    return {t.key for t in found if len(t.scores) < number or None in t.scores}


def chosen(found: Sequence[Tuned], tuning: Tuning) -> dict[tuple[str, str, str, str], Mapping[str, Any]]:
    """Key of each tuned arm to the values that differ from the plan's own."""
    tried = configurations(tuning)
    return {t.key: tried[t.best] for t in found if t.best is not None}
