"""The statistics of `marlpit ablate` against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("scipy")

from scipy.stats import mannwhitneyu, spearmanr

from marlpit.ablate._critics import _p, _rhos
from marlpit.ablate._stats import area, bands, estimate, holm, iqm, mean, paired, reached


def test_interquartile_mean() -> None:
    assert iqm(np.arange(8.0)) == pytest.approx((2 + 3 + 4 + 5) / 4)
    assert iqm(np.array([0, 1, 2, 3, 100.0])) == pytest.approx(2), "a quarter of five is one, rounded down"
    assert iqm(np.array([1.0, 5.0])) == pytest.approx(3)


def test_area() -> None:
    assert area([0, 100], [0, 1], 200) == pytest.approx((50 + 100) / 200), "straight between evaluations, flat after the last"
    assert area([100, 200], [1, 1], 200) == pytest.approx(0.5), "0 before the first"
    assert area([0, 100, 200], [0, 0, 1], 150) == pytest.approx(0.5 * 50 * 0.5 / 150), "cut within an interval"
    assert area([300], [1], 200) == 0


def test_reaching_a_level_is_censored_at_the_horizon() -> None:
    assert reached([10, 20, 30], [0.2, 0.8, 0.1], 0.8, 30) == 20
    assert reached([10, 20, 30], [0.2, 0.7, 0.9], 0.8, 25) == math.inf


def test_a_stratified_interval_resamples_within_each_task() -> None:
    between = estimate([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], mean)
    assert between == (0.5, 0.5, 0.5), "tasks differ, their runs don't"
    within = estimate([[0.0, 1.0, 0.0, 1.0]], mean)
    assert within.value == 0.5
    assert (within.low, within.high) == (0.0, 1.0)
    assert estimate([[0.3]]) == (0.3, None, None)
    again = estimate([[0.1, 0.5, 0.9]])
    assert again == estimate([[0.1, 0.5, 0.9]]), "from a fixed seed"


def test_bands() -> None:
    middle, low, high = bands(np.array([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]))
    assert middle.tolist() == low.tolist() == high.tolist() == [0, 1]


def test_paired_by_seed() -> None:
    a = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
    r = paired([(a, a - 1)])
    assert r.pairs == 5
    assert r.difference == (1, 1, 1)
    assert r.won == (1, 1, 1), "each run against that of its seed"
    assert r.improvement.value == pytest.approx((15 + 4 / 2) / 25), "all against all"
    assert r.p == pytest.approx(2 / 32), "of 32 exchanges of signs two are as extreme"
    assert r.least == 2 / 32
    fewer = paired([(a, a - 1)], more_is_better=False)
    assert (fewer.won.value, fewer.improvement.value) == (0, pytest.approx(1 - (15 + 4 / 2) / 25))
    assert paired([(a, a)]).p == 1
    assert paired([(a, a)]).improvement.value == 0.5


def test_learners_of_one_seed_are_one_pair() -> None:
    a = np.array([[1.0, 3.0], [2.0, 2.0], [4.0, 0.0]])
    b = np.zeros((3, 2))
    r = paired([(a, b), (a, b)])
    assert r.pairs == 6
    assert r.difference.value == pytest.approx(2)
    assert r.won.value == pytest.approx((1 + 1 + 0.75) / 3)
    assert r.improvement.value == pytest.approx((1 + (1 + 1 + 0.5) / 3) / 2), "learner by learner"
    assert r.p == pytest.approx(2 / 64)


@pytest.mark.parametrize("seeds", [3, 5, 10])
def test_the_probability_of_improvement_is_mann_whitneys_u(seeds: int) -> None:
    """As in rliable 1.2.0, whose `probability_of_improvement` gave the same numbers: U over pairs of runs, mean over tasks."""
    rng = np.random.default_rng(seeds)
    a, b = rng.integers(0, 5, (seeds, 4)) / 4, rng.integers(0, 4, (seeds, 4)) / 4  # many ties
    r = paired([(a[:, :2], b[:, :2]), (a[:, 2:3], b[:, 2:3]), (a[:, 3:], b[:, 3:])])
    u = [mannwhitneyu(a[:, k], b[:, k], alternative="greater").statistic / seeds**2 for k in range(4)]
    assert r.improvement.value == pytest.approx(np.mean(u))
    assert r.improvement.low is not None
    assert r.improvement.low <= r.improvement.value <= r.improvement.high


def test_the_interval_of_the_probability_of_improvement() -> None:
    a = np.array([[0.0], [0.0], [1.0], [1.0]])
    same = paired([(a, a)]).improvement
    assert same == (0.5, 0.5, 0.5), "a seed is drawn with the runs of both: arms that are one don't differ"
    beaten = paired([(a, a + 2)]).improvement
    assert beaten == (0, 0, 0)
    assert paired([(a[:1], a[:1])]).improvement == (0.5, None, None)


def test_interquartile_means_of_few_and_many_runs() -> None:
    runs = np.array([0.0, 0, 1, 1, 1, 1, 1, 1, 1, 1])
    assert iqm(runs) == 1, "of ten the two lowest and highest are left out"
    assert iqm(runs[:5]) == pytest.approx(2 / 3), "of five one"
    assert iqm(runs[:3]) == pytest.approx(1 / 3), "of three none"
    e = estimate([runs])
    assert (e.value, e.high) == (1, 1)
    assert e.low is not None
    assert e.low < 1, "two that failed show in the interval"


def test_the_least_p() -> None:
    for n in (5, 14, 20):
        r = paired([(np.arange(1.0, n + 1)[:, None], np.zeros((n, 1)))])
        assert r.p == pytest.approx(r.least), "all differences have one sign"


def test_rank_correlation_with_ties() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 4, 14).astype(float)
    y = x + rng.integers(-2, 3, 14)
    assert _rhos(x[None], y[None])[0] == pytest.approx(spearmanr(x, y).statistic)
    assert _p(x, y) == pytest.approx(spearmanr(x, y).pvalue, abs=0.02)
    rise = np.arange(4.0)
    assert _p(rise, rise) == pytest.approx(2 / 24), "of 24 orders two are as extreme; Spearman's t test would say 0"


def test_holm() -> None:
    assert holm([0.04, 0.001, 0.04, 0.5]) == pytest.approx([0.12, 0.004, 0.12, 0.5]), "in the order they came, equal ones alike"
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06]), "3·.01, then 2·.03, then .04, which may not be less"
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []
