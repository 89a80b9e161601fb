"""Plans of `marlpit ablate`: what they come to, and what is refused."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")

from marlpit.ablate._command import main
from marlpit.ablate._plan import Job, Learning
from marlpit.ablate._read import make_plan, read_plan
from marlpit.ablate._tune import configurations, tuning_jobs
from marlpit.errors import Invalid
from marlpit.ppo import Hyperparameters, Settings

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
        ({"seeds": [0, 0]}, "seeds has a seed twice"),
        ({"seeds": True}, "seeds are a number of seeds"),
        ({"frames": "many"}, "frames is a whole number from 1 to 9,007,199,254,740,992, got 'many'"),
        ({"episodes": 1.5}, "episodes is a whole number from 1 to 9,007,199,254,740,992, got 1.5"),
        ({"greedy": "no"}, "greedy is true or false, got 'no'"),
        ({"bonus": float("nan")}, "bonus is a number from 0 to 1000, got nan"),
        ({"params": {"x": date(2020, 1, 1)}}, "params is a table of texts"),
        ({"learning": {"num_envs": 0}}, "learning: num_envs is a whole number from 1 to 9,007,199,254,740,992, got 0"),
        ({"learning": {"gamma": 2}}, "gamma is a number from 0 to 1, got 2"),
        ({"learning": {"lr": "x"}}, "lr is a number above 0, got 'x'"),
        ({"learning": {"minibatches": 6401}}, "minibatches are at most 6400"),
        ({"algos": []}, "algos are a list of at least one name"),
        ({"rewards": "credit"}, "rewards are a list of at least one name, got 'credit'"),
        ({"env": None, "worlds": []}, "worlds are a list of at least one table"),
        ({"part": {"name": "x"}}, "part is a list of at least one table"),
        ({"part": [3]}, "part is a list of at least one table"),
        ({"arms": {"credit": {"options": 3}}}, "arms.credit: options is a table"),
        ({"arms": {"credit": {"options": {"scheme": "team"}}}}, "options has scheme, which stands beside it"),
        ({"arms": {"credit": {"model": "shipped", "ranker": {}}}}, "ranker means nothing beside model"),
        ({"arms": {"credit": {"function": "my.py:fn", "scheme": "team"}}}, "scheme means nothing to a function"),
        ({"arms": {"credit": {"function": "my.txt:fn"}}}, "a function is named as my.py:fn"),
        ({"ranker": {"base_url": "http://localhost:1"}}, "base_url says nothing without critic"),
        ({"ranker": {"critic": "openai"}}, "model is missing, the language model's name"),
        ({"ranker": {"votes": 3}}, "ranker: votes is a text"),
        ({"compare": [{"arms": ["credit", "credit"]}]}, "arms are two names"),
        ({"tuned": ["credit"]}, "tuned says nothing without tune"),
        ({"tune": {"configs": 2, "seeds": 1}}, "tune says nothing without tuned"),
        ({"tuned": ["none"], "tune": {"configs": 2}}, "configs and seeds are numbers of their own"),
        ({"tuned": ["none"], "tune": {"configs": 2, "seeds": 1, "space": {"lr": 0.1}}}, "lr is a list, of which each"),
        ({"name": "a" * 300}, "has 300 bytes, and 200 at most"),
        ({"name": "ends."}, "or ends with a dot"),
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
        ({"pairs": {"copies": "64"}}, "pairs: copies is a whole number from 1 up, got '64'"),
        ({"": 1}, "there is no ''"),
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


SHORT = """
env = "two-switch-v1"
rewards = ["none", "team", "credit"]
algos = ["mappo-numpy"]
frames = 69_000
pairs = {copies = 60, steps = 1000}
learning = {num_envs = 90, horizon = 100}
"""


def test_what_pairs_leave_too_little_of_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"

    def said(text: str, *words: str) -> str:
        file.write_text(text)
        with contextlib.suppress(SystemExit):
            assert main(["run", str(file), "--out", str(tmp_path / "out"), *words]) == 1
            assert "--dry-run" in words
        return "".join(capsys.readouterr())

    assert said(SHORT, "--dry-run").startswith("15 runs; 20 pieces of work"), "just enough"
    less = SHORT.replace("69_000", "68_999")
    for words in (["--dry-run"], []):
        text = said(less, *words)
        assert "part main, credit: frames is at least 69,000, got 68,999" in text
        assert "pairs take 60,000 (60 copies × 1000 steps) and one update 9,000 (90 × 100)" in text
    assert not (tmp_path / "out").exists(), "before anything is begun"
    assert "15 runs" in said(less + '[arms.credit]\nmodel = "shipped"\n', "--dry-run"), "no pairs are collected"
    assert "15 runs" in said(less.replace("steps = 1000", "steps = 1000, enough = 2"), "--dry-run"), "collecting may end early"
    tuned = SHORT + 'tuned = ["credit"]\ntune = {configs = 2, seeds = 1, space = {horizon = [200]}}\n'
    assert "credit: frames is at least 78,000, got 69,000" in said(tuned, "--dry-run"), "a configuration that tuning tries"


def test_a_jobs_record_stays_as_it_is() -> None:
    """Runs that are done are known by it: another field would make them other runs."""
    d = {"env": "two-switch-v1", "rewards": ["none"], "seeds": 1, "algos": ["mappo-numpy"]}
    (job,) = make_plan(d, Path()).jobs()
    assert job.as_json() == {
        "part": "main", "world": {"env": "two-switch-v1", "params": {}, "label": ""}, "algo": "mappo-numpy",
        "arm": {
            "name": "none", "scheme": "none", "options": {}, "ranker": None, "model": None, "function": None, "source": "",
        },
        "seed": 0, "frames": 200_000,
        "learning": {
            "num_envs": 64, "horizon": 100, "hidden": 64, "gamma": 0.98, "lam": 0.95, "lr": 0.001, "clip": 0.2, "entropy": 0.01,
            "epochs": 6, "minibatches": 4, "share_policy_params": False, "share_param_critic": False, "steps_per_batch": 100,
            "train_batch": 256, "memory": 100_000,
        },
        "episodes": 64, "greedy": True, "bonus": 1.0, "step_cost": 0.01, "config": None,
    }  # fmt: skip


def test_the_learner_in_numpy_takes_the_same_hyperparameters() -> None:
    assert issubclass(Learning, Hyperparameters)
    assert issubclass(Settings, Hyperparameters)
    assert {f.name for f in fields(Settings)} - {f.name for f in fields(Learning)} == {"frames"}


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
