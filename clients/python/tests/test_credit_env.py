"""Environments wrapped by `marlpit.credit.wrap` are PettingZoo environments, and pay what papers say."""

from __future__ import annotations

import copy
import functools
import pickle
import tempfile
import warnings
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pettingzoo
import pytest
from credit_kit import Lane, header, save_model
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils.conversions import parallel_to_aec

import marlpit
from marlpit import credit
from marlpit.errors import Invalid, NotReset

WORLD: dict[str, Any] = {
    "env": "lane_v0", "params": {}, "agents": ["a_0", "a_1"], "obs_version": 1, "state_size": 2, "focus_sizes": [1, 1],
}  # fmt: skip


def own_cell(state: np.ndarray, agent: str) -> list[float]:
    return [state[int(agent[-1])]]


def at_end(state: np.ndarray, agent: str) -> bool:
    return bool((state == 6).all())


def say(before: np.ndarray, after: np.ndarray, agent: str) -> str:
    return f"Before: {before}. Now: {after}."


@functools.cache
def model(kind: str = "agents", inputs: tuple[str, ...] = ("state", "focus")) -> credit.Model:
    head = header(kind, WORLD, list(inputs), [0.5, 0.8][: len(inputs)])
    with tempfile.TemporaryDirectory() as folder:
        return credit.Model.load(save_model(Path(folder) / "m.credit", head, 3))


def wrapped(env: Any = None, **options: Any) -> credit.CreditEnv:
    return credit.wrap(env or Lane(limit=25), **{"model": model(), "focus": own_cell, "success": at_end, **options})


