"""Statistics of runs over seeds; one path, by numpy and scipy.

Interquartile means and stratified bootstrap intervals (runs are resampled within each task) are those of Agarwal et al. 2021
("Deep Reinforcement Learning at the Edge of the Statistical Precipice"), and so is the probability of improvement, over all
pairs of runs. Arms share their seeds, so differences are taken seed by seed, and whole seeds are resampled.
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
        improvement: Probability of improvement (Agarwal et al. 2021): that a run of `a` is better than a run of `b`, all runs of
            a task and learner against all, ties counting half; the mean over tasks and learners.
        won: Share of pairs that `a` won: each run against the one of `b` with the same seed and learner; ties count half.
        p: Two-sided, of exchanging the signs of the pairs' differences at random.
        least: The least p that so many pairs can give.
    """

    pairs: int
    difference: Estimate
    improvement: Estimate
    won: Estimate
    p: float
    least: float


def paired(tasks: Sequence[tuple[Floats, Floats]], more_is_better: bool = True) -> Paired:
    """Compares two arms.

    Args:
        tasks: Values of both arms for each task, (seeds, learners) each: the runs of a row share pairs, votes and σ, and are
            resampled and exchanged together.
        more_is_better: Than less.
    """
    better = [_better(a, b) if more_is_better else _better(b, a) for a, b in tasks]
    pairs = [np.mean(a - b, axis=1) for a, b in tasks]
    won = [np.diagonal(w, axis1=1, axis2=2).mean(axis=0) for w in better]
    d = np.concatenate(pairs)
    least = 2.0 ** (1 - len(d)) if len(d) <= EXACT else 2 / (RESAMPLES + 1)
    return Paired(len(d), estimate(pairs, mean), improvement(better), estimate(won, mean), _exchange(d), least)


def improvement(better: Sequence[Floats]) -> Estimate:
    """Probability of improvement, the mean over tasks and learners, with a bootstrap interval of resampled seeds.

    Args:
        better: For each task (learners, seeds of a, seeds of b): 1 where the run of `a` is better, 0.5 at a tie. A seed that is
            drawn is drawn with all its runs, of both arms.
    """
    learners = np.array([len(w) for w in better])
    weights = learners / learners.sum()
    value = float(np.dot(weights, [w.mean() for w in better]))
    if min(w.shape[1] for w in better) < 2:
        return Estimate(value)
    rng, drawn = np.random.default_rng(0), np.zeros(RESAMPLES)
    for w, weight in zip(better, weights, strict=True):
        n = w.shape[1]
        times = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES)  # how often each seed is drawn
        drawn += weight * np.einsum("ri,ij,rj->r", times, w.mean(axis=0), times, optimize=True) / n**2
    return Estimate(value, *_interval(drawn))


def _better(a: Floats, b: Floats) -> Floats:
    """All runs of `a` against all of `b`, both (seeds, learners): (learners, seeds of a, seeds of b)."""
    mine, theirs = a.T[:, :, None], b.T[:, None, :]
    out: Floats = (mine > theirs) + 0.5 * (mine == theirs)
    return out


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
