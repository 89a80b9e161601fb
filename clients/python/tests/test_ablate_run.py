"""`marlpit ablate run` end to end, with the learner that needs no torch."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")

from marlpit.ablate._models import make_model
from marlpit.ablate._plan import World
from marlpit.ablate._read import ranking

PLAN = """
algos = ["mappo-numpy"]
rewards = ["credit", "none", "mine.py:broken"]
seeds = 2
frames = 1000
episodes = 4
pairs = {transitions = 100, copies = 4, steps = 100}
learning = {num_envs = 8, horizon = 25, hidden = 8}

[[part]]
name = "small"
params = {width_left = 2, width_right = 2, height = 3, max_cycles = 25}
worlds = [{env = "two-switch-v1", name = "tiny, 25 steps"}]

[[part]]
name = "later"
env = "two-switch-v1"
rewards = ["none"]

[[compare]]
arms = ["credit", "none"]
"""
MINE = """
from marlpit.ablate import Reward

def broken(context):
    raise ValueError("on purpose")

def mine(context):
    assert (context.world.env, context.seed, context.bonus, context.step_cost) == ("two-switch-v1", 0, 1.0, 0.01)
    model = context.fit(error_rate=0.0, queries=1, pairs={"transitions": 100, "copies": 2, "steps": 100})
    return Reward({"scheme": "credit", "scale": 1, "bonus": 2}, model=model, tokens=7)
