"""A report's pictures: learning curves with bands, and success against tokens."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from marlpit.ablate._load import Run
from marlpit.ablate._stats import bands
from marlpit.ablate._summary import Line, horizons
from marlpit.ablate._words import span

# Those of Okabe and Ito (2008) but for yellow, with some of Tol's: they differ for the colour-blind too.
COLOURS = (
    "#d55e00", "#0072b2", "#000000", "#009e73", "#6e6e6e", "#e69f00", "#cc79a7", "#56b4e9", "#882255", "#999933", "#332288",
    "#117733", "#aa4466", "#44aa99",
)  # fmt: skip
FIXED = {"credit": 0, "none": 1, "team": 2, "oracle": 3, "shared": 4, "coin": 5, "add": 6, "direct": 7, "expert": 8}
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (6, 1.5, 1.2, 1.5)), (0, (1.3, 1.3)))  # what is below shows in the gaps
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "d", "p", "h", "*")
X = {"frames": "thousand frames, pairs included", "cpu_seconds": "CPU-seconds, labelling and fit included"}
BAND = "Line: interquartile mean over seeds. Band: its 95 % bootstrap interval, at each point."
LEADER = {"arrowstyle": "-", "lw": 0.6, "shrinkA": 1, "shrinkB": 0, "relpos": (0, 0.5)}
PLAIN: Any = {"text.parse_math": False}  # a name with `$` is a name
POINTS = 200
MANY = 4  # arms above which curves have names at their ends, and paler bands


class Look(NamedTuple):
    """How an arm is drawn, in all panels: no two look alike, in grey neither."""

    colour: str
    dashes: Any
    marker: str
    at: int  # in the order of the arms: where on the line its marks are, so that curves that coincide show the marks of all


def looks(arms: Sequence[str]) -> dict[str, Look]:
    """The look of each arm; colour and marker of common schemes are the same in all reports."""
    free = [i for i in range(len(COLOURS)) if i not in {FIXED[a] for a in arms if a in FIXED}]
    out: dict[str, Look] = {}
    others = 0
    for n, arm in enumerate(arms):
        if arm in FIXED:
            i, again = FIXED[arm], 0
        else:
            i, again = free[others % len(free)], others // len(free)
            others += 1
        marker = MARKERS[(i + 5 * again) % len(MARKERS)]
        out[arm] = Look(COLOURS[i], DASHES[(i + again) % len(DASHES)], marker, n)
    return out


@matplotlib.rc_context(PLAIN)
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
    many = len(style) > MANY
    width, height = (4.9, 3.1) if many else (3.9, 2.7)
    figure, axes = _canvas(len(worlds), len(algos), (1.2 + width * len(algos), 1.3 + height * len(worlds)))
    for i, world in enumerate(worlds):
        for j, algo in enumerate(algos):
            here = [r for r in runs if (r.world, r.algo) == (world, algo)]
            ax, horizon = axes[i][j], horizons(here).get((runs[0].part, world), 0)
            ends = {}
            for arm, look in style.items():
                if mine := [r for r in here if r.arm == arm]:
                    ends[arm] = _band(ax, mine, x, horizon, look, len(style), arm)
            ax.set(ylim=(-0.03, 1.03), title=f"{fill(world.replace('+', ' '), 44)}\n{algo}{_seeds(here)}")
            ax.title.set_fontsize(9)
            ax.spines[["top", "right"]].set_visible(False)
            if many:
                _names(ax, ends, style)
            if i == len(worlds) - 1:
                ax.set_xlabel(X[x])
            if j == 0:
                ax.set_ylabel("success")
    _legend(figure, axes, BAND)
    return figure


@matplotlib.rc_context(PLAIN)
def tokens(lines: Sequence[Line]) -> Figure | None:
    """Draws success at the end against tokens spent on votes, a point for each arm; None where none were spent."""
    if not any(line.tokens > 0 for line in lines):
        return None
    figure, axes = _canvas(1, 1, (5.6, 4.0))
    ax = axes[0][0]
    style = looks(list(dict.fromkeys(line.key[3] for line in lines)))
    for arm, look in style.items():
        mine = [line for line in lines if line.key[3] == arm]
        y = [line.success.value for line in mine]
        low = [0 if line.success.low is None else max(0, line.success.value - line.success.low) for line in mine]
        high = [0 if line.success.high is None else max(0, line.success.high - line.success.value) for line in mine]
        points = 7 * (look.at - (len(style) - 1) / 2)  # beside each other, for most arms spend none
        aside = ax.transData + ScaledTranslation(points / 72, 0, figure.dpi_scale_trans)
        ax.errorbar(
            [line.tokens for line in mine],
            y,
            [low, high],
            fmt=look.marker,
            color=look.colour,
            capsize=2,
            label=_label(arm),
            transform=aside,
        )
    most = max(line.tokens for line in lines if line.tokens > 0)
    ax.set_xlim(-0.22 * most, 1.22 * most)  # shifted points have no part in automatic limits
    ax.set_xticks([t for t in ax.get_xticks() if 0 <= t <= 1.22 * most])  # room for arms that spent none is no number of tokens
    ax.set(xlabel="tokens spent on votes (arms side by side)", ylabel="success at the end", ylim=(-0.03, 1.03))
    ax.spines[["top", "right"]].set_visible(False)
    _legend(figure, axes)
    return figure


def saved(figure: Figure, kind: str) -> bytes:
    """The picture as bytes of a `png` or `svg` file; equal pictures are equal bytes."""
    out = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "marlpit"}):
        figure.savefig(out, format=kind, dpi=130, metadata={"Date": None} if kind == "svg" else None)
    return out.getvalue()


def _band(ax: Axes, runs: Sequence[Run], x: str, horizon: float, look: Look, arms: int, name: str) -> tuple[float, float]:
    """Draws an arm, and gives the point where its curve ends."""
    if x == "frames":
        grid, unit = np.linspace(0, horizon, POINTS), 1000.0
    else:  # each run ends at its own second: the arm's curve ends with the first of them
        grid, unit = np.linspace(0, min(r.cpu_seconds[-1] for r in runs), POINTS), 1.0
    at = np.array([np.interp(grid, getattr(r, x), r.success, left=0.0) for r in runs])
    middle, low, high = bands(at)
    spacing = 26 if arms <= MANY else 50
    first = round(spacing * (look.at + 0.5) / arms) % spacing
    line: dict[str, Any] = {"color": look.colour, "ls": look.dashes, "lw": 1.6}
    marks: dict[str, Any] = {"color": look.colour, "marker": look.marker, "ms": 5, "mec": "white", "mew": 0.5}
    ax.plot(grid / unit, middle, **line, zorder=2 + DASHES.index(look.dashes) / 10)
    ax.plot(grid / unit, middle, **{**marks, "ls": "none"}, markevery=(first, spacing), zorder=3)  # above all lines
    ax.plot([], [], **line, **{k: v for k, v in marks.items() if k != "color"}, label=_label(name))  # for the legend
    ax.fill_between(grid / unit, low, high, color=look.colour, alpha=0.14 if arms <= MANY else 0.07, lw=0, zorder=1)
    return float(grid[-1] / unit), float(middle[-1])


def _names(ax: Axes, ends: Mapping[str, tuple[float, float]], style: Mapping[str, Look]) -> None:
    """Names curves at their ends, one below the other, with lines that lead there."""
    order = sorted(ends, key=lambda arm: (ends[arm][1], -style[arm].at))
    ys = apart([ends[arm][1] for arm in order], 0.062)
    for arm, y in zip(order, ys, strict=True):
        ax.annotate(
            arm, ends[arm], (1.06, y), textcoords=ax.get_yaxis_transform(), fontsize=7.5, va="center", color=style[arm].colour,
            annotation_clip=False, arrowprops={"color": style[arm].colour, **LEADER},
        )  # fmt: skip


def apart(wanted: Sequence[float], gap: float, top: float = 1.0) -> list[float]:
    """Places in rising order, at least a gap from each other and none above the top, near those that are wanted (sorted)."""
    out: list[float] = []
    for y in wanted:
        out.append(max(y, out[-1] + gap) if out else y)
    for i in reversed(range(len(out))):
        out[i] = min(out[i], top if i == len(out) - 1 else out[i + 1] - gap)
    return out


def _seeds(runs: Sequence[Run]) -> str:
    """Such as `, 10 seeds`, or `, 3–10 seeds` where arms have different numbers of them."""
    counts = list(Counter(r.arm for r in runs).values())
    if not counts:
        return ""
    return f", {span(min(counts), max(counts))} seed{'' if max(counts) == 1 else 's'}"


def _label(name: str) -> str:
    """A name as legends show it: they leave out what begins with `_`."""
    return f" {name}" if name.startswith("_") else name


def _canvas(rows: int, columns: int, size: tuple[float, float]) -> tuple[Figure, list[list[Axes]]]:
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
    return figure, [list(row) for row in axes]


def _legend(figure: Figure, axes: Sequence[Sequence[Axes]], title: str = "") -> None:
    found = {name: h for row in axes for ax in row for h, name in zip(*ax.get_legend_handles_labels(), strict=True)}
    columns = max(2, min(len(found), int(figure.get_figwidth() / 1.35)))
    figure.legend(
        list(found.values()), list(found), frameon=False, fontsize=9, loc="outside lower center", ncols=columns, handlelength=3.2,
        title=fill(title, int(figure.get_figwidth() * 15)) or None, title_fontsize=8,
    )  # fmt: skip
