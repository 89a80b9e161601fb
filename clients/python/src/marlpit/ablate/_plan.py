"""What is compared: parts of a plan, their arms, and the runs they come to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from marlpit.ppo import Hyperparameters

OFF_POLICY = ("qmix", "vdn")  # they learn from one reward of the team: `credit` is `credit-mean` there
ALGOS = ("mappo", "ippo", *OFF_POLICY, "mappo-numpy", "ippo-numpy")
FITTED = ("credit", "credit-mean", "add", "direct", "sum", "shared", "shared-labels", "coin")  # rewards made of a fitted σ
PLAIN = ("team", "none", "expert", "oracle", "difference", "shapley", "process")
UNPAID = ("team", "add")  # rewards that hold the team's own, and so take neither bonus nor step cost
METRICS = ("success", "team_return", "area", "to50", "to80")
# Settings of how a language model is asked: they change no vote, and so neither where votes are kept nor what a run is.
ASKING = (
    "concurrency", "timeout", "retries", "max_wait", "rpm", "tpm", "budget_requests", "budget_tokens", "budget_cost", "key_env",
    "price_in", "price_out", "currency", "offline",
)  # fmt: skip
TUNING_SEEDS = 1000  # the first seed of tuning; the runs that are reported have seeds below it


@dataclass(frozen=True)
class World:
    """A world with its parameters."""

    env: str
    params: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    @property
    def name(self) -> str:
        """For tables and folders: its label, or such as `two-switch-v1+height=9`."""
        return self.label or "+".join([self.env, *(f"{k}={_word(v)}" for k, v in sorted(self.params.items()))])


@dataclass(frozen=True)
class Arm:
    """A reward that is compared with others.

    Attributes:
        name: In tables.
        scheme: Of docs/rewards.md; empty for a function's.
        options: Of the scheme.
        ranker: Flags of `collect`, `label` and `fit`, in three tables; None where no σ is fitted for the run.
        model: File of a fitted model, or ``"shipped"``; in place of a ranker.
        function: ``file.py:function`` that makes the reward.
        source: SHA-256 of the file that `model`, `function` or the ranker's `votes` names; files are named as seen from the plan.
    """

    name: str
    scheme: str
    options: Mapping[str, Any] = field(default_factory=dict)
    ranker: Mapping[str, Mapping[str, Any]] | None = None
    model: str | None = None
    function: str | None = None
    source: str = ""


@dataclass(frozen=True)
class Learning(Hyperparameters):
    """Hyperparameters, the same in all arms unless they were tuned: those of PPO, and of other learners.

    Attributes:
        share_policy_params: BenchMARL: one policy net for the agents of a group.
        share_param_critic: BenchMARL's MAPPO: one value for all agents of a group.
        steps_per_batch: Gradient steps after each batch (QMIX, VDN).
        train_batch: Frames of such a step.
        memory: Frames kept for them.
    """

    hidden: int = 64
    share_policy_params: bool = False
    share_param_critic: bool = False
    steps_per_batch: int = 100
    train_batch: int = 256
    memory: int = 100_000


@dataclass(frozen=True)
class Job:
    """One training run, with all that its numbers depend on."""

    part: str
    world: World
    algo: str
    arm: Arm
    seed: int
    frames: int  # in all, those of collecting pairs included
    learning: Learning
    episodes: int  # of one evaluation
    greedy: bool
    bonus: float
    step_cost: float
    config: int | None = None  # the configuration that tuning tries here

    @property
    def slug(self) -> str:
        """Folder of the run."""
        end = f"{self.arm.name}-s{self.seed}" + ("" if self.config is None else f"-c{self.config}")
        return f"{self.part}/{self.world.name}/{self.algo}/{end}"

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Part, world, learner and arm."""
        return self.part, self.world.name, self.algo, self.arm.name

    @property
    def collected(self) -> int:
        """Frames of collecting its pairs; 0 where none are collected, or where collecting stops at what is enough."""
        asked = (self.arm.ranker or {}).get("collect", {})
        return 0 if asked.get("enough") else asked.get("copies", 0) * asked.get("steps", 0)

    def as_json(self) -> dict[str, Any]:
        """All of it, as JSON values."""
        out: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return out

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Job:
        """What `as_json` made."""
        made = {"world": World(**d["world"]), "arm": Arm(**d["arm"]), "learning": Learning(**d["learning"])}
        return cls(**{**d, **made})

    def model_slug(self) -> str | None:
        """Folder of the model that is fitted for the run; None where none is. Equal votes and fits have one folder."""
        if self.arm.ranker is None:
            return None
        what = [self.world.env, dict(self.world.params), without_asking(self.arm.ranker), self.arm.source]
        return f"{self.world.name}/s{self.seed}/{short_hash(what)}"

    def matters(self) -> dict[str, Any]:
        """As `as_json`, without what changes no number."""
        return matters(self.as_json())