"""
SMALL = ["-p", "width_left=2", "-p", "width_right=2", "-p", "height=3", "-p", "max_cycles=25", "--algos", "ippo-numpy"]
TINY = [
    *SMALL,
    "--frames",
    "1000",
    "--episodes",
    "4",
    "--learning",
    "num_envs=8",
    "--learning",
    "horizon=25",
    "--learning",
    "hidden=8",
]


def ablate(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "marlpit", "ablate", *words], cwd=cwd, capture_output=True, text=True, timeout=300
    )


def parents() -> dict[int, int]:
    """Each process's parent; of those that have ended, none."""
    said = subprocess.run(["ps", "-eo", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    return {int(pid): int(parent) for pid, parent, stat in (line.split() for line in said.splitlines()) if "Z" not in stat}


def below(pid: int) -> set[int]:
    """All processes that descend from one."""
    children = {p for p, parent in parents().items() if parent == pid}
    return children.union(*(below(p) for p in children))


def result(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "result.json").read_text())
    return found


def test_a_plan_is_carried_out(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "mine.py").write_text(MINE)
    done = ablate("run", "plan.toml", "--part", "small", "--out", "out", "--jobs", "2", cwd=tmp_path)
    assert done.returncode == 1, "one reward is broken"
    assert done.stderr.count("ValueError: on purpose") == 2
    place = tmp_path / "out" / "runs" / "small" / "tiny, 25 steps" / "mappo-numpy"
    credit, none = result(place / "credit-s0"), result(place / "none-s0")
    assert credit["charged"] == 400, "frames of collecting pairs"
    assert credit["frames"] == [400, 600, 800, 1000]
    assert none["frames"] == [0, 200, 400, 600, 800, 1000]
    assert credit["reward"] | {"model": ""} == {
        "bonus": 1, "form": "replace", "gamma": 1, "model": "", "model_version": 1, "scale": 0.1, "scheme": "credit",
        "step_cost": 0.01, "terminal": "value",
    }  # fmt: skip
    assert none["reward"] == {"bonus": 1, "scheme": "none", "step_cost": 0.01}, "the same bonus and step cost"
    assert credit["cpu_seconds"][0] > none["cpu_seconds"][0] == 0, "votes and fit are charged"
    assert credit["cpu_seconds"] == sorted(credit["cpu_seconds"])
    assert credit["model"]["sha256"] != result(place / "credit-s1")["model"]["sha256"], "pairs, votes and σ anew for each seed"

    manifest = json.loads((place / "credit-s0" / "manifest.json").read_text())
    assert manifest["command"] == "python -m marlpit ablate run plan.toml --part small --jobs 2"
    assert manifest["job"]["seed"] == 0
    assert manifest["model"]["critic"].startswith("oracle error_rate=0.25")
    assert {"python", "numpy", "marlpit", "server"} <= set(manifest["versions"])
    assert set(manifest["hardware"]) == {"system", "processor", "cores"}

    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("result.json")}
    again = ablate("run", "plan.toml", "--part", "small", "--out", "out", cwd=tmp_path)
    assert "6 runs; 2 pieces of work to do" in again.stdout, "what failed is tried again"
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("result.json")} == before

    report = ablate("report", "out", cwd=tmp_path)
    assert report.returncode == 1
    assert "4 runs, 4 planned ones missing" in report.stdout
    rows = list(csv.DictReader((tmp_path / "out" / "report" / "summary.csv").read_text().splitlines()))
    assert {(r["arm"], r["seeds"]) for r in rows} == {("credit", "2"), ("none", "2")}, "what failed is in no number"
    page = (tmp_path / "out" / "report" / "report.html").read_text()
    assert "ValueError: on purpose" in page
    assert "<h2>Not run</h2>" in page
    assert "<td>later</td><td>two-switch-v1</td><td>mappo-numpy</td><td>none</td><td>0, 1</td><td>2 of 2</td>" in page
    text = (tmp_path / "out" / "report" / "report.md").read_text()
    assert "| later | two-switch-v1 | mappo-numpy | none | 0, 1 | 2 of 2 |" in text
    assert "| ValueError: on purpose | 2 | `runs/small/tiny, 25 steps/mappo-numpy/broken-s0`, " in text

    (tmp_path / "plan.toml").write_text(PLAN.replace("frames = 1000", "frames = 1200"))
    other = ablate("run", "plan.toml", "--part", "small", "--out", "out", cwd=tmp_path)
    assert other.returncode == 2
    assert "was made otherwise: frames 1000, here 1200" in other.stderr
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("result.json")} == before


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_a_run_that_dies_takes_no_other_with_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import os\n\n\ndef dies(context):\n    os.kill(os.getpid(), 9)\n")
    words = ["--env", "two-switch-v1", "--rewards", "mine.py:dies,none", "--seeds", "2", "--jobs", "2", "--out", "out"]
    done = ablate(*words, *TINY, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("killed by signal 9") == 2
    assert [p.parent.name for p in sorted(tmp_path.rglob("result.json"))] == ["none-s0", "none-s1"]


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_killed_and_gone_on_with(tmp_path: Path) -> None:
    words = ["--env", "two-switch-v1", "--rewards", "none", "--seeds", "3", "--jobs", "1", "--out", "out", *TINY]
    process = subprocess.Popen([sys.executable, "-m", "marlpit", "ablate", *words], cwd=tmp_path, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while len(list(tmp_path.rglob("result.json"))) < 1 or len(list(tmp_path.rglob("manifest.json"))) < 2:
        assert time.monotonic() < until
        time.sleep(0.02)
    workers = below(process.pid)
    assert len(workers) >= 2, "a run and its server at least"
    process.kill()
    process.wait()
    kept = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("result.json")}
    assert 1 <= len(kept) < 3
    while workers & parents().keys():
        assert time.monotonic() < until, "workers end with their parent"
        time.sleep(0.1)
    done = ablate(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 runs; 2 pieces of work to do" if len(kept) == 1 else "3 runs; 1 piece of work to do")
    assert len(list(tmp_path.rglob("result.json"))) == 3
    assert {p: p.stat().st_mtime_ns for p in kept} == kept, "what was done stays"
    assert not list(tmp_path.rglob("*.part"))


def test_a_scheme_of_ones_own_and_tuning(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    rewards = ["--rewards", "mine.py:mine,none", "--tune", "2x1", "--tuned", "none", "--seeds", "1"]
    done = ablate("--env", "two-switch-v1", *rewards, "--out", "out", *TINY, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (mine,) = (tmp_path / "out" / "runs").rglob("mine-s0/result.json")
    found = json.loads(mine.read_text())
    assert (found["charged"], found["tokens"]) == (200, 7)
    assert (found["reward"]["scale"], found["reward"]["bonus"], found["reward"]["step_cost"]) == (1, 2, 0.01)
    assert len(found["job"]["arm"]["source"]) == 64, "another text of the function is another arm"
    tries = sorted((tmp_path / "out" / "tuning").rglob("result.json"))
    assert [p.parent.name for p in tries] == ["none-s1000-c0", "none-s1000-c1"]
    assert ablate("report", "out", cwd=tmp_path).returncode == 0
    page = (tmp_path / "out" / "report" / "report.html").read_text()
    assert "<h2>Tuning: what was tried</h2>" in page
    assert page.count(" ←</td>") == 1


def test_recorded_votes_are_fitted_anew(tmp_path: Path) -> None:
    votes = str(Path(__file__).parents[3] / "models" / "votes" / "{env}.db.gz")
    ranker = ranking("credit", {"votes": votes}, {})
    made = [make_model(tmp_path / str(seed), World("two-switch-v1"), seed, ranker) for seed in (0, 1)]
    assert made[0]["sha256"] != made[1]["sha256"]
    assert (made[0]["frames"], made[0]["tokens"], made[0]["requests"]) == (64000, 65712, 272), "what they cost is charged"
    assert made[0]["ranker_right"] == pytest.approx(0.9328, abs=1e-4)
    assert {p.name for p in (tmp_path / "0").iterdir()} == {"model.credit", "model.json", ".lock"}
    assert make_model(tmp_path / "0", World("two-switch-v1"), 0, ranker) == made[0], "what is there is taken"
