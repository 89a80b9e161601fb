from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))

from noise_arms import CONTROLS, SCHEMES, Arm, Case, Critic, arms  # noqa: E402
from noise_queue import tasks  # noqa: E402
from noise_stats import bootstrap, summarise  # noqa: E402


def study(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, EXAMPLES / "noise_study.py", *words], capture_output=True, text=True, timeout=300)


def test_smoke(tmp_path: Path) -> None:
    out = tmp_path / "study"
    none = study("--smoke", "--out", str(out), "--budget-minutes", "0")
    assert none.returncode == 1
    assert none.stdout.count("missing | missing") == 2 * 4, "four arms, each with four numbers that are not there"
    assert "0 of 4 runs are there" in none.stdout

    done = study("--smoke", "--out", str(out), "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert "4 of 4 runs are there." in done.stdout
    rows = list(csv.DictReader((out / "noise_study.csv").read_text().splitlines()))
    assert [(r["scheme"], r["accuracy"], r["noise"], r["queries"]) for r in rows] == [
        ("none", "", "", ""), ("credit", "0.6", "per-text", "1"), ("credit", "0.6", "per-text", "3"), ("credit", "1", "", "1"),
    ]  # fmt: skip
    assert all(r["seeds"] == "1" and r["success_low"] == "" for r in rows)
    assert 0.45 < float(rows[1]["ranker_right"]) < 0.75
    assert float(rows[3]["ranker_right"]) == 1
    runs = json.loads((out / "noise_study.json").read_text())["runs"]
    assert [r["charged"] for r in runs] == [0, 2000, 2000, 2000]
    assert runs[0]["frames"] == [6400, 12800, 19200]
    assert runs[1]["frames"] == [6400, 12800], "pairs are charged"
    assert runs[2]["copy_of"] == "credit-a60-per-text-q1", "asking again changes nothing"
    assert (out / "noise_study-two-switch-v1.png").stat().st_size > 10_000

    before = {p: p.stat().st_mtime_ns for p in (out / "work").rglob("*")}
    again = study("--smoke", "--out", str(out))
    assert again.returncode == 0
    assert "0 of 7 pieces of work to do" in again.stdout
    assert {p: p.stat().st_mtime_ns for p in (out / "work").rglob("*")} == before

    other = study("--smoke", "--out", str(out), "--frames", "30000")
    assert other.returncode == 1
    assert "frames 20000, here 30000" in other.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--worlds", "pong"], "'pong' is none of two-switch-v1, victim-rubble-v1"),
        (["--accuracies", "40"], "40 is not from 50 to 100"),
        (["--accuracies", "high"], "want whole numbers"),
        (["--frames", "64000"], "--frames is at least 70400"),
        (["--seeds", "0"], "--seeds is at least 1"),
    ],
)
def test_bad_calls(words: list[str], says: str) -> None:
    done = study(*words)
    assert done.returncode == 2
    assert says in done.stderr


def test_the_grid() -> None:
    every = list(arms(["two-switch-v1"], SCHEMES, [60, 70, 80, 90, 100], [1, 3, 10], ["iid", "per-text"], CONTROLS))
    assert len(every) == len(set(every)) == 5 + 3 * (4 * 2 * 3 + 1)
    assert [a.name for a in every if a.critic and a.critic.accuracy == 100 and a.scheme in SCHEMES] == [
        "credit-a100-q1", "add-a100-q1", "direct-a100-q1",
    ]  # fmt: skip
    work = tasks(every, [0, 1])
    assert [sum(t.kind == kind for t in work) for kind in ("collect", "rank", "run")] == [2, 2 * (8 + 1 + 2), 2 * len(every)]
    noisy = Arm("two-switch-v1", "add", Critic("oracle", 60, "iid"), 10)
    assert Case(3, noisy).record(Path("out")).name == "add-a60-iid-q10-s3.json"


def run(seed: int, solved: int | None, end: float) -> dict[str, object]:
    return {"seed": seed, "solved_at": solved, "success": [0.0, end]}


def test_never_is_never() -> None:
    some = summarise([run(0, 100, 1), run(1, None, 0.2), run(2, 60, 0.9)], frames=300)
    assert some.never == 1
    assert some.median == 100
    assert some.steps.mean == pytest.approx((100 + 300 + 60) / 3), "cut at the frames of a run"
    assert some.success.mean == pytest.approx(0.7)
    assert some.success.low == pytest.approx(0.2)
    assert some.success.high == pytest.approx(1)
    half = summarise([run(0, 100, 1), run(1, None, 0)], frames=300)
    assert half.median is None
    assert bootstrap([0.5]).low is None
