"""The demo's table and plot. Every number comes from the runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np

from runs import SOLVED, Run

matplotlib.use("Agg")
import matplotlib.pyplot as plt

WHAT = {
    "team": "the game's own sparse reward",
    "credit": "per-agent credit from the critic's votes",
    "oracle": "exact potential: the upper bound",
    "none": "control: bonus and step cost only",
    "coin": "control: votes by coin flip",
    "shared": "control: one score for the whole team",
}
COLOURS = {
    "team": "#222222", "credit": "#d1495b", "oracle": "#2e8b57", "none": "#8d99ae", "coin": "#c9a227", "shared": "#30638e",
}  # fmt: skip


def spread(values: Sequence[float], unit: float = 1.0, digits: int = 2) -> str:
    """Mean and range: `0.97 [0.92, 1.00]`."""
    low, mean, high = (f"{f(values) / unit:.{digits}f}" for f in (np.min, np.mean, np.max))
    return f"{mean} [{low}, {high}]"


def print_table(runs: Sequence[Run], arms: Sequence[str], budget: int) -> None:
    """Prints, for each arm, final success and frames to SOLVED, as mean and range over seeds."""
    seeds = len({r.seed for r in runs})
    print(f"\nMean and [least, greatest] over {seeds} seeds; at most {budget:,} training frames.")
    print("Greedy evaluation on the game's own success, on seeds not trained on.")
    print("A run that has been perfect twice in a row stops early. Frames include those spent on pairs.\n")
    print(f"{'reward':<8} {'success at the end':<22} {f'thousand frames to {SOLVED:.0%}':<26} what it is")
    print("-" * 104)
    for arm in arms:
        mine = [r for r in runs if r.arm == arm]
        reached = [r.solved_at for r in mine if r.solved_at is not None]
        when = spread(reached, 1000, 0) if reached else "never"
        if 0 < len(reached) < len(mine):
            when += f", {len(mine) - len(reached)} never"
        print(f"{arm:<8} {spread([r.success[-1] for r in mine]):<22} {when:<26} {WHAT[arm]}")


def save_plot(runs: Sequence[Run], arms: Sequence[str], path: Path) -> None:
    """Writes the learning curves: mean over seeds and the range between them, pairs charged."""
    figure, axes = plt.subplots(figsize=(8.5, 5.4), layout="constrained")
    end = max(r.frames[-1] + r.charged for r in runs)
    grid = np.linspace(0, end, 400)
    for arm in arms:
        curves = [
            # Before its first evaluation a run has no success; after its last it keeps what it had.
            np.interp(grid, [0, r.charged, *(f + r.charged for f in r.frames)], [0, 0, *r.success])
            for r in runs
            if r.arm == arm
        ]
        axes.plot(grid / 1000, np.mean(curves, axis=0), color=COLOURS[arm], lw=2, label=f"{arm}: {WHAT[arm]}")
        axes.fill_between(grid / 1000, np.min(curves, axis=0), np.max(curves, axis=0), color=COLOURS[arm], alpha=0.1, lw=0)
    axes.axhline(SOLVED, color="#999999", lw=0.8, ls=":")
    axes.set(xlabel="thousand frames, pairs included", ylabel="greedy success rate", ylim=(-0.02, 1.02), xlim=(0, end / 1000))
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(frameon=False, fontsize=9, loc="outside lower center", ncols=2)
    figure.savefig(path, dpi=150)
    plt.close(figure)
