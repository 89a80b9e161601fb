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

from marlpit.ppo import Settings  # noqa: E402
from ui_learner import Actor, Critic, ElementLearner  # noqa: E402
from ui_report import Report, score  # noqa: E402
from ui_screens import GLOBALS, VERBS, Flat, Layout, Screens  # noqa: E402
from ui_tasks import HELD_OUT, TRAIN, Several  # noqa: E402
from ui_work import TESTS, Arm, Plan, arms  # noqa: E402


def study(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, EXAMPLES / "ui_study.py", *words], capture_output=True, text=True, timeout=600)


def test_smoke(tmp_path: Path) -> None:
    out = tmp_path / "study"
    none = study("--smoke", "--out", str(out), "--budget-minutes", "0")
    assert none.returncode == 1
    assert "0 of 2 runs are there" in none.stdout
    assert "- phone-v1 process-r1: seed 0" in none.stdout
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
    assert "Not run" not in done.stdout
    assert (out / "README.md").read_text() == done.stdout.split("\n\n", 1)[1].rsplit("\nTable, ", 1)[0]
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
        (["--frames", "10"], "--frames is at least 1024"),
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
    assert Plan().settings("team").gamma > Plan().settings("process").gamma == Plan().settings("random").gamma
    assert Arm("phone-v1", "process-20", 3, True).name == "process-20-r3-edges"


def test_differences_are_of_runs_that_differ_in_nothing_else(tmp_path: Path) -> None:
    every = arms(["web-v1"], ["team", "process"], [1, 3], [False, True])
    report = Report(tmp_path, Plan(), every, range(3), {}, [])
    runs: dict[Arm, list[dict[str, Any]]] = {}
    for a in every:
        rates = [0.1 * seed + 0.2 * (a.reward == "process") + 0.3 * (a.rounds == 3) for seed in range(3)]
        runs[a] = [
            {"seed": s, "curve": [[1, r], [2, r + 0.1]], "tested": dict.fromkeys(TESTS, r)} for s, r in enumerate(rates)
        ]  # fmt: skip
    runs[Arm("web-v1", "team", 3, True)].pop(1)
    lines = {tuple(c.strip() for c in row.split("|")[2:5]) for row in report.differences(runs) if row[:1] == "|"}
    assert lines == {
        ("difference", "seeds", "train seeds"), ("---", "---", "---"),
        ("process, right, less team", "2", "0.20 [0.20, 0.20]"), ("process, 20 % wrong, less team", "0", "not run"),
        ("process, right, less random scores", "0", "not run"), ("3 rounds less 1", "3", "0.30 [0.30, 0.30]"),
        ("edge updates less none", "2", "0.00 [0.00, 0.00]"),
    }  # fmt: skip
    assert score(runs[every[0]][0], "while training") == pytest.approx(0.05)
    assert report.missing(runs)[-1] == "- web-v1 team-r3-edges: seed 1"


@pytest.mark.parametrize("screens", list(TRAIN))
def test_templates_are_where_they_are_said_to_be(url: str, screens: str) -> None:
    assert len(TRAIN[screens]) >= 8
    for split, templates in (("train", TRAIN[screens]), ("heldout-templates", HELD_OUT[screens])):
        for t in templates:
            marlpit.parallel_env(screens, url=url, template=t, split=split, agents=1, rounds=1).close()


@pytest.fixture(scope="module")
def batch(url: str) -> tuple[Layout, Any]:
    """Six screens where texts can be typed, of teams that have heard each other."""
    env = Several("phone-v1", ("contacts-add", "notes-add"), 6, url, 0, agents=2, rounds=2, elements=12, graph="full")
    env.reset()
    for _ in range(7):
        step = env._join([e.propose([e.solution(r) for r in range(e.num_envs)]) for e in env.envs])
    env.close()
    return env.layout, step


def flat(at: Layout, step: Any) -> Flat:
    return Screens(at, step.obs, step.mask).of(np.arange(6))


