"""Reports of `marlpit ablate`: numbers from made-up runs, files that parse, what is missing and what failed."""

from __future__ import annotations

import csv
import json
import math
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")

from marlpit.ablate._command import main
from marlpit.ablate._critics import predictions
from marlpit.ablate._load import Run, Study, load, read_csv
from marlpit.ablate._report import parser
from marlpit.ablate._summary import lines, totals, verdicts
from marlpit.ablate._tables import comparisons_csv
from marlpit.errors import Invalid

# Frames at which each run is at 1: one `none` run never is.
SOLVED = {"credit": (300, 400, 200, 300, 300), "none": (800, 600, 700, 700, None)}


def write_csv(path: Path) -> Path:
    """Two rewards × five seeds × two learners, evaluated every 100 of 1,000 frames; pairs took 100."""
    rows = ["env,algo,arm,seed,frames,success,team_return,cpu_seconds,tokens"]
    for algo in ("mappo", "ippo"):
        for arm, solved in SOLVED.items():
            for seed, at in enumerate(solved):
                for frames in range(100 if arm == "credit" else 0, 1001, 100):
                    success = int(at is not None and frames >= at)
                    tokens = 5000 if arm == "credit" else ""
                    rows.append(f"toy,{algo},{arm},{seed},{frames},{success},{0.5 * success},{frames / 100},{tokens}")
    path.write_text("\n".join(rows) + "\n")
    return path


def test_numbers(tmp_path: Path) -> None:
    study = load(None, [write_csv(tmp_path / "runs.csv")])
    found = {line.key: line for line in lines(study)}
    none = found["main", "toy", "mappo", "none"]
    assert (none.seeds, none.planned) == (5, 5)
    assert none.success.value == 1, "the quarter without the one that failed"
    assert none.success.low < 1
    assert none.to80.never == 1
    assert none.to80.mean.value == pytest.approx((800 + 600 + 700 + 700 + 1000) / 5), "cut at the horizon"
    credit = found["main", "toy", "mappo", "credit"]
    assert credit.area.value == pytest.approx(0.75), "solved at 300, after a straight rise from 200"
    assert (credit.tokens, credit.cpu_seconds) == (5000, 10)
    assert math.isnan(credit.charged), "a CSV doesn't say"
    (both,) = [line for line in totals(study) if line.key[3] == "none"]
    assert both.seeds == 10
    assert both.to80.never == 2


def test_comparisons_are_paired_by_seed(tmp_path: Path) -> None:
    study = load(None, [write_csv(tmp_path / "runs.csv")])
    asked = parser().parse_args(["--compare", "credit,none", "--compare", "credit,none,to80", "--compare", "none,credit,success"])
    study.comparisons = asked.compare
    area, to80, success = csv.DictReader(comparisons_csv(verdicts(study)).splitlines())
    assert (area["name"], area["pairs"]) == ("credit against none", "5"), "two learners of a seed are one pair"
    assert float(to80["difference"]) == pytest.approx(300 - 760)
    assert float(to80["improvement"]) == 1, "fewer frames are better"
    assert float(area["p"]) == pytest.approx(2 / 32)
    assert float(area["p_holm"]) == pytest.approx(6 / 32)
    assert float(success["improvement"]) == pytest.approx(0.4), "four ties, one lost"
    assert float(success["p_holm"]) == 1


