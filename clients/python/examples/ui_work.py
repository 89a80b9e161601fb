"""The UI study's arms and runs: train a policy on a world's tasks, then try it on others."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import marlpit
from marlpit.ppo import Settings, train
from noise_arms import keep
from ui_learner import ElementLearner
from ui_tasks import HELD_OUT, OTHER, TRAIN, Several

# The game's own; scores of the solution critic, always right or wrong 20 % of the time; scores of a random critic.
REWARDS = ("team", "process", "process-20", "random")
TESTS = ("train seeds", "held-out seeds", "held-out templates", "other world")


@dataclass(frozen=True)
class Plan:
    """What all runs have in common.

    Attributes:
        frames: of a run.
        copies: stepped together.
        horizon: steps of each between two updates.
        hidden: units of an embedding.
        gamma: discount of a round, of the game's own reward.
        gamma_scores: discount of a round, of critics' scores. A score is a judgement of what follows already; and where scores
            are seldom above the baseline, who looks far ahead learns to end the episode at once.
        lr: Adam's step size.
        agents: of the team.
        templates: to train on; the first so many.
        episodes: of each template in a test.
        edge_update: probability in the arms that have edge updates.
        elements: of a screen that are listed.
        baseline: taken off a critic's score, so that what it calls wrong costs something and going in circles earns nothing.
        every: frames between two looks at the success on training tasks.
    """

    frames: int = 71_680
    copies: int = 64
    horizon: int = 16
    hidden: int = 32
    gamma: float = 0.9
    gamma_scores: float = 0.5
    lr: float = 0.0025
    agents: int = 4
    templates: int = 8
    episodes: int = 8
    edge_update: float = 0.5
    elements: int = 32
    baseline: float = 0.5
    every: int = 10_240

    def settings(self, reward: str) -> Settings:
        """Of the learner."""
        gamma = self.gamma if reward == "team" else self.gamma_scores
        return Settings(
            frames=self.frames, num_envs=self.copies, horizon=self.horizon, hidden=self.hidden, gamma=gamma, lr=self.lr,
        )  # fmt: skip


@dataclass(frozen=True, order=True)
class Arm:
    """What is compared."""

    world: str
    reward: str
    rounds: int
    edges: bool

    @property
    def name(self) -> str:
        """For files and tables."""
        return f"{self.reward}-r{self.rounds}" + ("-edges" if self.edges else "")

    def asked(self, plan: Plan) -> str | dict[str, Any]:
        """The reward to ask the server for."""
        if self.reward == "team":
            return "team"
        paid = {"baseline": plan.baseline}
        if self.reward == "random":
            return {"scheme": "process", "critic": "random", **paid}
        return {"scheme": "process", "critic": "solution", "error_rate": 0.2 if self.reward == "process-20" else 0.0, **paid}


@dataclass(frozen=True, order=True)
class Case:
    """An arm with a seed: one run."""

    seed: int
    arm: Arm

    def record(self, out: Path) -> Path:
        """Where it is kept."""
        return out / "runs" / self.arm.world / f"{self.arm.name}-s{self.seed}.json"

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.arm.world} {self.arm.name}, seed {self.seed}"


def arms(worlds: Sequence[str], rewards: Sequence[str], rounds: Sequence[int], edges: Sequence[bool]) -> list[Arm]:
    """All arms. With one round nobody hears anybody, so that edges mean nothing there: those arms are one."""
    return [Arm(w, r, k, e) for w in worlds for r in rewards for k in rounds for e in edges if k > 1 or not e]


def run(out: Path, plan: Plan, case: Case) -> float:
    """Trains, tests and keeps a run; returns the seconds it took."""
    start = time.monotonic()
    arm, seed = case.arm, case.seed
    with marlpit.serve() as server:
        tests = Tests(plan, arm, server.url, seed)
        env = Several(
            arm.world, TRAIN[arm.world][: plan.templates], plan.copies, server.url, seed, reward=arm.asked(plan), split="train",
            autoreset="same_step", arrays=("obs", "mask", "state", "rewards", "terminated", "truncated"),
            edge_update=plan.edge_update if arm.edges else 0.0, **tests.params,
        )  # fmt: skip
        learner = ElementLearner(env.layout, plan.agents, seed, plan.settings(arm.reward))
        untrained = {t: tests.success(t, learner) for t in TESTS} if arm == basic(arm.world) else {}
        curve: list[tuple[int, float]] = []
        frames, due = 0, plan.every
        for frames in train(env, learner):
            if frames >= due and frames + learner.settings.batch <= plan.frames:  # after the last update come all tests
                curve.append((frames, tests.success("train seeds", learner)))
                due += plan.every
        tested = {t: tests.success(t, learner) for t in TESTS}
        curve.append((frames, tested["train seeds"]))
    seconds = time.monotonic() - start
    told = {"curve": curve, "tested": tested, "untrained": untrained, "seconds": seconds}
    keep(case.record(out), {**asdict(arm), "arm": arm.name, "seed": seed, **told})
    return seconds


def basic(world: str) -> Arm:
    """The arm by which worlds are compared: the critic that is right, without talk."""
    return Arm(world, "process", 1, False)


class Tests:
    """The tasks that a run is tested on: greedy play, success by the world's own test."""

    def __init__(self, plan: Plan, arm: Arm, url: str, seed: int) -> None:
        """Remembers what is tested; nothing is made yet."""
        self.plan, self.arm, self.url, self.seed = plan, arm, url, seed
        self.params = {
            "agents": plan.agents, "rounds": arm.rounds, "elements": plan.elements,
            "graph": "chain" if arm.rounds > 1 else "none",
        }  # fmt: skip
        self.envs: dict[str, tuple[Several, int]] = {}

    def success(self, test: str, learner: ElementLearner) -> float:
        """Success rate in a test."""
        if test not in self.envs:
            self.envs[test] = self._open(test)
        env, seed = self.envs[test]
        who = learner.moved_to(env.layout) if test == "other world" else learner
        step = env.reset(seed)
        while not (step.terminated | step.truncated).all():
            step = env.step(who.act(step.obs, step.mask, greedy=True)[0])
        return float(step.info["success"].max(axis=1).mean())

    def _open(self, test: str) -> tuple[Several, int]:
        """Makes the copies to play: they have the plain graph in all arms."""
        here, n = self.arm.world, self.plan.templates
        fresh = 50_000 + self.seed  # other starts than training's; on train seeds those with which training begins
        world, templates, split, seed = {
            "train seeds": (here, TRAIN[here][:n], "train", self.seed),
            "held-out seeds": (here, TRAIN[here][:n], "heldout-seeds", fresh),
            "held-out templates": (here, HELD_OUT[here][:n], "heldout-templates", fresh),
            "other world": (OTHER[here], TRAIN[OTHER[here]][:n], "train", fresh),
        }[test]
        env = Several(
            world, templates, self.plan.episodes * len(templates), self.url, seed, split=split,
            autoreset="disabled", arrays=("obs", "mask", "info", "terminated", "truncated"), **self.params,
        )  # fmt: skip
        return env, seed
