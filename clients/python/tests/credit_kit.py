"""Model files made by hand, and small worlds, for the tests of marlpit.credit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

from marlpit.credit._header import FORMAT, HIDDEN, MAGIC


def header(kind: str, world: dict[str, Any], inputs: list[str], sd: list[float], **changes: Any) -> dict[str, Any]:
    """A header as `marlpit fit` writes them."""
    agents = [""] if kind == "shared" else world["agents"]
    accuracy = {"right": 1, "n": 2, "ties": 0, "low": 0.1, "high": 0.9}
    nets = [
        {"agent": a, "input": i, "features": world["focus_sizes"][k] if i == "focus" else world["state_size"], "hidden": HIDDEN,
         "sd": s, "mean": 0.0, "held_out": accuracy}
        for k, (a, i, s) in enumerate(zip(agents, inputs, sd, strict=True))
    ]  # fmt: skip
    return {
        "format": FORMAT, "version": 1, "name": "made by hand", "kind": kind, "world": world, "nets": nets, "pairs": 2,
        "frames": 3, "seeds": [0, 2**64 - 1], "critic": "", "prompt": "",
        "votes": {"asked": 0, "valid": 0, "tie": 0, "invalid": 0}, "created_by": "tests", **changes,
    }  # fmt: skip


def model_bytes(head: dict[str, Any], seed: int) -> bytes:
    """A model file with random weights."""
    rng = np.random.default_rng(seed)
    text = json.dumps(head).encode()
    out = MAGIC + len(text).to_bytes(4, "little") + text
    for net in head["nets"]:
        n = net["features"] * HIDDEN + 2 * HIDDEN + 1
        out += (rng.normal(size=n) / 2).astype("<f4").tobytes()
    return out


def save_model(path: Path, head: dict[str, Any], seed: int) -> str:
    """Writes such a file and returns its path."""
    path.write_bytes(model_bytes(head, seed))
    return str(path)


class Lane(pettingzoo.ParallelEnv[str, Any, Any]):
    """Two agents on a lane of cells; actions are stay, left, right. The team is paid once, when both are at the right end.

    An agent that reaches the end is out; the other goes on. Cells are in `cells`.
    """

    metadata = {"name": "lane_v0", "render_modes": []}  # noqa: RUF012

    def __init__(self, length: int = 6, limit: int = 0) -> None:
        self.length, self.limit, self.render_mode = length, limit, None
        self.possible_agents = ["a_0", "a_1"]
        self.agents: list[str] = []
        self._spaces = {
            a: (gymnasium.spaces.Box(0, length, (2,), np.float32), gymnasium.spaces.Discrete(3)) for a in self.possible_agents
        }
        self.state_space = gymnasium.spaces.Box(0, length, (2,), np.float32)
        self.rng = np.random.default_rng(0)

    def observation_space(self, agent: str) -> Any:
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Any:
        return self._spaces[agent][1]

    def state(self) -> np.ndarray:
        return self.seen()

    def seen(self) -> np.ndarray:
        return np.array([self.cells[a] for a in self.possible_agents], np.float32)

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict, dict]:
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.cells = {a: int(self.rng.integers(self.length)) for a in self.possible_agents}
        self.agents, self.steps = self.possible_agents[:], 0
        return {a: self.seen() for a in self.agents}, {a: {} for a in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        acted, self.steps = self.agents, self.steps + 1
        for a in acted:
            self.cells[a] = min(max(self.cells[a] + (0, -1, 1)[actions[a]], 0), self.length)
        out = {a: self.cells[a] == self.length for a in acted}
        all_out = all(c == self.length for c in self.cells.values())
        cut = 0 < self.limit <= self.steps
        self.agents = [] if cut else [a for a in acted if not out[a]]
        rewards, infos = {a: float(all_out) for a in acted}, {a: {} for a in acted}
        return {a: self.seen() for a in acted}, rewards, out, dict.fromkeys(acted, cut), infos
