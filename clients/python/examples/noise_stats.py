"""Summaries of an arm's runs over seeds, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

RESAMPLES = 10_000


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds with its 95 % interval, which is None for fewer than two seeds."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Summary:
    """What the runs of an arm come to.

    Attributes:
        seeds: whose runs are in it.
        success: success rate at the end.
        steps: frames to SOLVED, pairs included, cut at the frames of a run: the restricted mean.
        median: median frames to SOLVED; None where half of the runs or more never got there.
        never: runs that never got there; the restricted mean has them with all their frames, the median as later than all others.
        ranker: how often the ranker's majority was right, mean over seeds; None without one.
    """

    seeds: list[int]
    success: Estimate
    steps: Estimate
    median: float | None
    never: int
    ranker: float | None


def bootstrap(values: Sequence[float], statistic: Callable[..., Any] = np.mean) -> Estimate:
    """The statistic with its 95 % percentile interval from resampled values (Efron 1979), from a fixed seed."""
    x = np.asarray(values, float)
    if len(x) < 2:
        return Estimate(float(statistic(x)), None, None)
    drawn = x[np.random.default_rng(0).integers(len(x), size=(RESAMPLES, len(x)))]
    low, high = np.percentile(statistic(drawn, axis=1), [2.5, 97.5])
    return Estimate(float(statistic(x)), float(low), float(high))


def summarise(runs: Sequence[dict[str, Any]], frames: int) -> Summary:
    """Summarises the runs of one arm.

    Args:
        runs: their records, at least one.
        frames: of each run, pairs included.
    """
    times = [np.inf if r["solved_at"] is None else r["solved_at"] for r in runs]
    median = float(np.median(times)) if np.isfinite(times).sum() * 2 > len(times) else None
    right = [r["model"]["ranker_right"] for r in runs if r.get("model") and r["model"]["ranker_right"] is not None]
    return Summary(
        seeds=sorted(r["seed"] for r in runs),
        success=bootstrap([r["success"][-1] for r in runs]),
        steps=bootstrap(np.minimum(times, frames)),
        median=median,
        never=int(np.isinf(times).sum()),
        ranker=float(np.mean(right)) if right else None,
    )
