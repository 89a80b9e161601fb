"""Evaluating a learner: greedy, on held-out seeds, by the game's own reward and success."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

import marlpit
from marlpit.ablate._plan import Job

HELD_OUT = 1 << 63  # plus the run's seed: the session's seed of its evaluations
LONGEST = 10_000  # steps of an episode in a world without a limit


@dataclass
class Curve:
    """What became of a run so far; lists run over its evaluations.

    Attributes:
        frames: Environment steps when it was evaluated, those before training included.
        success: Share of episodes in [0, 1].
        team_return: Mean of the team's return over episodes.
        own_seconds: CPU of the run's process since the first of them, without the evaluations.
    """

    frames: list[int] = field(default_factory=list)
    success: list[float] = field(default_factory=list)
    team_return: list[float] = field(default_factory=list)
    own_seconds: list[float] = field(default_factory=list)


Play = Callable[[], tuple[float, float]]  # plays the episodes of an evaluation; gives success and the team's return


class Examiner:
    """Evaluates one run, always on the same starts, and keeps the curve."""

    def __init__(self, charged: int, tell: Callable[[dict[str, Any]], None]) -> None:
        """Begins a curve.

        Args:
            charged: Environment steps before training.
            tell: Is told of each evaluation.
        """
        self._charged, self._tell, self._aside = charged, tell, 0.0
        self.curve = Curve()

    def __call__(self, trained: int, play: Play) -> None:
        """Evaluates after so many frames of training."""
        start, c = time.process_time(), self.curve
        if not c.frames:
            self._aside = start  # what was imported and built is no part of learning
        success, team = play()
        c.frames.append(self._charged + trained)
        c.success.append(success)
        c.team_return.append(team)
        c.own_seconds.append(start - self._aside)
        self._aside += time.process_time() - start
        self._tell({"frames": c.frames[-1], "success": success, "team_return": team})


def player(job: Job, url: str, policy: Callable[[Any], NDArray[Any]]) -> Play:
    """Plays the episodes of evaluations of a run.

    Args:
        job: The run.
        url: Of the server.
        policy: Gives actions int (envs, agents) for the `marlpit.Step` of all rows.
    """
    env = marlpit.vec_env(job.world.env, job.episodes, reward="team", autoreset="disabled", url=url, **job.world.params)

    def play() -> tuple[float, float]:
        step: Any = env.reset(seed=HELD_OUT + job.seed)
        for _ in range(LONGEST):
            if (step.terminated | step.truncated).all():
                break
            step = env.step(policy(step))
        return float(step.info["success"].max(axis=1).mean()), float(step.info["episode_team_return"].mean())

    return play
