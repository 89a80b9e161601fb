"""Does what is known of a ranker before training tell how training goes?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from marlpit.ablate._load import Run, Study
from marlpit.ablate._stats import RESAMPLES, Estimate, Floats
from marlpit.ablate._summary import horizons, value

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
        p: Two-sided, of Spearman's test.
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
        runs = [r for r in study.runs if r.key[:3] == (part, world, algo)]
        for score in SCORES:
            for metric in ("area", "success"):
                arms = _means(runs, score, metric, ends[part, world])
                x, y = np.array(list(arms.values())).reshape(-1, 2).T
                if len(arms) >= LEAST and np.ptp(x) > 0 and np.ptp(y) > 0:
                    tested = spearmanr(x, y)
                    rho = Estimate(float(tested.statistic), *_interval(x, y))
                    out.append(Prediction(part, world, algo, score, metric, arms, rho, float(tested.pvalue)))
    return out


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


def _interval(x: Floats, y: Floats) -> tuple[float, float]:
    """Percentile interval of the correlation over resampled arms; a sample without any spread says nothing and is left out."""
    rng = np.random.default_rng(0)
    found = []
    for rows in rng.integers(len(x), size=(RESAMPLES // 5, len(x))):
        if np.ptp(x[rows]) > 0 and np.ptp(y[rows]) > 0:
            found.append(spearmanr(x[rows], y[rows]).statistic)
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)
