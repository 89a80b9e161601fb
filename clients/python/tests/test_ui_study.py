from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import marlpit

pytest.importorskip("matplotlib")
EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))

from learner import Settings, log_softmax  # noqa: E402
from ui_learner import Actor, Critic, ElementLearner, Layout, Screens  # noqa: E402
from ui_tasks import HELD_OUT, TRAIN, Several  # noqa: E402
from ui_work import Arm, Plan, arms, layout  # noqa: E402


def study(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, EXAMPLES / "ui_study.py", *words], capture_output=True, text=True, timeout=600)


def test_smoke(tmp_path: Path) -> None:
    out = tmp_path / "study"
    none = study("--smoke", "--out", str(out), "--budget-minutes", "0")
    assert none.returncode == 1
    assert "0 of 2 runs are there" in none.stdout
    done = study("--smoke", "--out", str(out), "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert "2 of 2 runs are there." in done.stdout
    rows = list(csv.DictReader((out / "ui_study.csv").read_text().splitlines()))
    assert [(r["world"], r["reward"], r["rounds"], r["seeds"]) for r in rows] == [
        ("phone-v1", "process", "1", "1"), ("web-v1", "process", "1", "1"),
    ]  # fmt: skip
    assert all(0 <= float(r["held_out_templates"]) <= 1 and r["other_world_low"] == "" for r in rows)
    runs = json.loads((out / "ui_study.json").read_text())["runs"]
    assert [[f for f, _ in r["curve"]] for r in runs] == [[64, 128]] * 2
    assert (out / "ui_study-web-v1.png").stat().st_size > 5_000
    assert "| nothing (phone-v1) |" in done.stdout
    before = {p: p.stat().st_mtime_ns for p in (out / "runs").rglob("*.json")}
    again = study("--smoke", "--out", str(out))
    assert again.returncode == 0
    assert "0 to do" in again.stdout
    assert {p: p.stat().st_mtime_ns for p in (out / "runs").rglob("*.json")} == before
    other = study("--smoke", "--out", str(out), "--gamma", "0.5")
    assert other.returncode == 1
    assert "gamma 0.9, here 0.5" in other.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--worlds", "pong"], "'pong' is none of phone-v1, web-v1"),
        (["--seeds", "0"], "--seeds is at least 1, got 0"),
        (["--frames", "10"], "--frames is at least 2048"),
        (["--copies", "4"], "--copies is at least 8"),
    ],
)
def test_bad_calls(words: list[str], says: str) -> None:
    done = study(*words)
    assert done.returncode == 2
    assert says in done.stderr


def test_the_grid() -> None:
    every = arms(["phone-v1", "web-v1"], ["team", "process", "process-20", "random"], [1, 3], [False, True])
    assert len(every) == len(set(every)) == 2 * 4 * 3
    assert Arm("phone-v1", "process-20", 3, True).asked(Plan()) == {
        "scheme": "process", "critic": "solution", "error_rate": 0.2, "baseline": 0.5,
    }  # fmt: skip
    assert Arm("phone-v1", "process-20", 3, True).name == "process-20-r3-edges"


@pytest.mark.parametrize("screens", list(TRAIN))
def test_templates_are_where_they_are_said_to_be(url: str, screens: str) -> None:
    assert len(TRAIN[screens]) >= 8
    for split, templates in (("train", TRAIN[screens]), ("heldout-templates", HELD_OUT[screens])):
        for t in templates:
            marlpit.parallel_env(screens, url=url, template=t, split=split, agents=1, rounds=1).close()


@pytest.fixture(scope="module")
def batch(url: str) -> tuple[Layout, Any]:
    env = Several("phone-v1", TRAIN["phone-v1"][:2], 6, url, 0, agents=2, rounds=2, elements=12)
    env.reset()
    step = env.step(np.stack([m.argmax(-1) for m in env.reset().mask]).astype(np.int32))
    at = layout(env.spec)
    env.close()
    return at, step


def test_the_layout_is_the_world_s(batch: tuple[Layout, Any]) -> None:
    at, step = batch
    assert step.obs.shape == (6, 2, at.size)
    covered = [at.on_element, at.typed, at.answered, at.globals, at.opened]
    numbers = np.concatenate([c.ravel() for c in covered])
    assert sorted(numbers) == list(range(at.choices - 1)), "every choice but the stored proposal has one place"
    x = Screens(at, step.obs.reshape(12, -1))
    assert set(np.unique(x.there)) <= {0, 1}
    assert x.there.any()
    assert x.elements.shape == (12, 12, 65)


def test_gradients_against_differences(batch: tuple[Layout, Any]) -> None:
    at, step = batch
    obs = step.obs.reshape(12, -1)
    x, rng = Screens(at, obs), np.random.default_rng(0)
    mask = step.mask.reshape(12, -1)
    nets = (Actor(rng, at, 5), Critic(rng, at, 5))
    for net in nets:
        for k, w in net.weights.items():
            net.weights[k] = (w + 0.1 * rng.standard_normal(w.shape)).astype(np.float64)
    pull = rng.standard_normal((12, at.choices)) * mask

    def loss(net: Any) -> float:
        out, _ = net.forward(x)
        return float((np.where(mask, out, 0) * pull).sum()) if isinstance(net, Actor) else float((out**2).sum() / 2)

    for net in nets:
        out, kept = net.forward(x)
        grads = net.backward(x, kept, pull) if isinstance(net, Actor) else net.backward(kept, out)
        assert grads.keys() == net.weights.keys()
        for k, w in net.weights.items():
            if not w.size:
                continue
            i = np.unravel_index(int(np.abs(grads[k]).argmax()), w.shape)
            was, eps = w[i], 1e-3
            w[i] = was + eps
            up = loss(net)
            w[i] = was - eps
            assert grads[k][i] == pytest.approx((up - loss(net)) / (2 * eps), rel=0.02, abs=2e-3), k
            w[i] = was


def test_what_is_paid_becomes_likely(batch: tuple[Layout, Any]) -> None:
    at, step = batch
    settings = Settings(num_envs=1, horizon=1, frames=1, lr=3e-3, epochs=2, minibatches=1, entropy=0.0)
    who = ElementLearner(at, 2, 0, settings)
    mask = step.mask.reshape(12, -1)
    options = [np.flatnonzero(m[:-1]) for m in mask]
    wanted = np.array([c[len(c) // 2] for c in options])
    x = Screens(at, step.obs.reshape(12, -1))

    def chances() -> Any:
        return log_softmax(who.actor.forward(x)[0], mask)

    def of(choice: Any) -> Any:
        return np.take_along_axis(chances(), choice.reshape(12, 1), 1).reshape(6, 2)

    before = float(np.exp(of(wanted)).mean())
    for _ in range(40):
        drawn, logp = who.act(step.obs, step.mask)
        action = np.concatenate([drawn, wanted.reshape(6, 2)])
        who.update({
            "obs": np.concatenate([step.obs] * 2), "mask": np.concatenate([step.mask] * 2), "action": action,
            "state": np.concatenate([step.obs[:, 0]] * 2), "alive": np.ones((12, 2), bool),
            "logp": np.concatenate([logp, of(wanted)]), "target": np.zeros((12, 2), np.float32),
            "advantage": (action == np.concatenate([wanted.reshape(6, 2)] * 2)).astype(np.float32),
        })  # fmt: skip
    assert float(np.exp(of(wanted)).mean()) > max(0.5, 3 * before)
    assert (who.moved_to(at).actor.weights["element"] == who.actor.weights["element"]).all()
