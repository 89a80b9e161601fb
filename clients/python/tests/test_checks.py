"""What every adapter refuses before it travels, in the same words."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import marlpit
from marlpit.epymarl import MarlpitMultiAgentEnv
from marlpit.errors import Invalid
from marlpit.gymnasium import MarlpitTeamEnv, MarlpitVectorEnv


@pytest.mark.parametrize("seed", [-1, 2**64, "1", 1.5])
def test_seeds(url: str, seed: Any) -> None:
    says = r"seed is an integer from 0 to 2⁶⁴−1, got .* \(at /seed\) \[invalid\]"
    env = marlpit.vec_env("two-switch-v1", 1, url=url)
    team, rows = MarlpitTeamEnv("two-switch-v1", url=url), MarlpitVectorEnv("two-switch-v1", 1, url=url)
    alone = marlpit.parallel_env("two-switch-v1", url=url)
    for refused in (
        lambda: marlpit.parallel_env("two-switch-v1", url=url, seed=seed),
        lambda: alone.reset(seed=seed),
        lambda: marlpit.vec_env("two-switch-v1", 1, url=url, seed=seed),
        lambda: env.reset(seed),
        lambda: team.reset(seed=seed),
        lambda: rows.reset(seed=seed),
    ):
        with pytest.raises(Invalid, match=says):
            refused()
    assert marlpit.vec_env("two-switch-v1", 1, url=url, seed=np.uint64(2**64 - 1)).seed == 2**64 - 1


@pytest.mark.parametrize("timeout", [-1, 0, float("nan"), float("inf"), 2e6, "1", None, True])
def test_time_outs(url: str, timeout: Any) -> None:
    for make in (
        lambda: marlpit.vec_env("two-switch-v1", 1, url=url, timeout=timeout),
        lambda: marlpit.parallel_env("x", timeout=timeout),
    ):
        with pytest.raises(Invalid, match="timeout is a number of seconds above 0, and at most 1,000,000, got"):
            make()


def test_numbers_of_numpy(url: str) -> None:
    """As a parameter or in a reward; what is neither theirs nor Python's is refused before a session is made."""
    paid = {"scheme": "none", "step_cost": np.float32(0.25), "bonus": np.int64(2)}
    env = marlpit.vec_env("two-switch-v1", 1, url=url, reward=paid, max_cycles=np.int32(30))
    assert (env.reward["step_cost"], env.reward["bonus"], env.spec.max_cycles) == (0.25, 2, 30)
    for wrong in (object(), 2**64, 1j):
        with pytest.raises(Invalid, match="can't travel as JSON does"):
            marlpit.vec_env("two-switch-v1", 1, url=url, max_cycles=wrong)


@pytest.mark.parametrize(("wrong", "says"), [(1.9, "whole numbers, got 1.9"), (2**40, "32 bits"), (9, "got 9"), (-1, "got -1")])
def test_pymarls_actions(url: str, wrong: Any, says: str) -> None:
    env = MarlpitMultiAgentEnv("two-switch-v1", url=url)
    env.reset()
    with pytest.raises(Invalid, match=says):
        env.step([0, wrong])
    env.step(np.array([1, 2]))
    assert env._step.info["episode_length"].max() == 1  # the refused moved nothing


def test_boxes_are_numbers(url: str) -> None:
    env = marlpit.vec_env("test-pixels-v0", 1, url=url)
    env.reset()
    shape = env._session.actions_shape
    for wrong in (np.zeros(shape, np.complex64), np.zeros(shape, "U1"), np.zeros(shape, bool)):
        with pytest.raises(Invalid, match="actions are numbers, got"):
            env.step(wrong)
    env.step(np.zeros(shape, int))


def test_gymnasiums_own_vectors(url: str) -> None:
    """Copies one by one, each with a session of its own; Gymnasium's array of rewards wants one number from each."""
    envs = gymnasium.make_vec("marlpit/two-switch-v1", 2, vectorization_mode="sync", url=url, common_reward=True, agents=3)
    envs.reset(seed=0)
    seen, rewards, *_ = envs.step(envs.action_space.sample())
    assert len(seen) == 3
    assert rewards.shape == (2,)
    again = gymnasium.make_vec(envs.spec)
    assert (type(again), again.num_envs) == (type(envs), 2)
    envs.close()
    again.close()
