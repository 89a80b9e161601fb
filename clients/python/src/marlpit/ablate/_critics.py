"""Does what is known of a ranker before training tell how training goes?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from marlpit.ablate._load import Run, Study
from marlpit.ablate._stats import RESAMPLES, Estimate, Floats
from marlpit.ablate._summary import horizons, value

EXACT = 7  # arms up to which all n! orders are gone through
ALIKE = ("credit", "coin")  # schemes that make the same reward of votes: what else differs between arms is the ranker
LEAST = 4  # arms with a known score, below which nothing is said
SCORES = {"ranker_right": "the ranker's majority right against exact credit", "model_right": "σ right against it, pairs held out"}


@dataclass(frozen=True)
class Prediction:
    """Rank correlation over the arms of a part, in one world with one learner.

    Attributes:
        part: Its name.
        world: Likewise.
        algo: Likewise.
        score: Of SCORES.
        metric: What it is compared with.
        arms: Arm to mean score and mean metric over its seeds.
        rho: Spearman's, with a bootstrap interval over arms.
        p: Two-sided, of exchanging the arms' scores at random.
    """

    part: str
    world: str
    algo: str
    score: str
    metric: str
    arms: dict[str, tuple[float, float]]
    rho: Estimate
    p: float


def predictions(study: Study) -> list[Prediction]:
    """All that have arms enough."""
    ends = horizons(study.runs)
    out = []
    for part, world, algo in dict.fromkeys(r.key[:3] for r in study.runs):
        runs = [r for r in study.runs if r.key[:3] == (part, world, algo) and _scheme(r) in ALIKE]
        for score in SCORES:
            for metric in ("area", "success"):
                arms = _means(runs, score, metric, ends[part, world])
                x, y = np.array(list(arms.values())).reshape(-1, 2).T
                if len(arms) >= LEAST and np.ptp(x) > 0 and np.ptp(y) > 0:
                    rho = Estimate(float(_rhos(x[None], y[None])[0]), *_interval(x, y))
                    out.append(Prediction(part, world, algo, score, metric, arms, rho, _p(x, y)))
    return out


def _scheme(r: Run) -> str:
    return str(r.manifest.get("reward", {}).get("scheme"))


def _means(runs: Sequence[Run], score: str, metric: str, horizon: float) -> dict[str, tuple[float, float]]:
    known = [(r.arm, r.manifest.get("model", {}).get(score), value(r, metric, horizon)) for r in runs]
    arms = dict.fromkeys(a for a, s, _ in known if s is not None)
    return {
        a: (
            float(np.mean([s for b, s, _ in known if b == a and s is not None])),
            float(np.mean([v for b, _, v in known if b == a])),
        )
        for a in arms
    }


def _p(x: Floats, y: Floats) -> float:
    """Two-sided p of Spearman's ρ: the share of orders of the arms whose ρ is at least as far from 0, all of them up to EXACT."""
    if len(x) <= EXACT:
        orders = np.array(list(itertools.permutations(range(len(x)))))
    else:
        orders = np.random.default_rng(0).permuted(np.tile(np.arange(len(x)), (RESAMPLES, 1)), axis=1)
        orders[0] = range(len(x))  # what was found is one of the orders
    far = np.abs(_rhos(x[None], y[orders]))
    return float(np.mean(far >= abs(_rhos(x[None], y[None])[0]) - 1e-9))


def _rhos(x: Floats, y: Floats) -> Floats:
    """Spearman's ρ of each row (rows, arms): Pearson's of the ranks, equal values sharing a mean rank; NaN without any spread."""
    a, b = (r - r.mean(axis=1, keepdims=True) for r in (rankdata(x, axis=1), rankdata(y, axis=1)))
    with np.errstate(invalid="ignore"):
        out: Floats = (a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    return out


def _interval(x: Floats, y: Floats) -> tuple[float, float]:
    """Percentile interval of the correlation over resampled arms; a sample without any spread says nothing and is left out."""
    rows = np.random.default_rng(0).integers(len(x), size=(RESAMPLES, len(x)))
    low, high = np.nanpercentile(_rhos(x[rows], y[rows]), [2.5, 97.5])
    return float(low), float(high)
