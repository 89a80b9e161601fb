"""Language agents: observations and proposals in words, notes, rounds, structured state."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import marlpit

Make = Callable[..., marlpit.ParallelEnv]
WORLD = "test-rounds-v0"
WAIT = {"action_type": "wait"}


def click(i: int) -> dict[str, object]:
    return {"action_type": "click", "index": i}


def test_words_and_numbers_do_the_same(make: Make) -> None:
    said, chosen = make(WORLD, seed=3), make(WORLD, seed=3)
    assert str(said.reset()) == str(chosen.reset())
    for k in range(4):
        a = said.propose({"agent_0": click(k % 3), "agent_1": json.dumps(WAIT)})
        b = chosen.step({"agent_0": 1 + k % 3, "agent_1": 0})
        assert str(a) == str(b)
        assert said.state_dict() == chosen.state_dict()
        np.testing.assert_array_equal(said.state(), chosen.state())


def test_an_episode_by_the_solution(make: Make) -> None:
    env = make(WORLD, text=True, rounds=2, length=2)
    _, infos = env.reset(seed=1)
    assert infos["agent_0"]["notes"] == []
    assert env.round is None
    steps = 0
    while env.agents:
        o = env.observation("agent_1")
        assert o["round"] == steps % 2
        assert [m["agent"] for m in o["messages"]] == (["agent_0"] if steps % 2 else [])
        best = env.solution()
        assert list(best) == ["agent_0", "agent_1"]
        _, rewards, ends, _, infos = env.propose({a: {**p, "reason": "because"} for a, p in best.items()})
        told = json.loads(env.round)
        assert told["proposals"][1]["reason"] == "because"
        assert told["template"] == "press-2"
        assert told["right"] == [True, True]
        steps += 1
    assert steps == 4
    assert rewards == {"agent_0": 1, "agent_1": 1}
    assert all(ends.values())
    assert infos["agent_0"]["success"] == 1
    assert infos["agent_1"]["notes"] == [{"kind": "result", "text": "all buttons are pressed"}]
    assert env.propose({"agent_0": WAIT}) == ({}, {}, {}, {}, {})
    assert env.solution() == {}


def test_wasted_proposals_are_told(make: Make) -> None:
    env = make(WORLD, text=True, rounds=1)
    env.reset(seed=0)
    *_, infos = env.propose({"agent_0": "{", "agent_1": click(99)})
    assert [infos[a]["valid"] for a in env.agents] == [0, 0]
    for a in env.agents:
        assert [n["kind"] for n in infos[a]["notes"]] == ["error"]
        assert env.observation(a)["error"] == infos[a]["notes"][0]["text"]
    *_, infos = env.propose({})
    assert infos["agent_0"]["valid"] == 1, "who is left out waits"


def test_refusals_move_nothing(make: Make) -> None:
    env = make(WORLD)
    with pytest.raises(marlpit.errors.NotReset):
        env.propose({"agent_0": WAIT})
    with pytest.raises(marlpit.errors.NotReset):
        env.observation("agent_0")
    env.reset(seed=0)
    was = env.state_dict()
    with pytest.raises(marlpit.errors.Invalid, match='there is no agent "agent_7"'):
        env.propose({"agent_7": WAIT})
    with pytest.raises(marlpit.errors.TooLarge, match="16384 bytes"):
        env.propose({"agent_0": {"action_type": "wait", "reason": "x" * 20_000}})
    with pytest.raises(marlpit.errors.Invalid, match="travel"):
        env.propose({"agent_0": {"action_type": object()}})
    with pytest.raises(marlpit.errors.Invalid, match="no agent 'who'"):
        env.observation("who")
    with pytest.raises(marlpit.errors.Invalid, match="goal"):
        env.set_state_dict({**was, "goal": [0, 99]})
    assert env.state_dict() == was
    assert env._session.seq == 1
    assert env.propose({"agent_0": WAIT})[4]["agent_0"]["valid"] == 1
    plain = make("test-count-v0")
    plain.reset()
    for ask in (lambda: plain.propose({}), lambda: plain.observation("agent_0"), plain.solution, plain.state_dict):
        with pytest.raises(marlpit.errors.NoAbility):
            ask()


def test_state_is_set_and_compared(make: Make) -> None:
    env, other = make(WORLD, rounds=1, length=1), make(WORLD, rounds=1, length=1)
    env.reset(seed=0)
    start = env.state_dict()
    env.propose(env.solution())
    assert env.agents == []
    observations, infos = env.set_state_dict(start)
    assert list(observations) == list(infos) == env.agents == ["agent_0", "agent_1"]
    other.reset(seed=77)
    other.set_state_dict(start)
    assert other.state_dict() == env.state_dict() == start
    best = env.solution()
    mine, theirs = env.propose(best), other.propose(best)
    assert str(mine[:4]) == str(theirs[:4])
    assert mine[4]["agent_0"]["episode_length"] == 2, "an episode's statistics go on"


def test_copies_of_a_talking_environment(make: Make) -> None:
    env = make(WORLD, text=True)
    env.reset(seed=0)
    env.propose({"agent_0": click(1)})
    twin = copy.deepcopy(env)
    assert twin.observation("agent_1") == env.observation("agent_1")
    assert str(twin.propose({"agent_1": click(2)})) == str(env.propose({"agent_1": click(2)}))
    twin.close()
    fresh = pickle.loads(pickle.dumps(env))
    fresh.reset(seed=0)
    assert fresh.observation("agent_0")["round"] == 0
    fresh.close()


def test_turns_have_notes_too(url: str) -> None:
    env = marlpit.aec_env(WORLD, url=url, text=True)
    env.reset(seed=0)
    for _ in env.possible_agents:
        env.step(0)
    assert env.last()[4]["notes"] == []
    env.close()


def test_many_copies(url: str) -> None:
    env = marlpit.vec_env(WORLD, 3, url=url, seed=0, autoreset="same_step", text=True, rounds=1, length=1, max_turns=2)
    step = env.reset()
    assert (step.notes, step.rounds) == ((), ())
    start = env.state_dict(2)
    step = env.propose([{"agent_0": "{"}, env.solution(1), {}])
    assert [(n.row, n.agent, n.kind) for n in step.notes] == [
        (0, "agent_0", "error"), (1, "agent_0", "result"), (1, "agent_1", "result"),
    ]  # fmt: skip
    assert step.info["success"][1].tolist() == [1, 1]
    assert step.final.rows.tolist() == [1]
    assert step.info["valid"][0].tolist() == [0, 1]
    assert [json.loads(r)["world"] for r in step.rounds] == [WORLD] * 3
    assert env.observation(2)["agent_0"]["turn"] == 1
    step = env.set_state_dict(start, 2)
    assert step.notes == ()
    assert env.observation(2)["agent_0"]["turn"] == 0
    step = env.step(np.zeros((3, 2), np.int32))
    assert len(step.rounds) == 3
    with pytest.raises(marlpit.errors.Invalid, match="3 copies"):
        env.propose([{}])
    env.close()
