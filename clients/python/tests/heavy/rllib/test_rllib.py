"""RLlib: marlpit's own env runner, and RLlib's PettingZoo wrapper."""

from __future__ import annotations

import pickle
import time
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
import ray_kit  # noqa: F401 (before Ray)
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

import marlpit
from marlpit import _launcher
from marlpit.errors import Invalid, NotFound
from marlpit.rllib import MarlpitEnv, MarlpitEnvRunner, configure

pytestmark = pytest.mark.filterwarnings("default")  # Ray's and Gymnasium's own


def runner(id: str = "two-switch-v1", num_envs: int = 8, **options: Any) -> MarlpitEnvRunner:
    config = configure(PPOConfig(), id, num_envs=num_envs, **{"seed": 0, **options})
    config.env_runners(num_env_runners=0, rollout_fragment_length=16).rl_module(model_config={"fcnet_hiddens": [8]})
    return MarlpitEnvRunner(config, worker_index=0)


def metric(metrics: dict[str, Any], name: str) -> float:
    value = metrics[name]
    return float(value.peek() if hasattr(value, "peek") else value)


def test_episodes_are_those_that_were_played() -> None:
    r = runner(max_cycles=20, reward="oracle")
    chunks = [e for _ in range(3) for e in r.sample(num_timesteps=8 * 16, explore=True)]  # 48 steps of 8 copies
    r.stop()
    assert sum(len(e) for e in chunks) == 48 * 8
    by_id: dict[str, list[Any]] = {}
    for e in chunks:
        by_id.setdefault(e.id_, []).append(e)
    ended = [parts for parts in by_id.values() if parts[-1].is_done]
    assert ended
    for parts in ended:
        assert [p.env_t_started for p in parts] == [0, *(p.env_t for p in parts[:-1])], "chunks follow each other"
        assert not any(p.is_done for p in parts[:-1])
        length = sum(len(p) for p in parts)
        assert parts[-1].is_truncated == (length == 20)
        for a in ("agent_0", "agent_1"):
            sides = [p.agent_episodes[a] for p in parts]
            for before, after in zip(sides, sides[1:], strict=False):
                last, first = before.get_observations(-1), after.get_observations(0)
                assert np.array_equal(last["observations"], first["observations"])
            assert all(s.get_observations()["observations"].shape == (len(s) + 1, 7) for s in sides)
            assert sides[-1].is_terminated != sides[-1].is_truncated
    # The same steps, played through PettingZoo by what was done.
    first = next(parts for parts in ended if len(parts) == 2)
    part = first[0][2:5]
    assert (len(part), part.agent_steps()) == (3, 6), "slices are taken as learners on several devices do"
    assert np.array_equal(part.agent_episodes["agent_0"].get_rewards(), first[0].agent_episodes["agent_0"].get_rewards()[2:5])


def test_masks_forbid_and_rewards_are_the_schemes() -> None:
    r = runner(num_envs=16, reward={"scheme": "expert"})
    for e in r.sample(num_timesteps=16 * 32, explore=True):
        for side in e.agent_episodes.values():
            masks = side.get_observations(slice(0, len(side)))["action_mask"]
            assert masks[np.arange(len(side)), side.get_actions()].all()
    assert any(
        side.get_rewards().any() for e in r.sample(num_timesteps=16 * 32, explore=True) for side in e.agent_episodes.values()
    )
    r.stop()


def test_agents_that_die_get_no_more_data() -> None:
    lives = [2, 4, 7]
    with marlpit.serve(test_worlds=True) as server:
        r = runner("test-stages-v0", num_envs=3, url=server.url)
        agents = r.env.agents
        episodes = [e for e in r.sample(num_timesteps=3 * 40, explore=True) if e.is_done]
        r.stop()
        single = MarlpitEnv({"id": "test-stages-v0", "url": server.url, "masked": True})
        seen, _ = single.reset(seed=0)
        steps = dict.fromkeys(agents, 0)
        for t in range(1, 8):
            actions = {a: single.action_spaces[a].sample() for a in single.agents}
            seen, rewards, ended, cut, infos = single.step(actions)
            assert set(seen) == set(rewards) == set(infos) == set(actions) == set(ended) - {"__all__"}
            assert all(single.observation_spaces[a].contains(o) for a, o in seen.items())
            steps = {a: n + (a in actions) for a, n in steps.items()}
            assert (ended["__all__"] or cut["__all__"]) == (t == 7), "once, and for all"
        single.close()
    assert list(steps.values()) == lives
    assert len(episodes) == 3 * 5
    for e in episodes:
        assert [len(e.agent_episodes[a]) for a in agents] == lives
        assert all(s.is_done for s in e.agent_episodes.values())
        assert len(e) == 7


