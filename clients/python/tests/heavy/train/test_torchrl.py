"""TorchRL's own checks, and what the environment promises beside them.

uv venv --python 3.11 train-env
VIRTUAL_ENV=$PWD/train-env uv pip install -r clients/python/tests/heavy/train/requirements.txt
VIRTUAL_ENV=$PWD/train-env uv pip install --no-deps -e clients/python
train-env/bin/python -m pytest --noconftest -p no:cacheprovider clients/python/tests/heavy/train
"""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")

from tensordict import TensorDict  # noqa: E402
from torchrl.envs.utils import check_env_specs  # noqa: E402

import marlpit  # noqa: E402
from marlpit.errors import Invalid  # noqa: E402
from marlpit.torchrl import HELD_OUT, MarlpitEnv  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from doc_blocks import blocks  # noqa: E402

# Theirs: names that will go away, and a note on random actions drawn without a mask.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning:torch.*")

torch.set_num_threads(1)
UNEVEN = {"engineers": 1, "medics": 2}
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("two-switch-v1", {}),
    ("two-switch-v1", {"obs": "grid", "mode": "held", "agents": 3}),
    ("two-switch-v1", {"state": False}),
    *(("victim-rubble-v1", {**UNEVEN, "ending": e}) for e in ("together", "leave", "death")),
    *(("victim-rubble-v1", {**UNEVEN, "ending": e, "groups": "team"}) for e in ("leave", "death")),
    ("victim-rubble-v1", {"layout": "rooms", "scout": True, "keybearer": True, "groups": "team"}),
    ("phone-v1", {}),
    ("web-v1", {}),
    ("test-pixels-v0", {}),
    ("test-uneven-v0", {}),
    ("test-stages-v0", {}),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with marlpit.serve(test_worlds=True) as server:
        yield server.url


@pytest.mark.parametrize(("world", "options"), SETTINGS)
def test_specs_hold(url: str, world: str, options: dict[str, Any]) -> None:
    env = MarlpitEnv(world, 3, url=url, **options)
    check_env_specs(env, break_when_any_done="both")
    env.close()


def test_groups(url: str) -> None:
    def groups(how: Any, world: str = "victim-rubble-v1", **params: Any) -> dict[str, list[str]]:
        env = MarlpitEnv(world, 1, groups=how, url=url, **params)
        assert [env.full_action_spec[g, "action"].shape[1] for g in env.group_map] == [len(a) for a in env.group_map.values()]
        return env.group_map

    assert groups("role", **UNEVEN) == {"engineer": ["engineer_0"], "medic": ["medic_0", "medic_1"]}
    assert groups("team", **UNEVEN) == {"agents": ["engineer_0", "medic_0", "medic_1"]}
    assert groups("role", "two-switch-v1") == {"agents": ["agent_0", "agent_1"]}
    mixed = {"a": ["medic_1", "engineer_0"], "b": ["medic_0"]}
    assert groups(mixed, **UNEVEN) == mixed
    for wrong, says in (
        ("roles", "'role', 'team'"),
        ({"a": ["engineer_0"]}, "each of engineer_0, medic_0, medic_1 once"),
        ({"state": ["engineer_0", "medic_0", "medic_1"]}, "'state'"),
        ({"": ["engineer_0", "medic_0", "medic_1"]}, "a name that is not empty to a list of agents' names, got {''"),
        ({1: ["engineer_0", "medic_0", "medic_1"]}, "a list of agents' names, got {1"),
        ({"a": "engineer_0"}, "a list of agents' names"),
        ({"a": 5}, "a list of agents' names"),
        (None, "a list of agents' names, got None"),
    ):
        with pytest.raises(Invalid, match=says):
            groups(wrong, **UNEVEN)
    with pytest.raises(Invalid, match="groups of their own"):
        groups("team", "test-uneven-v0")