def test_what_is_packed(url: str) -> None:
    with marlpit.vec_env("web-v1", 2, url=url, seed=0, agents=3, rounds=3, graph="chain", elements=12) as env:
        at = Layout(env.spec.observation_fields[0], env.spec.action_names[0])
        env.reset()
        step = env.step(
            np.stack([m.argmax(-1) for m in env.step(np.zeros((2, 3), np.int32)).mask[..., ::-1]]).astype(np.int32) + 8
        )
    obs = step.obs
    votes = at.blocks(obs, at.elements, at.element)[..., -1]
    same = np.delete(np.arange(at.messages.start), np.arange(at.elements.start, at.elements.stop)[at.element - 1 :: at.element])
    assert (obs[:, 1:, same] == obs[:, :1, same]).all(), "agents differ in what they hear alone"
    assert (step.mask[:, 1:] == step.mask[:, :1]).all()
    x = Screens(at, at.pack(obs), step.mask[:, 0])
    assert (x.votes == votes).all()
    assert x.said.shape == (2, 3, at.message)
    assert not x.said[:, 0].any(), "the first of a chain hears nobody"
    assert (x.said[:, 1] == at.blocks(obs, at.messages, at.message)[:, 1, 0]).all(), "the second hears the first"
    assert x.said[:, 1, 0].all()


def test_every_choice_has_its_place(batch: tuple[Layout, Any]) -> None:
    at, step = batch
    assert (at.kind[:-1] >= 0).all()
    assert at.kind[-1] == -1, "the stored proposal is none of the learner's"
    assert len(set(zip(at.kind, at.item, at.column, strict=True))) == at.choices
    x = flat(at, step)
    assert (x.element_row == np.nonzero(step.obs[:, at.elements.start : at.elements.stop : at.element])[0]).all()
    assert x.place.shape == (step.mask[:, :-1].sum(), 2)
    assert len(np.unique(x.place)) == x.place.size
    assert x.place.max() < x.sizes.sum()
    assert len(x.pairs), "texts can be typed"
    assert x.sizes.tolist() == [
        12 * (len(GLOBALS) + len(at.apps)),
        2 * len(x.texts),
        2 * len(VERBS) * len(x.elements),
        2 * len(x.pairs),
    ]
    assert (
        x.find(x.choice[[np.flatnonzero(x.row == r)[-1] for r in range(6)]][:, None], at.choices)[:, 0]
        == np.cumsum(np.bincount(x.row)) - 1
    ).all()


def test_scores_are_those_of_the_parts(batch: tuple[Layout, Any]) -> None:
    """Each kind of choice against the formula for one of them, written out."""
    at, step = batch
    actor, x = Actor(np.random.default_rng(0), at, 5), flat(at, step)
    w, names = actor.weights, np.array(["general", "answer", "verb", "typed"])
    for k in w:
        w[k] = np.random.default_rng(1).standard_normal(w[k].shape).astype(np.float32)
    logits, _ = actor.forward(x)
    screens = Screens(at, step.obs, step.mask)
    for kind in range(4):
        c = np.flatnonzero(at.kind[x.choice] == kind)[-1]
        r, choice = x.row[c], x.choice[c]
        s = np.tanh(screens.context[r] @ w["context"] + screens.said[r, 1] @ w["said"] + w["situation0"][0])

        def element(i: int, r: int = r, s: Any = s) -> Any:
            f = screens.elements[r, i].copy()
            f[-1] = f[at.hash] @ screens.goal[r]
            pre = f @ w["element"] + screens.votes[r, 1, i] * w["votes"][0] + s @ w["element_s"] + w["element0"][0]
            return np.tanh(pre), f

        def text(k: int, r: int = r, s: Any = s) -> Any:
            f = screens.texts[r, k]
            return np.tanh(f @ w["text"] + s @ w["text_s"] + w["text0"][0]), f

        if kind == 0:
            want = s @ np.concatenate([w["global"], w["open"]], 1)[:, at.column[choice]]
            want += np.append(w["global0"][0], np.zeros(len(at.apps)))[at.column[choice]]
        elif kind == 1:
            want = (text(at.item[choice])[0] @ w["answer"] + w["answer0"][0])[0]
        elif kind == 2:
            want = (element(at.item[choice])[0] @ w["verbs"] + w["verbs0"][0])[at.column[choice]]
        else:
            (e, f), (t, g), k = element(at.item[choice]), text(at.column[choice]), at.column[choice]
            pair = np.array([f[at.near + k], f[at.equals + k], f[at.hash] @ g[at.before]])
            want = e @ w["typed"] @ t + pair @ w["pair"][:, 0] + w["typed0"][0, 0]
        assert logits[c, 1] == pytest.approx(want, rel=1e-4), names[kind]


