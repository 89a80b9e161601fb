"""PettingZoo's own tests, for every world the server lists."""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.state_test import state_test

import marlpit
from marlpit._worlds import WORLDS

pytestmark = [
    # PettingZoo's opinions on sizes and ranges, not its verdicts.
    pytest.mark.filterwarnings("ignore:.*(State is a single number|State numpy array is all zeros|space value).*"),
    pytest.mark.filterwarnings("ignore:.*(Observations? (is|numpy|are different)|[Oo]bservation space|Action space for each).*"),
]


def able(url: str, world: str, ability: str) -> bool:
    env = marlpit.parallel_env(world, url=url)
    env.close()
    return ability in env.spec["abilities"]


@pytest.mark.parametrize("mask", ["info", "obs"])
def test_parallel_api(url: str, world: str, mask: str) -> None:
    env = marlpit.parallel_env(world, url=url, mask=mask)
    assert isinstance(env, pettingzoo.ParallelEnv)
    parallel_api_test(env, num_cycles=300)
    env.close()


@pytest.mark.parametrize("mask", ["info", "obs"])
def test_aec_api(url: str, world: str, mask: str) -> None:
    env = marlpit.aec_env(world, url=url, mask=mask)
    assert isinstance(env, pettingzoo.AECEnv)
    api_test(env, num_cycles=60, verbose_progress=False)
    env.close()


def test_seeds(url: str, world: str) -> None:
    parallel_seed_test(functools.partial(marlpit.parallel_env, world, url=url), num_cycles=30)
    seed_test(functools.partial(marlpit.aec_env, world, url=url), num_cycles=30)


def test_state(url: str, world: str) -> None:
    state_test(marlpit.aec_env(world, url=url), marlpit.parallel_env(world, url=url))


def test_max_cycles(url: str, world: str) -> None:
    env = marlpit.parallel_env(world, url=url)
    env.close()
    if "max_cycles" not in env.spec["params"]:
        pytest.skip("the world has no limit")

    def seeded(make: Callable[..., Any]) -> Callable[..., Any]:
        """Makes environments whose random actions don't happen to succeed before the limit."""

        def build(**options: Any) -> Any:
            env = make(world, url=url, seed=1, **options)
            for agent in env.possible_agents:
                env.action_space(agent).seed(1)
            return env

        return build

    max_cycles_test(types.SimpleNamespace(parallel_env=seeded(marlpit.parallel_env), env=seeded(marlpit.aec_env)))


def test_render(url: str, world: str) -> None:
    if not able(url, world, "draw"):
        with pytest.raises(marlpit.errors.NoAbility, match="render_mode has to be None"):
            marlpit.parallel_env(world, url=url, render_mode="rgb_array")
        return
    render_test(functools.partial(marlpit.aec_env, world, url=url))


def test_registry_starts_nothing() -> None:
    for world in WORLDS:
        for kind in ("parallel", "aec"):
            assert pettingzoo.spec(kind, f"marlpit/{world}").kwargs == {"id": world}


@pytest.mark.parametrize("world", list(WORLDS), ids=str)
def test_make(url: str, world: str) -> None:
    env = pettingzoo.make("parallel", f"marlpit/{world}", url=url, max_cycles=7)
    assert isinstance(env, marlpit.ParallelEnv)
    assert env.spec["params"]["max_cycles"] == 7
    env.close()
    turns = pettingzoo.make("aec", f"marlpit/{world}", url=url)
    turns.reset(seed=0)
    assert turns.agent_selection == turns.possible_agents[0]
    turns.close()


def test_older_pettingzoo_has_no_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    from marlpit import _registration

    monkeypatch.setattr(_registration, "pettingzoo", types.SimpleNamespace())
    _registration.register()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        monkeypatch.undo()
        _registration.register()  # again: neither a change nor a warning


def test_actions_are_numpy_too(url: str) -> None:
    env = marlpit.parallel_env("test-count-v0", url=url)
    env.reset()
    for kind in (int, np.int64, np.uint8, np.array):
        env.step({a: kind(1) for a in env.agents})
    env.close()
