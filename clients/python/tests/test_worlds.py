"""What every world promises through the client: spaces, masks, seeds, states, infos."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import marlpit

Make = Callable[..., marlpit.ParallelEnv]


def play(env: marlpit.ParallelEnv, seed: int, steps: int) -> list[Any]:
    """Plays masked random actions, over resets; gives all that was returned, as bytes and numbers."""
    out: list[Any] = []
    for i, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + i)
    obs, infos = env.reset(seed=seed)
    for _ in range(steps):
        if not env.agents:
            obs, infos = env.reset()
        actions = {a: env.action_space(a).sample(infos[a].get("action_mask")) for a in env.agents}
        obs, rewards, ends, cuts, infos = env.step(actions)
        out.append(({a: o.tobytes() for a, o in obs.items()}, rewards, ends, cuts, env.state().tobytes()))
    return out


def check_frame(env: marlpit.ParallelEnv, obs: dict[str, Any], infos: dict[str, Any]) -> None:
    assert set(obs) == set(infos)
    for agent, one in obs.items():
        space = env.observation_space(agent)
        assert space.contains(one), (agent, one)
        assert one.dtype == space.dtype
        info = infos[agent]
        assert isinstance(info["team_reward"], float)
        assert all(isinstance(info[c], float) for c in env.spec["info"])
        mask = info.get("action_mask")
        for part in mask if isinstance(mask, tuple) else () if mask is None else (mask,):
            assert part.dtype == np.int8
            assert set(part.tolist()) <= {0, 1}
            assert part.any() or agent not in env.agents
    state = env.state()
    assert state.dtype == np.float32
    assert env.state_space.contains(state)


def test_frames_fit_their_spaces_and_bounds_are_reached(make: Make, world: str) -> None:
    env = make(world)
    low = {a: np.full(env.observation_space(a).shape, np.inf) for a in env.possible_agents}
    high = {a: -v for a, v in low.items()}
    obs, infos = env.reset(seed=0)
    check_frame(env, obs, infos)
    for step in range(10_000 if not world.startswith("test-") else 1_000):
        if not env.agents:
            obs, infos = env.reset()
        else:
            actions = {a: env.action_space(a).sample(infos[a].get("action_mask")) for a in env.agents}
            obs, rewards, ends, cuts, infos = env.step(actions)
            assert set(obs) == set(rewards) == set(ends) == set(cuts) == set(infos)
            assert all(isinstance(r, float) for r in rewards.values())
        for a, o in obs.items():
            assert (o >= env.observation_space(a).low).all()
            assert (o <= env.observation_space(a).high).all()
            low[a], high[a] = np.minimum(low[a], o), np.maximum(high[a], o)
        if step % 50 == 0 or not env.agents:
            check_frame(env, obs, infos)
    assert all((high[a] > low[a]).any() for a in env.possible_agents)  # something moves


def test_fields_cover_the_observation(make: Make, world: str) -> None:
    env = make(world)
    for agent, fields in zip(env.possible_agents, env.spec["observation_fields"] or (), strict=False):
        assert sum(f["size"] for f in fields) == np.prod(env.observation_space(agent).shape)


def test_spaces_before_reset_are_one_object_an_agent(make: Make, world: str) -> None:
    env = make(world)
    spaces = [env.action_space(a) for a in env.possible_agents] + [env.observation_space(a) for a in env.possible_agents]
    assert spaces == [env.action_space(a) for a in env.possible_agents] + [env.observation_space(a) for a in env.possible_agents]
    assert len({id(s) for s in spaces}) == 2 * len(env.possible_agents)
    assert len({id(s.np_random) for s in spaces}) == len(spaces)
    assert env.state_space is env.state_space


def test_same_seed_same_stream_also_in_another_process(make: Make, url: str, world: str) -> None:
    here = play(make(world), 0, 60)
    assert here == play(make(world), 0, 60)  # seed 0 is a seed
    program = (
        f"import sys, hashlib, marlpit; sys.path.insert(0, {sys.path[0]!r}); sys.path.insert(0, 'tests');"
        f"from test_worlds import play; e = marlpit.parallel_env({world!r}, url={url!r});"
        "print(hashlib.sha256(repr(play(e, 0, 60)).encode()).hexdigest())"
    )
    import hashlib
    from pathlib import Path

    folder = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.strip() == hashlib.sha256(repr(here).encode()).hexdigest()


def test_reset_without_seed_continues_the_stream(make: Make) -> None:
    one, two = make("test-uneven-v0", seed=5), make("test-uneven-v0")
    first = [one.reset()[0]["talker_0"].tolist() for _ in range(8)]
    second = [two.reset(seed=5)[0]["talker_0"].tolist()] + [two.reset()[0]["talker_0"].tolist() for _ in range(7)]
    assert first == second
    assert len({tuple(x) for x in first}) > 1
    assert one.seed == 5


def test_seeds_of_rows_differ(url: str) -> None:
    env = marlpit.vec_env("test-uneven-v0", 8, url=url, seed=0, cells=20)
    assert len({row.tobytes() for row in env.reset().state}) == 8


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range_are_refused(make: Make, seed: int) -> None:
    env = make("test-count-v0")
    with pytest.raises((marlpit.errors.Invalid, marlpit.errors.BadRequest, OverflowError)):
        env.reset(seed=seed)
    env.reset(seed=2**64 - 1)


def test_thousand_masked_samples_are_never_refused(make: Make, world: str) -> None:
    assert len(play(make(world), 3, 1000)) == 1000


def test_mask_in_the_observation(make: Make) -> None:
    env = make("test-uneven-v0", mask="obs")
    obs, infos = env.reset(seed=1)
    assert all("action_mask" not in i for i in infos.values())
    for _ in range(200):
        if not env.agents:
            obs, infos = env.reset()
        for a in env.agents:
            assert env.observation_space(a).contains(obs[a])
        obs, _, _, _, infos = env.step({a: env.action_space(a).sample(obs[a]["action_mask"]) for a in env.agents})


def test_state_is_a_copy(make: Make, world: str) -> None:
    env = make(world)
    with pytest.raises(marlpit.errors.NotReset):
        env.state()
    env.reset(seed=0)
    before = env.state()
    kept = before.copy()
    assert env.state() is not before
    env.step({a: env.action_space(a).sample() for a in env.agents})
    assert (before == kept).all()
    before += 7
    assert (env.state() != before).all()


def test_deepcopy_plays_on_identically_and_alone(make: Make, world: str) -> None:
    env = make(world)
    if "clone" not in env.spec["abilities"]:
        env.reset()
        with pytest.raises(marlpit.errors.NoAbility):
            copy.deepcopy(env)
        return
    for i, a in enumerate(env.possible_agents):
        env.action_space(a).seed(i)
    _, infos = env.reset(seed=4)
    twin = None
    trace: dict[int, list[Any]] = {}
    for step in range(23):
        if step == 3:
            twin = copy.deepcopy(env)
            assert twin.agents == env.agents
            assert twin.agents is not env.agents
        if not env.agents:
            _, infos = env.reset()
            if twin is not None:
                twin.reset()
        actions = {a: env.action_space(a).sample(infos[a].get("action_mask")) for a in env.agents}
        *_, infos = result = env.step(actions)
        if twin is not None:
            trace[step] = [repr(result) == repr(twin.step(actions)), (env.state() == twin.state()).all()]
    assert len(trace) == 20
    assert all(all(t) for t in trace.values())
    env.reset()
    left = env.state()
    assert twin is not None
    twin.close()
    assert (env.state() == left).all()
    env.step({a: env.action_space(a).sample() for a in env.agents})
