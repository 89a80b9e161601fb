"""Evaluating a learner: greedy, on held-out seeds, by the game's own reward and success."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import marlpit
from marlpit.ablate._plan import World

HELD_OUT = 1_000_000  # plus the run's seed: the session's seed of its evaluations
LONGEST = 10_000  # steps of an episode in a world without a limit


class Policy(Protocol):
    """What is evaluated."""

    def __call__(self, step: marlpit.Step, /) -> NDArray[Any]:
        """Returns actions int (envs, agents) for the frames of all rows."""


@dataclass
class Curve:
    """What became of a run so far; lists run over its evaluations.

    Attributes:
        frames: Environment steps when it was evaluated, those before training included.
        success: Share of episodes in [0, 1].
        team_return: Mean of the team's return over episodes.
        own_seconds: CPU of the run's process, without its evaluations.
    """

    frames: list[int] = field(default_factory=list)
    success: list[float] = field(default_factory=list)
    team_return: list[float] = field(default_factory=list)
    own_seconds: list[float] = field(default_factory=list)


class Examiner:
    """Evaluates policies of one run, always on the same starts, and keeps the curve."""

    def __init__(
        self, world: World, episodes: int, seed: int, charged: int, url: str, tell: Callable[[dict[str, Any]], None]
    ) -> None:
        """Opens the copies that are evaluated on.

        Args:
            world: What is played.
            episodes: Of one evaluation.
            seed: Of the run.
            charged: Environment steps before training.
            url: Of the server.
            tell: Is told of each evaluation.
        """
        self._env = marlpit.vec_env(world.env, episodes, reward="team", autoreset="disabled", url=url, **world.params)
        self._seed, self._charged, self._tell = HELD_OUT + seed, charged, tell
        self._spent = 0.0
        self.curve = Curve()

    def __call__(self, trained: int, policy: Policy) -> tuple[float, float]:
        """Evaluates a policy after so many frames of training; gives success and team return."""
        start, c = time.process_time(), self.curve
        step = self._env.reset(seed=self._seed)
        for _ in range(LONGEST):
            if (step.terminated | step.truncated).all():
                break
            step = self._env.step(policy(step))
        success = float(np.mean(step.info["success"].max(axis=1)))
        team = float(np.mean(step.info["episode_team_return"].mean(axis=1)))
        c.frames.append(self._charged + trained)
        c.success.append(success)
        c.team_return.append(team)
        c.own_seconds.append(start - self._spent)
        self._spent += time.process_time() - start
        self._tell({"frames": c.frames[-1], "success": success, "team_return": team})
        return success, team
