"""python -m marlpit evaluate, against a scripted endpoint."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from endpoint import Status, player, seen, serving

from marlpit.__main__ import main
from marlpit.errors import Invalid
from marlpit.llm import wilson
from marlpit.llm._evaluate import Plan, cases

WORLD = "test-rounds-v0"


def evaluate(url: str, out: Path, *words: str) -> int:
    return main(["evaluate", "--env", WORLD, "--url", url, "--out", str(out), "--agents", "3", "--rounds", "2", *words])


def result(out: Path) -> dict[str, Any]:
    return json.loads((out / "evaluation.json").read_text())


def test_arms_tables_and_resuming(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "e"

    def first_agent_knows(body: dict[str, Any]) -> str:
        return player(body) if "You are agent_0" in body["messages"][0]["content"] else '{"action_type": "wait"}'

    with serving(first_agent_knows) as (at, asked):
        words = ("--base-url", at, "--model", "scripted", "--seeds", "2")
        assert evaluate(url, out, *words) == 0
        n = len(asked)
        text = capsys.readouterr().out
        assert evaluate(url, out, *words) == 0
        assert len(asked) == n, "what is on disk is not played again"
        assert capsys.readouterr().out == text
        assert evaluate(url, out, "--base-url", at, "--model", "scripted", "--seeds", "3", "--arms", "single", "--json") == 0
        assert len(asked) == n + 2
    assert json.loads(capsys.readouterr().out)["all"]["single"]["episodes"] == 3
    assert "| all | 2/2 1.00 [0.34, 1.00] | 0/2 0.00 [0.00, 0.66] | 0/2 0.00 [0.00, 0.66] |" in text
    assert "| press-2 | 2/2" in text
    assert "| panel | 2/2" in text
    found = result(out)
    assert found["all"]["single"]["right"] == 1
    lines = [json.loads(line) for line in (out / "rounds.jsonl").read_text().splitlines()]
    assert {line["world"] for line in lines} == {WORLD}
    assert all(len(line["right"]) == len(line["proposals"]) == 1 for line in lines)
    talk = (out / "transcripts" / "team-s1.jsonl").read_text().splitlines()
    assert len(talk) == 3 * 2 * 5


def test_dead_endpoints_are_counted_apart(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, dead = tmp_path / "e", [True]

    def sometimes(body: dict[str, Any]) -> str:
        if dead[0] and '"blue"' in seen(body).splitlines()[0]:
            raise Status(500, "broken")
        if dead[0] and "blue" in seen(body).splitlines()[0]:
            raise Status(401, "no more credit")
        return player(body)

    with serving(sometimes) as (at, _):
        words = ("--base-url", at, "--model", "scripted", "--seeds", "6", "--arms", "single")
        assert evaluate(url, out, *words) == 1
        some = result(out)
        done = some["all"]["single"]
        assert 0 < done["episodes"] < 6
        assert done["success"] == 1, "no failure of an endpoint is a failure of its agents"
        assert done["episodes"] + some["missing"] == some["wanted"] == 6
        assert len(some["failed"]) == some["missing"]
        assert "no more credit" in next(iter(some["failed"].values()))
        assert f"{some['missing']} episodes are missing" in capsys.readouterr().out
        dead[0] = False
        assert evaluate(url, out, *words) == 0
    assert result(out)["all"]["single"]["successes"] == 6
    assert result(out)["failed"] == {}


def test_an_endpoint_that_stays_dead_ends_the_evaluation(url: str, tmp_path: Path) -> None:
    def broken(_: Any) -> str:
        raise Status(404, "no model here")

    with serving(broken) as (at, asked):
        words = ("--base-url", at, "--model", "scripted", "--arms", "single", "--jobs", "1")
        assert evaluate(url, tmp_path, *words, "--seeds", "50") == 1
        assert len(asked) == 3
    assert result(tmp_path)["all"]["single"] | {"episodes": 0, "success": None} == result(tmp_path)["all"]["single"]


def test_other_policies_need_no_model(url: str, tmp_path: Path) -> None:
    assert evaluate(url, tmp_path, "--policies", "solution,random", "--seeds", "4") == 0
    found = result(tmp_path)
    assert all(found["all"][f"solution-{arm}"]["successes"] == 4 for arm in ("single", "silent", "team"))
    assert found["all"]["random-single"]["right"] < 0.6
    assert evaluate(url, tmp_path / "again", "--policies", "solution,random", "--seeds", "4") == 0

    def timeless(out: Path) -> list[str]:
        return sorted(str({**json.loads(x), "seconds": 0}) for x in (out / "episodes.jsonl").read_text().splitlines())

    assert timeless(tmp_path) == timeless(tmp_path / "again"), "equal seeds, equal episodes"


def test_of_many_templates_a_few_are_named() -> None:
    known = {"template": {"enum": ["all", *(f"{app}-{k}" for app in ("clock", "tasks") for k in range(20))]}, "agents": {}}
    for plan, says in (
        (
            Plan("w-v1", templates=["task-7"]),
            "w-v1 has no template 'task-7': did you mean 'tasks-7'? It has 40, such as tasks-7, ",
        ),
        (
            Plan("w-v1", templates=["zzz"]),
            "no template 'zzz'; it has 40, such as clock-0, clock-1, clock-2, clock-3, clock-4; 'marlpit envs w-v1' lists them",
        ),
        (Plan("w-v1", params={"agent": 3}), "no parameter 'agent': did you mean 'agents'? It has template, agents"),
    ):
        with pytest.raises(Invalid) as e:
            cases(plan, known)
        assert says in str(e.value)
        assert len(str(e.value)) < 200


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--policies", "solution", "--seeds", "0"], "--seeds is at least 1, got 0"),
        (["--policies", "wise"], "'wise' is none of model, solution, random"),
        ([], "--model is needed"),
        (
            ["--model", "a", "--model", "b", "--base-url", "http://x", "--base-url", "http://y", "--base-url", "http://z"],
            "(2 times), got 3",
        ),
        (["--model", "a", "--base-url", "nowhere"], "base_url is http"),
        (["--policies", "random", "--templates", "press-9"], "no template 'press-9'"),
        (["--policies", "random", "-p", "speed=3"], "no parameter 'speed'"),
        (["--policies", "random", "-p", "length=99"], "length"),
        (["--policies", "random", "-p", "length"], "want KEY=VALUE"),
    ],
)
def test_wrong_calls(url: str, tmp_path: Path, words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as e:
        evaluate(url, tmp_path, *words)
    assert e.value.code == 2
    assert says in capsys.readouterr().err


def test_one_folder_holds_one_evaluation(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(url, tmp_path, "--policies", "random", "--seeds", "1") == 0
    with pytest.raises(SystemExit):
        evaluate(url, tmp_path, "--policies", "random", "--seeds", "1", "-p", "length=1")
    assert "holds another evaluation: params {} there" in capsys.readouterr().err


def test_the_module_is_a_command() -> None:
    run = subprocess.run([sys.executable, "-m", "marlpit", "train"], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert "evaluate" in run.stderr
    run = subprocess.run([sys.executable, "-m", "marlpit", "evaluate", "--help"], capture_output=True, text=True)
    assert run.returncode == 0
    assert "Wilson" in run.stdout


def test_wilson_against_known_intervals() -> None:
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(32, 32) == pytest.approx((0.8928, 1), abs=1e-4)
