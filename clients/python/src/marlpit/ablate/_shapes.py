"""What the files of a folder of runs hold, checked as they are read: one that is no such thing is refused with its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from marlpit.ablate._plan import METRICS, Comparison, Job
from marlpit.errors import Invalid

LARGEST = 1e15  # as in CSV
Number = Annotated[float, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
Amount = Annotated[float, msgspec.Meta(ge=0, le=LARGEST)]
Curve = Annotated[list[Number], msgspec.Meta(min_length=1)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Planned(msgspec.Struct):
    """A run of plan.json."""

    part: str
    world: str
    algo: str
    arm: str
    seed: int


class Call(msgspec.Struct):
    """A call of plan.json."""

    at: str
    command: str
    revision: str
    versions: Mapping[str, str]


class Tried(msgspec.Struct):
    """Tuning of plan.json."""

    configurations: Sequence[Mapping[str, Any]]


class Note(msgspec.Struct):
    """plan.json."""

    runs: Sequence[Planned]
    comparisons: Sequence[Comparison]
    calls: Sequence[Call]
    tuning: Tried


class Begun(msgspec.Struct):
    """job.json."""

    job: Job
    attempt: Annotated[int, msgspec.Meta(ge=0)] = 0


class Failed(msgspec.Struct):
    """failed.json."""

    why: str


class Known(msgspec.Struct):
    """What is known of a model, where it is."""

    ranker_right: Share | None = None
    model_right: Share | None = None


class Made(Known, kw_only=True):
    """model.json."""

    frames: Annotated[int, msgspec.Meta(ge=0)]
    tokens: Amount
    cpu_seconds: Amount


class Scheme(msgspec.Struct):
    """A reward, as the server has it."""

    scheme: str = ""


class Result(msgspec.Struct):
    """result.json."""

    job: Job
    charged: Amount
    tokens: Amount
    model: Known
    reward: Scheme
    seconds: Amount
    frames: Curve
    success: Curve
    team_return: Curve
    cpu_seconds: Curve


SHAPES: Mapping[str, tuple[type, str]] = {
    "plan.json": (Note, "note of a plan"), "job.json": (Begun, "note of a job"), "failed.json": (Failed, "note of a failure"),
    "model.json": (Made, "note of a model"), "result.json": (Result, "run's result"),
}  # fmt: skip


def checked(found: Mapping[str, Any], name: str) -> None:
    """Refuses what isn't what a file of that name holds; other files may hold anything.

    Raises:
        Invalid: What is wrong, and where in it.
    """
    if name not in SHAPES:
        return
    shape, words = SHAPES[name]
    try:
        made: Any = msgspec.convert(found, shape)
    except msgspec.ValidationError as e:
        raise Invalid(f"it is no {words}: {e}") from None
    if isinstance(made, Note) and (lost := [c.metric for c in made.comparisons if c.metric not in METRICS]):
        raise Invalid(f"it compares {lost[0]!r}, which is no metric")
    if isinstance(made, Result):
        frames = made.frames
        grows = all(a < b for a, b in zip(frames, frames[1:], strict=False)) and frames[0] >= 0 < frames[-1]
        many = {len(x) for x in (frames, made.success, made.team_return, made.cpu_seconds)}
        if len(many) > 1 or not grows or not all(0 <= v <= 1 for v in made.success):
            raise Invalid("its curve is none")


def job(found: Mapping[str, Any]) -> Job:
    """The job of a file that has one."""
    return msgspec.convert(found["job"], Job)


def comparisons(found: Mapping[str, Any]) -> list[Comparison]:
    """Those of a plan.json."""
    return msgspec.convert(found["comparisons"], list[Comparison])
