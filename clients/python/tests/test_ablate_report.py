"""Reports of `marlpit ablate`: numbers from made-up runs, files that parse, what is missing and what failed."""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")

from marlpit.ablate import _plot
from marlpit.ablate._command import main
from marlpit.ablate._critics import predictions
from marlpit.ablate._csv import read_csv
from marlpit.ablate._gaps import failures, not_run
from marlpit.ablate._load import NAN, Run, Study, load
from marlpit.ablate._outcome import outcomes
from marlpit.ablate._plan import Comparison
from marlpit.ablate._report import parser, write
from marlpit.ablate._summary import lines, totals, verdicts
from marlpit.ablate._tables import comparisons_csv
from marlpit.ablate._tune import Tuned
from marlpit.ablate._words import plural, ranges
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
    assert float(to80["improvement"]) == float(to80["won"]) == 1, "fewer frames are better"
    assert float(area["p"]) == pytest.approx(2 / 32)
    assert float(area["p_holm"]) == pytest.approx(6 / 32)
    assert float(success["won"]) == pytest.approx(0.4), "four ties, one lost"
    assert float(success["improvement"]) == pytest.approx(0.4), "20 ties of 25, five lost"
    assert float(success["p_holm"]) == 1


def test_worlds_whose_budgets_differ(tmp_path: Path) -> None:
    """Each world is compared up to its own end, and none weighs more in the area for being longer."""
    rows = ["env,algo,arm,seed,frames,success"]
    for world, end in (("short", 100), ("long", 10_000)):
        for arm, good in (("credit", world == "short"), ("none", world == "long")):
            rows += [f"{world},mappo,{arm},{seed},{f},{int(good)}" for seed in range(3) for f in (0, end)]
    (tmp_path / "runs.csv").write_text("\n".join(rows) + "\n")
    study = load(None, [tmp_path / "runs.csv"])
    study.comparisons = [Comparison("H", "credit", "none", m) for m in ("area", "to50")]
    area, to50 = verdicts(study)
    assert (area.result.difference.value, area.result.improvement.value, area.result.pairs) == (0, 0.5, 6)
    assert to50.result.difference.value == pytest.approx((-100 + 10_000) / 2), "frames of the longer world outweigh"
    assert to50.result.improvement.value == 0.5
    assert [line.area.value for line in totals(study)] == [0.5, 0.5]
    write(study, tmp_path / "out")
    text = (tmp_path / "out" / "report.md").read_text()
    assert "| main | short | 100 |\n| main | long | 10,000 |" in text
    assert "main: its worlds have different budgets" in text


