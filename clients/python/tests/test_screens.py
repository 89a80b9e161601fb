"""The worlds of screens through the client: by number and in words, and what agents claim."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

import marlpit

Make = Callable[..., marlpit.ParallelEnv]
SCREENS = ("phone-v1", "web-v1")


@pytest.mark.parametrize("screens", SCREENS)
def test_both_routes_reach_the_same_state(make: Make, screens: str) -> None:
    chosen, said = (make(screens, text=True, agents=3, rounds=2) for _ in range(2))
    for i, a in enumerate(chosen.possible_agents):
        chosen.action_space(a).seed(i)
    for seed in range(4):
        _, infos = chosen.reset(seed=seed)
        said.reset(seed=seed)
        while chosen.agents:
            by_number = chosen.step({a: chosen.action_space(a).sample(infos[a]["action_mask"]) for a in chosen.agents})
            told = json.loads(chosen.round)["proposals"]
            assert all("action" in p for p in told), "what a mask allows can be played"
            in_words = said.propose({p["agent"]: p["action"] for p in told})
            infos = by_number[4]
            assert said.state_dict() == chosen.state_dict()
            assert [by_number[k] for k in (1, 2, 3)] == [in_words[k] for k in (1, 2, 3)]
            for a in by_number[0]:
                np.testing.assert_array_equal(by_number[0][a], in_words[0][a])
            assert chosen.agents == said.agents
            for a in chosen.agents:
                assert chosen.observation(a) == said.observation(a)


@pytest.mark.parametrize("screens", SCREENS)
def test_the_solution_solves_and_claims_do_not(make: Make, screens: str) -> None:
    env = make(screens, text=True, agents=2, rounds=1)
    for seed in range(6):
        env.reset(seed=seed)
        env.propose({a: {"action_type": "status", "goal_status": "complete"} for a in env.agents})
        assert env.agents == [], "a claim ends the episode"
        _, infos = env.reset(seed=seed)
        assert infos["agent_0"]["success"] == 0
        rewards = {"agent_0": 0.0}
        while env.agents:
            _, rewards, _, _, infos = env.propose(env.solution())
        assert (rewards["agent_0"], infos["agent_0"]["success"]) == (1, 1)


@pytest.mark.parametrize("screens", SCREENS)
def test_early_claims_pay_nothing(make: Make, screens: str) -> None:
    env = make(screens, text=True, agents=1, rounds=1)
    paid = []
    for seed in range(12):
        for claim in ({"action_type": "status", "goal_status": "complete"}, {"action_type": "wait"}):
            env.reset(seed=seed)
            while env.agents:
                _, rewards, _, _, infos = env.propose({"agent_0": claim})
            paid.append((infos["agent_0"]["success"], rewards["agent_0"] > 0))
    assert set(paid) == {(0, False)}


@pytest.mark.parametrize("screens", SCREENS)
def test_limits_of_turns_and_steps(make: Make, screens: str) -> None:
    env = make(screens, agents=1, rounds=3, max_turns=2, max_cycles=0)
    env.reset(seed=1)
    steps = 0
    while env.agents:
        _, _, ended, cut, _ = env.propose({})
        steps += 1
    assert (steps, ended["agent_0"], cut["agent_0"]) == (6, False, True)
    env = make(screens, agents=2, rounds=3, max_cycles=4)
    env.reset(seed=1)
    for _ in range(4):
        _, _, ended, cut, _ = env.propose({})
    assert (env.agents, any(ended.values()), all(cut.values())) == ([], False, True)


@pytest.mark.parametrize("screens", SCREENS)
def test_a_state_is_taken_out_and_put_into_another_session(make: Make, screens: str) -> None:
    one, two = make(screens, agents=2, rounds=2), make(screens, agents=2, rounds=2)
    one.reset(seed=5)
    for _ in range(3):
        one.propose(one.solution())
    if not one.agents:
        pytest.skip("the task was done in a turn")
    two.reset(seed=99)
    two.set_state_dict(one.state_dict())
    assert two.state_dict() == one.state_dict()
    assert two.observation("agent_1") == one.observation("agent_1")
    while one.agents:
        a, b = one.propose(one.solution()), two.propose(two.solution())
        assert a[1:4] == b[1:4]
    assert a[4]["agent_0"]["success"] == 1


def test_messages_follow_the_graph(make: Make) -> None:
    words = {"action_type": "navigate_home", "reason": "a fresh start"}
    heard = {}
    for graph in ("none", "chain", "full"):
        env = make("phone-v1", agents=3, rounds=2, graph=graph)
        env.reset(seed=0)
        env.propose(dict.fromkeys(env.agents, words))
        heard[graph] = [[m["agent"] for m in env.observation(a)["messages"]] for a in env.agents]
        if graph == "full":
            assert env.observation("agent_2")["messages"][0]["reason"] == "a fresh start"
    assert heard == {
        "none": [[], [], []], "chain": [[], ["agent_0"], ["agent_1"]], "full": [[], ["agent_0"], ["agent_0", "agent_1"]],
    }  # fmt: skip
