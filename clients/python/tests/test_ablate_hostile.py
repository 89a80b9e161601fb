"""Reports of CSV files that mean harm, or nothing: what can't be meant is refused with its line, and names stay names."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")

from marlpit.ablate import _plot
from marlpit.ablate._command import main
from marlpit.ablate._csv import read_csv
from marlpit.ablate._load import load
from marlpit.errors import Invalid

HEAD = "env,algo,arm,seed,frames,success"
HOSTILE = "<script>alert(1)</script>\"'&|`*[x](y)\\input{z}$\\frac{$ %#{}~^=@"


def two(a: str = "credit", b: str = "none", env: str = "w", part: str = "main", shift: int = 0) -> str:
    """Two rewards of two seeds each; the second's are shifted."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow([*HEAD.split(","), "part"])
    for arm, good, more in ((a, 1, 0), (b, 0, shift)):
        for seed in (0, 1):
            for frames in (0, 100):
                out.writerow([env, "m", arm, seed + more, frames, good * frames / 100, part])
    return text.getvalue()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD + "\nw,m\n", "line 2: 6 values are wanted, got fewer"),
        (HEAD + "\nw,m,a,0,100,0,b\n", "line 2: 6 values are wanted, got more"),
        (HEAD + ",success\nw,m,a,0,100,0,1\n", "the column success is there more than once"),
        (HEAD + "\nw,m,,0,100,1\n", "line 2: arm is a name, got ''"),
        (HEAD + '\nw,m,"a\nb",0,100,1\n', "arm is a name of one line without control characters"),
        (HEAD + "\nw\0,m,a,0,100,1\n", r"control characters|can't be read"),
        (HEAD + "\nw,m," + "a" * 300 + ",0,100,1\n", "line 2: arm has 300 bytes, and 200 at most"),
        (HEAD + "\nw,m," + "a" * 200_000 + ",0,100,1\n", "can't be read: field larger than field limit"),
        (HEAD + '\nw,m,"a,0,100,1\n', "can't be read: unexpected end of data"),
        (HEAD + "\nw,m,a,0,0,1\n", "the run main, w, m, a, 0 has no evaluation after frame 0"),
        (HEAD + "\nw,m,a,0,1e300,1\n", "frames is a whole number, got '1e300'"),
        (HEAD + ",team_return\nw,m,a,0,100,1,1e308\n", "team_return is a number, got '1e308'"),
        (HEAD + ",team_return\nw,m,a,0,0,1,1\nw,m,a,0,100,1,\n", "line 3: team_return is in all rows of a run, or in none"),
        (HEAD + ",cpu_seconds\nw,m,a,0,0,1,9\nw,m,a,0,100,1,8\n", "line 3: cpu_seconds never fall within a run, got 8 after 9"),
        (HEAD + ",tokens\nw,m,a,0,100,1,-5\n", "line 2: tokens are at least 0, got -5"),
    ],
)
def test_what_is_refused(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(text)
    with pytest.raises(Invalid, match=says):
        read_csv(tmp_path / "runs.csv")


def test_what_spreadsheets_write(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_bytes(("\ufeff" + two().replace("\n", "\r\n")).encode())
    assert len(read_csv(tmp_path / "runs.csv")) == 4


def test_seeds_are_exact(tmp_path: Path) -> None:
    rows = [f"w,m,a,{seed},100,1" for seed in (2**53, 2**53 + 1, -(2**63))]
    (tmp_path / "runs.csv").write_text("\n".join([HEAD, *rows, ""]))
    assert [key[4] for key in read_csv(tmp_path / "runs.csv")] == [2**53, 2**53 + 1, -(2**63)]


def test_two_runs_of_one_name_are_named(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(two())
    with pytest.raises(Invalid, match="arm and seed: main, w, m, credit, 0"):
        load(None, [tmp_path / "runs.csv", tmp_path / "runs.csv"])


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)


def test_names_stay_names(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(two(a=HOSTILE, b="_hidden", env="[" + HOSTILE, part="../" + HOSTILE))
    out = tmp_path / "a" / "report"
    assert main(["report", "--csv", str(tmp_path / "runs.csv"), "--out", str(out)]) == 0
    assert {p.parent for p in tmp_path.rglob("*.svg")} == {out}, "a part's name is no path"
    for picture in out.glob("*.svg"):
        ElementTree.parse(picture)
    tags = _Tags()
    tags.feed((out / "report.html").read_text())
    assert "script" not in tags.tags
    text = (out / "report.md").read_text()
    assert not re.search(r"(?<!\\)[<$]", text)
    (rows,) = re.findall(r"\\midrule\n(.*)\n\\bottomrule", (out / "table.tex").read_text(), re.S)
    for row in rows.splitlines():
        assert row.startswith("{}["), "else it is an option of the row's end before"
        assert not re.search(r"(?<!\\)[%#$~^]", row)
        assert "\\input" not in row
        assert len(re.findall(r"(?<!\\)&", row)) == 6
        assert len(re.findall(r"(?<!\\)\{", row)) == len(re.findall(r"(?<!\\)\}", row))
    json.loads((out / "marl_eval.json").read_text(), parse_constant=lambda _: pytest.fail("no JSON"))
    assert main(["report", "--csv", str(out / "runs.csv"), "--out", str(tmp_path / "again")]) == 0
    for name in ("summary.csv", "comparisons.csv", "report.md", "runs.csv"):
        assert (out / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_legends_show_all_names(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(two(a="_mine", b="$x$"))
    figure = _plot.curves(load(None, [tmp_path / "runs.csv"]).runs, "frames")
    assert figure is not None
    assert [t.get_text() for t in figure.legends[0].get_texts()] == [" _mine", "$x$"]
    assert not figure.legends[0].get_texts()[1].get_parse_math()


def test_what_can_not_be_compared_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "runs.csv").write_text(two(a="a, b", shift=10))
    words = ["report", "--csv", str(tmp_path / "runs.csv"), "--out", str(tmp_path / "out")]
    assert main([*words, "--compare", '"a, b",none']) == 0
    assert main(words) == 0
    assert "Nothing can be said yet, for no seed has runs of both: a, b against none." in (tmp_path / "out/report.md").read_text()
    for said, why in (("credits,none", "there is no reward 'credits'"), ("none,none", "want two rewards")):
        with pytest.raises(SystemExit) as e:
            main([*words, "--compare", said])
        assert e.value.code == 2
        assert why in capsys.readouterr().err
