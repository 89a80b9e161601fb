"""`marlpit ablate` where something breaks: what is refused loses nothing, and nothing is silently wrong."""

from __future__ import annotations

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

from endpoint import Status, serving
from test_ablate_run import TINY

from marlpit.ablate import _command, _models, _run, _store
from marlpit.ablate._plan import World
from marlpit.ablate._read import make_plan, ranking
from marlpit.ablate._rewards import Context
from marlpit.ablate._tune import tuned, tuning_jobs, untold
from marlpit.errors import Invalid, MarlpitError

TINY_WORLD = {"width_left": 2, "width_right": 2, "height": 3, "max_cycles": 25}
PAIRS = {"transitions": 60, "copies": 4, "steps": 50}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "broken"),
        ('{"job": {', "broken"),
        ("[]", "a table is wanted, got list"),
        ('{"success": [NaN]}', "NaN is no number"),
        ("{}", "it is no run's result"),
    ],
)
def test_a_broken_result_is_named(text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--env", "two-switch-v1", "--rewards", "none", "--seeds", "1", *TINY, "--out", str(tmp_path)]
    (job,) = make_plan(
        {"env": "two-switch-v1", "params": TINY_WORLD, "rewards": ["none"], "algos": ["ippo-numpy"], "seeds": 1}, tmp_path
    ).jobs()
    file = _store.run_folder(tmp_path, job) / "result.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(SystemExit) as e:
        _command.main(words)
    said = capsys.readouterr().err
    assert e.value.code == 2
    assert says in said
    assert str(file) in said
    assert file.read_text() == text
    assert not (tmp_path / "plan.json").exists(), "nothing was begun"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"success": [0, 2]}, "its curve is none"),
        ({"frames": [5, 5]}, "its curve is none"),
        ({"frames": [0]}, "its curve is none"),
        ({"cpu_seconds": [None, 1]}, "no run's result"),
        ({"tokens": "x"}, r"no run's result: Expected `float`, got `str` - at `\$.tokens`"),
        ({"job": {}}, "no run's result: Object missing required field `part`"),
        ({"model": {"ranker_right": "x"}}, "no run's result"),
    ],
)
def test_a_curve_that_is_none_is_refused(change: dict[str, Any], says: str, tmp_path: Path) -> None:
    two = [0, 1]
    (job,) = make_plan({"env": "two-switch-v1", "rewards": ["none"], "seeds": 1}, tmp_path).jobs()
    whole: dict[str, Any] = {"frames": two, "success": two, "team_return": two, "cpu_seconds": two}
    whole |= {"job": job.as_json(), "charged": 0, "tokens": 0, "model": {}, "reward": {}, "seconds": 1}
    (tmp_path / "result.json").write_text(json.dumps(whole))
    assert _store.read(tmp_path / "result.json") == whole
    (tmp_path / "result.json").write_text(json.dumps(whole | change))
    with pytest.raises(Invalid, match=says):
        _store.read(tmp_path / "result.json")


@pytest.mark.skipif(os.name == "nt", reason="locks by fcntl")
def test_two_calls_in_one_folder(tmp_path: Path) -> None:
    with (
        _store.alone(tmp_path),
        pytest.raises(Invalid, match="another call is at work"),
        _store.alone(tmp_path),
    ):
        pass
    with _store.alone(tmp_path):
        pass


@pytest.mark.parametrize("out", ["file", "file/below"])
@pytest.mark.parametrize("words", [["--env", "two-switch-v1"], ["report", "--csv", "runs.csv"]], ids=["run", "report"])
def test_a_folder_that_is_a_file(words: list[str], out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit) as e:
        _command.main([*words, "--out", str(tmp_path / out)])
    assert e.value.code == 2
    assert f"--out {tmp_path / out}: {tmp_path / 'file'} is a file, and a folder is wanted" in capsys.readouterr().err


def test_a_disk_that_takes_nothing() -> None:
    def full() -> int:
        raise OSError(28, "No space left on device", "plan.json")

    with pytest.raises(MarlpitError, match=r"No space left on device: plan.json. What is there whole stays"):
        _store.disk(full)


def test_libraries_are_asked_for_before_votes_are_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    _run._there({"mappo-numpy", "ippo-numpy"})
    with pytest.raises(Invalid, match=r"qmix: torch, torchrl, benchmarl isn't installed: .*Without it there are mappo-numpy"):
        _run._there({"qmix", "mappo-numpy"})


def test_a_tuned_arm_waits_for_all_of_its_tuning(tmp_path: Path) -> None:
    d = {"env": "two-switch-v1", "rewards": ["none"], "algos": ["mappo-numpy"], "seeds": 1, "tuned": ["none"]}
    plan = make_plan({**d, "tune": {"configs": 3, "seeds": 1}}, tmp_path)
    tries = list(tuning_jobs(plan))
    curve = {"frames": [0, 200_000], "success": [0.5, 0.5], "team_return": [0, 0], "cpu_seconds": [0, 1]}
    whole = {"charged": 0, "tokens": 0, "model": {}, "reward": {}, "seconds": 1}
    for job in tries[1:]:
        _store.keep(_store.run_folder(tmp_path, job) / "result.json", {"job": job.as_json(), **curve, **whole})
    assert untold(tuned(tries, tmp_path), plan.tuning) == {tries[0].key}, "the one that failed may be the best"
    (found,) = tuned(tries[1:], tmp_path)
    assert found.scores == [None, 0.5, 0.5], "by their numbers, where the first hasn't begun"
    _store.keep(_store.run_folder(tmp_path, tries[0]) / "result.json", {"job": tries[0].as_json(), **curve, **whole})
    assert not untold(tuned(tries, tmp_path), plan.tuning)


