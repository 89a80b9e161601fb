"""A report's tables: CSV, LaTeX, and the JSON that marl-eval reads."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from marlpit.ablate._csv import COLUMNS
from marlpit.ablate._load import Run, Study
from marlpit.ablate._stats import Estimate
from marlpit.ablate._summary import Censored, Line, Verdict, horizons
from marlpit.ablate._words import places

MARL_EVAL_STEPS = 20  # evaluations of each run there: marl-eval wants as many of all


def number(x: float | None, digits: int = 6) -> str:
    """For CSV: empty where it is unknown."""
    return "" if x is None or math.isnan(x) else f"{x:.{digits}g}"


def interval(e: Estimate, unit: float = 1, digits: int | None = 2) -> str:
    """For people: `0.97 [0.92, 1.00]`; without a number of digits as many as it takes."""
    if math.isnan(e.value):
        return "–"
    digits = places(*(None if x is None else x / unit for x in e)) if digits is None else digits
    value, low, high = (None if x is None else f"{x / unit:.{digits}f}".replace("-", "−") for x in e)
    return str(value) if low is None or high is None else f"{value} [{low}, {high}]"


def curves_csv(runs: Sequence[Run]) -> str:
    """All evaluations of all runs; `ablate report --csv` reads it again."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(COLUMNS)
    for r in runs:
        for k in range(len(r.frames)):
            values = (r.frames[k], r.success[k], r.team_return[k], r.cpu_seconds[k], r.tokens[k])
            out.writerow([*r.key, r.seed, *(number(v, 10) for v in values)])
    return text.getvalue()


def summary_csv(lines: Sequence[Line]) -> str:
    """A row for each line; intervals are 95 %."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    estimates = ("success", "team_return", "area", "to50", "to80")
    spread = [c for n in estimates for c in (n, f"{n}_low", f"{n}_high", *([f"{n}_never"] if n[:2] == "to" else []))]
    out.writerow(["part", "env", "algo", "arm", "seeds", "planned", *spread, "charged_frames", "cpu_seconds", "tokens"])
    for line in lines:
        cells: list[str] = []
        for name in estimates:
            found = getattr(line, name)
            e = found.mean if isinstance(found, Censored) else found
            cells += [number(e.value), number(e.low), number(e.high)]
            cells += [str(found.never)] if isinstance(found, Censored) else []
        ends = (line.charged, line.cpu_seconds, line.tokens)
        out.writerow([*line.key, line.seeds, line.planned, *cells, *(number(x) for x in ends)])
    return text.getvalue()


def comparisons_csv(verdicts: Sequence[Verdict]) -> str:
    """A row for each comparison in each part."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow([
        "name", "primary", "part", "a", "b", "metric", "pairs", "difference", "difference_low", "difference_high", "improvement",
        "improvement_low", "improvement_high", "won", "won_low", "won_high", "p", "p_holm", "least_p",
    ])  # fmt: skip
    for v in verdicts:
        r = v.result
        numbers = (*r.difference, *r.improvement, *r.won, r.p, v.corrected, r.least)
        head = [v.of.name, int(v.of.primary), v.part, v.of.a, v.of.b, v.of.metric, r.pairs]
        out.writerow([*head, *(number(x) for x in numbers)])
    return text.getvalue()


def latex(lines: Sequence[Line]) -> str:
    """A table for a paper (booktabs): a row for each line."""
    rows = [
        "% needs \\usepackage{booktabs}; 95 % stratified bootstrap intervals, interquartile means, restricted means of frames",
        "\\begin{tabular}{llllrrr}",
        "\\toprule",
        "world & learner & reward & seeds & success & area & thousand frames to 80\\,\\% (never) \\\\",
        "\\midrule",
    ]
    for line in lines:
        _, world, algo, arm = line.key
        numbers = [interval(line.success), interval(line.area), f"{interval(line.to80.mean, 1000, None)} ({line.to80.never})"]
        seeds = str(line.seeds) if line.seeds == line.planned else f"{line.seeds} of {line.planned}"
        cells = [world or "all", algo or "all", arm, seeds, *numbers]
        rows.append(" & ".join(_escaped(c) for c in cells) + " \\\\")
    return "\n".join([*rows, "\\bottomrule", "\\end{tabular}", ""])


def marl_eval(study: Study) -> dict[str, Any]:
    """Environment → task → algorithm → run → step, as marl-eval's README has it.

    Environments are the parts, tasks the worlds, algorithms learner and arm. marl-eval needs the same steps and runs of all: each
    run is read at MARL_EVAL_STEPS equidistant frames, and a world has the seeds that all of its arms have. Lists hold one number,
    the mean over an evaluation's episodes; `absolute_metrics` are those of the last policy.
    """
    ends = horizons(study.runs)
    out: dict[str, Any] = {}
    for part, world in dict.fromkeys((r.part, r.world) for r in study.runs):
        runs = [r for r in study.runs if (r.part, r.world) == (part, world)]
        arms = list(dict.fromkeys((r.algo, r.arm) for r in runs))
        seeds = set.intersection(*({r.seed for r in runs if (r.algo, r.arm) == a} for a in arms))
        grid = np.linspace(0, ends[part, world], MARL_EVAL_STEPS + 1)[1:]
        for r in runs:
            if r.seed not in seeds:
                continue
            metrics = {"success": r.success, **({} if math.isnan(r.team_return[0]) else {"return": r.team_return})}
            at = {n: np.interp(grid, r.frames, v, left=0.0) for n, v in metrics.items()}
            steps: dict[str, Any] = {
                f"step_{k}": {"step_count": round(x), **{n: [float(f"{v[k]:.6g}")] for n, v in at.items()}}
                for k, x in enumerate(grid)
            }
            steps["absolute_metrics"] = {n: [float(f"{v[-1]:.6g}")] for n, v in at.items()}
            task = out.setdefault(part, {}).setdefault(world, {})
            task.setdefault(f"{r.algo}-{r.arm}", {})[f"seed_{r.seed}"] = steps
    return out


_SPECIAL = str.maketrans({
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}",
    ">": "\\textgreater{}", "|": "\\textbar{}", "–": "--", "−": "$-$", **{c: f"\\{c}" for c in "_%&#${}"},
})  # fmt: skip


def _escaped(text: str) -> str:
    """Text that means nothing to LaTeX; `[` and `*` would belong to the end of the row before."""
    return ("{}" if text[:1] in ("[", "*") else "") + text.translate(_SPECIAL)
