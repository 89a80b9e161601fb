"""Spaces as RLlib's modules want them: one for all agents, so that agents may share a module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from marlpit import _spaces
from marlpit.errors import Invalid


def observation(spec: Mapping[str, Any], masked: bool) -> _spaces.Space:
    """Makes the space of any agent's observation, padded with zeros to the largest as batched frames are.

    Args:
        spec: Of the world.
        masked: Have masks beside the observations.

    Returns:
        A ``Box``; with masks a ``Dict`` of ``observations`` and ``action_mask`` (float32, 0 or 1).
    """
    all_spaces: Sequence[dict[str, Any]] = spec["observation_spaces"]
    box = _spaces.make(all_spaces[0])
    if any(s != all_spaces[0] for s in all_spaces):
        shape = (max(int(np.prod(s["shape"])) for s in all_spaces),)
        low = min(0.0, *(float(np.min(s["low"])) for s in all_spaces))
        high = max(0.0, *(float(np.max(s["high"])) for s in all_spaces))
        box = spaces.Box(low, high, shape, np.dtype(all_spaces[0]["dtype"]).type)
    if not masked:
        return box
    n = max(_spaces.choices(a) for a in spec["action_spaces"])
    return spaces.Dict({"observations": box, "action_mask": spaces.Box(0.0, 1.0, (n,), np.float32)})


def action(spec: Mapping[str, Any]) -> _spaces.Space:
    """Makes the space of any agent's action: the largest, of which an agent with fewer choices has the others masked.

    Raises:
        Invalid: Agents differ in more than their number of choices.
    """
    all_spaces: Sequence[dict[str, Any]] = spec["action_spaces"]
    if all(s == all_spaces[0] for s in all_spaces):
        return _spaces.make(all_spaces[0])
    if any(s["kind"] != "discrete" for s in all_spaces):
        kinds = ", ".join(sorted({s["kind"] for s in all_spaces}))
        raise Invalid(f"agents have one action space, or each one of single choices; {spec['id']} has differing ones: {kinds}")
    return spaces.Discrete(max(s["n"][0] for s in all_spaces))
