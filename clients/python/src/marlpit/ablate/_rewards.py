"""From an arm to the reward that a server is asked for, with what it cost."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marlpit.ablate import _votes
from marlpit.ablate._kinds import is_whole
from marlpit.ablate._models import make_model, whole
from marlpit.ablate._plan import UNPAID, Job, World, short_hash, without_asking
from marlpit.ablate._read import ranking
from marlpit.errors import Invalid


@dataclass(frozen=True)
class Fitted:
    """A scoring model that was fitted for one run.

    Attributes:
        path: Its file.
        frames: Environment steps spent on collecting its pairs.
        tokens: Spent on its votes.
    """

    path: Path
    frames: int
    tokens: int


@dataclass(frozen=True)
class Reward:
    """What a function for a scheme of one's own returns where the bare reward doesn't say all.

    Attributes:
        spec: Of docs/rewards.md: a scheme's name, or ``{"scheme": …, …options}``.
        model: A model for it: of `Context.fit`, or the path of a file.
        frames: Environment steps spent before training, beside those of a model of `Context.fit`: they are charged.
        tokens: Of a language model, likewise.
    """

    spec: str | Mapping[str, Any]
    model: Fitted | Path | str | None = None
    frames: int = 0
    tokens: int = 0


@dataclass(frozen=True)
class Context:
    """What a function for a scheme of one's own is given. It is called once a run, in the run's process; its time is charged.

    Attributes:
        world: Its `env` and `params`.
        algo: The learner.
        seed: Of the run; pairs, votes and σ should be drawn by it.
        frames: Environment steps of the run in all.
        gamma: The learner's discount.
        bonus: That all arms get at success, those that hold the team's own reward aside.
        step_cost: That they pay for each step.
        folder: Of this run, for files of the function's; emptied before each try, but for votes that were paid.
    """

    world: World
    algo: str
    seed: int
    frames: int
    gamma: float
    bonus: float
    step_cost: float
    folder: Path = field(default_factory=Path)

    def fit(self, scheme: str = "credit", pairs: Mapping[str, Any] | None = None, **ranker: Any) -> Fitted:
        """Collects pairs, has them ranked and fits a scoring model, with the run's seed.

        Args:
            scheme: It is for: ``shared``, ``shared-labels`` and ``coin`` have questions of their own.
            pairs: Settings of collecting, such as ``transitions``.
            **ranker: Settings of votes and fit as in a plan, such as ``error_rate``, ``queries`` or ``input``.

        Raises:
            Invalid: A setting is unknown.
            CommandFailed: A step failed.
        """
        asked = ranking(scheme, ranker, pairs or {})
        folder = self.folder / f"model-{short_hash(without_asking(asked))}"
        made = make_model(folder, self.world, self.seed, asked)
        return Fitted(folder / "model.credit", made["frames"], made["tokens"])


@dataclass(frozen=True)
class Resolved:
    """A reward as a server understands it.

    Attributes:
        spec: For `vec_env`.
        credit: Files of models that the server is to load.
        shipped: It is to load those that come with the program.
        note: What is known of a model: its cost, its quality.
        frames: Spent before training; None: those that the served model's own header names.
        tokens: Likewise.
        cpu_seconds: Of making a model in another process.
    """

    spec: dict[str, Any]
    credit: list[Path] = field(default_factory=list)
    shipped: bool = False
    note: dict[str, Any] = field(default_factory=dict)
    frames: int | None = 0
    tokens: int = 0
    cpu_seconds: float = 0


def resolve(job: Job, run: Path, fitted: Path | None) -> Resolved:
    """Says what to ask a server for.

    Args:
        job: The run.
        run: Its folder.
        fitted: Folder of the model that was fitted for it; None where none was.
    """
    if job.arm.function:
        return _called(job, run)
    spec = asked(job)
    if fitted is not None:
        note = whole(fitted)
        if note is None:
            raise Invalid(f"there is no model in {fitted}")
        return Resolved(spec, [fitted / "model.credit"], False, note, note["frames"], note["tokens"], note["cpu_seconds"])
    if job.arm.model == "shipped":
        return Resolved(spec, shipped=True, frames=None)
    if job.arm.model is not None:
        return Resolved(spec, [Path(job.arm.model)], frames=None, note={"sha256": job.arm.source})
    return Resolved(spec)


def asked(job: Job) -> dict[str, Any]:
    """What a server is asked for, for an arm that is no function's."""
    return _with_costs({"scheme": job.arm.scheme, **job.arm.options}, job)


def _with_costs(spec: dict[str, Any], job: Job) -> dict[str, Any]:
    """The reward with what all arms have alike; `add` takes the learner's own discount."""
    if spec["scheme"] == "add" or spec.get("form") == "add":
        return {"gamma": job.learning.gamma, **spec}
    if spec["scheme"] in UNPAID:
        return spec
    return {"bonus": job.bonus, "step_cost": job.step_cost, **spec}


def _cleared(folder: Path) -> None:
    """Empties it of what a try before left there, but for votes that were paid: what was fitted may be another function's."""
    for file in folder.rglob("*"):
        if file.is_file() and not file.parent.name.startswith(_votes.FOLDER):
            file.unlink()
    folder.mkdir(parents=True, exist_ok=True)


def _called(job: Job, run: Path) -> Resolved:
    """Calls the function of an arm."""
    file, _, name = str(job.arm.function).rpartition(":")
    found = importlib.util.spec_from_file_location("marlpit_ablate_scheme", file)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    function = getattr(module, name, None)
    if not callable(function):
        raise Invalid(f"{file} has no function {name}")
    gamma = job.learning.gamma
    context = Context(job.world, job.algo, job.seed, job.frames, gamma, job.bonus, job.step_cost, run / "scheme")
    _cleared(context.folder)
    made = function(context)
    r = made if isinstance(made, Reward) else Reward(made)
    if not isinstance(r.spec, (str, Mapping)) or (isinstance(r.spec, Mapping) and "scheme" not in r.spec):
        raise Invalid(f"{job.arm.function} returns a scheme's name, a mapping with scheme, or a Reward, got {made!r}")
    for what, n in (("frames", r.frames), ("tokens", r.tokens)):
        if not is_whole(n):
            raise Invalid(f"{job.arm.function} spent {what}: a whole number from 0 up, got {n!r}")
    if r.model is not None and not isinstance(r.model, (Fitted, Path, str)):
        raise Invalid(f"{job.arm.function}: a model is what fit returned, or a file, got {r.model!r}")
    spec = _with_costs({"scheme": r.spec} if isinstance(r.spec, str) else dict(r.spec), job)
    if r.model is None:
        return Resolved(spec, frames=r.frames, tokens=r.tokens)
    if isinstance(r.model, Fitted):
        return Resolved(spec, [r.model.path], frames=r.frames + r.model.frames, tokens=r.tokens + r.model.tokens)
    return Resolved(spec, [Path(r.model)], frames=r.frames, tokens=r.tokens)
