"""Words of transitions, and what else is asked beside the steps."""

from __future__ import annotations

import numpy as np
import pytest

import marlpit
from marlpit.errors import Invalid


def test_words_of_the_last_transition() -> None:
    env = marlpit.parallel_env("two-switch-v1", text=True)
    env.reset(seed=0)
    env.step({"agent_0": 1, "agent_1": 0})  # up: nearer to switch A
    guided, plain = env.words("agent_0"), env.words("agent_0", "plain")
    assert "agent_0 was three steps away from switch A. Now agent_0 is two steps away" in guided
    assert "next goal" not in plain
    with pytest.raises(marlpit.MarlpitError, match="agent_7"):
        env.words("agent_7")
    env.close()
    without = marlpit.parallel_env("two-switch-v1")
    without.reset()
    with pytest.raises(marlpit.MarlpitError, match="text"):
        without.words("agent_0")
    without.close()


def test_a_picture_waits_for_the_step_that_was_sent() -> None:
    with marlpit.vec_env("two-switch-v1", 2, seed=0) as env:
        env.reset()
        env.send(np.zeros((2, 2), np.int32))
        with pytest.raises(marlpit.MarlpitError, match="recv has to come first"):
            env.render()
        assert env.recv().info["episode_length"].tolist() == [[1, 1], [1, 1]]
        assert env.render().shape == (224, 320, 3)


def test_seeds_of_numpy_are_seeds() -> None:
    with marlpit.vec_env("two-switch-v1", 2, seed=np.int64(3)) as env:
        assert env.seed == 3
        env.reset(seed=np.uint64(2**64 - 1))
    env = marlpit.parallel_env("two-switch-v1", seed=np.int32(5))
    assert env.seed == 5
    env.reset(seed=np.int64(7))
    env.close()
    with pytest.raises(Invalid, match="seed is an integer"):
        marlpit.parallel_env("two-switch-v1", seed=1.5)
