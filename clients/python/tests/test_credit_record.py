"""Recordings: what is kept, what is written, and what is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from credit_kit import Lane
from hypothesis import given, settings
from hypothesis import strategies as st

import marlpit
from marlpit import credit
from marlpit.credit.recorder import _numbers, _Smallest
from marlpit.errors import Conflict, Invalid


def say(before: np.ndarray, after: np.ndarray, agent: str) -> str:
    i = int(agent[-1])
    return f"Before: {agent} was {6 - before[i]:.0f} cells from the end. Now: it is {6 - after[i]:.0f} cells from it."


def truth(before: np.ndarray, after: np.ndarray, agent: str) -> float:
    i = int(agent[-1])
    return float(after[i] - before[i])


def team_truth(before: np.ndarray, after: np.ndarray) -> float:
    return float((after - before).sum())


def focus(state: np.ndarray, agent: str) -> list[float]:
    return [state[int(agent[-1])]]


FULL: dict[str, Any] = {
    "describe": say, "focus": focus, "truth": truth, "team_truth": team_truth, "family": lambda a, b, agent: "walk",
}  # fmt: skip


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    head, *lines = (json.loads(line) for line in path.read_text().splitlines())
    return head, lines


def test_what_a_recording_holds(tmp_path: Path) -> None:
    path = tmp_path / "lane.jsonl"
    got = credit.record(Lane(limit=30), path, **FULL, frames=600, seed=3, params={"cells": 6})
    head, lines = read(path)
    assert head == {
        "marlpit_transitions": 1, "env": "lane_v0", "params": {"cells": 6}, "agents": ["a_0", "a_1"], "state_size": 2,
        "focus_sizes": [1, 1], "frames": 600,
    }  # fmt: skip
    assert got == credit.Recording(str(path), 600, got.changed, len(lines))
    assert 300 < got.changed < 600
    assert oct(path.stat().st_mode & 0o777) == "0o644"
    pairs = [(tuple(x["a"]), tuple(x["b"])) for x in lines]
    assert len(set(pairs)) == len(pairs)
    out = [x for x in lines if x["terminal"]]
    assert out
    for line in lines:
        a, b = np.array(line["a"]), np.array(line["b"])
        assert (a != b).any()
        assert line["terminal"] == bool((b == 6).all())
        assert line["truth"] == team_truth(a, b)
        for i, one in enumerate(line["agents"]):
            if a[i] == 6:
                assert one is None, "it had ended"
                continue
            words = [say(a, b, f"a_{i}"), say(b, a, f"a_{i}")]
            assert one == {
                "guided": words, "plain": words, "focus_a": [a[i]], "focus_b": [b[i]], "truth": b[i] - a[i], "family": "walk",
            }  # fmt: skip


def test_equal_arguments_give_equal_files(tmp_path: Path) -> None:
    files = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        credit.record(Lane(limit=30), tmp_path / name, **FULL, frames=300, seed=seed, limit=20)
        files.append((tmp_path / name).read_bytes())
    assert files[0] == files[1] != files[2]


def test_ends_are_kept_and_bounded(tmp_path: Path) -> None:
    credit.record(Lane(), tmp_path / "x", **FULL, frames=3000, limit=12)
    _, lines = read(tmp_path / "x")
    assert len(lines) == 12
    assert [x["terminal"] for x in lines] == [True] * 3 + [False] * 9


@given(ranks=st.lists(st.integers(0, 200)), size=st.integers(1, 20))
@settings(max_examples=100, deadline=None)
def test_the_smallest_ranks_are_kept_once(ranks: list[int], size: int) -> None:
    heap = _Smallest(size)
    for r in ranks:
        if heap.wants(r):
            heap.put(r, b"%d" % r)
    assert sorted(heap.items()) == sorted(set(ranks))[:size]
    assert all(line == b"%d" % r for r, line in heap.items().items())


@given(x=st.lists(st.floats(-1e6, 1e6, width=32)))
@settings(deadline=None)
def test_numbers_read_back_as_they_were(x: list[float]) -> None:
    back = np.array(json.loads(json.dumps(_numbers(np.array(x, np.float32)))), np.float32)
    assert back.tobytes() == np.array(x, np.float32).tobytes()


def test_any_policy_and_masks(tmp_path: Path) -> None:
    asked: list[dict[str, Any]] = []

    def right(observations: dict[str, Any], infos: dict[str, Any]) -> dict[str, int]:
        asked.append(infos)
        return dict.fromkeys(observations, 2)

    class Masked(Lane):
        def reset(self, *args: Any, **options: Any) -> tuple[dict, dict]:
            observations, infos = super().reset(*args, **options)
            return observations, {a: {"action_mask": np.array([0, 0, 1], np.int8)} for a in infos}

        def step(self, actions: dict[str, int]) -> Any:
            assert set(actions.values()) == {2}
            *rest, infos = super().step(actions)
            return *rest, {a: {"action_mask": np.array([0, 0, 1], np.int8)} for a in infos}

    class Told(Masked):
        def reset(self, *args: Any, **options: Any) -> tuple[dict, dict]:
            observations, infos = super().reset(*args, **options)
            return {a: {"observation": o, **infos[a]} for a, o in observations.items()}, {a: {} for a in infos}

        def step(self, actions: dict[str, int]) -> Any:
            observations, *rest, infos = super().step(actions)
            return {a: {"observation": o, **infos[a]} for a, o in observations.items()}, *rest, {a: {} for a in infos}

    class Dropping(Lane):
        """Observations of those that live alone, for the policy above."""

        def step(self, actions: dict[str, int]) -> Any:
            observations, *rest = super().step(actions)
            return {a: observations[a] for a in self.agents}, *rest

    credit.record(Dropping(), tmp_path / "a", describe=say, frames=40, policy=right)
    assert len(asked) == 40
    assert all(b >= a for x in read(tmp_path / "a")[1] for a, b in zip(x["a"], x["b"], strict=True))
    for env in (Masked(), Told()):
        credit.record(env, tmp_path / "b", describe=say, frames=40, overwrite=True)


def test_wrap_records_while_a_learner_plays(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    env = credit.wrap(Lane(limit=30), scheme="none", describe=say, record=path, success=lambda s, a: (s == 6).all())
    env.reset(seed=0)
    while env.agents:
        env.step(dict.fromkeys(env.agents, 2))
    assert not path.exists()
    env.close()
    head, lines = read(path)
    assert (head["focus_sizes"], head["frames"] >= len(lines) > 0) == ([], True)


def test_a_long_recording_is_written_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from marlpit.credit import recorder

    monkeypatch.setattr(recorder, "_PAUSE", 0.0)
    path = tmp_path / "x.jsonl"
    env = credit.wrap(Lane(limit=5), describe=say, record=path)
    env.reset(seed=0)
    while env.agents:
        assert not path.exists()
        env.step(dict.fromkeys(env.agents, 1))
    assert len(read(path)[1]) > 0
    assert os.listdir(tmp_path) == ["x.jsonl"]


def test_an_interrupt_keeps_what_there_is(tmp_path: Path) -> None:
    def tired(observations: dict[str, Any], infos: dict[str, Any]) -> dict[str, int]:
        if tired.steps == 0:  # type: ignore[attr-defined]
            raise KeyboardInterrupt
        tired.steps -= 1  # type: ignore[attr-defined]
        return dict.fromkeys(env.agents, 2)

    tired.steps, env = 9, Lane()  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        credit.record(env, tmp_path / "x", describe=say, policy=tired)
    assert read(tmp_path / "x")[0]["frames"] == 9


def test_an_interrupt_before_anything_happened_is_one(tmp_path: Path) -> None:
    def stop(*_: Any) -> dict[str, int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        credit.record(Lane(), tmp_path / "x", describe=say, policy=stop)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of Unix")
def test_links_stay_and_pipes_are_not_replaced(tmp_path: Path) -> None:
    os.symlink("there", tmp_path / "link")
    credit.record(Lane(), tmp_path / "link", describe=say, frames=50, overwrite=True)
    assert os.readlink(tmp_path / "link") == "there"
    assert read(tmp_path / "there")[0]["frames"] == 50
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Invalid, match="pipe is no file that could be replaced"):
        credit.record(Lane(), tmp_path / "pipe", describe=say, frames=50)


def test_features_may_be_given_in_one_array(tmp_path: Path) -> None:
    held = np.zeros(2, np.float32)

    def fill(state: np.ndarray) -> np.ndarray:
        held[:] = state
        return held

    credit.record(Lane(), tmp_path / "x", describe=say, features=fill, frames=50)
    credit.record(Lane(), tmp_path / "y", describe=say, frames=50)
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes()


def test_a_failed_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    credit.record(Lane(), path, describe=say, frames=50)
    before = path.read_bytes()

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        credit.record(Lane(), path, describe=say, frames=60, overwrite=True)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["x"]


def test_a_recording_is_replaced_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "x"
    credit.record(Lane(), path, describe=say, frames=50)
    before = path.read_bytes()
    with pytest.raises(Conflict, match="x is there already: overwrite=True replaces it") as e:
        credit.record(Lane(), path, describe=say, frames=60)
    assert e.value.code == "exists"
    with pytest.raises(Conflict, match="there already"):
        credit.wrap(Lane(), describe=say, record=path)
    assert path.read_bytes() == before
    credit.record(Lane(), path, describe=say, frames=60, overwrite=True)
    assert read(path)[0]["frames"] == 60


@pytest.mark.parametrize("overwrite", [False, True])
def test_two_recordings_need_two_files(overwrite: bool, tmp_path: Path) -> None:
    path = tmp_path / "x"
    envs = [credit.wrap(Lane(limit=30), scheme="none", describe=say, record=path, overwrite=overwrite) for _ in range(2)]
    for env in envs:
        env.reset(seed=0)
        env.step(dict.fromkeys(env.agents, 2))
    envs[0].close()
    before = path.read_bytes()
    with pytest.raises(Conflict, match="x was written by another recording meanwhile"):
        envs[1].close()
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"frames": 0}, "frames is a whole number from 1"),
        ({"limit": 0}, "limit is a whole number from 1"),
        ({"params": {"p": [1]}}, "parameter p: want a text, a number or a boolean"),
        ({"params": {"p": float("inf")}}, "parameter p: want"),
        ({"params": {"p": 10**400}}, "parameter p: want"),
        ({"params": {"p": "x" * 5000}}, "parameter p: 5000 bytes of text, want at most 4096"),
        ({"params": [1]}, "params is a mapping"),
        ({"name": " lane"}, "name: want a name of at most 200 bytes, got ' lane'"),
        ({"name": "\ud800"}, "name: the text has no UTF-8"),
        ({"seed": -1}, "seed is a whole number from 0"),
        ({"features": lambda s, grown=[]: grown.append(1.0) or grown[:]}, "features: 2 numbers, want 1"),
        ({"describe": lambda a, b, agent: np.array(["x", "y"])}, "describe gives a text, or"),
        ({"describe": lambda a, b, agent: {"guided": "x", "plain": " "}}, "describe gives a text, or"),
        ({"describe": lambda a, b, agent: "\ud800"}, "describe: the text has no UTF-8"),
        ({"truth": lambda a, b, agent: "x"}, "truth is a finite number or None, got 'x'"),
        ({"family": lambda a, b, agent: "x" * 201}, "family: 201 bytes of text, want at most 200"),
        ({"family": lambda a, b, agent: "\x1b[31mred"}, "family: want a name of at most 200 bytes, got '.x1b"),
        ({"params": {"\x9b2J": 1}}, "a parameter's name: want a name of at most 200 bytes"),
        ({"describe": None}, "to record, describe"),
        ({"describe": lambda a, b, agent: 3}, "describe gives a text, or"),
        ({"describe": lambda a, b, agent: {"plain": "x"}}, "describe gives a text, or"),
        ({"describe": lambda a, b, agent: "x" * 40_000}, "40000 bytes of text, want at most 32768"),
        ({"truth": lambda a, b, agent: float("nan")}, "truth is a finite number or None"),
        ({"focus": lambda s, agent: list(range(1 + int(s[0])))}, "focus of a_[01]: . numbers, want ."),
    ],
    ids=str,
)
def test_what_is_refused(options: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=says):
        credit.record(Lane(), tmp_path / "x", **{"describe": say, "frames": 200, **options})
    assert os.listdir(tmp_path) == []


def test_words_of_any_kind_of_text_and_no_family(tmp_path: Path) -> None:
    path = tmp_path / "x"
    credit.record(Lane(), path, describe=lambda a, b, agent: np.str_("hi"), family=lambda a, b, agent: None, frames=50)
    agents = [a for line in read(path)[1] for a in line["agents"] if a]
    assert {(*a["plain"], a["family"]) for a in agents} == {("hi", "hi", "")}


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="is a folder"):
        credit.record(Lane(), tmp_path, describe=say)
    env = Lane()
    env.possible_agents = ["a_0", "a_0"]
    with pytest.raises(Invalid, match="two agents have one name"):
        credit.record(env, tmp_path / "x", describe=say)
    with pytest.raises(FileNotFoundError, match="no folder"):
        credit.record(Lane(), tmp_path / "none" / "x", describe=say)
    with pytest.raises(marlpit.MarlpitError, match="the features changed in none of 50 steps"):
        credit.record(Lane(), tmp_path / "x", describe=say, features=lambda s: [1], frames=50)
    with pytest.raises(marlpit.MarlpitError, match="words of nobody"):
        credit.record(Lane(), tmp_path / "x", describe=lambda a, b, agent: None, frames=50)