def play(env: Any, seed: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
    env.reset(seed=seed)
    out = []
    while env.agents:
        out.append(env.step({a: int(rng.integers(3)) for a in env.agents})[1:])
    return out


def test_pettingzoos_own_tests() -> None:
    parallel_api_test(wrapped(), num_cycles=200)
    parallel_seed_test(wrapped, num_cycles=50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # opinions on spaces
        api_test(parallel_to_aec(wrapped()), num_cycles=100, verbose_progress=False)


def test_turns_pay_what_parallel_steps_pay() -> None:
    together, turns = wrapped(), parallel_to_aec(wrapped())
    rng = np.random.default_rng(1)
    for seed in range(5):
        steps = play(together, seed, np.random.default_rng(seed))
        want = {a: sum(s[0].get(a, 0.0) for s in steps) for a in together.possible_agents}
        turns.reset(seed=seed)
        rng, got = np.random.default_rng(seed), dict.fromkeys(turns.possible_agents, 0.0)
        for agent in turns.agent_iter():
            _, reward, ended, cut, _ = turns.last()
            got[agent] += reward
            turns.step(None if ended or cut else int(rng.integers(3)))
        assert got == pytest.approx(want, abs=1e-9)


def test_all_but_rewards_and_infos_is_the_environments_own() -> None:
    env, inner = wrapped(), Lane(limit=25)
    assert isinstance(env, pettingzoo.ParallelEnv)
    assert env.action_space("a_0") is env.env.action_space("a_0")
    assert env.observation_space("a_1") is env.env.observation_space("a_1")
    assert env.unwrapped is env.env
    assert (env.metadata["name"], env.render_mode, env.max_num_agents) == ("lane_v0", None, 2)
    for seed in range(3):
        ours, theirs = play(env, seed, np.random.default_rng(seed)), play(inner, seed, np.random.default_rng(seed))
        assert (env.state() == inner.state()).all()
        assert [o[1:3] for o in ours] == [t[1:3] for t in theirs]
        assert [{a: i["team_reward"] for a, i in o[3].items()} for o in ours] == [t[0] for t in theirs]
    assert env.reward == {
        "scheme": "credit", "form": "replace", "scale": 0.1, "gamma": 1.0, "terminal": "value", "bonus": 1.0, "step_cost": 0.01,
        "model": "made by hand", "model_version": 1,
    }  # fmt: skip


@given(seed=st.integers(0, 10_000), gamma=st.sampled_from([0.5, 0.9, 1.0]), limit=st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_what_add_sums_to(seed: int, gamma: float, limit: int) -> None:
    """−wσ(s₀)/sd where an agent was terminated, w(γᵀσ(s_T) − σ(s₀))/sd where it was cut off; the team's reward apart."""
    env = wrapped(Lane(length=4, limit=limit), scheme="add", gamma=gamma, weight=2.0)
    env.reset(seed=seed)
    first = sigma(env)
    sums, ends, t = {"a_0": 0.0, "a_1": 0.0}, {}, 0
    rng = np.random.default_rng(seed)
    while env.agents:
        _, rewards, ended, cut, infos = env.step({a: int(rng.integers(3)) for a in env.agents})
        for a, r in rewards.items():
            assert r == np.float32(infos[a]["team_reward"]) + np.float32(infos[a]["shaping"])
            sums[a] += gamma**t * infos[a]["shaping"]
            if ended[a] or cut[a]:
                ends[a] = 0.0 if ended[a] else gamma ** (t + 1) * sigma(env)[a]
        t += 1
    for a, sd in zip(sums, (0.5, 0.8), strict=True):
        assert sums[a] == pytest.approx(2 / sd * (ends[a] - first[a]), abs=1e-5)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_what_replace_sums_to(seed: int) -> None:
    """scale·(σ(s_T) − σ(s₀))/sd, with the real value at the end, and exactly shaping + bonus − cost in each step."""
    env = wrapped(Lane(length=4), scale=0.3, bonus=2, step_cost=0.5, success=lambda s, a: bool((s == 4).all()))
    env.reset(seed=seed)
    first, last, sums, paid = sigma(env), {}, {"a_0": 0.0, "a_1": 0.0}, 0
    rng = np.random.default_rng(seed)
    for _ in range(200):
        _, rewards, ended, _, infos = env.step({a: int(rng.integers(3)) for a in env.agents})
        for a, r in rewards.items():
            shaping = np.float32(infos[a]["shaping"])
            won = float(r) == float(shaping + np.float32(2) - np.float32(0.5))
            assert won or float(r) == float(shaping - np.float32(0.5))
            paid += won
            sums[a] += infos[a]["shaping"]
            if ended[a]:
                last[a] = sigma(env)[a]
        if not env.agents:
            break
    for i, a in enumerate(sums):
        if a in last:
            assert sums[a] == pytest.approx(0.3 * (last[a] - first[a]) / [0.5, 0.8][i], abs=1e-5)
    assert paid == (0 if env.agents else len(rewards)), "the bonus goes to those who see the success"


def sigma(env: Any) -> dict[str, float]:
    s = env.state()
    return {"a_0": float(model().value("a_0", s)), "a_1": float(model().value("a_1", own_cell(s, "a_1")))}


def test_weight_zero_is_the_teams_reward_to_the_last_bit() -> None:
    env, inner = wrapped(scheme="add", weight=0), Lane(limit=25)
    for seed in range(5):
        ours, theirs = play(env, seed, np.random.default_rng(seed)), play(inner, seed, np.random.default_rng(seed))
        assert [repr(o[0]) for o in ours] == [repr(t[0]) for t in theirs]


def test_one_sigma_for_all_where_it_is_shared() -> None:
    env = wrapped(model=model("shared", ("state",)), scheme="shared", focus=None)
    for rewards, *_ in play(env, 0, np.random.default_rng(0)):
        assert len(set(rewards.values())) == 1


def test_a_copy_plays_on_alike() -> None:
    env = wrapped()
    env.reset(seed=4)
    env.step({"a_0": 1, "a_1": 1})
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), cloudpickle.loads(cloudpickle.dumps(env))):
        rest = copy.deepcopy(env)
        while rest.agents:
            actions = dict.fromkeys(rest.agents, 0)
            assert repr(rest.step(actions)[1:]) == repr(twin.step(actions)[1:])
    assert env.agents == ["a_0", "a_1"]


def test_a_recording_is_not_copied(tmp_path: Path) -> None:
    env = wrapped(record=tmp_path / "x.jsonl", describe=say)
    for twice in (copy.deepcopy, pickle.dumps):
        with pytest.raises(marlpit.MarlpitError, match=r"x\.jsonl can be neither copied nor pickled"):
            twice(env)


def test_before_a_reset_and_after_the_end() -> None:
    env = wrapped()
    with pytest.raises(NotReset):
        env.step({})
    play(env, 0, np.random.default_rng(0))
    assert env.step({})[1] == {}


def test_a_bonus_nobody_can_earn_is_told() -> None:
    env = wrapped(success=None)
    with pytest.warns(RuntimeWarning, match="the bonus is never paid"):
        play(env, 0, np.random.default_rng(0))
    play(env, 1, np.random.default_rng(0))  # once is enough
    play(wrapped(success=None, bonus=0), 0, np.random.default_rng(0))


class Telling(Lane):
    """A lane whose infos hold success from the start, or at the end alone."""

    def reset(self, *args: Any, **options: Any) -> tuple[dict, dict]:
        observations, infos = super().reset(*args, **options)
        return observations, {a: {"success": False} for a in infos}

    def step(self, actions: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        *rest, infos = super().step(actions)
        return *rest, {a: {"success": bool((self.state() == self.length).all())} for a in infos}


def test_success_is_read_from_infos() -> None:
    for seed in range(5):
        ours, told = (play(env, seed, np.random.default_rng(seed)) for env in (wrapped(Lane()), wrapped(Telling(), success=None)))
        assert [o[0] for o in ours] == [t[0] for t in told]
        assert max(ours[-1][0].values()) > 0.9


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"scheme": "shapley"}, "there is no scheme 'shapley' without a server: there are team, credit, credit-mean"),
        ({"scheme": {"scheme": "sum"}}, "there is no scheme {'scheme': 'sum'}"),
        ({"model": b"m.credit"}, "model is a Model or the path of its file"),
        ({"scheme": "none"}, "none reads no model"),
        ({"scheme": "none", "model": None, "scale": 1}, "none has no option 'scale': there are bonus, step_cost"),
        ({"scheme": "team", "model": None, "bonus": 1}, "team has no option 'bonus': it has none"),
        ({"weight": 1}, "credit has no option 'weight'"),
        ({"scale": 0}, "scale is a number above 0 to 1000, got 0"),
        ({"scale": 1e-60}, "scale is a number above 0"),
        ({"scale": float("nan")}, "scale is a number"),
        ({"bonus": "1"}, "bonus is a number from 0 to 1000, got '1'"),
        ({"bonus": True}, "bonus is a number"),
        ({"step_cost": -0.1}, "step_cost is a number"),
        ({"gamma": 1.01}, "gamma is a number from 0 to 1"),
        ({"terminal": "none"}, "terminal is value or zero"),
        ({"terminal": "zero"}, r"the constant −σ\(s₀\)"),
        ({"scheme": "sum", "terminal": "zero"}, r"the constant −σ\(s₀\)"),
        ({"form": 1}, "form is replace or add"),
        ({"form": "add", "scale": 1}, "add has no option 'scale'"),
        ({"model": None, "scheme": "credit"}, "credit needs a model, of the kind agents"),
        ({"scheme": "coin"}, "coin needs a model of the kind coin, got agents"),
        ({"name": "other_v0"}, "world: lane_v0 in the model, other_v0 here"),
        ({"params": {"length": 9}}, "parameter length: None in the model, 9 here"),
        ({"focus": None}, "the model of a_1 reads its own view: give focus"),
        ({"success": 3}, "success is a function, got 3"),
        ({"record": "x.jsonl"}, "to record, describe"),
    ],
    ids=str,
)
def test_what_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        wrapped(**options)


