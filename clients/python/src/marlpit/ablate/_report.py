"""``python -m marlpit ablate report``."""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from marlpit._options import carried_out
from marlpit.ablate import _plot, _store
from marlpit.ablate._document import Picture, document
from marlpit.ablate._load import Run, Study, load, usual
from marlpit.ablate._markdown import markdown
from marlpit.ablate._page import page
from marlpit.ablate._plan import METRICS, Comparison
from marlpit.ablate._summary import Line, lines, totals, verdicts
from marlpit.ablate._tables import comparisons_csv, curves_csv, latex, marl_eval, summary_csv
from marlpit.ablate._words import plural
from marlpit.errors import Invalid

_DOC = """Tables, curves and tests of runs: report.html, report.md, curves (PNG, SVG), runs.csv, summary.csv, comparisons.csv,
table.tex and marl_eval.json. Runs are those of a folder of `ablate run`, and of CSV files with the columns env, algo, arm,
seed, frames, success and, where they are known, part, team_return, cpu_seconds and tokens; one row is one evaluation."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(
        prog="python -m marlpit ablate report", description=_DOC, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("folder", nargs="?", type=Path, help="of the runs")
    p.add_argument("--csv", type=Path, action="append", default=[], metavar="FILE", help="runs of yours; may be repeated")
    p.add_argument(
        "--compare", type=_comparison, action="append", default=[], metavar="A,B[,METRIC]",
        help=f"in place of the plan's comparisons, the primary one first; METRIC is one of {', '.join(METRICS)} (area)",
    )  # fmt: skip
    p.add_argument(
        "--curves",
        type=_curves,
        metavar="A,B,…",
        help="rewards in the pictures; tables have all anyway",
    )
    p.add_argument("--out", type=Path, help="folder for the report (FOLDER/report)")
    return p


def main(words: list[str]) -> int:
    """Reports; 0 where nothing is missing, 1 where something is, 2 for a wrong call."""
    p = parser()
    o = p.parse_args(words)
    if o.folder is None and not o.csv:
        p.error("a folder is missing, or --csv")
    if o.folder is None and o.out is None:
        p.error("--out is missing")
    return carried_out(p, lambda: _store.disk(lambda: _report(o)))


def _report(o: argparse.Namespace) -> int:
    out = o.out or o.folder / "report"
    if o.out:
        _store.folder(out, "--out")
    study = load(o.folder, o.csv)
    if o.compare:
        study.comparisons = [Comparison(c.name, c.a, c.b, c.metric, primary=not k) for k, c in enumerate(o.compare)]
    elif not study.comparisons:
        study.comparisons = usual(study.runs)
    arms = list(dict.fromkeys(r.arm for r in study.runs))
    if wrong := [a for a in o.curves or () if a not in arms]:
        raise Invalid(f"--curves: there is no reward {wrong[0]!r}; there are {', '.join(arms)}")
    planned = dict.fromkeys([*arms, *(p[3] for p in study.planned)])
    if wrong := [a for c in o.compare for a in (c.a, c.b) if a not in planned]:
        raise Invalid(f"--compare: there is no reward {wrong[0]!r}; there are {', '.join(planned)}")
    write(study, out, o.curves)
    missing = len(study.missing())
    lost = f", {plural(missing, 'planned one')} missing" if missing else ""
    print(f"{plural(len(study.runs), 'run')}{lost}: {out / 'report.html'}")
    return 1 if missing else 0


def write(study: Study, out: Path, curves: Sequence[str] | None = None) -> None:
    """Writes a report's files into a folder, which is made where it isn't there: all of them, or none.

    Args:
        study: What it tells of.
        out: The folder.
        curves: Arms that are in the pictures; None: all.
    """
    each, all_of = lines(study), totals(study)
    judged = verdicts(study)
    pictures: list[Picture] = []
    drawn: dict[str, bytes] = {}
    files: dict[str, bytes] = {}
    shown = {r.key for r in study.runs if curves is None or r.arm in curves}
    for part in dict.fromkeys(r.part for r in study.runs):
        here = {k for k in shown if k[0] == part}
        for name, caption, figure in _figures(part, [r for r in study.runs if r.key in here], [x for x in each if x.key in here]):
            if figure is not None:
                pictures.append(Picture(name, part, f"{part}: {caption.partition('.')[0]}", caption))
                drawn[name] = _plot.saved(figure, "svg")
                files |= {f"{name}.svg": drawn[name], f"{name}.png": _plot.saved(figure, "png")}
    blocks = document(study, each, all_of, judged, pictures)
    texts = {
        "runs.csv": curves_csv(study.runs), "summary.csv": summary_csv([*each, *all_of]),
        "comparisons.csv": comparisons_csv(judged),
        "table.tex": latex([*each, *all_of]), "marl_eval.json": json.dumps(marl_eval(study), indent=1) + "\n",
        "report.html": page(blocks, drawn), "report.md": markdown(blocks),
    }  # fmt: skip
    _store.keep_all(out, files | {name: text.encode(errors="backslashreplace") for name, text in texts.items()})


def _figures(part: str, runs: Sequence[Run], each: Sequence[Line]) -> Iterator[tuple[str, str, Figure | None]]:
    """Yields name, caption and picture; None where there is nothing to draw."""
    file = re.sub(r"[^\w.,+=() -]", "_", part)
    if file != part:  # of a CSV, which has names that are none of a file
        file += f"-{hashlib.sha256(part.encode()).hexdigest()[:8]}"
    for x, along in _plot.X.items():
        yield f"curves-{file}-{x.replace('_', '-')}", f"Success against {along}. {_plot.BAND}", _plot.curves(runs, x)
    yield (
        f"tokens-{file}",
        "Success at the end against tokens spent on votes. Bars: 95 % bootstrap intervals.",
        _plot.tokens(each),
    )


def _curves(text: str) -> list[str]:
    names = next(csv.reader([text]), [])
    if not all(names) or not names:
        raise argparse.ArgumentTypeError(f"want names of rewards with commas between, got {text!r}")
    return names


def _comparison(text: str) -> Comparison:
    words = next(csv.reader([text], skipinitialspace=True), [])
    a, b, metric = [*words, "area"][:3] if len(words) in (2, 3) else ("", "", "")
    if not (a and b) or a == b or metric not in METRICS:
        raise argparse.ArgumentTypeError(f"want two rewards, A,B or A,B,METRIC with {', '.join(METRICS)}, got {text!r}")
    return Comparison(f"{a} against {b}", a, b, metric)
