"""What batched environments give: frames, a spec, pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marlpit._session import Session
from marlpit.errors import Invalid, MarlpitError


class Final(NamedTuple):
    """Last frames of the rows that were reset within a step (``autoreset="same_step"``).

    Attributes:
        rows: Which rows, int64 (k,).
        obs: Their last observations, (k, agents, obs…); None where `obs` does not travel.
        mask: Their last masks, bool (k, agents, choices); None likewise.
        state: Their last states, float32 (k, state); None likewise.
    """

    rows: NDArray[np.int64]
    obs: NDArray[Any] | None
    mask: NDArray[np.bool_] | None
    state: NDArray[np.float32] | None


class Note(NamedTuple):
    """A sentence about the last step for one agent.

    Attributes:
        row: Which row.
        agent: Its name.
        kind: ``"error"``: its proposal was wasted; ``"reason"``: why it was scored so; ``"result"``: how the episode ended.
        text: The sentence.
    """

    row: int
    agent: str
    kind: str
    text: str


class Step(NamedTuple):
    """What a reset or step gives. The arrays belong to the caller: later steps don't touch them.

    What does not travel (see `arrays` of `vec_env`) is None. Rows of agents that have ended stay in place.

    Attributes:
        obs: float32 or uint8 (envs, agents, obs…), padded with zeros where agents differ.
        mask: bool (envs, agents, choices), True for what may be chosen; None for box actions too.
        state: float32 (envs, state).
        rewards: float32 (envs, agents), what the learner gets.
        terminated: bool (envs, agents).
        truncated: bool (envs, agents).
        team: float32 (envs, agents), the game's own reward.
        info: Name of a column to its values, float32 (envs, agents).
        final: Last frames of rows that were reset within this step; None where there are none.
        notes: What the worlds say of the step, where the environment was made with ``text=True``.
        rounds: The step as critics of rounds see it, a JSON text for each row, None for one that was not played; empty without
            ``text=True`` or where the world has no rounds.
    """

    obs: NDArray[Any] | None
    mask: NDArray[np.bool_] | None
    state: NDArray[np.float32] | None
    rewards: NDArray[np.float32] | None
    terminated: NDArray[np.bool_] | None
    truncated: NDArray[np.bool_] | None
    team: NDArray[np.float32] | None
    info: dict[str, NDArray[np.float32]]
    final: Final | None
    notes: tuple[Note, ...] = ()
    rounds: tuple[str | None, ...] = ()


ALL = ("obs", "mask", "state", "rewards", "team", "info", "terminated", "truncated")


class Spec:
    """A world's spec: the fields that docs/wire.md names, as attributes."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        """Wraps the fields."""
        self.__dict__.update(fields)

    def __getattr__(self, name: str) -> Any:
        """Says what there is."""
        raise AttributeError(f"a spec has no {name}; it has {', '.join(sorted(self.__dict__))}")

    def __repr__(self) -> str:
        """Names the world."""
        return f"<spec of {self.__dict__.get('id')}>"


def picture(session: Session, row: int) -> NDArray[np.uint8]:
    """Asks for a row's picture: uint8 (height, width, 3), writable."""
    reply = session.get("render", row=row, format="rgb")
    shape = int(reply.headers[b"marlpit-height"]), int(reply.headers[b"marlpit-width"]), 3
    return np.frombuffer(reply.body, np.uint8).reshape(shape).copy()


def invalid(message: str) -> MarlpitError:
    """Makes the error for actions that never went to the server."""
    return Invalid(message, "invalid", "/actions")
