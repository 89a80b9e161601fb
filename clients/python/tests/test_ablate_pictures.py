"""Pictures of reports: arms that look different, curves that coincide, names and points that stay apart."""

from __future__ import annotations

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")

from marlpit.ablate import _plot
from marlpit.ablate._load import Run, Study
from marlpit.ablate._summary import lines


def test_arms_look_different() -> None:
    arms = ["credit", "none", "team", "oracle", "shared", "coin", "add", "direct", "expert", *(f"mine-{k}" for k in range(6))]
    found = list(_plot.looks(arms).values())
    assert len({(k.colour, str(k.dashes)) for k in found}) == len(arms)
    assert len({k.marker for k in found}) >= len(_plot.MARKERS) - 2
    assert all(len({k.marker for k in found if k.colour == c}) == sum(k.colour == c for k in found) for c in _plot.COLOURS)
    assert _plot.looks(["none", "credit"])["credit"][:3] == found[0][:3], "the same in all reports"


def test_curves_that_coincide_show_the_marks_of_all() -> None:
    """A curve is drawn as a line and, above all lines, its marks: no two arms have theirs in the same places."""
    for arms in (2, 11):
        names = [f"arm-{k}" for k in range(arms)]
        same = [Run("main", "toy", "mappo", n, s, [0, 10], [0, 1], [0, 1], [0, 1], [0, 0]) for n in names for s in range(3)]
        figure = _plot.curves(same, "frames")
        assert figure is not None
        (ax,) = figure.axes
        drawn = [line for line in ax.lines if len(line.get_xdata())]
        marks = [line for line in drawn if line.get_marker() != "None"]
        assert len(marks) == arms
        assert min(m.get_zorder() for m in marks) > max(line.get_zorder() for line in drawn if line not in marks)
        places = [set(range(m.get_markevery()[0], _plot.POINTS, m.get_markevery()[1])) for m in marks]
        assert len(set.union(*places)) == sum(map(len, places)), "none is below another"
        assert min(map(len, places)) >= 3
        assert ax.get_title() == "toy\nmappo, 3 seeds"
        (legend,) = figure.legends
        assert "95 % bootstrap interval" in legend.get_title().get_text()
        assert [t.get_text() for t in legend.get_texts()] == names
        assert sorted(t.get_text() for t in ax.texts) == (sorted(names) if arms > _plot.MANY else []), "names at the ends"


def test_arms_that_spent_no_tokens_stand_side_by_side() -> None:
    arms = ("a", "b", "c")
    runs = [Run("main", "toy", "mappo", n, 0, [0, 10], [0, 1], [0, 1], [0, 1], [0, 9 * (n == "c")]) for n in arms]
    figure = _plot.tokens(lines(Study(runs)))
    assert figure is not None
    figure.draw_without_rendering()
    points = [c.lines[0] for c in figure.axes[0].containers]
    at = [float(p.get_transform().transform(p.get_xydata())[0][0]) for p in points]
    low, high = figure.axes[0].get_xlim()
    assert low < 0 < 9 < high, "all are in the picture"
    assert at[1] - at[0] == pytest.approx(7 * figure.dpi / 72), "seven points, at the same number of tokens"


def test_names_at_the_ends_stay_apart() -> None:
    ys = _plot.apart([0.0, 0.5, 0.51, 1.0, 1.0, 1.0], 0.1)
    assert ys == pytest.approx([0.0, 0.5, 0.6, 0.8, 0.9, 1.0])
    assert _plot.apart([], 0.1) == []
