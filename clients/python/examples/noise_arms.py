"""The arms of the noise study, and where each one's files are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

CONTROLS = ("none", "team", "oracle", "coin", "shared")
SCHEMES = ("credit", "add", "direct")
CONTROL_QUERIES = 3  # votes on a pair for the controls that need a model


@dataclass(frozen=True, order=True)
class Critic:
    """A simulated ranker.

    Attributes:
        kind: `oracle` knows the exact credit and errs, `coin` knows nothing.
        accuracy: share of right answers in percent; 0 for `coin`.
        noise: what its mistakes depend on, `iid` or `per-text`; empty where it makes none, or nothing else.
        team: it is asked about the team as a whole.
    """

    kind: str
    accuracy: int = 0
    noise: str = ""
    team: bool = False

    @property
    def name(self) -> str:
        """For files: `a60-iid`, `coin`, `team-a100`."""
        parts = [self.kind] if self.kind != "oracle" else [f"a{self.accuracy}", self.noise]
        return "-".join(p for p in (["team"] if self.team else []) + parts if p)


@dataclass(frozen=True, order=True)
class Arm:
    """What is compared: one reward in one world.

    Attributes:
        world: id of the world.
        scheme: reward scheme.
        critic: who ranked the pairs; None for rewards without a model.
        queries: votes on each pair and agent; 0 without a critic.
    """

    world: str
    scheme: str
    critic: Critic | None = None
    queries: int = 0

    @property
    def name(self) -> str:
        """For files and tables: `credit-a60-iid-q3`, `none`."""
        if not self.critic or self.scheme in CONTROLS:
            return self.scheme
        return f"{self.scheme}-{self.critic.name}-q{self.queries}"


@dataclass(frozen=True, order=True)
class Case:
    """An arm with a seed: one training run, with pairs, votes and σ of its own."""

    seed: int
    arm: Arm

    def record(self, out: Path) -> Path:
        """Where the run is kept."""
        return out / "work" / "runs" / self.arm.world / f"{self.arm.name}-s{self.seed}.json"

    def model(self, out: Path) -> Path | None:
        """Its scoring model; None without one."""
        c = self.arm.critic
        return folder(out, self.arm.world, self.seed) / f"{c.name}-q{self.arm.queries}.credit" if c else None


def folder(out: Path, world: str, seed: int) -> Path:
    """Where the pairs and models of a world and seed are."""
    return out / "work" / world / f"s{seed}"


def arms(
    worlds: Sequence[str],
    schemes: Sequence[str],
    accuracies: Sequence[int],
    queries: Sequence[int],
    noises: Sequence[str],
    controls: Sequence[str],
) -> Iterator[Arm]:
    """All arms: the controls, then the grid. A ranker that is always right is one arm for a scheme.

    The control `shared` is asked about the team and always right; `coin` and `shared` have CONTROL_QUERIES votes on a pair.
    """
    asked = {"coin": Critic("coin"), "shared": Critic("oracle", 100, team=True)}
    for world in worlds:
        for scheme in controls:
            critic = asked.get(scheme)
            yield Arm(world, scheme, critic, CONTROL_QUERIES if critic else 0)
        for scheme in schemes:
            for accuracy in accuracies:
                if accuracy == 100:
                    yield Arm(world, scheme, Critic("oracle", 100), 1)
                    continue
                for noise in noises:
                    for q in queries:
                        yield Arm(world, scheme, Critic("oracle", accuracy, noise), q)


def keep(path: Path, value: Any) -> None:
    """Writes JSON whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(json.dumps(value, indent=1) + "\n")
    part.replace(path)


def described(case: Case) -> dict[str, Any]:
    """A case as the records have it."""
    c = case.arm.critic
    return {
        "world": case.arm.world, "scheme": case.arm.scheme, "arm": case.arm.name, "seed": case.seed,
        "critic": asdict(c) if c else None, "queries": case.arm.queries,
    }  # fmt: skip
