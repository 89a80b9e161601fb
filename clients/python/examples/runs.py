"""What a training run is asked to do, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass

from learner import Settings
from pipeline import Models

SOLVED = 0.8  # success rate that counts as solved


@dataclass(frozen=True)
class Job:
    """One training run."""

    arm: str
    seed: int
    settings: Settings
    models: Models


@dataclass(frozen=True)
class Run:
    """What came of a job.

    Attributes:
        arm: reward scheme.
        seed: of the run.
        charged: frames spent on pairs before training began.
        frames: training frames at each evaluation.
        success: greedy success rate at each evaluation.
        seconds: of training and evaluation.
        stopped: training ended early because two evaluations in a row were perfect.
    """

    arm: str
    seed: int
    charged: int
    frames: list[int]
    success: list[float]
    seconds: float
    stopped: bool

    @property
    def solved_at(self) -> int | None:
        """Frames, pairs included, at the first evaluation at SOLVED or more; None for never."""
        for frames, success in zip(self.frames, self.success, strict=True):
            if success >= SOLVED:
                return frames + self.charged
        return None