def matters(job: Mapping[str, Any]) -> dict[str, Any]:
    """What `Job.as_json` made, without what changes no number: how a language model is asked."""
    arm = job.get("arm") or {}
    return {**job, "arm": {**arm, "ranker": without_asking(arm["ranker"])}} if arm.get("ranker") else dict(job)


def without_asking(ranker: Mapping[str, Any]) -> dict[str, Any]:
    """Flags of a ranker without those of `ASKING`."""
    return {**ranker, "label": {k: v for k, v in ranker.get("label", {}).items() if k not in ASKING}}


def short_hash(value: Any) -> str:
    """A name for JSON values."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Part:
    """Worlds × learners × arms × seeds with one budget."""

    name: str
    worlds: Sequence[World]
    algos: Sequence[str]
    arms: Sequence[Arm]
    seeds: Sequence[int] = (0, 1, 2, 3, 4)
    frames: int = 200_000
    episodes: int = 64
    greedy: bool = True
    bonus: float = 1.0
    step_cost: float = 0.01
    learning: Learning = Learning()
    tuned: Sequence[str] = ()  # names of arms

    def jobs(self, chosen: Mapping[tuple[str, str, str, str], Mapping[str, Any]] | None = None) -> Iterator[Job]:
        """Yields the runs, seed by seed, so that what is broken off has whole seeds.

        Args:
            chosen: Key of a tuned arm to the hyperparameters that tuning chose.
        """
        for seed in self.seeds:
            for world in self.worlds:
                for algo in self.algos:
                    for arm in self.arms:
                        job = self.job(world, algo, arm, seed)
                        better = (chosen or {}).get(job.key, {})
                        yield replace(job, learning=replace(job.learning, **better))

    def job(self, world: World, algo: str, arm: Arm, seed: int) -> Job:
        """One run."""
        if algo in OFF_POLICY and arm.scheme == "credit":
            arm = replace(arm, scheme="credit-mean")
        return Job(
            self.name, world, algo, arm, seed, self.frames, self.learning, self.episodes, self.greedy, self.bonus, self.step_cost
        )  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """A claim that is named beforehand: `a` against `b` on one number."""

    name: str
    a: str
    b: str
    metric: str = "area"
    part: str | None = None  # None: all parts that have both
    primary: bool = False
    worlds: Sequence[str] = ()  # names; none: all of the part


@dataclass(frozen=True)
class Tuning:
    """How tuned arms are tuned: all with the same configurations and seeds."""

    configs: int = 0
    seeds: int = 0
    space: Mapping[str, Sequence[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """Parts, and the comparisons that matter."""

    parts: Sequence[Part]
    comparisons: Sequence[Comparison] = ()
    tuning: Tuning = Tuning()

    def jobs(self) -> list[Job]:
        """All runs that are reported, before tuning has chosen."""
        return [j for p in self.parts for j in p.jobs()]


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
