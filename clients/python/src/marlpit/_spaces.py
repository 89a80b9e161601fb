"""Gymnasium spaces from a world's spec."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

Space = spaces.Space[Any]


def make(space: dict[str, Any]) -> Space:
    """Makes one space, with a random generator of its own.

    Args:
        space: As the server describes it: ``{kind: box, dtype, shape, low, high}`` or ``{kind: discrete | multi_discrete, n}``.

    Returns:
        A ``Box``, ``Discrete`` or ``MultiDiscrete``.
    """
    if space["kind"] == "discrete":
        return spaces.Discrete(space["n"][0])
    if space["kind"] == "multi_discrete":
        return spaces.MultiDiscrete(space["n"])
    dtype, shape = np.dtype(space["dtype"]), tuple(space["shape"])
    low, high = (np.broadcast_to(_bound(space[k], shape), shape).astype(dtype) for k in ("low", "high"))
    return spaces.Box(low, high, shape, dtype.type)


def _bound(value: Any, shape: tuple[int, ...]) -> np.ndarray:
    bound = np.asarray(value, np.float64)
    return bound.reshape(shape) if bound.ndim else bound


def choices(space: dict[str, Any]) -> int:
    """Returns the length of the action mask: all choices of all dimensions; 0 for a box."""
    return sum(space["n"]) if space["kind"] != "box" else 0


def masked(observation: dict[str, Any], action: dict[str, Any]) -> Space:
    """Makes the space of ``{"observation": …, "action_mask": …}``; of the observation alone where there is no mask."""
    if action["kind"] == "box":
        return make(observation)
    parts = [spaces.Box(0, 1, (n,), np.int8) for n in action["n"]]
    mask: Space = parts[0] if action["kind"] == "discrete" else spaces.Tuple(parts)
    return spaces.Dict({"observation": make(observation), "action_mask": mask})


def split(mask: NDArray[np.int8], action: dict[str, Any]) -> NDArray[np.int8] | tuple[NDArray[np.int8], ...]:
    """Gives a mask the form that its action space samples with: for `MultiDiscrete`, a tuple of one for each dimension."""
    if action["kind"] == "discrete":
        return mask[: action["n"][0]]
    ends = np.cumsum(action["n"]).tolist()
    return tuple(mask[end - n : end] for n, end in zip(action["n"], ends, strict=True))
