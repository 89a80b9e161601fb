"""Votes that are paid for, and the models that are fitted to them: what was paid is paid once, and a lost file is made anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")

from endpoint import serving

from marlpit.ablate import _models, _votes
from marlpit.ablate._plan import ASKING, World
from marlpit.ablate._read import LABEL, make_plan, ranking
from marlpit.ablate._rewards import resolve
from marlpit.ablate._run import _as_planned
from marlpit.ablate._store import keep, model_folder, run_folder
from marlpit.credit import CommandFailed
from marlpit.errors import Invalid

WORLD = World("two-switch-v1", {"width_left": 2, "width_right": 2, "height": 3, "max_cycles": 25})
PAIRS = {"transitions": 20, "copies": 4, "steps": 50}
PLAN = {"env": WORLD.env, "params": WORLD.params, "algos": ["mappo-numpy"], "seeds": 1, "rewards": ["credit"], "pairs": PAIRS}
CURVE = {name: [0, 1] for name in ("frames", "success", "team_return", "cpu_seconds")}
RESULT = {**CURVE, "charged": 0, "tokens": 0, "seconds": 1, "model": {}, "reward": {}}


def asking(url: str, **more: Any) -> dict[str, Any]:
    said = {"critic": "openai", "base_url": url + "/v1", "model": "m", "ask": "pair", "queries": 1, **more}
    return ranking("credit", said, PAIRS)


@contextmanager
def yes(seconds: float = 0) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    def script(body: dict[str, Any]) -> str:
        time.sleep(seconds)
        return "A"

    with serving(script) as served:
        yield served


def test_settings_of_how_to_ask_are_flags_of_label() -> None:
    assert set(ASKING) < set(LABEL)


def test_votes_are_paid_again_for_no_setting_that_changes_none(tmp_path: Path) -> None:
    with yes() as (url, asked):

        def made(folder: str, **more: Any) -> dict[str, Any]:
            return _models.make_model(tmp_path / folder, WORLD, 0, asking(url, **more))

        one = made("a")
        paid = len(asked)
        assert one["tokens"] == 14 * paid
        assert one["requests"] == paid
        fitted = made("b", retries=0, timeout="9s", concurrency=2, input="state", ensemble=1)
        assert len(asked) == paid, "how is asked, and what is fitted, change no vote"
        assert fitted["tokens"] == one["tokens"], "each bears them whole"
        assert fitted["cpu_seconds"] > 0
        more = made("c", queries=2)
        assert more["tokens"] == 14 * len(asked)
        assert len(asked) - paid == 20 * 2 * 2, "of each pair and agent, both orders of the query that is missing"
        assert made("d", weigh="votes")["tokens"] == one["tokens"], "further queries are another's"
        before = len(asked)
        made("e", viewpoint="plain")
        assert len(asked) > before, "other words are other questions"
        assert len(list(tmp_path.glob("votes-*"))) == 2


def test_plans_that_ask_otherwise_go_on(tmp_path: Path) -> None:
    ranker = {"critic": "openai", "model": "m", "base_url": "http://x"}
    (was,) = make_plan({**PLAN, "ranker": ranker}, tmp_path).jobs()
    (patient,) = make_plan({**PLAN, "ranker": {**ranker, "timeout": "5m", "budget_tokens": 9}}, tmp_path).jobs()
    (other,) = make_plan({**PLAN, "ranker": {**ranker, "viewpoint": "plain"}}, tmp_path).jobs()
    assert was.model_slug() == patient.model_slug() != other.model_slug()
    keep(run_folder(tmp_path, was) / "result.json", {"job": was.as_json(), **RESULT})
    _as_planned([patient], tmp_path)
    with pytest.raises(Invalid, match=r"was made otherwise: arm\.ranker\.label\.viewpoint None, here plain"):
        _as_planned([other], tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="locks by fcntl")
def test_two_models_of_one_file_of_votes(tmp_path: Path) -> None:
    with yes(0.02) as (url, asked):
        made: list[dict[str, Any]] = []

        def make(name: str) -> None:
            made.append(_models.make_model(tmp_path / name, WORLD, 0, asking(url, input="state" if name == "a" else "auto")))

        threads = [threading.Thread(target=make, args=(name,)) for name in "ab"]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert [m["tokens"] for m in made] == [14 * len(asked)] * 2, "one waited for the other, and paid nothing"


@pytest.mark.skipif(os.name == "nt", reason="kills")
def test_a_labelling_that_outlives_its_caller_is_waited_for(tmp_path: Path) -> None:
    text = """
import sys, json
from pathlib import Path
from marlpit.ablate import _models
from marlpit.ablate._plan import World
env, params, ranker = json.loads(sys.argv[2])
_models.make_model(Path(sys.argv[1]), World(env, params), 0, ranker)
"""
    with yes(0.5) as (url, asked):
        told = json.dumps([WORLD.env, WORLD.params, asking(url)])
        process = subprocess.Popen([sys.executable, "-c", text, str(tmp_path / "m"), told])
        end = time.monotonic() + 30
        while len(asked) < 2:
            assert time.monotonic() < end
            time.sleep(0.01)
        process.kill()
        process.wait()
        made = _models.make_model(tmp_path / "m", WORLD, 0, asking(url, concurrency=16))
    assert made["tokens"] == 14 * len(asked), "what was under way was kept"
    bodies = [json.dumps(a, sort_keys=True) for a in asked]
    assert len(set(bodies)) == len(bodies), "and nothing asked twice"


def test_how_long_is_waited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(**flags: Any) -> dict[str, Any]:
        raise CommandFailed(f"votes: {_votes.BUSY}: process 7 on some host")

    monkeypatch.setattr(_votes, "label", busy)
    monkeypatch.setattr(_votes, "FINISHING", 0.1)
    with pytest.raises(CommandFailed, match="process 7"):
        _votes._label(tmp_path / "votes.db", {})


def test_a_models_file_that_was_lost_or_is_another(tmp_path: Path) -> None:
    (job,) = make_plan({**PLAN, "ranker": {"queries": 1, "ensemble": 1}}, tmp_path).jobs()
    folder = model_folder(tmp_path, job)
    assert folder is not None
    assert job.arm.ranker is not None

    def make() -> dict[str, Any]:
        return _models.make_model(folder, job.world, job.seed, job.arm.ranker or {})

    note = make()
    file = folder / "model.credit"
    raw = file.read_bytes()
    assert resolve(job, tmp_path, folder).note == note
    for cut in (None, b"", raw[: len(raw) // 2]):
        file.unlink()
        if cut is not None:
            file.write_bytes(cut)
        with pytest.raises(Invalid, match="there is no model in"):
            resolve(job, tmp_path, folder)
        assert make()["sha256"] == note["sha256"]
        assert file.read_bytes() == raw
    other = _models.make_model(tmp_path / "other", job.world, 1, job.arm.ranker)
    assert other["sha256"] != note["sha256"]
    file.write_bytes((tmp_path / "other" / "model.credit").read_bytes())
    for refused in (make, lambda: resolve(job, tmp_path, folder)):
        with pytest.raises(Invalid, match=r"model.credit is another model than model.json beside it tells of. Delete both"):
            refused()
