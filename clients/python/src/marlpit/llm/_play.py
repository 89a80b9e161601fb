"""Playing an episode in words."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any, Protocol

import marlpit


@dataclass
class Episode:
    """What came of an episode.

    Attributes:
        seed: It was reset with.
        template: Of its task; empty where the world doesn't say.
        apps: That the task is about.
        success: By the world's own test, never by what agents claim.
        turns: Executed actions.
        steps: Rounds of talk.
        proposals: That were made.
        wasted: Of them, that could not be read or played.
        right: Of them, that were right by the task's own solution.
        calls: Of models.
        retried: Of them, that asked again after a reply that was no action.
        prompt_tokens: Read by models.
        completion_tokens: Written by them.
        seconds: It took.
        result: How it ended, in the world's words.
        rounds: Every step as a critic of rounds sees it, JSON texts; `marlpit score` reads them as lines of a file.
    """

    seed: int
    template: str = ""
    apps: list[str] = field(default_factory=list)
    success: bool = False
    turns: int = 0
    steps: int = 0
    proposals: int = 0
    wasted: int = 0
    right: int = 0
    calls: int = 0
    retried: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    result: str = ""
    rounds: list[str] = field(default_factory=list)


class Policy(Protocol):
    """Who acts."""

    def begin(self, env: marlpit.ParallelEnv, episode: Episode, infos: dict[str, dict[str, Any]]) -> None:
        """Begins an episode; the environment was reset and gave these infos."""

    async def step(self, env: marlpit.ParallelEnv, episode: Episode) -> Any:
        """Steps the environment once, and returns what the step gave."""


class SolutionPolicy:
    """Every agent proposes what the task's own solution would do: the upper bound."""

    def begin(self, env: marlpit.ParallelEnv, episode: Episode, infos: dict[str, dict[str, Any]]) -> None:
        """Nothing to do."""

    async def step(self, env: marlpit.ParallelEnv, episode: Episode) -> Any:
        """Proposes the solution's next action."""
        return env.propose(env.solution())


class RandomPolicy:
    """Every agent draws among the choices that are possible, each as likely: the lower bound."""

    def begin(self, env: marlpit.ParallelEnv, episode: Episode, infos: dict[str, dict[str, Any]]) -> None:
        """Seeds the agents' draws by the episode's seed."""
        for i, a in enumerate(env.possible_agents):
            env.action_space(a).seed(1000 * episode.seed + i)
        self._infos = infos

    async def step(self, env: marlpit.ParallelEnv, episode: Episode) -> Any:
        """Draws and steps."""
        moved = env.step({a: env.action_space(a).sample(self._infos[a]["action_mask"]) for a in env.agents})
        self._infos = moved[4]
        return moved


async def play(env: marlpit.ParallelEnv, policy: Policy, seed: int) -> Episode:
    """Plays one episode.

    Args:
        env: Made with ``text=True``.
        policy: Who acts.
        seed: The environment is reset with.

    Returns:
        What came of it.

    Raises:
        EndpointFailed: A model gave no answer; the episode is worth nothing then, and is no failure of its agents.
    """
    start = time.monotonic()
    episode = Episode(seed)
    _, infos = env.reset(seed=seed)
    policy.begin(env, episode, infos)
    while env.agents:
        _, _, _, _, infos = await policy.step(env, episode)
        episode.steps += 1
        _count(episode, env.round)
        for info in infos.values():
            episode.success = episode.success or info["success"] == 1
            episode.turns = max(episode.turns, int(info.get("turn", 0)))
            episode.result = next((n["text"] for n in info.get("notes", ()) if n["kind"] == "result"), episode.result)
    episode.seconds = time.monotonic() - start
    return episode


def _count(episode: Episode, text: str | None) -> None:
    if text is None:
        return
    told = json.loads(text)
    episode.template, episode.apps = told.get("template", ""), list(told.get("apps", ()))
    episode.proposals += len(told["proposals"])
    episode.wasted += sum("error" in p for p in told["proposals"])
    episode.right += sum(told["right"])
    episode.rounds.append(text)
