"""Gymnasium spaces from a world's spec."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

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
    n = choices(action)
    if n == 0:
        return make(observation)
    return spaces.Dict({"observation": make(observation), "action_mask": spaces.Box(0, 1, (n,), np.int8)})
