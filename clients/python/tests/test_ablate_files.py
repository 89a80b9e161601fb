"""Files of `marlpit ablate`: one that is no such file is named in one line, and what is written is whole or isn't there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")

from test_ablate_report import write_csv

from marlpit.ablate import _command, _store
from marlpit.ablate._plan import Plan
from marlpit.ablate._queue import Queue, tasks
from marlpit.ablate._read import make_plan
from marlpit.ablate._run import _note
from marlpit.errors import Invalid

CALL = {"command": "python -m marlpit ablate", "revision": ""}
CURVE = {"frames": [0, 100], "success": [0, 1], "team_return": [0, 1], "cpu_seconds": [0, 1]}


def study(out: Path) -> Plan:
    """A folder of three runs, one of them failed, and of one of tuning."""
    d = {"env": "two-switch-v1", "rewards": ["credit", "none"], "algos": ["mappo-numpy"], "seeds": 1}
    plan = make_plan({**d, "tuned": ["none"], "tune": {"configs": 1, "seeds": 1}}, out)
    _note(plan, out, CALL)
    from marlpit.ablate._tune import tuning_jobs

    for n, job in enumerate([*plan.jobs(), *tuning_jobs(plan)]):
        folder, noted = _store.run_folder(out, job), job.as_json()
        _store.keep(folder / "job.json", {"job": noted, "attempt": 1, **CALL})
        if n:
            note = {"charged": 0, "tokens": 0, "model": {}, "reward": {"scheme": "none"}, "seconds": 1}
            _store.keep(folder / "result.json", {"job": noted, **CURVE, **note})
        else:
            _store.keep(folder / "failed.json", {"job": noted, "why": "on purpose", "at": ""})
    return plan


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("plan.json", {"runs": [{"part": "main"}]}, "it is no note of a plan: Object missing required field `world`"),
        ("plan.json", {"calls": None}, "Expected `array`, got `null`"),
        ("plan.json", {"calls": [{}]}, "Object missing required field `at`"),
        ("plan.json", {"tuning": {}}, "Object missing required field `configurations`"),
        (
            "plan.json",
            {"comparisons": [{"name": "H", "a": "none", "b": "credit", "metric": "luck"}]},
            "'luck', which is no metric",
        ),
        ("runs/**/result.json", {"job": {"part": "main"}}, "it is no run's result: Object missing required field"),
        ("runs/**/result.json", {"tokens": "x"}, "it is no run's result: Expected `float`, got `str`"),
        ("runs/**/result.json", {"frames": [0, 1e400]}, "Infinity is no number"),
        ("runs/**/failed.json", {"why": None}, "it is no note of a failure"),
        ("tuning/**/job.json", {"attempt": "x"}, "it is no note of a job: Expected `int`, got `str`"),
    ],
)
def test_files_that_are_none(
    name: str, change: dict[str, Any], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study(tmp_path)
    (file,) = tmp_path.glob(name)
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    capsys.readouterr()
    with pytest.raises(SystemExit) as e:
        _command.main(["report", str(tmp_path)])
    assert e.value.code == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert f"{file} is broken: " in said
    assert says in said
    assert not (tmp_path / "report").exists()


def test_files_that_are_some(tmp_path: Path) -> None:
    study(tmp_path)
    assert _command.main(["report", str(tmp_path)]) == 1, "one failed"
    assert "on purpose" in (tmp_path / "report" / "report.md").read_text()


def test_a_plan_that_is_none_is_not_gone_on_with(tmp_path: Path) -> None:
    plan = study(tmp_path)
    (tmp_path / "plan.json").write_text('{"runs": [], "calls": null}')
    with pytest.raises(Invalid, match=r"plan.json is broken: it is no note of a plan"):
        _note(plan, tmp_path, CALL)


@pytest.mark.parametrize("text", ['{"job": {', '{"attempt": "x"}'])
def test_a_broken_note_of_a_job_is_made_anew(text: str, tmp_path: Path) -> None:
    plan = study(tmp_path)
    first = tasks(plan.jobs(), tmp_path)[0]
    first.folder.mkdir(parents=True, exist_ok=True)
    (first.folder / "job.json").write_text(text)
    Queue(tmp_path, tmp_path, CALL, 1)._note(first)
    assert json.loads((first.folder / "job.json").read_text())["attempt"] == 1


def test_a_broken_model_is_named_before_anything_is_begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--env", "two-switch-v1", "--rewards", "credit", "--algos", "mappo-numpy", "--seeds", "1", "--out", str(tmp_path)]
    (job,) = make_plan({"env": "two-switch-v1", "rewards": ["credit"], "algos": ["mappo-numpy"], "seeds": 1}, tmp_path).jobs()
    folder = _store.model_folder(tmp_path, job)
    assert folder is not None
    folder.mkdir(parents=True)
    (folder / "model.json").write_text("{}")
    with pytest.raises(SystemExit) as e:
        _command.main([*words, "--dry-run"])
    assert e.value.code == 2
    assert f"{folder / 'model.json'} is broken: it is no note of a model" in capsys.readouterr().err


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "plan.json"
    _store.keep(file, {"a": 1})

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left on device") as e:
        _store.keep(file, {"a": 2})
    assert e.value.filename == str(file)
    assert [p.name for p in tmp_path.iterdir()] == ["plan.json"]
    assert json.loads(file.read_text()) == {"a": 1}


LIMITED = """
import resource, signal, sys
from marlpit.ablate._command import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
def test_a_report_that_can_not_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    words = ["report", "--csv", str(write_csv(tmp_path / "runs.csv")), "--out"]
    assert _command.main([*words, str(tmp_path / "out")]) == 0
    before = {p.name: p.read_bytes() for p in (tmp_path / "out").iterdir()}
    (tmp_path / "runs.csv").write_text((tmp_path / "runs.csv").read_text().replace("toy", "other"))
    for out in ("out", "new"):
        call = [sys.executable, "-c", LIMITED, *words, str(tmp_path / out)]
        done = subprocess.run(call, capture_output=True, text=True, timeout=120)
        assert done.returncode == 1
        assert f"File too large: {tmp_path / out / 'curves-main-frames.'}" in done.stderr
        assert "What is there whole stays" in done.stderr
    assert {p.name: p.read_bytes() for p in (tmp_path / "out").iterdir()} == before, "all of it, pictures too"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--env", "e", "--budget-minutes", "nan"], "want a number of minutes from 0 up, got 'nan'"),
        (["--env", "e", "--budget-minutes=-1"], "want a number of minutes from 0 up, got '-1'"),
        (["--env", "e", "--tune", "1x1000000"], "comes to 2,000,015 runs, 1 × 1,000,000 of tuning for each arm"),
        (["--env", "e", "--tune", "100000x900"], "82 × 900 of tuning for each arm that is tuned; there are 50,000 at most"),
        (["report", "--csv", "runs.csv", "--out", "x", "--curves", ""], "want names of rewards with commas between, got ''"),
        (["report", __file__], "is no folder of runs: it is a file"),
    ],
    ids=str,
)
def test_wrong_calls(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as e:
        _command.main(words)
    assert e.value.code == 2
    assert says in capsys.readouterr().err


def test_a_grid_that_is_through_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--env", "two-switch-v1", "--rewards", "none", "--algos", "mappo-numpy", "--seeds", "1", "--out", str(tmp_path)]
    _command.main([*words, "--tune", "100x1", "--tuned", "none", "--dry-run"])
    assert "tuning has 82 configurations, not 100: the plan's own, and all that tune.space holds" in capsys.readouterr().out


def test_what_is_unknown_and_what_is_little(tmp_path: Path) -> None:
    rows = ["env,algo,arm,seed,frames,success", "w,m,none,0,0,0", "w,m,none,0,40,1", "w,m,credit,0,0,0", "w,m,credit,0,40,1"]
    (tmp_path / "runs.csv").write_text("\n".join(rows) + "\n")
    assert _command.main(["report", "--csv", str(tmp_path / "runs.csv"), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "report.md").read_text()
    assert "CPU-seconds of the reported runs are unknown." in text
    assert "CPU-hours" not in text
    assert "| 0.040 | 0.040 | – | – | 0 |" in text
    more = [f"{r},{s}" for r, s in zip(rows, ("cpu_seconds", 0, 7200, "", ""), strict=True)]
    (tmp_path / "runs.csv").write_text("\n".join(more) + "\n")
    assert _command.main(["report", "--csv", str(tmp_path / "runs.csv"), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "report.md").read_text()
    assert "2.00 CPU-hours for 1 run, each with the whole cost of its votes and σ. Those of 1 other are unknown." in text
