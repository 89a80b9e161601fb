"""What `marlpit.credit.wrap` pays is what the server pays, to the last bit."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from credit_kit import header, save_model

import marlpit
from marlpit import credit

WORLDS: dict[str, tuple[str, dict[str, Any]]] = {
    "truncates": ("two-switch-v1", {"max_cycles": 12, "start": "random"}),
    "terminates": ("test-count-v0", {"length": 6}),
    "dies in stages": ("test-stages-v0", {}),
    "agents differ": ("test-uneven-v0", {"max_cycles": 9}),
    "unlike agents, some die": ("victim-rubble-v1", {"ending": "death", "medics": 2, "places": "random", "max_cycles": 25}),
    "own views": ("test-count-v0", {"length": 7}),
}

SCHEMES: list[dict[str, Any]] = [
    {"scheme": "credit"},
    {"scheme": "credit", "gamma": 0.9, "scale": 2, "bonus": 0.3, "step_cost": 0},
    {"scheme": "credit", "form": "add", "weight": 0.7},
    {"scheme": "credit-mean", "bonus": 0},
    {"scheme": "sum", "scale": 0.5},
    {"scheme": "add"},
    {"scheme": "add", "weight": 3, "gamma": 0.5, "terminal": "value"},
    {"scheme": "direct", "scale": 0.3},
    {"scheme": "shared"},
    {"scheme": "coin"},
    {"scheme": "shared-labels", "gamma": 0.7},
    {"scheme": "none", "bonus": 2, "step_cost": 0.1},
    {"scheme": "team"},
]


@pytest.fixture(scope="module")
def models(url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """Random models: (world, kind) to a file."""
    folder, out = tmp_path_factory.mktemp("models"), {}
    for case, (world, params) in WORLDS.items():
        env = marlpit.parallel_env(world, url=url, **params)
        about = {
            "env": world, "params": env.spec["params"], "agents": env.possible_agents, "obs_version": env.spec["obs_version"],
            "state_size": int(env.state_space.shape[0]), "focus_sizes": focus_sizes(world, params, folder),
        }  # fmt: skip
        env.close()
        n = len(about["agents"])
        own = case == "own views"
        for seed, kind in enumerate(("agents", "shared", "coin", *(["shared-labels"] if own else []))):
            inputs, sd = ["focus" if own else "state"] * n, [0.5, 0.7 * own, 0.7, 1.1][:n]
            if kind == "shared":
                inputs, sd = ["state"], [0.3]
            head = header(kind, about, inputs, sd, name=f"{case} {kind}", version=seed + 1)
            out[case, kind] = save_model(folder / f"{case} {kind}.credit".replace(" ", "-").replace(",", ""), head, seed)
    return out


def focus_sizes(world: str, params: dict[str, Any], folder: Path) -> list[int]:
    """How many features the agents' own views have; only the program knows."""
    if world.startswith("test-"):
        return {"test-count-v0": [2, 2]}.get(world, [])
    db = folder / f"{world}.db"
    credit.collect(env=world, param=params, transitions=5, copies=1, steps=30, db=db)
    with contextlib.closing(sqlite3.connect(db)) as votes:
        sizes: list[int] = json.loads(votes.execute("SELECT focus_sizes FROM worlds").fetchone()[0])
    return sizes


@pytest.fixture(scope="module")
def server(models: dict[tuple[str, str], str]) -> Iterator[marlpit.Server]:
    with marlpit.serve(credit=list(models.values()), test_worlds=True) as server:
        yield server


# The agents' own views aren't sent; those of one test world can be computed.
PLAYED = [(case, o) for case in WORLDS for o in SCHEMES if case == "own views" or o["scheme"] != "shared-labels"]


@pytest.mark.parametrize(("case", "options"), PLAYED, ids=str)
def test_rewards_equal_the_servers(
    case: str, options: dict[str, Any], server: marlpit.Server, models: dict[tuple[str, str], str]
) -> None:
    world, params = WORLDS[case]
    theirs = marlpit.parallel_env(world, reward=options, url=server.url, **params)
    inner = marlpit.parallel_env(world, reward="team", url=server.url, **params)
    kind = {s: s for s in ("shared", "shared-labels", "coin")} | {"none": None, "team": None}
    kind = kind.get(options["scheme"], "agents")
    focus = (lambda s, agent: [s[0], 7 - s[0]]) if case == "own views" else None  # steps made, steps left
    ours = credit.wrap(inner, model=models[case, kind] if kind else None, params=inner.spec["params"], focus=focus, **options)
    rng = np.random.default_rng(0)
    shaped = ended = alone = 0
    for episode in range(4):
        _, info = theirs.reset(seed=episode)
        _, info2 = ours.reset(seed=episode)
        check_infos(info, info2)
        while theirs.agents:
            assert ours.agents == theirs.agents
            actions = {a: legal(theirs.action_space(a), info[a]["action_mask"], rng) for a in theirs.agents}
            _, reward, end, cut, info = theirs.step(actions)
            _, reward2, end2, cut2, info2 = ours.step(actions)
            assert (reward, end, cut) == (reward2, end2, cut2)
            check_infos(info, info2)
            shaped += sum(i.get("shaping", 0) != 0 for i in info2.values())
            ended += sum(end.values()) + sum(cut.values())
            alone += 0 < len(theirs.agents) < len(theirs.possible_agents)
    assert ended >= 4 * len(theirs.possible_agents)
    assert (alone > 0) == (case in ("dies in stages", "unlike agents, some die"))
    assert (shaped > 0) == (kind is not None)
    ours.close()
    theirs.close()


def legal(space: Any, mask: Any, rng: np.random.Generator) -> Any:
    space.seed(int(rng.integers(1 << 30)))
    return space.sample(mask)


def check_infos(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    assert list(theirs) == list(ours)
    for a, info in theirs.items():
        for key in ("team_reward", "shaping", "model_version"):
            assert info.get(key) == ours[a].get(key), (a, key)
