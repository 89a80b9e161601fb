"""The UI study's tables and plot. Every number comes from the runs on disk."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from noise_arms import keep
from noise_report import interval
from noise_stats import Estimate, bootstrap
from study_call import ending
from ui_tasks import HELD_OUT, OTHER, TRAIN
from ui_work import REWARDS, TESTS, Arm, Case, Plan

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {"team": "#b0b0b0", "process": "#d1495b", "process-20": "#edae49", "random": "#30638e"}
NAMES = {"team": "team", "process": "process, right", "process-20": "process, 20 % wrong", "random": "random scores"}


@dataclass(frozen=True)
class Report:
    """What is reported on.

    Attributes:
        out: folder of the study.
        plan: what all runs have in common.
        arms: those asked for.
        seeds: those asked for.
        failed: runs that failed → why.
        calls: the calls that made the runs, with versions.
    """

    out: Path
    plan: Plan
    arms: Sequence[Arm]
    seeds: Sequence[int]
    failed: dict[str, str]
    calls: Sequence[dict[str, Any]]

    def write(self) -> str:
        """Writes ui_study.md, .csv, .json and a plot for each world; returns the page."""
        files = {a: [Case(s, a).record(self.out) for s in self.seeds] for a in self.arms}
        runs = {a: [json.loads(p.read_text()) for p in mine if p.exists()] for a, mine in files.items()}
        page = self.page(runs)
        (self.out / "ui_study.md").write_text(page)
        (self.out / "ui_study.csv").write_text(self.table(runs))
        keep(self.out / "ui_study.json", {
            "plan": asdict(self.plan), "train": TRAIN, "held_out": HELD_OUT, "seeds": list(self.seeds), "calls": self.calls,
            "failed": self.failed, "runs": [r for mine in runs.values() for r in mine],
        })  # fmt: skip
        for world in dict.fromkeys(a.world for a in self.arms):
            self.plot(world, {a: r for a, r in runs.items() if a.world == world and r})
        return page

    def page(self, runs: dict[Arm, list[dict[str, Any]]]) -> str:
        """The report in Markdown."""
        p = self.plan
        lines = [
            "# UI study",
            "",
            f"Success of greedy play after {p.frames:,} frames (a frame is a round of talk of {p.agents} agents), mean over "
            f"seeds with 95 % bootstrap intervals; {p.episodes} episodes of each template and test. `process` pays each agent "
            f"the solution critic's score of its proposal less {p.baseline:g}, `process-20` that of one which errs 20 % of "
            "the time, `random` a random critic's, all with the same bonus and step cost; `team` is the game's own sparse "
            "reward. With edge updates the graph of who hears whom is changed in training, at probability "
            f"{p.edge_update:g} an episode; tests have the plain chain. *Other world* tries the policy, as it is, on the "
            "training tasks of the other world.",
        ]
        for world in dict.fromkeys(a.world for a in self.arms):
            head = ("reward", "rounds", "edge updates", *TESTS)
            lines += ["", f"## {world}", "", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
            lines += [self.row(a, runs[a]) for a in self.arms if a.world == world]
        lines += ["", "## From world to world", "", *self.matrix(runs)]
        done, total = sum(len(r) for r in runs.values()), len(self.arms) * len(self.seeds)
        return "\n".join([*lines, *ending(done, total, self.failed, self.calls)]) + "\n"

    def row(self, a: Arm, runs: Sequence[dict[str, Any]]) -> str:
        """A row of the table."""
        cells = [interval(share(runs, t), 1, 2) if runs else "missing" for t in TESTS]
        if 0 < len(runs) < len(self.seeds):
            cells[0] += f" ({len(runs)} of {len(self.seeds)} seeds)"
        return f"| {NAMES[a.reward]} | {a.rounds} | {'yes' if a.edges else 'no'} | {' | '.join(cells)} |"

    def matrix(self, runs: dict[Arm, list[dict[str, Any]]]) -> list[str]:
        """Trained where, tried where: of the rightest critic's arm with one round, and of policies before any training."""
        worlds = [w for w in OTHER if any(a.world == w for a in self.arms)]
        lines = [f"| trained on | {' | '.join(f'tried on {w}' for w in worlds)} |", "|---" * (1 + len(worlds)) + "|"]
        for kind, label in (("tested", "{}"), ("untrained", "nothing ({})")):
            for world in worlds:
                mine = runs.get(Arm(world, "process", 1, False), [])
                tests = ["train seeds" if w == world else "other world" for w in worlds]
                cells = [interval(share(mine, t, kind), 1, 2) if mine else "missing" for t in tests]
                lines.append(f"| {label.format(world)} | {' | '.join(cells)} |")
        return lines

    def table(self, runs: dict[Arm, list[dict[str, Any]]]) -> str:
        """The table as CSV; what is missing is empty."""
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        keys = [t.replace(" ", "_").replace("-", "_") for t in TESTS]
        numbers = [f"{k}{e}" for k in keys for e in ("", "_low", "_high")]
        out.writerow(["world", "reward", "rounds", "edge_updates", "seeds", *numbers])
        for a, mine in runs.items():
            cells = [""] * 3 * len(TESTS)
            if mine:
                found = [x for t in TESTS for x in asdict(share(mine, t)).values()]
                cells = ["" if x is None else f"{x:.6g}" for x in found]
            out.writerow([a.world, a.reward, a.rounds, int(a.edges), len(mine), *cells])
        return text.getvalue()

    def plot(self, world: str, runs: dict[Arm, list[dict[str, Any]]]) -> None:
        """Draws the success on training tasks against frames, a panel for each number of rounds and kind of graph."""
        panels = sorted({(a.rounds, a.edges) for a in runs}) or [(1, False)]
        size = (1.2 + 3.6 * len(panels), 3.9)
        figure, axes = plt.subplots(1, len(panels), figsize=size, sharey=True, squeeze=False, layout="constrained")
        for ax, (rounds, edges) in zip(axes[0], panels, strict=True):
            for reward in REWARDS:
                mine = [r["curve"] for r in runs.get(Arm(world, reward, rounds, edges), []) if r["curve"]]
                if mine:
                    at = [f / 1000 for f, _ in mine[0]]
                    rates = np.array([[s for _, s in c] for c in mine])
                    ax.plot(at, rates.mean(0), color=COLOURS[reward], lw=2, label=NAMES[reward])
                    ax.fill_between(at, rates.min(0), rates.max(0), color=COLOURS[reward], alpha=0.12, lw=0)
            title = f"{rounds} round{'s' if rounds > 1 else ''}" + (", edge updates" if edges else "")
            ax.set(xlabel="thousand frames", ylim=(-0.03, 1.03), title=title)
            ax.spines[["top", "right"]].set_visible(False)
        axes[0][0].set_ylabel("success on training tasks")
        figure.legend(*axes[0][0].get_legend_handles_labels(), frameon=False, fontsize=9, loc="outside lower center", ncols=4)
        figure.suptitle(f"{world}: mean over seeds and their range", fontsize=11)
        figure.savefig(self.out / f"ui_study-{world}.png", dpi=130)
        plt.close(figure)


def share(runs: Sequence[dict[str, Any]], test: str, kind: str = "tested") -> Estimate:
    """Success in a test, over runs."""
    return bootstrap([r[kind][test] for r in runs])
