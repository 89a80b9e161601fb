"""The learners by name. Their libraries are imported when they are used, in the run's own process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import marlpit
from marlpit.ablate._measure import Examiner, player
from marlpit.ablate._plan import Job

# Trains for so many frames on a reward of a server's, and has the examiner look before, meanwhile and at the end.
Train = Callable[[Job, Mapping[str, Any], int, str, Examiner], None]


def learner(algo: str) -> Train:
    """Gives the learner of a name."""
    if algo.endswith("-numpy"):
        return _numpy
    from marlpit.ablate._benchmarl import train

    return train


def _numpy(job: Job, reward: Mapping[str, Any], frames: int, url: str, examine: Examiner) -> None:
    from marlpit import ppo

    arrays = ("obs", "mask", "state", "rewards", "terminated", "truncated")
    env = marlpit.vec_env(
        job.world.env, job.learning.num_envs, reward=reward, seed=job.seed, autoreset="same_step", url=url, arrays=arrays,
        **job.world.params,
    )  # fmt: skip
    agents, central = len(env.spec.agents), job.algo == "mappo-numpy"
    same = {f.name: getattr(job.learning, f.name) for f in fields(ppo.Settings) if f.name != "frames"}
    settings = ppo.Settings(frames=frames, **same)
    who = ppo.Learner(agents, env.obs_size, env.state_size, env.choices, job.seed, settings, central)

    def policy(step: Any) -> Any:
        return who.act(step.obs, step.mask, greedy=job.greedy)[0]

    play = player(job, url, policy)
    examine(0, play)
    for at in ppo.train(env, who):
        examine(at, play)
