"""The noise study's tables. Every number comes from the runs on disk."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from marlpit.ppo import Settings
from noise_arms import Arm, Case, keep
from noise_plot import REWARD, plot
from noise_stats import Estimate, Summary, summarise
from noise_work import Plan
from runs import SOLVED
from study_call import ending

STEPS = f"thousand frames to {SOLVED:.0%}, mean"
COLUMNS = ("reward", "accuracy", "noise", "votes", "ranker", "success at the end", STEPS, "median", "never")
CSV = (
    "world", "scheme", "critic", "accuracy", "noise", "queries", "seeds", "ranker_right",
    "success", "success_low", "success_high", "steps", "steps_low", "steps_high", "steps_median", "never",
)  # fmt: skip


@dataclass(frozen=True)
class Report:
    """What is reported on.

    Attributes:
        out: folder of the study.
        plan: what all runs have in common.
        arms: those asked for.
        seeds: those asked for.
        failed: work that failed → why.
        calls: the calls that made the runs, with versions.
    """

    out: Path
    plan: Plan
    arms: Sequence[Arm]
    seeds: Sequence[int]
    failed: dict[str, str]
    calls: Sequence[dict[str, Any]]

    def write(self) -> str:
        """Writes noise_study.md, .csv, .json and a plot for each world; returns the page."""
        files = {a: [Case(s, a).record(self.out) for s in self.seeds] for a in self.arms}
        runs = {a: [json.loads(p.read_text()) for p in mine if p.exists()] for a, mine in files.items()}
        sums = {a: summarise(r, self.plan.frames) for a, r in runs.items() if r}
        page = self.page(sums)
        (self.out / "noise_study.md").write_text(page)
        (self.out / "noise_study.csv").write_text(self.table(sums))
        every = [r for mine in runs.values() for r in mine]
        made = {
            "plan": asdict(self.plan),
            "learner": asdict(Settings(frames=self.plan.frames)),
            "seeds": list(self.seeds),
            "calls": self.calls,
            "failed": self.failed,
        }
        keep(self.out / "noise_study.json", {**made, "runs": every})
        for world in dict.fromkeys(a.world for a in self.arms):
            path = self.out / f"noise_study-{world}.png"
            plot(path, world, {a: s for a, s in sums.items() if a.world == world}, self.plan.frames)
        return page

    def page(self, sums: dict[Arm, Summary]) -> str:
        """The report in Markdown."""
        plan = self.plan
        lines = [
            "# Noise study",
            "",
            f"Mean over seeds with 95 % bootstrap intervals; {plan.frames:,} frames a run, those of collecting pairs included. "
            f"Success is the game's own, in {plan.episodes} episodes on seeds not trained on, "
            f"choices {'the likeliest' if plan.greedy else 'drawn'}. "
            f"Frames to {SOLVED:.0%} include the pairs' and are cut at {plan.frames:,} in the mean; runs that never got there "
            "are counted in the last column, and in the median are later than all others. "
            "*replace*, *add* and *direct* are the schemes `credit`, `add` and `direct`. "
            "*Ranker* is how often the majority of its votes on a pair was right.",
        ]
        for world in dict.fromkeys(a.world for a in self.arms):
            lines += ["", f"## {world}", "", f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
            lines += [f"| {' | '.join(self.row(a, sums.get(a)))} |" for a in self.arms if a.world == world]
        done, total = sum(len(s.seeds) for s in sums.values()), len(self.arms) * len(self.seeds)
        return "\n".join([*lines, *ending(done, total, self.failed, self.calls)]) + "\n"

    def row(self, a: Arm, s: Summary | None) -> list[str]:
        """A row of the Markdown table."""
        c = a.critic
        accuracy = f"{c.accuracy} %" if c and c.kind == "oracle" else ""
        head = [REWARD.get(a.scheme, a.scheme), accuracy, c.noise if c else "", str(a.queries or "")]
        if s is None:
            return [*head, "", *["missing"] * 4]
        few = "" if len(s.seeds) == len(self.seeds) else f" ({len(s.seeds)} of {len(self.seeds)} seeds)"
        median = "never" if s.median is None else f"{s.median / 1000:.0f}"
        ranker = "" if s.ranker is None else f"{s.ranker:.0%}"
        never = f"{s.never} of {len(s.seeds)}"
        return [*head, ranker, interval(s.success, 1, 2) + few, interval(s.steps, 1000, 0), median, never]

    def table(self, sums: dict[Arm, Summary]) -> str:
        """The table as CSV; what is missing is empty."""
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        out.writerow(CSV)
        for a in self.arms:
            c, s = a.critic, sums.get(a)
            accuracy = f"{c.accuracy / 100:g}" if c and c.accuracy else ""
            head = [a.world, a.scheme, c.kind if c else "", accuracy, c.noise if c else "", a.queries or ""]
            if s is None:
                out.writerow([*head, 0, *[""] * 9])
                continue
            numbers = [s.ranker, s.success.mean, s.success.low, s.success.high, s.steps.mean, s.steps.low, s.steps.high]
            cells = ["" if x is None else f"{x:.6g}" for x in numbers]
            out.writerow([*head, len(s.seeds), *cells, "never" if s.median is None else f"{s.median:.6g}", s.never])
        return text.getvalue()


def interval(e: Estimate, unit: float, digits: int) -> str:
    """A mean with its interval: `0.97 [0.92, 1.00]`."""
    mean = f"{e.mean / unit:.{digits}f}"
    return mean if e.low is None or e.high is None else f"{mean} [{e.low / unit:.{digits}f}, {e.high / unit:.{digits}f}]"
