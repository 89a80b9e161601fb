"""The batched environment."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import marlpit

ZEROS = np.zeros((3, 2), np.int32)


def test_same_step_gives_the_last_frame_beside_the_first(url: str) -> None:
    env = marlpit.vec_env("test-count-v0", 3, url=url, autoreset="same_step", length=4)
    step = env.reset(seed=0)
    assert step.final is None
    for t in range(1, 4):
        step = env.step(ZEROS)
        assert (step.obs == t).all()
        assert step.final is None
    step = env.step(ZEROS)
    assert (step.obs == 0).all()
    assert step.terminated.all()
    assert (step.rewards == 1).all()
    assert step.final.rows.tolist() == [0, 1, 2]
    assert (step.final.obs == 4).all()
    assert step.final.obs.shape == (3, 2, 1)
    assert step.final.state.tolist() == [[4]] * 3
    step = env.step(ZEROS)
    assert (step.obs == 1).all()
    assert not step.terminated.any()


def test_next_step_ignores_the_action_after_the_end(url: str) -> None:
    env = marlpit.vec_env("test-count-v0", 3, url=url, autoreset="next_step", length=2, end="truncate")
    env.reset(seed=0)
    env.step(ZEROS)
    step = env.step(ZEROS)
    assert (step.obs == 2).all()
    assert step.truncated.all()
    assert not step.terminated.any()
    step = env.step(ZEROS + 1)
    assert (step.obs == 0).all()
    assert (step.rewards == 0).all()
    assert not step.truncated.any()
    assert step.final is None


def test_disabled_stays_at_the_end_until_some_rows_are_reset(url: str) -> None:
    env = marlpit.vec_env("test-count-v0", 3, url=url, autoreset="disabled", length=2)
    env.reset()
    for _ in range(3):
        step = env.step(ZEROS)
    assert (step.obs == 2).all()
    assert (step.rewards == 0).all()
    assert step.terminated.all()
    step = env.reset(mask=[True, False, True])
    assert step.obs[:, 0, 0].tolist() == [0, 2, 0]
    with pytest.raises(marlpit.MarlpitError):
        env.reset(mask=[True])


def test_shapes_and_names(url: str) -> None:
    env = marlpit.vec_env("test-uneven-v0", 5, url=url)
    assert (env.num_envs, env.obs_size, env.state_size, env.choices) == (5, 5, 7, 9)
    assert env.spec.agents == ["mover_0", "talker_0"]
    with pytest.raises(AttributeError, match=r"no agnets; it has .*agents"):
        _ = env.spec.agnets
    step = env.reset(seed=1)
    assert step.obs.shape == (5, 2, 5)
    assert step.mask.shape == (5, 2, 9)
    assert step.mask.dtype == np.bool_
    assert step.state.shape == (5, 7)
    assert step.rewards.shape == step.team.shape == step.terminated.shape == step.info["success"].shape == (5, 2)
    assert (step.obs[:, 1, 2:] == 0).all()  # the talker sees two numbers
    env.step(np.zeros((5, 2, 3), np.int64))
    boxes = marlpit.vec_env("test-pixels-v0", 2, url=url)
    first = boxes.reset()
    assert first.obs.shape == (2, 2, 8, 10, 3)
    assert first.obs.dtype == np.uint8
    assert first.mask is None
    assert boxes.choices == 0
    boxes.step(np.zeros((2, 2, 2)))
    assert boxes.render(1).shape[2] == 3


def test_only_what_is_asked_for_travels(url: str) -> None:
    env = marlpit.vec_env("test-count-v0", 3, url=url, arrays=("obs", "rewards"), autoreset="same_step", length=1)
    env.reset()
    step = env.step(ZEROS)
    assert step.mask is step.state is step.team is step.terminated is None
    assert step.info == {}
    assert step.final.state is None
    assert (step.final.obs == 1).all()
    with pytest.raises(marlpit.errors.Invalid, match="obs"):
        marlpit.vec_env("test-count-v0", 3, url=url, arrays=("observations",))


def test_arrays_are_the_callers(url: str) -> None:
    env = marlpit.vec_env("test-count-v0", 3, url=url, autoreset="same_step", length=3)
    steps = [env.reset()] + [env.step(ZEROS) for _ in range(4)]
    assert [s.obs[0, 0, 0] for s in steps] == [0, 1, 2, 0, 1]
    for s in steps:
        for array in (s.obs, s.mask, s.state, s.rewards, s.terminated, s.truncated, s.team, *s.info.values()):
            assert array.flags.writeable
            assert array.flags.aligned
            assert array.flags.c_contiguous
    assert not any(np.shares_memory(a.obs, b.obs) for a in steps for b in steps if a is not b)


def test_send_and_recv_overlap(url: str) -> None:
    envs = [marlpit.vec_env("test-slow-v0", 3, url=url, millis=5) for _ in range(2)]
    for env in envs:
        env.reset(seed=0)
    for t in range(1, 4):
        for env in envs:
            env.send(ZEROS)
        assert all((env.recv().obs == t).all() for env in envs)
    with pytest.raises(marlpit.MarlpitError, match="recv without send"):
        envs[0].recv()
    envs[0].send(ZEROS)
    with pytest.raises(marlpit.MarlpitError, match="recv has to come first"):
        envs[0].step(ZEROS)
    envs[0].recv()


@pytest.mark.parametrize(
    "bad", [np.zeros((2, 2), int), np.zeros((3, 2), float), np.full((3, 2), 2**40), np.full((3, 2), 2), "no"]
)
def test_bad_actions_move_nothing(url: str, bad: object) -> None:
    env = marlpit.vec_env("test-count-v0", 3, url=url)
    env.reset()
    with pytest.raises(marlpit.errors.Invalid) as e:
        env.step(bad)
    assert e.value.at.startswith("/actions")
    assert (env.step(ZEROS).obs == 1).all()


def test_step_before_reset(url: str) -> None:
    with pytest.raises(marlpit.errors.NotReset):
        marlpit.vec_env("test-count-v0", 3, url=url).step(ZEROS)


def test_batch_is_its_rows(url: str) -> None:
    batch = marlpit.vec_env("test-uneven-v0", 4, url=url, seed=9, autoreset="same_step")
    again = marlpit.vec_env("test-uneven-v0", 4, url=url, seed=9, autoreset="same_step")
    rng = np.random.default_rng(0)
    a, b = batch.reset(), again.reset()
    for _ in range(50):
        assert a.state.tobytes() == b.state.tobytes()
        actions = rng.integers(0, [[3, 2, 1], [4, 2, 3]], (4, 2, 3))
        a, b = batch.step(actions), again.step(actions)


def test_copies(url: str) -> None:
    env = marlpit.vec_env("test-count-v0", 3, url=url, seed=1)
    env.reset()
    env.step(ZEROS)
    twin = copy.deepcopy(env)
    assert (twin.step(ZEROS).obs == 2).all()
    assert (env.step(ZEROS).obs == 2).all()
    other = pickle.loads(pickle.dumps(env))
    assert other.seed != env.seed
    with pytest.raises(marlpit.errors.NotReset):
        other.step(ZEROS)
    assert (other.reset().obs == 0).all()
    with env:
        pass
    with pytest.raises(marlpit.errors.SessionExpired):
        env.step(ZEROS)
