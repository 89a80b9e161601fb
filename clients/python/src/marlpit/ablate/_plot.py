"""A report's pictures: learning curves with bands, and success against tokens."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from textwrap import fill

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from marlpit.ablate._load import Run
from marlpit.ablate._stats import bands
from marlpit.ablate._summary import Line, horizons

COLOURS = (
    "#d1495b", "#8d99ae", "#222222", "#2e8b57", "#30638e", "#c9a227", "#9b5de5", "#f3722c", "#00798c", "#b5838d", "#577590",
    "#90be6d",
)  # fmt: skip
FIXED = {"credit": 0, "none": 1, "team": 2, "oracle": 3, "shared": 4, "coin": 5, "add": 6, "direct": 7, "expert": 8}
STYLES = ("-", "--", ":")
X = {"frames": "thousand frames, pairs included", "cpu_seconds": "CPU-seconds, labelling and fit included"}
POINTS = 200


def looks(arms: Sequence[str]) -> dict[str, tuple[str, str]]:
    """A colour and a line style for each arm; those of common schemes are the same in all reports."""
    free = [i for i in range(len(COLOURS)) if i not in {FIXED[a] for a in arms if a in FIXED}]
    out: dict[str, tuple[str, str]] = {}
    taken = 0
    for arm in arms:
        if arm in FIXED:
            out[arm] = (COLOURS[FIXED[arm]], "-")
        else:
            at = free[taken % len(free)] if free else taken % len(COLOURS)
            out[arm] = (COLOURS[at], STYLES[min(taken // max(1, len(free)), 2)])
            taken += 1
    return out


def curves(runs: Sequence[Run], x: str) -> Figure | None:
    """Draws success of one part's runs: a row of panels for each world, a column for each learner.

    Args:
        runs: Of one part.
        x: Of X.

    Returns:
        The figure; None where that axis is unknown.
    """
    runs = [r for r in runs if x == "frames" or not math.isnan(r.cpu_seconds[-1])]
    if not runs:
        return None
    worlds, algos = (list(dict.fromkeys(getattr(r, n) for r in runs)) for n in ("world", "algo"))
    style = looks(list(dict.fromkeys(r.arm for r in runs)))
    size = (1.6 + 3.7 * len(algos), 1.3 + 2.7 * len(worlds))
    figure, axes = _canvas(len(worlds), len(algos), size)
    for i, world in enumerate(worlds):
        for j, algo in enumerate(algos):
            here = [r for r in runs if (r.world, r.algo) == (world, algo)]
            ax = axes[i][j]
            for arm, (colour, line) in style.items():
                _band(ax, [r for r in here if r.arm == arm], x, horizons(here).get((runs[0].part, world), 0), colour, line, arm)
            ax.set(ylim=(-0.03, 1.03), title=f"{fill(world.replace('+', ' '), 44)}\n{algo}")
            ax.title.set_fontsize(9)
            ax.spines[["top", "right"]].set_visible(False)
            if i == len(worlds) - 1:
                ax.set_xlabel(X[x])
            if j == 0:
                ax.set_ylabel("success")
    _legend(figure, axes)
    return figure


def tokens(lines: Sequence[Line]) -> Figure | None:
    """Draws success at the end against tokens spent on votes, a point for each arm; None where none were spent."""
    if not any(line.tokens > 0 for line in lines):
        return None
    figure, axes = _canvas(1, 1, (5.6, 4.0))
    ax = axes[0][0]
    for arm, (colour, _) in looks(list(dict.fromkeys(line.key[3] for line in lines))).items():
        mine = [line for line in lines if line.key[3] == arm]
        y = [line.success.value for line in mine]
        low = [0 if line.success.low is None else max(0, line.success.value - line.success.low) for line in mine]
        high = [0 if line.success.high is None else max(0, line.success.high - line.success.value) for line in mine]
        ax.errorbar([line.tokens for line in mine], y, [low, high], fmt="o", color=colour, capsize=2, label=arm)
    ax.set(xlabel="tokens spent on votes", ylabel="success at the end", ylim=(-0.03, 1.03))
    ax.spines[["top", "right"]].set_visible(False)
    _legend(figure, axes)
    return figure


def saved(figure: Figure, kind: str) -> bytes:
    """The picture as bytes of a `png` or `svg` file; equal pictures are equal bytes."""
    out = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "marlpit"}):
        figure.savefig(out, format=kind, dpi=130, metadata={"Date": None} if kind == "svg" else None)
    return out.getvalue()


def _band(ax: Axes, runs: Sequence[Run], x: str, horizon: float, colour: str, line: str, name: str) -> None:
    if not runs:
        return
    if x == "frames":
        grid, unit = np.linspace(0, horizon, POINTS), 1000.0
    else:  # each run ends at its own second: the arm's curve ends with the first of them
        grid, unit = np.linspace(0, min(r.cpu_seconds[-1] for r in runs), POINTS), 1.0
    at = np.array([np.interp(grid, getattr(r, x), r.success, left=0.0) for r in runs])
    middle, low, high = bands(at)
    ax.plot(grid / unit, middle, color=colour, ls=line, lw=1.8, label=name)
    ax.fill_between(grid / unit, low, high, color=colour, alpha=0.13, lw=0)


def _canvas(rows: int, columns: int, size: tuple[float, float]) -> tuple[Figure, list[list[Axes]]]:
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
    return figure, [list(row) for row in axes]


def _legend(figure: Figure, axes: Sequence[Sequence[Axes]]) -> None:
    found = {name: h for row in axes for ax in row for h, name in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(
        list(found.values()), list(found), frameon=False, fontsize=9, loc="outside lower center", ncols=min(5, len(found))
    )
