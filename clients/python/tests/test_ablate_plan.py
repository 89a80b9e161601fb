"""Plans of `marlpit ablate`: what they come to, and what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")

from marlpit.ablate._command import main
from marlpit.ablate._plan import Job, Learning
from marlpit.ablate._read import make_plan, read_plan
from marlpit.ablate._tune import configurations, tuning_jobs
from marlpit.errors import Invalid

MODELS = Path(__file__).parents[3] / "models"
PLAN = """
algos = ["mappo", "qmix"]
seeds = 2
frames = 100_000
rewards = ["credit", "noisy", "shared", "coin", "add", "none", "real"]
tuned = ["none"]
ranker = {error_rate = 0.25, queries = 5}
tune = {configs = 3, seeds = 2, space = {lr = [0.1, 0.2]}}

[arms.noisy]
scheme = "credit"
ranker = {noise = "per-text", queries = 1}

[arms.real]
scheme = "credit"
model = "two-switch-v1.credit"

[[part]]
name = "grid"
worlds = [{env = "two-switch-v1"}, {env = "two-switch-v1", params = {height = 9}, name = "tall"}]

[[part]]
name = "one"
env = "two-switch-v1"
algos = ["ippo"]
rewards = ["credit", "none"]
seeds = [7]
learning = {gamma = 0.9}