def test_the_same_as_the_batched_client(url: str) -> None:
    """Every entry, against `vec_env` with the same seed and actions; agents of a group in their own order."""
    order = {"a": ["medic_1", "engineer_0"], "b": ["medic_0"]}
    options: dict[str, Any] = {**UNEVEN, "ending": "leave", "layout": "rooms", "reward": "none", "seed": 5, "url": url}
    env = MarlpitEnv("victim-rubble-v1", 4, groups=order, **options)
    vec = marlpit.vec_env("victim-rubble-v1", 4, autoreset="disabled", **options)
    places = {g: [vec.spec.agents.index(a) for a in members] for g, members in order.items()}
    td, frame = env.reset(), vec.reset()
    for step in range(60):
        for g, at in places.items():
            spaces = [int(np.prod(vec.spec.observation_spaces[i]["shape"])) for i in at]
            width = spaces[0] if len(set(spaces)) == 1 else vec.obs_size
            assert (td[g, "observation"].numpy() == frame.obs[:, at, :width]).all()
            assert (td[g, "action_mask"].numpy() == frame.mask[:, at]).all()
            assert (td[g, "info", "team_reward"].numpy()[..., 0] == frame.team[:, at]).all()
            for name, column in frame.info.items():
                assert (td[g, "info", name].numpy()[..., 0] == column[:, at]).all()
            for flag in ("terminated", "truncated"):
                assert (td[g, flag].numpy()[..., 0] == getattr(frame, flag)[:, at]).all()
            if step:
                assert (td[g, "reward"].numpy()[..., 0] == frame.rewards[:, at]).all()
        assert (td["state"].numpy() == frame.state).all()
        acted = env.rand_action(td.exclude("next"))
        actions = np.zeros((4, 3), np.int32)
        for g, at in places.items():
            actions[:, at] = acted[g, "action"].numpy()
        td, frame = env.step(acted)["next"], vec.step(actions)
    assert (frame.rewards != frame.team).any()  # `none` pays the step cost


def test_agents_that_end_early_and_rows_that_are_done(url: str) -> None:
    env = MarlpitEnv("test-stages-v0", 2, url=url, seed=0)
    td = env.reset()
    for step in range(1, 8):
        td["agents", "action"] = torch.zeros(2, 3, dtype=torch.long)
        td = env.step(td)["next"]
        gone = [step >= 2, step >= 4, step >= 7]
        assert td["agents", "done"][:, :, 0].tolist() == td["agents", "terminated"][:, :, 0].tolist() == [gone, gone]
        assert not td["agents", "truncated"].any()
        assert td["done"].tolist() == td["terminated"].tolist() == [[step == 7]] * 2
        assert not td["truncated"].any()
    kept = td.clone()
    td["_reset"] = torch.tensor([[False], [True]])
    td = env.reset(td)
    assert (td["done"].tolist(), td["agents", "done"][:, :, 0].tolist()) == ([[True], [False]], [[True] * 3, [False] * 3])
    assert (td["state"][0], td["state"][1]) == (kept["state"][0], 0)


def test_limits_truncate(url: str) -> None:
    rollout = MarlpitEnv("two-switch-v1", 2, url=url, max_cycles=5).rollout(9, break_when_any_done=False)
    following = rollout["next"]
    assert following["truncated"][0, :, 0].int().tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert torch.equal(following["done"], following["truncated"])
    assert not following["terminated"].any()
    assert rollout["agents", "info", "episode_length"][0, :, 0, 0].tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 3]


@pytest.mark.parametrize("groups", ["role", "team"])
def test_masks_of_the_living_and_the_dead(url: str, groups: str) -> None:
    """1,000 masked samples with agents dying one by one: nothing is refused, and every mask can be sampled from."""
    env = MarlpitEnv("victim-rubble-v1", 25, **UNEVEN, ending="death", groups=groups, url=url, seed=1)
    rollout = env.rollout(40, break_when_any_done=False)
    half_dead = 0
    for g in env.group_map:
        mask, dead, action = rollout[g, "action_mask"], rollout[g, "done"].squeeze(-1), rollout[g, "action"]
        assert mask.any(-1).all()
        assert mask.gather(-1, action.unsqueeze(-1)).all()
        assert (mask[dead].sum(-1) == 1).all()
        assert (action[dead] == 0).all()
        assert (rollout["next", g, "reward"][dead] == 0).all()
        half_dead += int((dead & ~rollout["done"]).sum())
    assert half_dead > 0


def test_choices_beyond_an_agents_own_do_nothing(url: str) -> None:
    options: dict[str, Any] = {"layout": "rooms", "scout": True, "url": url, "seed": 3}
    env, twin = (MarlpitEnv("victim-rubble-v1", 2, groups="team", **options) for _ in range(2))
    assert env.group_map["agents"] == ["engineer_0", "medic_0", "scout_0"]
    assert not env.reset()["agents", "action_mask"][:, 2, 5].any()
    twin.reset()
    beyond, stay = (TensorDict({"agents": {"action": torch.tensor([[1, 2, choice]] * 2)}}, [2]) for choice in (5, 0))
    assert torch.equal(env.step(beyond)["next", "state"], twin.step(stay)["next", "state"])


