"""The statistics of `marlpit ablate` against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("scipy")

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
    assert r.improvement == (1, 1, 1), "each run against that of its seed: a run of all against all would be .68"
    assert r.p == pytest.approx(2 / 32), "of 32 exchanges of signs two are as extreme"
    assert r.least == 2 / 32
    assert paired([(a, a - 1)], more_is_better=False).improvement.value == 0
    assert paired([(a, a)]).p == 1
    assert paired([(a, a)]).improvement.value == 0.5


def test_learners_of_one_seed_are_one_pair() -> None:
    a = np.array([[1.0, 3.0], [2.0, 2.0], [4.0, 0.0]])
    b = np.zeros((3, 2))
    r = paired([(a, b), (a, b)])
    assert r.pairs == 6
    assert r.difference.value == pytest.approx(2)
    assert r.improvement.value == pytest.approx((1 + 1 + 0.75) / 3)
    assert r.p == pytest.approx(2 / 64)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06]), "3·.01, then 2·.03, then .04, which may not be less"
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []
