"""`marlpit ablate` with BenchMARL's learners; what it needs to be installed stands in test_torchrl.py."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("benchmarl")


def ablate(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "marlpit", "ablate", *words], cwd=cwd, capture_output=True, text=True, timeout=500
    )


def test_mappo_and_vdn(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        """
        env = "two-switch-v1"
        params = {width_left = 2, width_right = 2, height = 3, max_cycles = 25}
        algos = ["mappo", "vdn"]
        rewards = ["credit"]
        seeds = 1
        frames = 800
        episodes = 4
        pairs = {transitions = 100, copies = 2, steps = 100}
        learning = {num_envs = 8, horizon = 25, hidden = 8, steps_per_batch = 2, train_batch = 32}
        """
    )
    done = ablate("run", "plan.toml", "--jobs", "1", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr + "".join(p.read_text() for p in tmp_path.rglob("log.txt"))
    found: dict[str, Any] = {p.parent.parent.name: json.loads(p.read_text()) for p in tmp_path.rglob("result.json")}
    assert {a: r["reward"]["scheme"] for a, r in found.items()} == {"mappo": "credit", "vdn": "credit-mean"}
    for result in found.values():
        assert result["frames"] == [200, 400, 600, 800], "200 for pairs, an evaluation before training and after each batch"
        assert all(0 <= s <= 1 for s in result["success"])
        assert result["cpu_seconds"] == sorted(result["cpu_seconds"])
    (manifest,) = (json.loads(p.read_text()) for p in tmp_path.rglob("mappo/*/manifest.json"))
    assert {"torch", "torchrl", "benchmarl"} <= set(manifest["versions"])
    assert manifest["job"]["learning"]["share_param_critic"] is False
    assert ablate("report", "out", cwd=tmp_path).returncode == 0
    rows = list(csv.DictReader((tmp_path / "out" / "report" / "summary.csv").read_text().splitlines()))
    assert [(r["algo"], r["charged_frames"]) for r in rows] == [("mappo", "200"), ("vdn", "200"), ("", "200")]
