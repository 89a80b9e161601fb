"""Processes of `marlpit ablate` that don't end by themselves: they hold up nobody, and none stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")

from test_ablate_run import TINY, ablate, below, parents

import marlpit

MINE = """
import os, signal, threading, time
from pathlib import Path

def closes(context):
    os.closerange(3, 64)
    time.sleep(1000)

def thread(context):
    threading.Thread(target=time.sleep, args=(1000,)).start()
    return "none"

def fails(context):
    threading.Thread(target=time.sleep, args=(1000,)).start()
    raise ValueError("on purpose")

def deaf(context):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Path("begun").touch()
    time.sleep(1000)
"""
CALL = ["--env", "two-switch-v1", "--seeds", "1", "--out", "out", *TINY]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and file numbers of Unix")


def test_a_run_that_does_not_end_holds_up_no_other(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text(MINE)
    rewards = ",".join([*(f"my.py:{n}" for n in ("closes", "thread", "fails")), "none", "team"])
    done = ablate(*CALL, "--rewards", rewards, "--jobs", "3", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert {p.parent.name for p in tmp_path.rglob("result.json")} == {"thread-s0", "none-s0", "team-s0"}
    assert "closes-s0: its process was ended, for it closed the pipe" in done.stderr
    assert "fails-s0: ValueError: on purpose" in done.stderr
    assert "2 missing, 2 pieces of work failed" in done.stderr


def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text(MINE)
    call = [sys.executable, "-m", "marlpit", "ablate", *CALL, "--rewards", "my.py:deaf", "--jobs", "1"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what shells start beside others ignores interrupts
    with open(tmp_path / "said", "w") as said:
        process = subprocess.Popen(call, cwd=tmp_path, stdout=said, stderr=said)
    signal.signal(signal.SIGINT, before)
    until = time.monotonic() + 120
    while not (tmp_path / "begun").exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    workers = below(process.pid)
    assert workers
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    while workers & parents().keys():
        assert time.monotonic() < until, "it is ended, though it ignores the signal to end"
        time.sleep(0.1)
    assert "interrupted; the same call goes on" in (tmp_path / "said").read_text()


def test_a_server_that_is_named_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARLPIT_SERVER", os.path.relpath(marlpit.server_binary(), tmp_path))
    (tmp_path / "below").mkdir()
    plan = 'env = "two-switch-v1"\nrewards = ["none"]\nalgos = ["mappo-numpy"]\nseeds = 1\nframes = 1000\nepisodes = 4\n'
    plan += "learning = {num_envs = 8, horizon = 25, hidden = 8}\n"
    (tmp_path / "below" / "plan.toml").write_text(plan)
    done = ablate("run", "below/plan.toml", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