def test_actions_that_are_none_are_refused_and_move_nothing(url: str) -> None:
    """In the words of the other adapters; none is played as another."""
    env = MarlpitEnv("two-switch-v1", 2, url=url, seed=0)
    td = env.reset()
    for wrong, says in (
        (torch.full((2, 2), 2**32 + 3), r"actions do not fit 32 bits \(at /actions\)"),
        (torch.full((2, 2), 2**40), "actions do not fit 32 bits"),
        (torch.full((2, 2), -(2**31) - 1), "actions do not fit 32 bits"),
        (torch.full((2, 2), 1.5), "actions are whole numbers, got float32"),
        (torch.full((2, 2), torch.nan), "actions are whole numbers, got float32"),
        (torch.ones(2, 2, dtype=torch.bool), "actions are whole numbers, got bool"),
        (torch.full((2, 2), 5), "got 5"),
        (torch.full((2, 2), -1), "got -1"),
        (torch.zeros(2, 2, 3, dtype=torch.long), r"actions of agents have the shape \(2, 2\), got \(2, 2, 3\)"),
    ):
        with pytest.raises(Invalid, match=says):
            env._step(TensorDict({"agents": {"action": wrong}}, [2]))
    with pytest.raises(Invalid, match="actions of agents are missing"):
        env.step(td.clone())
    td["agents", "action"] = torch.zeros(2, 2, dtype=torch.int32)
    assert (env.step(td)["next", "agents", "info", "episode_length"] == 1).all()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"timeout": -1}, "timeout is a number of seconds above 0, and at most 1,000,000, got -1"),
        ({"num_envs": 0}, "num_envs is an integer of at least 1, got 0"),
        ({"num_envs": "2"}, "num_envs is an integer of at least 1, got '2'"),
    ],
)
def test_options_out_of_range(url: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        MarlpitEnv("two-switch-v1", url=url, **options)


def starts(env: MarlpitEnv) -> Any:
    return env.reset()["agents", "observation"]


def test_seeds(url: str) -> None:
    def make(seed: int | None = None, **options: Any) -> MarlpitEnv:
        return MarlpitEnv("two-switch-v1", 8, seed=seed, start="random", url=url, **options)

    one, two, three = make(7), make(7), make(8)
    first = starts(one)
    assert torch.equal(first, starts(two))
    assert not torch.equal(first, starts(three))
    assert len({tuple(row.flatten().tolist()) for row in first}) > 4  # rows have streams of their own
    assert not torch.equal(first, starts(one))  # the stream goes on
    one.set_seed(7)
    assert torch.equal(first, starts(one))
    zero, other = make(0), make(0)
    assert torch.equal(starts(zero), starts(other))
    held, again = make(7, evaluation=True), make(7)
    again.evaluate()
    seen = starts(held)
    assert torch.equal(seen, starts(again))
    assert not torch.equal(seen, first)
    plain = marlpit.vec_env("two-switch-v1", 8, seed=7 + HELD_OUT, start="random", url=url)
    assert (seen.numpy() == plain.reset().obs).all()
    for bad in (-1, HELD_OUT, "1", 1.5):
        with pytest.raises(Invalid, match="seed is an integer from 0 to 2⁶³−1, got"):
            make(bad)
        with pytest.raises(Invalid, match="seed is an integer from 0 to 2⁶³−1, got"):
            one._set_seed(bad)


def test_evaluation_pays_the_teams_reward(url: str) -> None:
    env = MarlpitEnv("two-switch-v1", 4, reward="none", url=url, seed=0)
    learner = env.rollout(3)
    assert (learner["next", "agents", "reward"] == torch.tensor(-0.01)).all()
    env.evaluate()
    assert env.evaluating
    assert (env.rollout(3)["next", "agents", "reward"] == 0).all()


def test_copies(url: str) -> None:
    env = MarlpitEnv("two-switch-v1", 4, start="random", url=url, seed=2)
    td = env.rollout(5)[:, -1]["next"]
    twin = copy.deepcopy(env)
    torch.manual_seed(0)
    on = env.rollout(20, auto_reset=False, tensordict=td.clone(), break_when_any_done=False)
    torch.manual_seed(0)
    on_too = twin.rollout(20, auto_reset=False, tensordict=td.clone(), break_when_any_done=False)
    assert torch.equal(on["next", "state"], on_too["next", "state"])
    unpickled = pickle.loads(pickle.dumps(env))
    assert unpickled.group_map == env.group_map
    assert not torch.equal(starts(unpickled), starts(MarlpitEnv("two-switch-v1", 4, start="random", url=url, seed=2)))
    twin.close()
    env.rollout(2)  # has a session of its own
    env.close()


def test_the_pages_training_learns() -> None:
    """TorchRL's section, run as printed: its greedy policy against a random one, on held-out seeds."""
    (block,) = blocks("learners.md", "TorchRL")
    names: dict[str, Any] = {}
    torch.manual_seed(0)
    exec(compile(block, "docs/learners.md", "exec"), names)
    chance = MarlpitEnv("two-switch-v1", 32, seed=0, evaluation=True).rollout(100, break_when_any_done=False)
    by_chance = chance["next", "agents", "info", "success"][chance["next", "done"].squeeze(-1)].mean()
    assert by_chance < 0.5
    assert names["success"] > 0.9
