"""The UI study's plots: success on training tasks against frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from ui_work import REWARDS, Arm

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {"team": "#6c757d", "process": "#d1495b", "process-20": "#edae49", "random": "#30638e"}
STYLES = {"team": "--", "process": "-", "process-20": "-", "random": ":"}
NAMES = {"team": "team", "process": "process, right", "process-20": "process, 20 % wrong", "random": "random scores"}


def plot(path: Path, world: str, runs: Mapping[Arm, Sequence[dict[str, Any]]]) -> None:
    """Draws the curves of a world's arms, a panel for each number of rounds and kind of graph.

    Args:
        path: of the picture.
        world: id of the world.
        runs: records of each arm's runs; of unequal length where some were broken off is no curve.
    """
    panels = sorted({(a.rounds, a.edges) for a in runs}) or [(1, False)]
    size = (1.2 + 3.6 * max(len(panels), 2), 3.9)
    figure, axes = plt.subplots(1, len(panels), figsize=size, sharey=True, squeeze=False, layout="constrained")
    for ax, (rounds, edges) in zip(axes[0], panels, strict=True):
        for reward in REWARDS:
            mine = [r["curve"] for r in runs.get(Arm(world, reward, rounds, edges), []) if r["curve"]]
            if mine:
                at = [f / 1000 for f, _ in mine[0]]
                rates = np.array([[s for _, s in c] for c in mine])
                ax.plot(at, rates.mean(0), STYLES[reward], color=COLOURS[reward], lw=2, label=NAMES[reward])
                ax.fill_between(at, rates.min(0), rates.max(0), color=COLOURS[reward], alpha=0.12, lw=0)
        title = f"{rounds} round{'s' if rounds > 1 else ''}" + (", edge updates" if edges else "")
        ax.set(xlabel="thousand frames", xlim=(0, None), ylim=(-0.03, 1.03), title=title)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0][0].set_ylabel("success on training tasks")
    labels = {label: line for ax in axes[0] for line, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(labels.values(), labels.keys(), frameon=False, fontsize=9, loc="outside lower center", ncols=4)
    figure.suptitle(f"{world}: mean over seeds and their range", fontsize=11)
    figure.savefig(path, dpi=130)
    plt.close(figure)