def test_gradients_against_differences(batch: tuple[Layout, Any]) -> None:
    at, step = batch
    x, rng = flat(at, step), np.random.default_rng(0)
    actor, critic = Actor(rng, at, 5), Critic(rng, at, 5)
    read = critic.read(step.obs)
    for net in (actor, critic):
        for k, w in net.weights.items():
            net.weights[k] = (w + 0.1 * rng.standard_normal(w.shape)).astype(np.float64)
    pull = rng.standard_normal(x.place.shape)

    def loss(net: Actor | Critic) -> float:
        return float((actor.forward(x)[0] * pull).sum() if net is actor else (critic.forward(read)[0] ** 2).sum() / 2)

    value, hidden = critic.forward(read)
    for net, grads in (
        (actor, actor.backward(x, actor.forward(x)[1], pull)), (critic, critic.backward(read, hidden, value)),
    ):  # fmt: skip
        assert grads.keys() == net.weights.keys()
        for k, w in net.weights.items():
            assert grads[k].any(), f"{k} is not tried"
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
    options = [np.flatnonzero(m[:-1]) for m in step.mask]
    wanted = np.array([[c[len(c) // 2], c[len(c) // 3]] for c in options])
    x = flat(at, step)

    def of(choice: Any) -> Any:
        return x.log_softmax(who.actor.forward(x)[0])[x.find(choice, at.choices), [0, 1]]

    before = float(np.exp(of(wanted)).mean())
    for _ in range(60):
        drawn, logp = who.act(step.obs, step.mask)
        assert logp == pytest.approx(of(drawn), abs=1e-5)
        action = np.concatenate([drawn, wanted])
        who.update({
            "obs": np.concatenate([step.obs] * 2), "mask": np.concatenate([step.mask] * 2), "action": action,
            "state": np.concatenate([step.obs] * 2), "alive": np.ones((12, 2), bool),
            "logp": np.concatenate([logp, of(wanted)]), "target": np.zeros((12, 2), np.float32),
            "advantage": (action == np.concatenate([wanted] * 2)).astype(np.float32),
        })  # fmt: skip
    assert float(np.exp(of(wanted)).mean()) > max(0.5, 3 * before)
    assert (who.moved_to(at).actor.weights["element"] == who.actor.weights["element"]).all()


def test_one_observation_stands_for_all_that_hear_nobody(url: str) -> None:
    """An update from it is the one from all of theirs."""
    env = Several("web-v1", TRAIN["web-v1"][:2], 4, url, 0, agents=3, rounds=1, elements=12, graph="none")
    step = env.reset()
    env.close()
    at, rng = env.layout, np.random.default_rng(0)
    each = np.concatenate([step.obs[:, : at.size], np.tile(step.obs[:, at.size :], 3)], 1)
    settings = Settings(num_envs=1, horizon=1, frames=1, epochs=1, minibatches=1)
    one, three = (ElementLearner(at, 3, 0, settings) for _ in range(2))
    (drawn, logp), (other, same) = one.act(step.obs, step.mask), three.act(each, step.mask)
    assert drawn.shape == (4, 3)
    assert (drawn == other).all()
    assert logp == pytest.approx(same, abs=1e-6)
    batch = {
        "mask": step.mask, "state": step.obs, "action": drawn, "logp": logp, "alive": rng.random((4, 3)) < 0.8,
        "advantage": rng.standard_normal((4, 3)).astype(np.float32), "target": np.zeros((4, 3), np.float32),
    }  # fmt: skip
    one.update({**batch, "obs": step.obs})
    three.update({**batch, "obs": each})
    for k, w in one.actor.weights.items():
        assert w == pytest.approx(three.actor.weights[k], abs=1e-5), k


def test_train_seeds_are_those_trained_on(url: str) -> None:
    options = {"agents": 1, "rounds": 1, "elements": 12, "graph": "none", "split": "train"}
    env = Several("web-v1", TRAIN["web-v1"][:2], 6, url, 3, **options)
    first, again = env.reset(), env.reset(3)
    env.close()
    assert (first.obs == again.obs).all()
    assert len(np.unique(first.obs, axis=0)) == 6
