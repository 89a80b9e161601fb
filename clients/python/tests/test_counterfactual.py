from __future__ import annotations

import numpy as np
import pytest

import marlpit
from marlpit.errors import Invalid


def test_difference_and_shapley(url: str) -> None:
    reward = {"scheme": "difference", "value": "team", "step_cost": 0, "default_action": {"agent": "up"}}
    env = marlpit.vec_env("two-switch-v1", 3, reward=reward, seed=0, url=url)
    assert env.reward == {
        "scheme": "difference", "value": "team", "baseline": "default", "default_action": {"agent_0": ["up"], "agent_1": ["up"]},
        "scale": 1, "bonus": 1, "step_cost": 0, "world_steps": 3,
    }  # fmt: skip
    env.reset()
    step = env.step(np.zeros((3, 2), np.int32))
    assert not step.rewards.any(), "a sparse team reward tells nothing before the end"

    env = marlpit.vec_env("two-switch-v1", 1, reward={"scheme": "shapley", "step_cost": 0}, url=url)
    assert env.reward["value"] == "work"
    assert env.reward["world_steps"] == 4
    env.reset()
    up, right = 1, 4
    step = env.step([[up, right]])  # each a move nearer to a switch of its own
    assert step.rewards.tolist() == [[1, 1]]
    assert step.info["shaping"].tolist() == [[1, 1]]
    assert step.team.tolist() == [[0, 0]]


def test_infos_of_a_parallel_env(url: str) -> None:
    env = marlpit.parallel_env("two-switch-v1", reward="difference", url=url)
    env.reset(seed=0)
    _, rewards, _, _, infos = env.step({"agent_0": 0, "agent_1": 4})
    assert infos["agent_0"]["shaping"] == 0
    assert infos["agent_1"]["shaping"] == 1
    assert rewards["agent_1"] == pytest.approx(0.99)
    assert infos["agent_1"]["team_reward"] == 0


def test_refusals_say_what_is_missing(url: str) -> None:
    with pytest.raises(Invalid, match="test-count-v0 has no solver; the values return and team need no solver"):
        marlpit.vec_env("test-count-v0", 1, reward="difference", url=url).reset()
    with pytest.raises(Invalid, match="horizon is an option of value return only"):
        marlpit.vec_env("two-switch-v1", 1, reward={"scheme": "shapley", "horizon": 5}, url=url).reset()
