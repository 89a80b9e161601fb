"""The report as one HTML page that needs nothing else."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from math import isnan
from typing import Any

from marlpit.ablate._critics import SCORES, Prediction, predictions
from marlpit.ablate._load import Study
from marlpit.ablate._summary import LEVELS, Censored, Line, Verdict, horizons
from marlpit.ablate._tables import interval

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 74rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; } p { max-width: 50rem; }
table { border-collapse: collapse; font-size: 13px; margin: .6rem 0 1.2rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
th { font-weight: 600; border-bottom: 2px solid #999; } td.n, th.n { text-align: right; } td.i { white-space: nowrap; }
img { max-width: 100%; height: auto; } .wide { overflow-x: auto; } .few { color: #a33; } tr.primary { background: #faf3e0; }
code { font-size: 12px; background: #f4f4f4; padding: .1rem .25rem; }
"""
UNITS = {"success": (1.0, 2), "team_return": (1.0, 2), "area": (1.0, 2), "to50": (1000.0, 0), "to80": (1000.0, 0)}
METRIC = {
    "success": "success at the end", "team_return": "team return at the end", "area": "area under the curve of success",
    "to50": "thousand frames to 50 %", "to80": "thousand frames to 80 %",
}  # fmt: skip


def page(
    study: Study, lines: Sequence[Line], totals: Sequence[Line], verdicts: Sequence[Verdict], pictures: Mapping[str, bytes]
) -> str:
    """Writes the page.

    Args:
        study: The runs.
        lines: A line for each arm.
        totals: A line for each arm over all worlds and learners.
        verdicts: The comparisons.
        pictures: Name of a picture to its SVG.
    """
    parts = [_head(study), _verdicts(verdicts)]
    for part in dict.fromkeys(line.key[0] for line in lines):
        parts.append(f"<h2>{escape(part)}</h2>")
        parts += [_picture(n, data) for n, data in pictures.items() if n.startswith((f"curves-{part}-", f"tokens-{part}."))]
        parts.append(_lines([line for line in (*lines, *totals) if line.key[0] == part]))
    body = "\n".join([*parts, _critics(predictions(study)), _tuning(study), _missing(study), _made(study)])
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Ablation</title><style>{STYLE}</style></head>\n'
        f"<body>\n<h1>Reward schemes compared</h1>\n{body}\n</body></html>\n"
    )


def _head(study: Study) -> str:
    runs = study.runs
    ends = ", ".join(f"{p}, {w}: {h:,.0f}" for (p, w), h in horizons(runs).items())
    words = [
        f"<p>{len(runs)} runs"
        + (f" of {len(study.planned)} that were planned; {len(study.missing())} are missing" if study.planned else "")
        + (f", {sum(k.startswith('runs/') for k in study.failed)} of them failed" if study.failed else "")
        + ". What is missing is left out, never counted as 0.</p>",
        "<p>Success and team return are the game's own, of greedy play on held-out starts, whatever the learner was paid. Frames "
        "include those of collecting pairs. Curves and numbers are interquartile means over seeds with 95 % stratified bootstrap "
        "intervals, pointwise for curves; frames to a level are restricted means: a run that never got there counts with all its "
        "frames, and is counted beside it. An interval of no width says that all runs agree, not that the next one will.</p>",
        f"<p>Compared up to the last evaluation of the shortest run: {escape(ends)} frames.</p>",
    ]
    for (part, world), end in horizons(runs).items():
        longest = max(r.frames[-1] for r in runs if (r.part, r.world) == (part, world))
        if end < 0.9 * longest:
            words.append(
                f'<p class="few">{escape(part)}, {escape(world)}: other runs are longer, up to {longest:,.0f} frames.</p>'
            )
    return "\n".join(words)


def _verdicts(verdicts: Sequence[Verdict]) -> str:
    if not verdicts:
        return ""
    head = ["comparison", "part", "number", "pairs", "difference", "probability of improvement", "p", "p, Holm"]
    rows = []
    for v in sorted(verdicts, key=lambda v: not v.of.primary):
        unit, digits = UNITS[v.of.metric]
        r = v.result
        few = f' <span class="few">(so many pairs give {r.least:.2g} at least)</span>' if r.least > 0.05 else ""
        cells = [
            escape(v.of.name) + (" <b>(primary)</b>" if v.of.primary else ""),
            escape(": ".join([v.part, *([", ".join(v.of.worlds)] if v.of.worlds else [])])), METRIC[v.of.metric], str(r.pairs),
            interval(r.difference, unit, digits), interval(r.improvement), f"{r.p:.2g}{few}", f"{v.corrected:.2g}",
        ]  # fmt: skip
        rows.append(f"<tr{' class=primary' if v.of.primary else ''}>{''.join(f'<td>{c}</td>' for c in cells)}</tr>")
    note = (
        "<p>Differences are first minus second, seed by seed, over all worlds and learners of a part; of frames, less is better. "
        f"p is two-sided, from exchanging the arms of each pair at random, then corrected by Holm over these {len(verdicts)}.</p>"
    )
    return f"<h2>Comparisons</h2>\n{_table(head, rows)}\n{note}"


