"""The UI study's page and tables. Every number comes from the runs on disk."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from noise_arms import keep
from noise_report import interval
from noise_stats import Estimate, bootstrap
from study_call import ending
from ui_plot import NAMES, plot
from ui_tasks import HELD_OUT, OTHER, TRAIN
from ui_work import TESTS, Arm, Case, Plan, basic

Runs = Mapping[Arm, Sequence[dict[str, Any]]]
WHILE = "while training"  # the mean of a run's curve: how early it learnt, too
MEASURES = (*TESTS, WHILE)

# What is compared: a name, of which arms, and with which other arm of the same world.
COMPARED: tuple[tuple[str, Callable[[Arm], bool], Callable[[Arm], Arm]], ...] = (
    ("process, right, less team", lambda a: a.reward == "process", lambda a: replace(a, reward="team")),
    ("process, 20 % wrong, less team", lambda a: a.reward == "process-20", lambda a: replace(a, reward="team")),
    ("process, right, less random scores", lambda a: a.reward == "process", lambda a: replace(a, reward="random")),
    ("3 rounds less 1", lambda a: a.rounds == 3 and not a.edges, lambda a: replace(a, rounds=1)),
    ("edge updates less none", lambda a: a.edges, lambda a: replace(a, edges=False)),
)


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
        """Writes README.md, ui_study.csv, ui_study.json and a plot for each world; returns the page."""
        files = {a: [Case(s, a).record(self.out) for s in self.seeds] for a in self.arms}
        runs = {a: [json.loads(p.read_text()) for p in mine if p.exists()] for a, mine in files.items()}
        page = self.page(runs)
        (self.out / "README.md").write_text(page)
        (self.out / "ui_study.csv").write_text(self.table(runs))
        keep(self.out / "ui_study.json", {
            "plan": asdict(self.plan), "train": TRAIN, "held_out": HELD_OUT, "seeds": list(self.seeds), "calls": self.calls,
            "failed": self.failed, "runs": [r for mine in runs.values() for r in mine],
        })  # fmt: skip
        for world in self.worlds():
            plot(self.out / f"ui_study-{world}.png", world, {a: r for a, r in runs.items() if a.world == world and r})
        return page

    def worlds(self) -> list[str]:
        """Those that arms are of."""
        return list(dict.fromkeys(a.world for a in self.arms))

    def page(self, runs: Runs) -> str:
        """The report in Markdown."""
        lines = ["# UI study", "", *self.about()]
        for world in self.worlds():
            head = ("reward", "rounds", "edge updates", *MEASURES)
            lines += ["", f"## {world}", "", f"![Success on training tasks against frames](ui_study-{world}.png)", ""]
            lines += [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
            lines += [self.row(a, runs[a]) for a in self.arms if a.world == world]
        lines += ["", "## Differences", "", *self.differences(runs)]
        lines += ["", "## From world to world", "", *self.matrix(runs)]
        lines += ["", "## What was run"]
        done, total = sum(len(r) for r in runs.values()), len(self.arms) * len(self.seeds)
        return "\n".join([*lines, *self.missing(runs), *ending(done, total, self.failed, self.calls)]) + "\n"

    def about(self) -> list[str]:
        """What the numbers are."""
        p = self.plan
        return [
            f"Success of greedy play after {p.frames:,} frames (a frame is a round of talk of {p.agents} agents, so that three "
            f"rounds execute a third of the actions that one does), {p.episodes} episodes of each template and test; "
            "mean over seeds with 95 % bootstrap intervals over seeds. From three seeds such an interval is about their range "
            "and too narrow; where all seeds agree it has no width. `ui_study.csv` has the numbers, `ui_study.json` all settings "
            "and runs.",
            "",
            f"*process, right* pays each agent the solution critic's score of its proposal less {p.baseline:g}, "
            "*process, 20 % wrong* that of one which errs so often, *random scores* a random critic's, all with the same bonus "
            f"and step cost, and a discount of {p.gamma_scores:g} a round; *team* is the game's own sparse reward, at "
            f"{p.gamma:g}. Everything else is the same. With edge updates the graph of who hears whom is changed "
            f"in training, at probability {p.edge_update:g} an episode; tests have the plain chain.",
            "",
            "*Train seeds* are the starts with which training began, *held-out seeds* starts of the same "
            f"{p.templates} templates that no training has, *held-out templates* other tasks of the world; *other world* tries "
            "the policy, as it is, on the training tasks of the other world. *While training* is the mean over looks every "
            f"{p.every:,} frames on train seeds: it tells who learnt sooner where all end alike.",
        ]

    def row(self, a: Arm, runs: Sequence[dict[str, Any]]) -> str:
        """A row of the table."""
        cells = [interval(share(runs, t), 1, 2) if runs else "not run" for t in MEASURES]
        if 0 < len(runs) < len(self.seeds):
            cells[0] += f" ({len(runs)} of {len(self.seeds)} seeds)"
        return f"| {NAMES[a.reward]} | {a.rounds} | {'yes' if a.edges else 'no'} | {' | '.join(cells)} |"

    def differences(self, runs: Runs) -> list[str]:
        """Arms against arms that differ in one thing, by seed: means over all such pairs of a seed that has them all."""
        head = ("world", "difference", "seeds", *MEASURES)
        lines = [
            "In success, between runs of one seed that differ in nothing else; mean over those pairs, then over seeds.",
            "",
            f"| {' | '.join(head)} |", "|---" * len(head) + "|",
        ]  # fmt: skip
        for world in self.worlds():
            for name, wanted, other in COMPARED:
                pairs = [(a, other(a)) for a in self.arms if a.world == world and wanted(a) and other(a) in runs]
                of = [{r["seed"]: (r, s) for r in runs[a] for s in runs[b] if r["seed"] == s["seed"]} for a, b in pairs]
                seeds = sorted(set.intersection(*map(set, of))) if of else []
                if not seeds:
                    lines.append(f"| {world} | {name} | 0 |{' not run |' * len(MEASURES)}")
                    continue
                found = [
                    bootstrap([np.mean([score(m[s][0], t) - score(m[s][1], t) for m in of]) for s in seeds]) for t in MEASURES
                ]
                lines.append(f"| {world} | {name} | {len(seeds)} | {' | '.join(interval(e, 1, 2) for e in found)} |")
        return lines

    def matrix(self, runs: Runs) -> list[str]:
        """Trained where, tried where: of the rightest critic's arm with one round, and of policies before any training."""
        worlds = [w for w in OTHER if w in self.worlds()]
        lines = ["Of *process, right* with one round.", ""]
        lines += [f"| trained on | {' | '.join(f'tried on {w}' for w in worlds)} |", "|---" * (1 + len(worlds)) + "|"]
        for kind, label in (("tested", "{}"), ("untrained", "nothing ({})")):
            for world in worlds:
                mine = runs.get(basic(world), [])
                tests = ["train seeds" if w == world else "other world" for w in worlds]
                cells = [interval(share(mine, t, kind), 1, 2) if mine else "not run" for t in tests]
                lines.append(f"| {label.format(world)} | {' | '.join(cells)} |")
        return lines

    def missing(self, runs: Runs) -> list[str]:
        """Names what was asked for and is not there."""
        lines = []
        for a in self.arms:
            if gone := sorted(set(self.seeds) - {r["seed"] for r in runs[a]}):
                lines.append(f"- {a.world} {a.name}: seed{'s' if len(gone) > 1 else ''} {', '.join(map(str, gone))}")
        return ["", "Not run:", "", *lines] if lines else []

    def table(self, runs: Runs) -> str:
        """The table as CSV; what is missing is empty."""
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        keys = [t.replace(" ", "_").replace("-", "_") for t in MEASURES]
        numbers = [f"{k}{e}" for k in keys for e in ("", "_low", "_high")]
        out.writerow(["world", "reward", "rounds", "edge_updates", "seeds", *numbers])
        for a, mine in runs.items():
            cells = [""] * 3 * len(MEASURES)
            if mine:
                found = [x for t in MEASURES for x in asdict(share(mine, t)).values()]
                cells = ["" if x is None else f"{x:.6g}" for x in found]
            out.writerow([a.world, a.reward, a.rounds, int(a.edges), len(mine), *cells])
        return text.getvalue()


def score(run: dict[str, Any], measure: str, kind: str = "tested") -> float:
    """A run's success."""
    return float(np.mean([s for _, s in run["curve"]])) if measure == WHILE else run[kind][measure]


def share(runs: Sequence[dict[str, Any]], measure: str, kind: str = "tested") -> Estimate:
    """Success, over runs."""
    return bootstrap([score(r, measure, kind) for r in runs])