class _Checker(HTMLParser):
    """Counts tags that were opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [v or "" for k, v in attrs if k in ("src", "href")]
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_files(tmp_path: Path) -> None:
    out = tmp_path / "report"
    assert main(["report", "--csv", str(write_csv(tmp_path / "runs.csv")), "--out", str(out)]) == 0
    names = {p.name for p in out.iterdir()}
    pictures = {f"{n}.{k}" for n in ("curves-main-frames", "curves-main-cpu-seconds", "tokens-main") for k in ("png", "svg")}
    assert names == pictures | {"report.html", "runs.csv", "summary.csv", "comparisons.csv", "table.tex", "marl_eval.json"}
    for name in pictures:
        if name.endswith("svg"):
            assert ElementTree.parse(out / name).getroot().tag.endswith("svg")
        else:
            assert (out / name).read_bytes().startswith(b"\x89PNG")
    page = _Checker()
    page.feed((out / "report.html").read_text())
    assert page.open == []
    assert len(page.addresses) == 3
    assert all(a.startswith("data:image/svg+xml;base64,") for a in page.addresses), "it needs nothing else"
    tex = (out / "table.tex").read_text()
    rows = [r for r in tex.splitlines() if r.endswith("\\\\")]
    assert len(rows) == 1 + 4 + 2
    assert all(len(re.findall(r"(?<!\\)&", r)) == 6 for r in rows)

    task = json.loads((out / "marl_eval.json").read_text())["main"]["toy"]
    assert set(task) == {"mappo-credit", "mappo-none", "ippo-credit", "ippo-none"}
    runs = task["mappo-none"]
    assert set(runs) == {f"seed_{s}" for s in range(5)}
    steps = runs["seed_0"]
    assert list(steps) == [*(f"step_{k}" for k in range(20)), "absolute_metrics"], "as many for all"
    assert steps["step_19"] == {"step_count": 1000, "success": [1.0], "return": [0.5]}
    assert steps["absolute_metrics"] == {"success": [1.0], "return": [0.5]}

    again = tmp_path / "again"
    assert main(["report", "--csv", str(out / "runs.csv"), "--out", str(again)]) == 0
    assert {n: (again / n).read_bytes() for n in names} == {n: (out / n).read_bytes() for n in names}, (
        "its own CSV says all of it"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("env,algo,arm,seed,frames\n", "the column success is missing"),
        ("env,algo,arm,seed,frames,success\na,b,c,0,10,2\n", "line 2: success is from 0 to 1, got 2"),
        ("env,algo,arm,seed,frames,success\na,b,c,x,10,1\n", "line 2: seed is a whole number, got 'x'"),
        ("env,algo,arm,seed,frames,success\na,b,c,0,10,nan\n", "line 2: success is a number, got 'nan'"),
        ("env,algo,arm,seed,frames,success\na,b,c,0,10,1\na,b,c,0,10,1\n", "line 3: frames grow within a run, got 10 after 10"),
    ],
    ids=str,
)
def test_bad_csv(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(text)
    with pytest.raises(Invalid, match=says):
        read_csv(tmp_path / "runs.csv")


def test_runs_without_the_optional_columns(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("env,algo,arm,seed,frames,success\na,b,c,0,10,1\na,b,c,1,10,0\n")
    assert main(["report", "--csv", str(tmp_path / "runs.csv"), "--out", str(tmp_path / "out")]) == 0
    (row,) = csv.DictReader((tmp_path / "out" / "summary.csv").read_text().splitlines())
    assert (row["success"], row["team_return"], row["cpu_seconds"], row["tokens"]) == ("0.5", "", "", "0")
    assert not list((tmp_path / "out").glob("*cpu*"))
    assert verdicts(load(None, [tmp_path / "runs.csv"])) == []


def test_does_the_rankers_score_tell_how_training_goes() -> None:
    runs = []
    for arm, (right, solved) in enumerate([(0.5, 900), (0.6, 800), (0.8, 300), (0.7, 500), (0.9, 400)]):
        frames = [float(f) for f in range(0, 1001, 100)]
        success = [float(f >= solved) for f in frames]
        model = {"model": {"ranker_right": right, "model_right": None}}
        runs.append(Run("main", "toy", "mappo", f"arm-{arm}", 0, frames, success, success, frames, [0.0] * 11, model))
    (found,) = predictions(Study(runs))
    assert (found.score, found.metric, len(found.arms)) == ("ranker_right", "area", 5), "all succeed in the end: nothing to rank"
    assert found.rho.value == pytest.approx(1 - 6 * 2 / (5 * 24)), "the last two are exchanged"
    assert predictions(Study(runs[:3])) == []
