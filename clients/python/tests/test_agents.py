"""Agents that end at different times, turns, limits, pictures, and calls out of order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils.conversions import aec_to_parallel

import marlpit

Make = Callable[..., marlpit.ParallelEnv]


def test_agents_die_at_two_four_and_seven(make: Make) -> None:
    env = make("test-stages-v0")
    for _ in range(2):
        obs, infos = env.reset(seed=0)
        assert env.agents == list(obs) == list(infos) == env.possible_agents
        seen = []
        for step in range(1, 8):
            acting = env.agents[:]
            obs, rewards, ends, cuts, infos = env.step(dict.fromkeys(acting, 0))
            assert list(obs) == list(rewards) == list(ends) == list(cuts) == list(infos) == acting
            assert all(o == [step] for o in obs.values())
            assert not any(cuts.values())
            seen.append([a for a in acting if ends[a]])
            assert env.agents == [a for a in acting if not ends[a]]
        assert seen == [[], ["agent_0"], [], ["agent_1"], [], [], ["agent_2"]]
        assert env.agents == []
        assert env.step({}) == ({}, {}, {}, {}, {})  # nothing left: nothing moves
        assert env.state() == [7]


def test_limits_truncate(make: Make) -> None:
    env = make("test-pixels-v0", max_cycles=3)
    env.reset(seed=0)
    for _ in range(3):
        _, _, ends, cuts, _ = env.step({a: np.zeros(2, np.float32) for a in env.agents})
    assert not any(ends.values())
    assert all(cuts.values())
    assert env.agents == []


def sampled(env: marlpit.ParallelEnv, infos: dict[str, Any]) -> dict[str, Any]:
    return {a: env.action_space(a).sample(infos[a].get("action_mask")) for a in env.agents}


@pytest.mark.parametrize("mask", ["info", "obs"])
def test_turns_and_back_give_the_same_returns(url: str, world: str, mask: str) -> None:
    script: list[dict[str, Any]] = []
    env = marlpit.parallel_env(world, url=url)
    for i, a in enumerate(env.possible_agents):
        env.action_space(a).seed(i)
    _, infos = env.reset(seed=11)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    last_obs: dict[str, Any] = {}
    while env.agents and len(script) < 250:
        script.append(sampled(env, infos))
        obs, rewards, _, _, infos = env.step(script[-1])
        last_obs.update(obs)
        for a, r in rewards.items():
            returns[a] += r
    env.close()
    assert turns(marlpit.aec_env(world, url=url, mask=mask), script, last_obs, mask) == pytest.approx(returns, abs=1e-9)
    assert back(aec_to_parallel(marlpit.aec_env(world, url=url, mask=mask)), script) == pytest.approx(returns, abs=1e-9)


def turns(env: pettingzoo.AECEnv[Any, Any, Any], script: list[dict[str, Any]], last_obs: dict[str, Any], mask: str) -> Any:
    env.reset(seed=11)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    taken = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        obs, reward, ended, cut, info = env.last()
        assert env.last()[1] == reward  # looking does not count
        returns[agent] += reward
        if mask == "obs":
            assert env.observation_space(agent).contains(obs)
            assert "action_mask" not in info
        if ended or cut:
            inner = obs["observation"] if isinstance(obs, dict) else obs
            np.testing.assert_array_equal(inner, last_obs[agent])
        if taken[agent] == len(script) and not (ended or cut):
            break
        action = None if ended or cut else script[taken[agent]][agent]
        taken[agent] += 1
        env.step(action)
    env.close()
    return returns


def back(env: pettingzoo.ParallelEnv[Any, Any, Any], script: list[dict[str, Any]]) -> Any:
    env.reset(seed=11)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    for actions in script:
        for a, r in env.step(actions)[1].items():
            returns[a] += r
    env.close()
    return returns


def test_pictures(url: str, world: str) -> None:
    env = marlpit.parallel_env(world, url=url)
    if "draw" not in env.spec["abilities"]:
        assert env.metadata["render_modes"] == []
        return
    frames = []
    drawn = marlpit.parallel_env(world, url=url, render_mode="rgb_array")
    for e in (env, drawn):
        e.reset(seed=2)
        for i, a in enumerate(e.possible_agents):
            e.action_space(a).seed(i)
    seq = env._session.seq
    assert env.render() is None
    for _ in range(10):
        frames.append(drawn.render())
        if not env.agents:
            break
        actions = {a: env.action_space(a).sample() for a in env.agents}
        assert repr(env.step(actions)) == repr(drawn.step(actions))  # drawing moves nothing
    assert env._session.seq == seq + len(frames) - (len(frames) < 10)
    assert len({f.shape for f in frames}) == 1
    assert frames[0].dtype == np.uint8
    assert frames[0].shape[2] == 3
    assert frames[0].min() < frames[0].max()
    assert len({f.tobytes() for f in frames}) > 1
    frames[0][:] = 0  # the caller's


def test_text_modes(url: str, world: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "draw" not in marlpit.parallel_env(world, url=url).spec["abilities"]:
        pytest.skip("the world can't be drawn")
    text = marlpit.parallel_env(world, url=url, render_mode="ansi")
    text.reset(seed=0)
    shown = text.render()
    human = marlpit.parallel_env(world, url=url, render_mode="human")
    human.reset(seed=0)
    capsys.readouterr()
    assert human.render() is None
    assert capsys.readouterr().out.strip() == shown.strip() != ""


def test_calls_out_of_order(make: Make) -> None:
    env = make("test-count-v0")
    assert env.agents == []
    with pytest.raises(marlpit.errors.NotReset, match="before the first reset"):
        env.step({})
    env.reset(options={"unknown": 1})
    env.close()
    env.close()
    with pytest.raises(marlpit.errors.SessionExpired):
        env.step({"agent_0": 0, "agent_1": 0})


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ({"agent_0": 0}, "agent_1: an action is missing"),
        ({"agent_0": 0, "agent_1": 2}, "agent_1.* 0 to 1, got 2"),
        ({"agent_0": -1, "agent_1": 0}, "agent_0.* 0 to 1, got -1"),
        ({"agent_0": 0, "agent_1": 0.5}, r"agent_1: an action is one of Discrete\(2\), got 0.5"),
        ({"agent_0": None, "agent_1": 0}, "agent_0: .* got None"),
        ({"agent_0": 2**40, "agent_1": 0}, "agent_0: .* got 1099511627776"),
        ({"agent_0": [0, 0], "agent_1": 0}, "agent_0: .*"),
    ],
)
def test_bad_actions_move_nothing(make: Make, actions: dict[str, Any], says: str) -> None:
    env = make("test-count-v0")
    env.reset()
    with pytest.raises(marlpit.errors.Invalid, match=says) as e:
        env.step(actions)
    assert e.value.code == "invalid"
    assert e.value.at.startswith("/actions")
    assert env.agents == ["agent_0", "agent_1"]
    assert env.step({"agent_0": 0, "agent_1": 0})[0]["agent_0"] == [1]


def test_bad_boxes(make: Make) -> None:
    env = make("test-pixels-v0")
    env.reset()
    good = np.zeros(2, np.float32)
    for bad in (np.full(2, np.nan), np.full(2, 1.5), np.zeros(3), "ab"):
        with pytest.raises(marlpit.errors.Invalid):
            env.step({"dot_0": good, "dot_1": bad})
    env.step({"dot_0": good, "dot_1": [0.5, -1]})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"mask": "both"}, "mask is one of info, obs"),
        ({"render_mode": "gif"}, "render_mode is one of human"),
        ({"lenght": 3}, "length"),
        ({"length": 0}, "length"),
        ({"reward": "gold"}, "reward"),
    ],
)
def test_bad_options_list_what_exists(url: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(marlpit.errors.Invalid, match=says):
        marlpit.parallel_env("test-count-v0", url=url, **options)
    with pytest.raises(marlpit.errors.NotFound, match="test-count-v0"):
        marlpit.parallel_env("test-cuont-v0", url=url)


def test_an_env_that_fails_takes_no_other_along(make: Make) -> None:
    bad, good = make("test-panic-v0", at=2), make("test-count-v0")
    bad.reset()
    good.reset()
    bad.step(dict.fromkeys(bad.agents, 0))
    with pytest.raises(marlpit.errors.EnvFailed):
        bad.step(dict.fromkeys(bad.agents, 0))
    good.step(dict.fromkeys(good.agents, 0))