def test_lost_episodes_are_counted_apart() -> None:
    r = runner(max_cycles=20, num_envs=4)
    r.sample(num_timesteps=4 * 30, explore=True)
    before = r.get_metrics()
    assert metric(before, "num_episodes") == 4
    assert "episodes_lost" not in before
    server = _launcher.shared()
    assert server._process is not None
    server._process.kill()
    server._process.wait()
    episodes = r.sample(num_timesteps=4 * 30, explore=True)
    after = r.get_metrics()
    assert metric(after, "episodes_lost") == 4
    assert metric(after, "num_episodes") == 4, "of the new session alone"
    assert metric(after, "episode_len_mean") == 20
    assert sum(len(e) for e in episodes) == 4 * 30
    assert pickle.loads(pickle.dumps(episodes[0])).is_done
    r.stop()


def test_evaluation_counts_long_episodes_as_often_as_short_ones() -> None:
    r = runner(num_envs=4, max_cycles=12)
    episodes = r.sample(num_episodes=10, explore=False)
    assert len(episodes) == 10
    assert all(e.is_done for e in episodes)
    metrics = r.get_metrics()
    assert metric(metrics, "num_episodes") == 10
    assert 0 <= metric(metrics, "success") <= 1
    assert metric(metrics, "team_return") >= 0
    r.stop()


def test_what_cant_be_is_refused() -> None:
    with pytest.raises(Invalid, match="policies is one of shared, role, agent, got 'x'"):
        configure(PPOConfig(), "two-switch-v1", policies="x")
    with pytest.raises(Invalid, match="height"):
        configure(PPOConfig(), "two-switch-v1", height=-3)
    with pytest.raises(NotFound, match="no-such-world"):
        configure(PPOConfig(), "no-such-world")
    with pytest.raises(Invalid, match="the one at url has models of its own"):
        configure(PPOConfig(), "two-switch-v1", url="http://127.0.0.1:1", credit=["x.credit"])
    config = configure(PPOConfig(), "two-switch-v1").env_runners(env_to_module_connector=lambda *a, **k: None)
    with pytest.raises(ValueError, match="env_to_module_connector is not used by MarlpitEnvRunner"):
        MarlpitEnvRunner(config, worker_index=0)
    config = configure(PPOConfig(), "two-switch-v1", num_envs=2, masked=False).rl_module(model_config={"use_lstm": True})
    with pytest.raises(ValueError, match="recurrent modules are not run by MarlpitEnvRunner"):
        MarlpitEnvRunner(config, worker_index=1)


def test_policies_by_agent_and_by_role() -> None:
    assert configure(PPOConfig(), "two-switch-v1", policies="agent").policies.keys() == {"agent_0", "agent_1"}
    roles = configure(PPOConfig(), "victim-rubble-v1", policies="role")
    assert len(roles.policies) > 1
    r = runner("victim-rubble-v1", policies="role", num_envs=2)
    (e, *_) = r.sample(num_timesteps=2 * 8, explore=True)
    assert {s.module_id for s in e.agent_episodes.values()} == set(roles.policies)
    r.stop()


def test_one_request_for_all_copies_is_faster_than_one_each() -> None:
    def frames_a_second(r: Any, n: int) -> float:
        r.sample(num_timesteps=n, explore=True)
        start = time.process_time()
        r.sample(num_timesteps=n, explore=True)
        seconds = time.process_time() - start
        r.stop()
        return n / seconds

    ours = frames_a_second(runner(num_envs=32), 32 * 32)
    plain = configure(PPOConfig(), "two-switch-v1", num_envs=32, batched=False, seed=0).rl_module(
        model_config={"fcnet_hiddens": [8]}
    )
    theirs = frames_a_second(MultiAgentEnvRunner(plain.env_runners(num_env_runners=0), worker_index=0), 32 * 8)
    print(f"frames per CPU-second: own runner {ours:,.0f}, RLlib's {theirs:,.0f}, ratio {ours / theirs:.1f}")
    assert ours > 4 * theirs


def test_spaces_of_rllib() -> None:
    r = runner(num_envs=2)
    space = r.env.single_observation_space["agent_0"]
    assert isinstance(space, gym.spaces.Dict)
    (e, *_) = r.sample(num_timesteps=2 * 4, explore=True)
    assert space.contains(e.agent_episodes["agent_0"].get_observations(0))
    assert r.env.single_action_space["agent_1"] == gym.spaces.Discrete(5)
    r.stop()