class _Checker(HTMLParser):
    """Counts tags that were opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.boxes: list[bool] = []
        self.loose = 0  # tables and pictures outside of a box that scrolls
        self.first, self.ended = "", False  # the first paragraph

    def handle_data(self, data: str) -> None:
        if "p" in self.open and not self.ended:
            self.first += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "div":
            self.boxes.append(("class", "wide") in attrs)
        if tag in ("table", "img") and not any(self.boxes):
            self.loose += 1
        self.addresses += [v or "" for k, v in attrs if k in ("src", "href")]
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "div":
            self.boxes.pop()
        self.ended = self.ended or tag == "p"


def test_files(tmp_path: Path) -> None:
    out = tmp_path / "report"
    assert main(["report", "--csv", str(write_csv(tmp_path / "runs.csv")), "--out", str(out)]) == 0
    names = {p.name for p in out.iterdir()}
    pictures = {f"{n}.{k}" for n in ("curves-main-frames", "curves-main-cpu-seconds", "tokens-main") for k in ("png", "svg")}
    assert names == pictures | {
        "report.html",
        "report.md",
        "runs.csv",
        "summary.csv",
        "comparisons.csv",
        "table.tex",
        "marl_eval.json",
    }
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
    assert page.loose == 0, "tables and pictures scroll in a box of their own"
    assert page.first.startswith("20 runs. What is missing is left out")
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
        model = {
            "model": {"ranker_right": right, "model_right": None},
            "reward": {"scheme": "coin" if right == 0.5 else "credit"},
        }
        runs.append(Run("main", "toy", "mappo", f"arm-{arm}", 0, frames, success, success, frames, [0.0] * 11, model))
    (found,) = predictions(Study(runs))
    assert (found.score, found.metric, len(found.arms)) == ("ranker_right", "area", 5), "all succeed in the end: nothing to rank"
    assert found.rho.value == pytest.approx(1 - 6 * 2 / (5 * 24)), "the last two are exchanged"
    assert predictions(Study(runs[:3])) == []
    other = replace(runs[0], arm="direct", manifest={**runs[0].manifest, "reward": {"scheme": "direct"}})
    assert predictions(Study([*runs, other])) == [found], "what else is made of votes says nothing of the ranker"


def checked(html: str) -> _Checker:
    page = _Checker()
    page.feed(html)
    return page


@pytest.mark.parametrize(
    ("compare", "says"),
    [
        ("credit,none,to80", "too few runs to tell credit from none in part main (−0.46 in thousand frames to 80 %, 95 %"),
        ("credit,none", "too few runs to tell credit from none in part main (+0."),
    ],
)
def test_the_primary_comparison_comes_first(compare: str, says: str, tmp_path: Path) -> None:
    words = ["report", "--csv", str(write_csv(tmp_path / "runs.csv")), "--compare", compare, "--out", str(tmp_path / "out")]
    assert main(words) == 0
    first = checked((tmp_path / "out" / "report.html").read_text()).first
    assert first.startswith(f"Primary comparison, credit against none: {says}")
    assert "5 pairs can't give less than 0.062" in first
    assert f"**Primary comparison, credit against none:** {says}" in (tmp_path / "out" / "report.md").read_text()


def test_outcomes_in_words() -> None:
    def outcome(a: list[float], b: list[float], metric: str = "success") -> str:
        runs = [
            Run("main", "toy", "mappo", arm, seed, [0, 10, 20], [0, v, v], [NAN] * 3, [NAN] * 3, [0] * 3)
            for arm, values in (("a", a), ("b", b))
            for seed, v in enumerate(values)
        ]
        planned = [("main", "toy", "mappo", arm, seed) for arm in "ab" for seed in range(10)]
        study = Study(runs, planned, comparisons=[Comparison("H", "a", "b", metric, primary=True)])
        ((title, said),) = outcomes(study, verdicts(study))
        assert title == "Primary comparison, H:"
        return said

    high, low = [0.9] * 10, [0.1] * 10
    assert outcome(high, low).startswith(
        "a is better than b in part main (+0.80 in success at the end, 95 % interval +0.80 to +0.80, 10 pairs"
    )
    assert outcome(low, high).startswith("a is worse than b in part main (−0.80")
    assert outcome(high, low, "to50").startswith("a is better than b"), "fewer frames are better"
    assert outcome(high[:8], low[:8]).endswith("So far: 16 of its 20 runs are there.")
    assert outcome([0.1, 0.9] * 5, [0.9, 0.1] * 5).startswith("no difference between a and b is shown in part main (+0.00")
    assert outcome(high, []) == "nothing can be said yet, for no seed has runs of both."
    assert outcome(high, low, "team_return") == "nothing can be said yet, for no seed has runs of both.", "it is unknown"


def test_pictures_of_some_rewards(tmp_path: Path) -> None:
    call = ["report", "--csv", str(write_csv(tmp_path / "runs.csv")), "--out", str(tmp_path / "out")]
    with pytest.raises(SystemExit, match="2"):
        main([*call, "--curves", "credit,nine"])
    assert not (tmp_path / "out").exists()
    assert main([*call, "--curves", "credit"]) == 0
    svg = (tmp_path / "out" / "curves-main-frames.svg").read_text()
    assert "<!-- credit -->" in svg
    assert "<!-- none -->" not in svg
    assert "| toy | mappo | none | 5 |" in (tmp_path / "out" / "report.md").read_text()


def test_markdown_says_what_the_page_says(tmp_path: Path) -> None:
    study = load(None, [write_csv(tmp_path / "runs.csv")])
    study.failed = {"runs/x/s|0": "ValueError: a|b <i> *c*", "models/y": "killed"}
    out = tmp_path / "a report"
    for run in study.runs:
        object.__setattr__(run, "part", "main part")
    study.tried, study.tuning = [{}, {"lr": 0.1}], [Tuned(("main part", "toy", "mappo", "none"), [0.25, None], 0, 2000)]
    write(study, out)
    text = (out / "report.md").read_text()
    assert [h for h in text.splitlines() if h.startswith("#")] == [
        "# Reward schemes compared", "## Part main part: curves and numbers", "## Tuning: what was tried",
        "## Failed: left out of all numbers",
        "## How it was made",
    ]  # fmt: skip
    for name in re.findall(r"!\[.*?\]\((.*?)\)", text):
        assert (out / unquote(name)).exists()
    assert text.count("![") == 3
    assert r"| ValueError: a\|b \<i\> \*c\* | 1 | `runs/x/s\|0` |" in text
    assert "| main part | toy | mappo | none | 2.0 | 0.25 ← | – |" in text
    assert "| toy | mappo | none | 5 | 1.00 [0.33, 1.00]" in text
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    page = (out / "report.html").read_text()
    assert len(tables) == page.count("<table>") == 3
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1, "as many cells in all rows"
    for text_of_both in ("What is missing is left out, never counted as 0.", "Compared up to 1,000 frames"):
        assert text_of_both in text
        assert text_of_both in page


def gaps_of(planned: Iterable[tuple[str, str, str, str, int]], there: Iterable[tuple[str, str, str, str, int]]) -> list[str]:
    runs = [Run(*r, [0.0], [0.0], [0.0], [0.0], [0.0]) for r in there]
    return [" ".join((*g.where, g.seeds, g.missing)) for g in not_run(Study(runs, list(planned)))]


def test_what_is_missing_in_few_words() -> None:
    grid = itertools.product(range(10), ("x", "y"), ("mappo", "ippo"), ("credit", "none", "team"))  # seed by seed, as runs go
    main = [("main", w, algo, arm, seed) for seed, w, algo, arm in grid]
    sites = [("sites", w, "mappo", arm, seed) for seed in range(5) for w in ("1", "2", "3", "4") for arm in ("credit", "none")]
    assert gaps_of(main + sites, []) == ["main all all all 0–9 120 of 120", "sites all mappo all 0–4 40 of 40"]
    assert gaps_of(main + sites, main) == ["sites all mappo all 0–4 40 of 40"]
    assert gaps_of(main, main[:36]) == ["main all all all 3–9 84 of 120"], "whole seeds are there"
    assert gaps_of(main, main[:38]) == [
        "main x mappo credit, none 4–9 12 of 20", "main x mappo team 3–9 7 of 10", "main x ippo all 3–9 21 of 30",
        "main y all all 3–9 42 of 60",
    ]  # fmt: skip
    assert gaps_of(main, [r for r in main if r[4] not in (0, 2, 5, 6)]) == ["main all all all 0, 2, 5, 6 48 of 120"]


def test_runs_of_others_are_none_of_the_plans(tmp_path: Path) -> None:
    study = load(None, [write_csv(tmp_path / "runs.csv")])
    assert study.unplanned() == 0, "without a plan"
    study.planned = [("main", "toy", algo, "none", s) for algo in ("mappo", "ippo", "qmix") for s in range(5)]
    assert (study.unplanned(), len(study.missing())) == (10, 5)
    study.failed = {"runs/main/toy/qmix/none-s0": "why"}
    write(study, tmp_path / "beside")
    told = (tmp_path / "beside" / "report.md").read_text()
    assert "10 runs of 15 that were planned; 5 missing, 1 of them failed; 10 more from CSV. What is missing" in told


def test_equal_failures_are_one_row() -> None:
    failed = {f"runs/main/x/mappo/credit-s{s}": "no model" for s in range(50)} | {"runs/a": "killed"}
    found = failures(failed)
    assert [(f.why, f.times, len(f.folders), f.others) for f in found] == [
        ("no model", 50, 3, " and 47 others"), ("killed", 1, 1, ""),
    ]  # fmt: skip
    study = Study(planned=[("main", "x", "mappo", "credit", s) for s in range(51)], failed=failed)
    assert [g.seeds for g in not_run(study)] == ["50"], "what failed isn't listed once more"


def test_words() -> None:
    assert [plural(n, "run") for n in (0, 1, 2, 1090)] == ["0 runs", "1 run", "2 runs", "1,090 runs"]
    assert ranges([3, 1, 2, 7, 8, 5]) == "1–3, 5, 7, 8"
    runs = [
        Run("main", "toy", "mappo", a, s, [0, 1], [0, 1], [0, 1], [0, 1], [0, 0])
        for a, n in (("a", 1), ("b", 3))
        for s in range(n)
    ]
    assert _plot._seeds(runs) == ", 1–3 seeds"
    assert _plot._seeds(runs[:1]) == ", 1 seed"
