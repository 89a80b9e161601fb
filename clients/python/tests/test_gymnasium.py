"""The Gymnasium views: agents as rows, and a team as one environment."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import marlpit
from marlpit.gymnasium import MarlpitTeamEnv, MarlpitVectorEnv


def test_made_by_name_in_a_new_process(url: str) -> None:
    code = f"""
import gymnasium
env = gymnasium.make("marlpit:marlpit/two-switch-v1", url={url!r}, agents=3)
print(env.unwrapped.n_agents, gymnasium.make_vec("marlpit/two-switch-v1", num_envs=4, url={url!r}).num_envs)
"""
    done = subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["3", "8"]


def test_every_world_has_a_name() -> None:
    from marlpit._worlds import WORLDS

    for world in WORLDS:
        spec = gymnasium.spec(f"marlpit/{world}")
        assert spec.kwargs == {"world": world}
        assert (spec.namespace, spec.max_episode_steps) == ("marlpit", None)
    marlpit._registration.register()  # again: neither a change nor a warning


def test_a_team_in_the_form_of_gymma(url: str) -> None:
    env = gymnasium.make("marlpit/two-switch-v1", url=url, reward="expert", max_cycles=7)
    bare = env.unwrapped
    assert isinstance(bare, MarlpitTeamEnv)
    assert bare.n_agents == len(env.observation_space) == len(env.action_space) == 2
    observations, info = env.reset(seed=3)
    assert env.observation_space.contains(observations)
    assert bare.state().shape == (bare.world.state_space["shape"][0],)
    env.action_space.seed(0)
    for t in range(1, 8):
        action = env.action_space.sample(mask=bare.action_masks())
        observations, rewards, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observations)
        assert [type(r) for r in rewards] == [float, float]
        assert (terminated, truncated) == (False, t == 7)
        assert all(type(v) is float for v in info.values())
        assert info["episode_length"] == t
    assert (info["team_reward"], info["success"], info["episode_team_return"]) == (0, 0, 0)
    env.close()


def test_a_team_plays_what_the_parallel_environment_plays(url: str) -> None:
    team = MarlpitTeamEnv("victim-rubble-v1", url=url, scout=True, reward="expert")
    other = marlpit.parallel_env("victim-rubble-v1", url=url, scout=True, reward="expert")
    seen, _ = team.reset(seed=5)
    wanted, infos = other.reset(seed=5)
    rng = np.random.default_rng(0)
    for _ in range(30):
        for one, a, mask in zip(seen, other.possible_agents, team.action_masks(), strict=True):
            assert np.array_equal(one, wanted[a])
            assert np.array_equal(mask, infos[a]["action_mask"])
        action = [int(rng.choice(np.flatnonzero(infos[a]["action_mask"]))) for a in other.agents]
        seen, rewards, terminated, _, _ = team.step(action)
        wanted, paid, _, _, infos = other.step(dict(zip(other.agents, action, strict=True)))
        assert rewards == list(paid.values())
        assert not terminated


def test_team_reward_of_agents_that_end_at_different_times(url: str) -> None:
    env = MarlpitTeamEnv("test-stages-v0", url=url)
    env.reset(seed=0)
    got = [env.step([1, 1, 1]) for _ in range(7)]
    assert [g[1] for g in got] == [[0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert [g[4]["team_reward"] for g in got] == [0, 1, 0, 1, 0, 0, 1]
    assert [g[2] for g in got] == [False] * 6 + [True]
    assert [one.tolist() for one in got[-1][0]] == [[2], [4], [7]]  # those that ended keep their last
    assert got[-1][4]["episode_team_return"] == 3


def test_gymnasiums_own_checker(url: str) -> None:
    env = gymnasium.make("marlpit/two-switch-v1", url=url, common_reward=True, render_mode="rgb_array")
    check_env(env.unwrapped, skip_render_check=True)  # which would start a server for each mode
    env.reset(seed=0)
    assert env.render().shape[2] == 3
    assert env.step((0, 0))[1] == 0.0


@pytest.mark.parametrize("bad", [[0], [0, 5], [0, -1], [0.5, 0], [0, [0, 0]]])
def test_bad_team_actions_move_nothing(url: str, bad: list[object]) -> None:
    env = MarlpitTeamEnv("two-switch-v1", url=url)
    env.reset(seed=0)
    with pytest.raises(marlpit.errors.Invalid):
        env.step(bad)
    assert env.step([0, 0])[4]["episode_length"] == 1


def test_rows_by_the_next_step(url: str) -> None:
    env = MarlpitVectorEnv("test-stages-v0", 2, url=url)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.num_envs == 6
    observations, infos = env.reset(seed=0)
    assert infos["action_mask"].all()
    seen, ended, padded, over = [], [], [], []
    for _ in range(8):
        observations, rewards, terminations, truncations, infos = env.step(np.ones(6, int))
        assert env.observation_space.contains(observations)
        assert not truncations.any()
        assert np.array_equal(observations[:3], observations[3:])
        seen.append(observations[:3, 0].tolist())
        ended.append(terminations[:3].tolist())
        padded.append(infos["padded"][:3].tolist())
        over.append(bool(infos["over"].all()))
        if infos["padded"].any():
            assert (rewards[infos["padded"]] == 0).all()
            assert (infos["action_mask"][infos["padded"]] == [1, 0]).all()
    assert seen == [[1, 1, 1], [2, 2, 2], [0, 3, 3], [0, 4, 4], [0, 0, 5], [0, 0, 6], [0, 0, 7], [0, 0, 0]]
    assert [sum(e) for e in ended] == [0, 1, 0, 1, 0, 0, 3, 0]
    assert [sum(p) for p in padded] == [0, 0, 1, 1, 2, 2, 2, 0]
    assert over == [False] * 6 + [True, False]


def test_rows_within_the_step(url: str) -> None:
    env = MarlpitVectorEnv("test-stages-v0", 1, url=url, autoreset="same_step")
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    env.reset(seed=0)
    last = {}
    for t in range(1, 9):
        observations, _, terminations, _, infos = env.step([1, 1, 1])
        if terminations.any():
            assert np.array_equal(infos["_final_obs"], terminations)
            last[t] = infos["final_obs"][:, 0].tolist()
        else:
            assert "final_obs" not in infos
        if t == 7:
            assert observations.ravel().tolist() == [0, 0, 0]
            assert infos["episode_team_return"].tolist() == [3, 3, 3]
    assert last == {2: [2, 0, 0], 4: [0, 4, 0], 7: [0, 0, 7]}
    assert observations.ravel().tolist() == [1, 1, 1]


def test_a_limit_truncates_rows(url: str) -> None:
    env = MarlpitVectorEnv("test-count-v0", 2, url=url, length=2, end="truncate", autoreset="same_step")
    env.reset()
    env.step(np.zeros(4, int))
    _, _, terminations, truncations, infos = env.step(np.zeros(4, int))
    assert truncations.all()
    assert not terminations.any()
    assert (infos["final_obs"] == 2).all()


def test_unlike_agents_are_padded(url: str) -> None:
    env = MarlpitVectorEnv("victim-rubble-v1", 2, url=url, scout=True)
    assert env.single_observation_space.shape == (13,)  # 8, 10 and 10 numbers, and which of three
    assert env.single_action_space.n == 6
    observations, infos = env.reset(seed=0)
    assert np.array_equal(observations[:3, 10:], np.eye(3))
    assert (observations[0, 8:10] == 0).all()
    assert not infos["action_mask"][2, 5]  # a scout has five choices
    after = env.step(np.array([0, 0, 5] * 2))[0]  # its sixth does nothing
    assert np.array_equal(after[2, :2], observations[2, :2])
    assert MarlpitVectorEnv("victim-rubble-v1", 2, url=url, agent_id=False).single_observation_space.shape == (8,)


def test_what_can_not_be_one_policys(url: str) -> None:
    with pytest.raises(marlpit.errors.Invalid, match="agents are not reset alone; got 'disabled'"):
        MarlpitVectorEnv("test-count-v0", 1, url=url, autoreset="disabled")
    with pytest.raises(marlpit.errors.Invalid, match=r"actions of one kind, got mover_0 multi_discrete\[3, 2\], talker_0"):
        MarlpitVectorEnv("test-uneven-v0", 1, url=url)
    with pytest.raises(marlpit.errors.Invalid, match=r"agent_id is for observations that are vectors, got uint8\[8, 10, 3\]"):
        MarlpitVectorEnv("test-pixels-v0", 1, url=url, agent_id=True)
    with pytest.raises(marlpit.errors.Invalid, match="render_mode is rgb_array or None, got 'human'"):
        MarlpitVectorEnv("two-switch-v1", 1, url=url, render_mode="human")
    env = MarlpitVectorEnv("two-switch-v1", 2, url=url)
    env.reset(seed=0)
    with pytest.raises(marlpit.errors.Invalid, match="can't be reset alone"):
        env.reset(options={"reset_mask": np.array([True, False, True, False])})
    with pytest.raises(marlpit.errors.Invalid, match=r"one for each agent of each copy, got \(2,\)"):
        env.step([0, 0])


def test_pictures_and_boxes(url: str) -> None:
    env = MarlpitVectorEnv("test-pixels-v0", 2, url=url, render_mode="rgb_array")
    observations, infos = env.reset(seed=0)
    assert env.observation_space.contains(observations)
    assert observations.shape == (4, 8, 10, 3)
    assert "action_mask" not in infos
    env.step(env.action_space.sample())
    assert [p.shape[2] for p in env.render()] == [3, 3]


def test_seeds(url: str) -> None:
    a, b = (MarlpitVectorEnv("two-switch-v1", 8, url=url, start="random", seed=s) for s in (4, 9))
    first = a.reset()[0]
    assert np.array_equal(first, b.reset(seed=4)[0])
    assert len(np.unique(first.reshape(8, -1), axis=0)) > 1  # a stream for each copy
    assert not np.array_equal(a.reset()[0], first)  # that goes on
    a.close()
    a.close()
