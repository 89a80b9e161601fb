"""The program's commands as functions: what they return, and how they fail."""

from __future__ import annotations

import os
import pickle
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from credit_kit import Lane
from endpoint import serving

import marlpit
from marlpit import credit
from marlpit.credit import command
from marlpit.credit.command import _arguments
from marlpit.errors import Invalid


def cell(state: Any, agent: str) -> float:
    return float(state[int(agent[-1])])


def own(state: Any, agent: str) -> list[float]:
    return [cell(state, agent)]


def say(before: Any, after: Any, agent: str) -> str:
    return f"Before: it was {6 - cell(before, agent):.0f} cells away. Now: it is {6 - cell(after, agent):.0f} cells away."


def recording(folder: Path) -> Path:
    path = folder / "lane.jsonl"
    credit.record(
        Lane(limit=40), path, frames=400, focus=own, describe=say, truth=lambda a, b, agent: cell(b, agent) - cell(a, agent),
        team_truth=lambda a, b: float((b - a).sum()),
    )  # fmt: skip
    return path


def test_from_a_recording_to_rewards(tmp_path: Path) -> None:
    db = tmp_path / "votes.db"
    collected = credit.collect(from_=recording(tmp_path), db=db)
    assert (collected["env"], collected["frames"], collected["policy"]) == ("lane_v0", 400, "recorded")
    for critic in ("rule", "oracle"):
        assert credit.label(db=db, critic=critic)["invalid"] == 0
    assert credit.judge(db=db, critic="rule")["scores"][0]["accuracy"] == 1
    fitted = credit.fit(db=db, annotator="rule", out=tmp_path / "lane.credit", seed=1)
    assert fitted["file"] == str(tmp_path / "lane.credit")
    assert credit.judge(db=db, model=tmp_path / "lane.credit")["scores"][0]["accuracy"] > 0.9

    credit.label(db=db, critic="oracle", shared=True)
    credit.label(db=db, critic="coin")
    for kind, flags in (("shared", {"annotator": "oracle", "shared": True}), ("coin", {"annotator": "coin"})):
        path = credit.fit(db=db, out=tmp_path / f"{kind}.credit", **flags)["file"]
        env = credit.wrap(Lane(), scheme=kind, model=path, focus=own, bonus=0)
        env.reset(seed=0)
        env.step({"a_0": 2, "a_1": 2})

    env = credit.wrap(Lane(), model=tmp_path / "lane.credit", focus=own, bonus=0)
    env.reset(seed=0)
    assert all(r > 0 for r in env.step({"a_0": 2, "a_1": 2})[1].values()), "a step to the right helps"
    env.reset(seed=1)
    assert all(r < 0 for r in env.step({"a_0": 1, "a_1": 1})[1].values())


def test_worlds_of_ours_with_parameters(tmp_path: Path) -> None:
    got = credit.collect(
        env="two-switch-v1", param={"height": 4, "start": "random"}, transitions=7, copies=1, steps=60, db=tmp_path / "v"
    )
    assert (got["params"]["height"], got["params"]["start"], got["kept"]) == (4, "random", 7)


def test_wrong_calls_and_failures(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"there is no .*none\.db"):
        credit.fit(db=tmp_path / "none.db", out="x")
    with pytest.raises(Invalid, match="unknown flag --colour"):
        credit.collect(colour=1)
    (tmp_path / "bad.jsonl").write_text("{}\n")
    with pytest.raises(credit.CommandFailed, match=r"bad\.jsonl: .*line 1: no recording of transitions") as failed:
        credit.collect(from_=tmp_path / "bad.jsonl", db=tmp_path / "v.db")
    assert failed.value.result is None
    assert not (tmp_path / "v.db").exists()
    twin = pickle.loads(pickle.dumps(failed.value))
    assert (str(twin), twin.result) == (str(failed.value), None)

    db = tmp_path / "votes.db"
    credit.collect(from_=recording(tmp_path), db=db)
    with pytest.raises(Invalid, match=r"^(?!marlpit)(?!wrong call).*critic"):
        credit.label(db=db, critic="nobody")
    credit.record(Lane(), tmp_path / "untold.jsonl", frames=50, describe=say, name="untold_v0")
    credit.collect(from_=tmp_path / "untold.jsonl", db=tmp_path / "untold.db")
    with pytest.raises(credit.CommandFailed, match="exact credit unknown") as failed:
        credit.label(db=tmp_path / "untold.db", critic="oracle")
    assert failed.value.result["valid"] == 0
    assert failed.value.result["unasked"] > 0


