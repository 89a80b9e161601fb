"""What a training run is asked to do, what it does, and what comes of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import marlpit
from marlpit.ppo import Learner, Settings, train

SOLVED = 0.8  # success rate that counts as solved


@dataclass(frozen=True)
class Job:
    """One training run.

    Attributes:
        world: id of the world.
        arm: reward scheme.
        seed: of the run.
        settings: of the learner.
        model: file of the scoring model, which the scheme then has to take; None leaves the choice to the server.
        charged: frames spent on pairs before training begins.
        episodes: of one evaluation.
        greedy: evaluations take the likeliest choices; False draws them, as training does.
        stop_early: two perfect evaluations in a row end the run.
        params: of the world.
    """

    world: str
    arm: str
    seed: int
    settings: Settings
    model: str | None = None
    charged: int = 0
    episodes: int = 100
    greedy: bool = True
    stop_early: bool = True
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reward(self) -> str | dict[str, str]:
        """What to ask the server for; a model is asked for by name, so that one that doesn't fit is refused."""
        if self.model is None:
            return self.arm
        return {"scheme": self.arm, "model": Path(self.model).name.removesuffix(".credit")}


@dataclass(frozen=True)
class Run:
    """What came of a job.

    Attributes:
        arm: reward scheme.
        seed: of the run.
        charged: frames spent on pairs before training began.
        frames: training frames at each evaluation.
        success: success rate at each evaluation, in the game's own terms.
        seconds: of training and evaluation.
        stopped: training ended early because two evaluations in a row were perfect.
        scored_by: name of the scoring model; None where the scheme has none.
    """

    arm: str
    seed: int
    charged: int
    frames: list[int]
    success: list[float]
    seconds: float
    stopped: bool
    scored_by: str | None = None

    @property
    def solved_at(self) -> int | None:
        """Frames, pairs included, at the first evaluation at SOLVED or more; None for never."""
        for frames, success in zip(self.frames, self.success, strict=True):
            if success >= SOLVED:
                return frames + self.charged
        return None


def evaluate(env: marlpit.VecEnv, learner: Learner, seed: int, greedy: bool) -> float:
    """Success rate over one episode of each of the env's copies."""
    step = env.reset(seed=seed)
    while not (step.terminated | step.truncated).all():
        action, _ = learner.act(step.obs, step.mask, greedy=greedy)
        step = env.step(action)
    return float(step.info["success"].max(axis=1).mean())


def run(job: Job) -> Run:
    """Trains and evaluates one arm with one seed, on a server of its own."""
    start = time.monotonic()
    s = job.settings
    with marlpit.serve(credit=[] if job.model is None else [job.model]) as server:
        env = marlpit.vec_env(
            job.world, s.num_envs, reward=job.reward, seed=job.seed, autoreset="same_step", url=server.url,
            arrays=("obs", "mask", "state", "rewards", "terminated", "truncated"), **job.params,
        )  # fmt: skip
        test = marlpit.vec_env(job.world, job.episodes, reward="team", autoreset="disabled", url=server.url, **job.params)
        learner = Learner(len(env.spec.agents), env.obs_size, env.state_size, env.choices, job.seed, s)
        frames: list[int] = []
        success: list[float] = []

        for at in train(env, learner):
            frames.append(at)
            success.append(evaluate(test, learner, 10_000 + job.seed, job.greedy))
            if job.stop_early and success[-2:] == [1.0, 1.0]:
                break
    stopped = frames[-1] + s.batch <= s.frames
    return Run(job.arm, job.seed, job.charged, frames, success, time.monotonic() - start, stopped, env.reward.get("model"))
