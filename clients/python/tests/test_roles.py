"""Unlike agents through the client: each has spaces of its own, and leaves when it leaves."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.test.state_test import state_test
from test_worlds import Make, check_frame, play

import marlpit

WORLD = "victim-rubble-v1"

ALL = {"layout": "rooms", "scout": True, "keybearer": True, "max_cycles": 60}
TEAMS: dict[str, dict[str, Any]] = {
    "room": {},
    "rooms": {**ALL, "view": "radius", "ending": "leave", "places": "random"},
    "death": {**ALL, "engineers": 2, "ending": "death"},
    "sites": {"layout": "sites", "engineers": 4, "medics": 4, "ending": "leave"},
}


@pytest.fixture(params=list(TEAMS))
def team(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Parameters of one team."""
    return dict(TEAMS[request.param])


@pytest.mark.filterwarnings("ignore:.*(Observation|observation|State|Action).*")
def test_pettingzoo(url: str, team: dict[str, Any]) -> None:
    for mask in ("info", "obs"):
        env = marlpit.parallel_env(WORLD, url=url, mask=mask, **team)
        parallel_api_test(env, num_cycles=200)
        env.close()
    turns = marlpit.aec_env(WORLD, url=url, **team)
    api_test(turns, num_cycles=40, verbose_progress=False)
    turns.close()
    parallel_seed_test(functools.partial(marlpit.parallel_env, WORLD, url=url, **team), num_cycles=20)
    state_test(marlpit.aec_env(WORLD, url=url, **team), marlpit.parallel_env(WORLD, url=url, **team))


def test_frames_fit_each_agents_own_spaces(make: Make, team: dict[str, Any]) -> None:
    env = make(WORLD, **team)
    obs, infos = env.reset(seed=0)
    left = False
    for _ in range(1_000):
        check_frame(env, obs, infos)
        if not env.agents:
            obs, infos = env.reset()
            continue
        actions = {a: env.action_space(a).sample(infos[a]["action_mask"]) for a in env.agents}
        obs, rewards, ends, cuts, infos = env.step(actions)
        assert set(obs) == set(rewards) == set(ends) == set(cuts) == set(infos)
        left |= 0 < len(env.agents) < len(env.possible_agents)
    assert left or team.get("ending") not in ("death", "leave")


def test_same_seed_same_stream(make: Make, team: dict[str, Any]) -> None:
    assert play(make(WORLD, **team), 0, 80) == play(make(WORLD, **team), 0, 80)


def test_roles_have_actions_and_observations_of_their_own(make: Make) -> None:
    env = make(WORLD, **TEAMS["rooms"])
    assert env.possible_agents == ["engineer_0", "medic_0", "scout_0", "keybearer_0"]
    choices = [env.action_space(a).n for a in env.possible_agents]
    assert choices == [6, 6, 5, 6]
    sizes = {a: env.observation_space(a).shape for a in env.possible_agents}
    assert len(set(sizes.values())) > 1
    obs, infos = env.reset(seed=1)
    assert {a: o.shape for a, o in obs.items()} == sizes
    assert [len(infos[a]["action_mask"]) for a in env.possible_agents] == choices
    names = dict(zip(env.possible_agents, env.spec["action_names"], strict=True))
    assert [names[a][-1] for a in env.possible_agents] == ["clear", "heal", "right", "open"]


STAY, UP, DOWN, LEFT, RIGHT, DEED = range(6)


def test_agents_leave_one_after_the_other(make: Make) -> None:
    env = make(WORLD, layout="sites", width=3, height=3, engineers=2, medics=2, ending="leave", max_cycles=40)
    env.reset(seed=0)
    e0, m0, e1, m1 = "engineer_0", "medic_0", "engineer_1", "medic_1"
    script = [
        ({e0: UP, e1: DOWN, m0: UP, m1: DOWN}, set()),
        ({e0: LEFT, e1: RIGHT, m0: LEFT, m1: RIGHT}, set()),
        ({e0: DEED}, {e0}),
        ({m0: UP, e1: DEED, m1: DOWN}, {e1}),
        ({m0: UP, m1: DOWN}, set()),
        ({m0: DEED, m1: DOWN}, {m0}),
        ({m1: DEED}, {m1}),
    ]
    seen: dict[str, int] = {}
    for step, (acts, leaves) in enumerate(script):
        playing = list(env.agents)
        obs, rewards, ends, cuts, infos = env.step({a: acts.get(a, STAY) for a in playing})
        assert set(obs) == set(rewards) == set(ends) == set(cuts) == set(infos) == set(playing)
        assert {a for a, e in ends.items() if e} == leaves
        assert not any(cuts.values())
        assert env.agents == [a for a in playing if a not in leaves]
        for a in leaves:
            seen[a] = step
            assert rewards[a] == pytest.approx(0.9125 if a == m1 else 0)
    assert seen == {e0: 2, e1: 3, m0: 5, m1: 6}
    assert env.agents == []
    env.reset()
    assert env.agents == env.possible_agents
