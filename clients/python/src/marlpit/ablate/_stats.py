"""Statistics of runs over seeds; one path, by numpy and scipy.

Interquartile means and stratified bootstrap intervals (runs are resampled within each task) are those of Agarwal et al. 2021
("Deep Reinforcement Learning at the Edge of the Statistical Precipice"). Arms share their seeds, so they are compared seed by
seed, in the probability of improvement too, and pairs are resampled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import permutation_test, trim_mean

RESAMPLES = 5_000
EXACT = 14  # pairs up to which all 2^n exchanges of signs are gone through
Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]  # of (…, runs) along the last axis


class Estimate(NamedTuple):
    """A number with its 95 % interval, which is None for fewer than two runs in a task."""

    value: float
    low: float | None = None
    high: float | None = None


def area(frames: Sequence[float], values: Sequence[float], horizon: float) -> float:
    """Area under a curve from 0 to a horizon, divided by it: the mean value on the way.

    Between evaluations the curve is straight, after the last one it is flat, before the first one it is 0.
    """
    at, v = np.asarray(frames, float), np.asarray(values, float)
    inside = at <= horizon
    end = np.interp(horizon, at, v) if at[0] <= horizon else 0.0
    x = np.append(at[inside], horizon)
    y = np.append(v[inside], end)
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2) / horizon)


def reached(frames: Sequence[float], values: Sequence[float], level: float, horizon: float) -> float:
    """Frames at the first evaluation at `level` or more; infinite where there is none up to the horizon: censored."""
    at = [f for f, v in zip(frames, values, strict=True) if v >= level and f <= horizon]
    return float(at[0]) if at else float("inf")


def iqm(values: Floats) -> Floats:
    """Interquartile mean along the last axis: the mean without the lowest and the highest quarter, rounded down."""
    out: Floats = trim_mean(values, 0.25, axis=-1)
    return out


def mean(values: Floats) -> Floats:
    """Mean along the last axis."""
    out: Floats = np.mean(values, axis=-1)
    return out


def estimate(tasks: Sequence[Sequence[float]], statistic: Statistic = iqm) -> Estimate:
    """A statistic of the runs of all tasks together, with its stratified bootstrap interval.

    Args:
        tasks: Values of the runs of each task.
        statistic: Of all of them.
    """
    groups = [np.asarray(t, float) for t in tasks if len(t)]
    value = float(statistic(np.concatenate(groups)))
    if min(len(g) for g in groups) < 2:
        return Estimate(value)
    rng = np.random.default_rng(0)
    drawn = np.concatenate([g[rng.integers(len(g), size=(RESAMPLES, len(g)))] for g in groups], axis=1)
    return Estimate(value, *_interval(statistic(drawn)))


def bands(curves: Floats, statistic: Statistic = iqm) -> tuple[Floats, Floats, Floats]:
    """A statistic of curves (runs, points) at each point, with its bootstrap interval: three arrays (points,)."""
    n = len(curves)
    middle = statistic(curves.T)
    if n < 2:
        return middle, middle, middle
    rows = np.random.default_rng(0).integers(n, size=(1_000, n))
    low, high = np.percentile(statistic(curves[rows].transpose(2, 0, 1)), [2.5, 97.5], axis=1)
    return middle, low, high


class Paired(NamedTuple):
    """Two arms over the same seeds.

    Attributes:
        pairs: Number of pairs: seeds of each task, whatever the number of learners.
        difference: Mean of a − b.
        improvement: Probability that a run of `a` is better than the one of `b` with the same seed and learner; ties count half.
        p: Two-sided, of exchanging the signs of the pairs' differences at random.
        least: The least p that so many pairs can give.
    """

    pairs: int
    difference: Estimate
    improvement: Estimate
    p: float
    least: float


def paired(tasks: Sequence[tuple[Floats, Floats]], more_is_better: bool = True) -> Paired:
    """Compares two arms.

    Args:
        tasks: Values of both arms for each task, (seeds, learners) each: the runs of a row share pairs, votes and σ, and are
            resampled and exchanged together.
        more_is_better: Than less.
    """
    pairs = [np.mean(a - b, axis=1) for a, b in tasks]
    won = [np.mean(((a > b) if more_is_better else (a < b)) + 0.5 * (a == b), axis=1) for a, b in tasks]
    d = np.concatenate(pairs)
    least = 2.0 ** (1 - len(d)) if len(d) <= EXACT else 1 / RESAMPLES
    return Paired(len(d), estimate(pairs, mean), estimate(won, mean), _exchange(d), least)


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's step-down correction (1979): adjusted p-values, which keep the chance of any false claim at their level."""
    order = np.argsort(ps, kind="stable")
    out = np.empty(len(ps))
    so_far = 0.0
    for k, i in enumerate(order):
        so_far = max(so_far, min(1.0, (len(ps) - k) * ps[i]))
        out[i] = so_far
    return [float(p) for p in out]


def _exchange(d: Floats) -> float:
    """The p-value of differences under exchange of signs; 1 where they are all 0."""
    if not np.any(d) or len(d) == 1:
        return 1.0
    resamples = np.inf if len(d) <= EXACT else RESAMPLES
    tested = permutation_test((d,), np.mean, permutation_type="samples", n_resamples=resamples, rng=np.random.default_rng(0))
    return float(tested.pvalue)


def _interval(values: Floats) -> tuple[float, float]:
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