def test_flags() -> None:
    assert _arguments({"from_": Path("x y"), "shared": True, "json": False, "seed": None, "budget_requests": 5}) == [
        "--from=x y", "--shared", "--budget-requests=5",
    ]  # fmt: skip
    assert _arguments({"param": {"a": 1, "b": True, "c": "x"}, "credit": ["p", "q"], "threshold": 0.5}) == [
        "--param=a=1", "--param=b=true", "--param=c=x", "--credit=p", "--credit=q", "--threshold=0.5",
    ]  # fmt: skip


def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Puts a Python script in the program's place."""
    path = tmp_path / "marlpit.py"
    path.write_text(f"#!{sys.executable}\nimport json, os, signal, sys, time\n{text}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("MARLPIT_SERVER", str(path))


needs_signals = pytest.mark.skipif(os.name == "nt", reason="scripts and signals of Unix")


@needs_signals
def test_progress_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    program(tmp_path, monkeypatch, "print('half', file=sys.stderr); print(json.dumps({'argv': sys.argv[1:]}))")
    assert credit.label(db="x") == {"argv": ["label", "--db=x", "--json", "--exit-with-stdin"]}
    assert capsys.readouterr().err == "half\n"


@needs_signals
def test_a_program_that_prints_nonsense(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, monkeypatch, "print('no JSON')")
    with pytest.raises(credit.CommandFailed, match="`marlpit fit` ended with code 0"):
        credit.fit()


@needs_signals
def test_an_interrupt_lets_the_program_finish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One Ctrl-C is passed on once, and waited for."""
    # A shell that starts tests in the background has interrupts ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    program(
        tmp_path,
        monkeypatch,
        f"""
seen = []
signal.signal(signal.SIGINT, lambda *a: seen.append(a))
open({str(tmp_path / "ready")!r}, "w").close()
while not seen: time.sleep(0.02)
time.sleep(0.4)
open({str(tmp_path / "done")!r}, "w").write(str(len(seen)))
print("marlpit: stopped", file=sys.stderr)
sys.exit(1)
""",
    )

    waiting, wait = threading.Event(), command._wait

    def interrupt() -> None:
        waiting.wait()  # on a busy machine the program may be at work before its start has returned here
        while not (tmp_path / "ready").exists():
            time.sleep(0.02)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(command, "_wait", lambda process: (waiting.set(), wait(process))[1])
    threading.Thread(target=interrupt).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            credit.label(db="x")
    finally:
        signal.signal(signal.SIGINT, before)
    assert (tmp_path / "done").read_text() == "1"


@needs_signals
def test_the_program_ends_with_us(tmp_path: Path) -> None:
    """Killed, we leave nobody who goes on spending; what was asked already is waited for, and kept."""
    db = tmp_path / "votes.db"
    credit.collect(env="two-switch-v1", transitions=30, copies=4, steps=60, db=db)

    def slow(body: dict[str, Any]) -> str:
        time.sleep(0.5)
        return "A"

    with serving(slow) as (url, asked):
        flags = {"db": str(db), "critic": "openai", "base_url": url, "model": "m", "ask": "pair", "concurrency": 2}
        me = subprocess.Popen([sys.executable, "-c", f"from marlpit import credit; credit.label(**{flags})"])
        wait_for(lambda: len(asked) > 2)
        me.kill()
        me.wait()
        wait_for(lambda: not votes(db, "SELECT 1 FROM labellings"))
        sent = len(asked)
        assert votes(db, "SELECT COUNT(*) FROM requests WHERE answered") == [(sent,)]
        time.sleep(1)
        assert len(asked) == sent


def votes(db: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(db)) as file:
        return file.execute(sql).fetchall()


def wait_for(done: Any) -> None:
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARLPIT_SERVER", "no-such-program")
    with pytest.raises(marlpit.MarlpitError, match="MARLPIT_SERVER names 'no-such-program'"):
        credit.fit()
