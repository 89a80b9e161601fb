"""``python -m marlpit ablate report``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from marlpit.ablate._load import Study, load, usual
from marlpit.ablate._page import page
from marlpit.ablate._plan import METRICS, Comparison
from marlpit.ablate._summary import lines, totals, verdicts
from marlpit.ablate._tables import comparisons_csv, curves_csv, latex, marl_eval, summary_csv
from marlpit.errors import Invalid

_DOC = """Tables, curves and tests of runs: report.html, curves (PNG, SVG), runs.csv, summary.csv, comparisons.csv, table.tex and
marl_eval.json. Runs are those of a folder of `ablate run`, and of CSV files with the columns env, algo, arm, seed, frames,
success and, where they are known, part, team_return, cpu_seconds and tokens; one row is one evaluation."""


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
    try:
        study = load(o.folder, o.csv)
        if o.compare:
            study.comparisons = [Comparison(c.name, c.a, c.b, c.metric, primary=not k) for k, c in enumerate(o.compare)]
        elif not study.comparisons:
            study.comparisons = usual(study.runs)
        out = o.out or o.folder / "report"
        write(study, out)
    except Invalid as e:
        p.error(str(e))
    except ImportError as e:
        print(f"{p.prog}: {e}: install marlpit[ablate]", file=sys.stderr)
        return 1
    missing = len(study.missing())
    print(f"{len(study.runs)} runs" + (f", {missing} planned ones are missing" if missing else "") + f": {out / 'report.html'}")
    return 1 if missing else 0


def write(study: Study, out: Path) -> None:
    """Writes a report's files into a folder, which is made where it isn't there."""
    from marlpit.ablate import _plot

    out.mkdir(parents=True, exist_ok=True)
    each, all_of = lines(study), totals(study)
    judged = verdicts(study)
    pictures: dict[str, bytes] = {}
    for part in dict.fromkeys(r.part for r in study.runs):
        mine = [r for r in study.runs if r.part == part]
        figures = {f"curves-{part}-{x.replace('_', '-')}": _plot.curves(mine, x) for x in _plot.X}
        figures[f"tokens-{part}"] = _plot.tokens([line for line in each if line.key[0] == part])
        for name, figure in figures.items():
            if figure is not None:
                pictures[f"{name}.svg"] = _plot.saved(figure, "svg")
                (out / f"{name}.svg").write_bytes(pictures[f"{name}.svg"])
                (out / f"{name}.png").write_bytes(_plot.saved(figure, "png"))
    texts = {
        "runs.csv": curves_csv(study.runs), "summary.csv": summary_csv([*each, *all_of]),
        "comparisons.csv": comparisons_csv(judged),
        "table.tex": latex([*each, *all_of]), "marl_eval.json": json.dumps(marl_eval(study), indent=1) + "\n",
        "report.html": page(study, each, all_of, judged, pictures),
    }  # fmt: skip
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8")


def _comparison(text: str) -> Comparison:
    words = text.split(",")
    a, b, metric = [*words, "area"][:3] if len(words) in (2, 3) else ("", "", "")
    if not (a and b) or metric not in METRICS:
        raise argparse.ArgumentTypeError(f"want A,B or A,B,METRIC with {', '.join(METRICS)}, got {text!r}")
    return Comparison(f"{a} against {b}", a, b, metric)