def test_each_fit_of_a_function_is_its_own(tmp_path: Path) -> None:
    context = Context(World("two-switch-v1", TINY_WORLD), "mappo-numpy", 0, 1000, 0.98, 1.0, 0.01, tmp_path)
    a, b, again = (context.fit(pairs=PAIRS, queries=1, error_rate=rate) for rate in (0.0, 0.4, 0.0))
    assert a.path != b.path
    assert a.path == again.path
    assert json.loads((a.path.parent / "model.json").read_text())["ranker_right"] == 1


def test_what_a_try_before_left_is_no_part_of_the_next(tmp_path: Path) -> None:
    paid, old = tmp_path / "votes-1" / "votes.db", tmp_path / "model-1" / "model.json"
    old.parent.mkdir()
    paid.parent.mkdir()
    for file in (paid, old, tmp_path / "mine.txt"):
        file.write_text("")
    from marlpit.ablate._rewards import _cleared

    _cleared(tmp_path)
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [paid], "what was paid stays"


WRONG = """
import os, time
from pathlib import Path
from marlpit.ablate import Reward

def junk(context):
    return 42

def refund(context):
    return Reward("none", frames=-1000)

def tokens(context):
    return Reward("none", tokens=float("nan"))

def leaves(context):
    if not os.fork():
        Path("left").write_text(str(os.getpid()))
        time.sleep(300)
        os._exit(0)
    os._exit(3)

def moves(context):
    os.chdir("/")
    return "none"

def environment(context):
    assert "MARLPIT_IDLE_TIMEOUT" not in os.environ, "a run is what its plan says"
    return "none"

def changed(context):
    return "none"
"""


@pytest.mark.skipif(os.name == "nt", reason="forks")
def test_functions_that_do_what_they_should_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my.py").write_text(WRONG)
    monkeypatch.setenv("MARLPIT_IDLE_TIMEOUT", "never")
    names = ("junk", "refund", "tokens", "leaves", "moves", "environment")
    words = ["--env", "two-switch-v1", "--rewards", ",".join(f"my.py:{n}" for n in names), "--seeds", "1", "--out", "out"]
    began = time.monotonic()
    with open(tmp_path / "said", "w") as said:  # a pipe would be held open by what is left behind
        call = [sys.executable, "-m", "marlpit", "ablate", *words, "--jobs", "2", *TINY]
        code = subprocess.run(call, cwd=tmp_path, stdout=said, stderr=said, timeout=300).returncode
    spent, told = time.monotonic() - began, (tmp_path / "said").read_text()
    os.kill(int((tmp_path / "left").read_text()), 9)
    assert code == 1
    assert "my.py:junk returns a scheme's name, a mapping with scheme, or a Reward, got 42" in told
    assert "my.py:refund spent frames: a whole number from 0 up, got -1000" in told
    assert "my.py:tokens spent tokens: a whole number from 0 up, got nan" in told
    assert "its process ended with code 3" in told
    assert spent < 150, "nobody waits for what a function left behind"
    assert {p.parent.name for p in tmp_path.rglob("result.json")} == {"moves-s0", "environment-s0"}


def test_a_file_that_changes_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text(WRONG)
    (job,) = make_plan(
        {"env": "two-switch-v1", "rewards": ["my.py:changed"], "algos": ["mappo-numpy"], "seeds": 1}, tmp_path
    ).jobs()
    from marlpit.ablate._worker import _unchanged

    here = Path.cwd()
    try:
        os.chdir(tmp_path)
        _unchanged(job)
        (tmp_path / "my.py").write_text("def changed(context):\n    return 'team'\n")
        with pytest.raises(Invalid, match=r"my.py was changed since the plan was read"):
            _unchanged(job)
    finally:
        os.chdir(here)


def test_votes_are_paid_once_and_all_of_them_charged(tmp_path: Path) -> None:
    asks, answered = [0], [0]

    def script(body: dict[str, Any]) -> str:
        asks[0] += 1
        if asks[0] == 13:
            raise Status(400, "on purpose")
        answered[0] += 1
        return "A"

    with serving(script) as (url, asked):
        ranker = ranking(
            "credit",
            {"critic": "openai", "base_url": url + "/v1", "model": "m", "queries": 1, "retries": 0, "concurrency": 1},
            {"transitions": 20, "copies": 4, "steps": 50},
        )
        made = None
        for _ in range(3):
            try:
                made = _models.make_model(tmp_path, World("two-switch-v1", TINY_WORLD), 0, ranker)
                break
            except (RuntimeError, MarlpitError):
                assert answered[0] > 0
    assert made is not None
    assert made["tokens"] == 14 * answered[0], "the call that was broken off paid too"
    bodies = [json.dumps(a, sort_keys=True) for a in asked]
    assert len(bodies) - len(set(bodies)) <= 1, "what was answered is asked once"