[[compare]]
arms = ["credit", "none"]
metric = "to80"
primary = true
"""


def jobs_of(tmp_path: Path) -> tuple[Any, list[Job]]:
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "two-switch-v1.credit").write_bytes((MODELS / "two-switch-v1.credit").read_bytes())
    plan = read_plan(tmp_path / "plan.toml")
    return plan, plan.jobs()


def test_what_a_plan_comes_to(tmp_path: Path) -> None:
    plan, jobs = jobs_of(tmp_path)
    assert len(jobs) == 2 * 2 * 2 * 7 + 2
    assert len({j.slug for j in jobs}) == len(jobs)
    assert [j.seed for j in jobs[:56]] == [0] * 28 + [1] * 28, "seed by seed"
    first, off = jobs[0], jobs[7]
    assert first.slug == "grid/two-switch-v1/mappo/credit-s0"
    assert (first.arm.scheme, off.algo, off.arm.scheme) == ("credit", "qmix", "credit-mean")
    by_arm = {j.arm.name: j for j in jobs[:7]}
    assert by_arm["noisy"].arm.ranker["label"] == {"critic": "oracle", "error_rate": 0.25, "noise": "per-text", "queries": 1}
    assert by_arm["shared"].arm.ranker["fit"] == {"shared": True}
    assert by_arm["coin"].arm.ranker["label"] == {"critic": "coin", "queries": 5}
    assert by_arm["real"].model_slug() is None
    assert len(by_arm["real"].arm.source) == 64
    assert by_arm["none"].model_slug() is None
    assert by_arm["credit"].model_slug() == by_arm["add"].model_slug() != by_arm["noisy"].model_slug(), "one σ for equal votes"
    assert by_arm["credit"].model_slug() != jobs[28].model_slug(), "another seed, another σ"
    assert jobs[-1].learning.gamma == 0.9
    assert jobs[-1].seed == 7
    assert [(c.name, c.metric, c.primary) for c in plan.comparisons] == [("credit against none", "to80", True)]
    assert all(Job.from_json(json.loads(json.dumps(j.as_json()))).as_json() == j.as_json() for j in jobs)


def test_tuning_is_the_same_for_all_it_names(tmp_path: Path) -> None:
    plan, _ = jobs_of(tmp_path)
    assert configurations(plan.tuning) in ([{}, {"lr": 0.1}, {"lr": 0.2}], [{}, {"lr": 0.2}, {"lr": 0.1}])
    tries = list(tuning_jobs(plan))
    assert len(tries) == 2 * 2 * 3 * 2 + 3 * 2, "worlds × learners × configurations × seeds"
    assert {t.arm.name for t in tries} == {"none"}
    assert {t.seed for t in tries} == {1000, 1001}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rewards": ["credits"]}, "'credits' is no reward scheme"),
        ({"algos": ["ppo"]}, "'ppo' is no learner; there are mappo"),
        ({"learning": {"gama": 0.9}}, "there is no 'gama'; there are num_envs"),
        ({"ranker": {"error": 0.1}}, "ranker: there is no 'error'"),
        ({"frames": 100}, "frames is at least 6400"),
        ({"seeds": []}, "seeds are a number of seeds"),
        ({"seeds": [1000]}, "from 0 to 999"),
        ({"rewards": ["none", "none"]}, "two rewards are called none"),
        ({"arms": {"none": {"model": "x"}}}, "model means nothing to none"),
        ({"arms": {"credit": {"model": "missing.credit"}}}, "missing.credit can't be read"),
        ({"rewards": ["my.py:fn"]}, "my.py can't be read"),
        ({"compare": [{"arms": ["credit", "team"]}]}, "no part has both credit and team"),
        ({"compare": [{"arms": ["credit", "none"], "metric": "auc"}]}, "'auc' is no metric"),
        ({"tuned": ["team"]}, "tuned: 'team' is none of the rewards"),
        ({"env": None}, "env is missing"),
        ({"name": "a/b"}, "'a/b' is no name for a folder"),
        ({"worlds": [{"env": "web-v1"}]}, "there are both env and worlds"),
        ({"colour": 1}, "there is no 'colour'"),
    ],
    ids=str,
)
def test_what_is_refused(change: dict[str, Any], says: str, tmp_path: Path) -> None:
    d: dict[str, Any] = {"env": "two-switch-v1", "rewards": ["credit", "none"], **change}
    with pytest.raises(Invalid, match=says):
        make_plan({k: v for k, v in d.items() if v is not None}, tmp_path)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "a plan is missing, or --env"),
        (["--env", "two-switch-v1", "--frames", "many"], "want a number such as 200k"),
        (["--env", "two-switch-v1", "--tune", "8"], "want configurations x seeds"),
        (["--env", "two-switch-v1", "--tuned", "none"], "--tuned says nothing without --tune"),
        (["--env", "two-switch-v1", "--jobs", "0"], "--jobs is at least 1"),
        (["--env", "two-switch-v1", "--part", "two"], "there is no part 'two'"),
        (["run", "missing.toml"], "missing.toml can't be read"),
        (["run", "missing.toml", "--env", "two-switch-v1"], "--env is said by the plan"),
        (["report"], "a folder is missing, or --csv"),
        (["report", "nothing-here"], "it has no plan.json"),
    ],
    ids=str,
)
def test_bad_calls(words: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as e:
        main([*words, *([] if words[:1] == ["report"] else ["--out", str(tmp_path)])])
    assert e.value.code == 2
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_call_of_the_documentation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rewards, algos = "team,credit,add,shared,none,coin,oracle", "mappo,ippo,qmix,vdn"
    words = f"--env two-switch-v1 --rewards {rewards} --algos {algos} --seeds 5 --frames 500k"
    assert main([*words.split(), "--tune", "8x2", "--dry-run", "--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().out.startswith("140 runs and 128 of tuning; ")
    assert not (tmp_path / "out").exists()


def test_the_plan_of_the_documentation(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "ablations.md").read_text(encoding="utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", page, re.S)
    (mine,) = re.findall(r"```python\n(.*?)```", page, re.S)
    (tmp_path / "plan.toml").write_text(toml, encoding="utf-8")
    (tmp_path / "mine.py").write_text(mine, encoding="utf-8")
    plan = read_plan(tmp_path / "plan.toml")
    assert [(p.name, len(list(p.jobs()))) for p in plan.parts] == [("main", 2 * 2 * 9 * 10), ("sizes", 2 * 3 * 5)]
    assert len(list(tuning_jobs(plan))) == 2 * 2 * 2 * 8 * 2
    assert [(c.name, c.primary) for c in plan.comparisons] == [
        ("credit against bonus and step cost", True), ("credit against team", False),
    ]  # fmt: skip
    (row,) = (r for r in page.splitlines() if r.startswith("| `learning`"))
    assert set(re.findall(r"`(\w+)`", row)) == {"learning", *(f.name for f in fields(Learning))}