def test_what_cannot_be_wrapped(url: str) -> None:
    with pytest.raises(Invalid, match="has a reward scheme already"):
        credit.wrap(wrapped())
    with pytest.raises(Invalid, match="is no PettingZoo ParallelEnv"):
        credit.wrap(parallel_to_aec(Lane()))
    env = Lane()
    env.possible_agents = ["a_0"]
    with pytest.raises(Invalid, match=r"agents: \['a_0', 'a_1'\] in the model, \['a_0'\] here"):
        wrapped(env)
    env.metadata = {}
    with pytest.raises(Invalid, match="metadata have no name"):
        wrapped(env)
    env = credit.wrap(marlpit.parallel_env("test-count-v0", url=url, reward="none"), scheme="none")
    with pytest.raises(Invalid, match="its infos hold shaping"):
        env.reset()


class Late(Lane):
    """A lane on which a_1 begins at the third step; its infos are None, or none."""

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict, Any]:
        super().reset(seed, options)
        self.cells, self.agents = {"a_0": 1, "a_1": 2}, ["a_0"]
        return {"a_0": self.seen()}, None

    def step(self, actions: dict[str, int]) -> tuple[dict, dict, dict, dict, Any]:
        observations, rewards, out, cut, _ = super().step(actions)
        if self.steps == 2:
            self.agents = ["a_0", "a_1"]
        return observations, rewards, out, cut, dict.fromkeys(self.agents[:1])