def _lines(lines: Sequence[Line]) -> str:
    head = ["world", "learner", "reward", "seeds", "success", "team return", "area"]
    head += [f"thousand frames to {level:.0%}" for level in LEVELS.values()] + ["of them for pairs", "CPU-seconds", "tokens"]
    rows = []
    for line in lines:
        _, world, algo, arm = line.key
        few = line.seeds < line.planned
        seeds = f'<span class="few">{line.seeds} of {line.planned}</span>' if few else str(line.seeds)
        cells = [escape(world) or "<i>all</i>", escape(algo) or "<i>all</i>", escape(arm), seeds]
        cells += [interval(e) for e in (line.success, line.team_return, line.area)]
        cells += [_censored(c, line.seeds) for c in (line.to50, line.to80)]
        cells += ["–" if isnan(x) else f"{x:,.0f}" for x in (line.charged / 1000, line.cpu_seconds, line.tokens)]
        rows.append(f"<tr>{''.join(f'<td class=i>{c}</td>' for c in cells)}</tr>")
    return _table(head, rows)


def _censored(c: Censored, runs: int) -> str:
    return interval(c.mean, 1000, 0) + (f", {c.never} of {runs} never" if c.never else "")


def _critics(found: Sequence[Prediction]) -> str:
    if not found:
        return ""
    rows = []
    for f in found:
        where = "".join(f"<td>{escape(w)}</td>" for w in (f.part, f.world, f.algo))
        cells = (SCORES[f.score], METRIC[f.metric], str(len(f.arms)), interval(f.rho), f"{f.p:.2g}")
        rows.append(f"<tr>{where}{''.join(f'<td>{c}</td>' for c in cells)}</tr>")
    head = ["part", "world", "learner", "score before training", "against", "rewards", "Spearman's ρ", "p"]
    text = "<p>Over the rewards of a part whose rankers can be compared with exact credit; intervals resample rewards.</p>"
    return f"<h2>Does the ranker's score tell how training goes?</h2>\n{text}\n{_table(head, rows)}"


def _tuning(study: Study) -> str:
    if not study.tuning:
        return ""
    tried = ["; ".join(f"{k} {v}" for k, v in c.items()) or "the plan's own" for c in study.tried]
    rows = []
    for t in study.tuning:
        scores = "".join(
            f"<td class=n>{'–' if s is None else f'{s:.2f}'}{' ←' if i == t.best else ''}</td>" for i, s in enumerate(t.scores)
        )
        rows.append(f"<tr><td>{escape(', '.join(t.key))}</td><td class=n>{t.frames / 1000:,.0f}</td>{scores}</tr>")
    head = ["tuned", "thousand frames", *(str(i) for i in range(len(tried)))]
    listed = "".join(f"<li value={i}>{escape(c)}</li>" for i, c in enumerate(tried))
    text = (
        "<p>These arms, and no others, were tuned: all with the same configurations and seeds, none of them a reported one. The "
        "number is the mean area under the curve of success, ← what the reported runs were made with. Frames of tuning are in no "
        "curve.</p>"
    )
    return f"<h2>Tuning</h2>\n{text}\n{_table(head, rows)}\n<ol>{listed}</ol>"


def _missing(study: Study) -> str:
    out = []
    if study.failed:
        rows = [f"<tr><td><code>{escape(n)}</code></td><td>{escape(why)}</td></tr>" for n, why in sorted(study.failed.items())]
        out.append("<h2>Failed</h2>\n<p>Left out of all numbers.</p>\n" + _table(["folder", "why"], rows))
    failed = {n.partition("/")[2] for n in study.failed}
    groups: dict[tuple[str, str, str, str], list[int]] = {}
    for *key, seed in study.missing():
        part, world, algo, arm = key
        if f"{part}/{world}/{algo}/{arm}-s{seed}" not in failed:
            groups.setdefault((part, world, algo, arm), []).append(seed)
    if groups:
        rows = [
            f"<tr>{''.join(f'<td>{escape(k)}</td>' for k in key)}<td>{', '.join(map(str, seeds))}</td></tr>"
            for key, seeds in groups.items()
        ]
        out.append("<h2>Not run</h2>\n" + _table(["part", "world", "learner", "reward", "seeds"], rows))
    return "\n".join(out)


def _made(study: Study) -> str:
    rows = []
    for c in study.calls:
        versions = ", ".join(f"{k} {v}" for k, v in c["versions"].items())
        cells = [escape(c["at"]), f"<code>{escape(c['command'])}</code>", escape(f"{versions}; {c['revision']}")]
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    seconds = sum(r.cpu_seconds[-1] for r in study.runs if not isnan(r.cpu_seconds[-1]))
    spent = f"<p>{seconds / 3600:.2f} CPU-hours for the reported runs, each with the whole cost of its votes and σ.</p>"
    return f"<h2>How it was made</h2>\n{spent}\n" + (_table(["at", "call", "versions; git revision"], rows) if rows else "")


def _table(head: Sequence[str], rows: Sequence[Any]) -> str:
    top = "".join(f"<th>{h}</th>" for h in head)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _picture(name: str, svg: bytes) -> str:
    return f'<p><img alt="{escape(name)}" src="data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"></p>'
