"""The noise study's plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

from noise_arms import Arm
from noise_stats import Estimate, Summary
from runs import SOLVED

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

REWARD = {"credit": "replace", "add": "add", "direct": "direct"}  # the forerunner's words for the schemes
CONTROL = {"none": "#555555", "coin": "#c9a227", "shared": "#2e8b57", "oracle": "#9b5de5", "team": "#b0b0b0"}
VOTES = ("#d1495b", "#30638e", "#edae49", "#00798c")  # by number of queries
NOISE = {"iid": "-", "per-text": "--"}


def plot(path: Path, world: str, sums: dict[Arm, Summary], frames: int) -> None:
    """Draws success and frames to SOLVED against the ranker's accuracy, a column for each scheme, with the controls as lines."""
    schemes = [s for s in REWARD if any(a.scheme == s for a in sums)]
    if not schemes:
        return
    size = (1.5 + 3.9 * len(schemes), 7.4)
    figure, axes = plt.subplots(2, len(schemes), figsize=size, sharex=True, sharey="row", squeeze=False, layout="constrained")
    for column, scheme in enumerate(schemes):
        draw(axes[0][column], scheme, {a: s.success for a, s in sums.items()}, 1)
        draw(axes[1][column], scheme, {a: s.steps for a, s in sums.items()}, 1000)
        axes[0][column].set(title=REWARD[scheme], ylim=(-0.03, 1.03))
        axes[1][column].set(xlabel="ranker's accuracy, %", ylim=(0, 1.04 * frames / 1000))
    axes[0][0].set_ylabel("success at the end")
    axes[1][0].set_ylabel(f"thousand frames to {SOLVED:.0%}, restricted mean")
    lines = {name: h for ax in axes[0] for h, name in zip(*ax.get_legend_handles_labels(), strict=True)}
    lines |= {name: Line2D([], [], color=CONTROL[name], lw=1.8) for name in lines if name in CONTROL}
    figure.legend(lines.values(), lines.keys(), frameon=False, fontsize=9, loc="outside lower center", ncols=5)
    figure.suptitle(f"{world}: mean over seeds, 95 % bootstrap interval", fontsize=11)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def draw(ax: Axes, scheme: str, of: dict[Arm, Estimate], unit: float) -> None:
    """Draws one panel."""
    controls = [a for a in of if a.scheme in CONTROL]
    for k, a in enumerate(controls):  # each dash of a line falls into the gaps of the others, for where they coincide
        dashes = (3 * k, (3, 3 * (len(controls) - 1))) if len(controls) > 1 else "-"
        ax.axhline(of[a].mean / unit, color=CONTROL[a.scheme], lw=1.8, ls=dashes, label=a.scheme, zorder=1)
    mine = {a: e for a, e in of.items() if a.scheme == scheme and a.critic}
    votes = sorted({a.queries for a in mine if a.critic.noise})
    for k, q in enumerate(votes):
        for noise, style in NOISE.items():
            arms = [a for a in mine if (a.critic.noise, a.queries) == (noise, q)]
            if arms:
                arms = sorted([*arms, *(a for a in mine if a.critic.accuracy == 100)], key=lambda a: a.critic.accuracy)
                beside = 0.5 * (k - (len(votes) - 1) / 2) + (0.25 if noise == "per-text" else 0)
                line(ax, [a.critic.accuracy + beside for a in arms], [mine[a] for a in arms], unit, VOTES[k % len(VOTES)], style,
                     f"{q} vote{'s' if q > 1 else ''}, {noise}")  # fmt: skip
    if not votes:  # a ranker that is always right has no noise and one number of votes
        always = [a for a in mine if a.critic.accuracy == 100]
        line(ax, [100] * len(always), [mine[a] for a in always], unit, VOTES[0], "-", "1 vote")
    ax.spines[["top", "right"]].set_visible(False)


def line(ax: Axes, at: Sequence[float], of: Sequence[Estimate], unit: float, colour: str, style: str, name: str) -> None:
    """Draws means with their intervals."""
    mean = [e.mean / unit for e in of]
    below = [0 if e.low is None else (e.mean - e.low) / unit for e in of]
    above = [0 if e.high is None else (e.high - e.mean) / unit for e in of]
    ax.errorbar(at, mean, [below, above], color=colour, ls=style, marker="o", ms=3.5, lw=1.6, capsize=2, label=name)