@pytest.mark.parametrize("scheme", ["credit", "add"])
def test_an_agent_that_comes_late_is_paid_from_there(scheme: str) -> None:
    env = wrapped(Late(), scheme=scheme)
    _, infos = env.reset()
    assert infos == {"a_0": {"team_reward": 0.0, "shaping": 0.0, "model_version": 1.0}}
    for _ in range(2):
        env.step({"a_0": 0})
    stayed = env.step({"a_0": 0, "a_1": 0})[4]  # no info of a_1
    if scheme == "credit":
        assert [i["shaping"] for i in stayed.values()] == [0, 0]
    else:
        sigma = float(env.model.value("a_1", [2]))
        assert stayed["a_1"]["shaping"] == pytest.approx(0.1 * (0.99 - 1) * sigma / 0.8, abs=1e-6)
    assert set(stayed) == {"a_0", "a_1"}


class Strange(Lane):
    """A lane to which an agent comes of which nothing was said."""

    def step(self, actions: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        out = super().step(actions)
        out[1]["a_9"] = 1.0
        return out


def test_an_agent_nobody_spoke_of_is_told() -> None:
    env = wrapped(Strange())
    env.reset()
    with pytest.raises(Invalid, match="has an agent 'a_9' that its possible_agents lack"):
        env.step({"a_0": 0, "a_1": 0})


def test_functions_that_give_the_wrong_thing() -> None:
    for options, says in (
        ({"features": lambda s: [1]}, "features: 1 numbers, want 2"),
        ({"features": lambda s: ["x", 2]}, "features: want numbers, got"),
        ({"features": lambda s: s * 1j}, "features: want numbers, got .*they are complex"),
        ({"features": lambda s: [1, np.nan]}, "features: want numbers from -1e.06 to 1e.06, element 1 is nan"),
        ({"features": lambda s: [1, 1e60]}, "element 1 is inf"),
        ({"features": lambda s: [1, 10**400]}, "features: want numbers, got"),
        ({"focus": lambda s, a: []}, "focus of a_1: 0 numbers, want 1"),
    ):
        with pytest.raises(Invalid, match=says):
            wrapped(**options).reset()
    env = wrapped(state=lambda env: env.cells, features=lambda s: list(s.values()), focus=lambda s, a: [s[a]], success=None)
    env.reset()
    with pytest.raises(Invalid, match="it has to give a copy"):
        env.step({"a_0": 0, "a_1": 0})
    with pytest.raises(Invalid, match=r"no state\(\): say how to take one"):
        wrapped(Mute()).reset()


class Mute(Lane):
    """A lane that gives no state."""

    state = pettingzoo.ParallelEnv.state
