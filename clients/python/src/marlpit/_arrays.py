"""Between the arrays of one copy's replies and what PettingZoo's callers see."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from marlpit import _spaces
from marlpit._session import Session
from marlpit.errors import Invalid


class Arrays:
    """Reads a session's replies and writes its actions, as the layout says. It holds nothing of an episode."""

    def __init__(self, session: Session, mask: str) -> None:
        """Takes the layout; `mask` says where the action mask goes, ``"info"`` or ``"obs"``."""
        spec, layout = session.spec, {a["name"]: a for a in session.layout["arrays"]}
        self._agents: list[str] = list(spec["agents"])
        self._index = {a: i for i, a in enumerate(self._agents)}
        self._actions: list[dict[str, Any]] = spec["action_spaces"]
        self._in_obs = mask == "obs" and "mask" in layout
        self._text = session.text
        n = len(self._agents)
        self._obs_dtype = np.dtype(layout["obs"]["dtype"])
        self._obs_shape = tuple(layout["obs"]["shape"][1:])
        shapes = [tuple(o["shape"]) for o in spec["observation_spaces"]]
        self._own_shapes = None if all(s == self._obs_shape[1:] for s in shapes) else shapes
        self._mask_shape = tuple(layout["mask"]["shape"][1:]) if "mask" in layout else None
        self._plain_masks = all(a["kind"] == "discrete" and a["n"] == self._actions[0]["n"] for a in self._actions)
        self._columns = list(spec["info"])
        self.floats = struct.Struct(f"<{n}f").unpack
        self._info_floats = struct.Struct(f"<{n * len(self._columns)}f").unpack
        _, _, self._dims = session.actions_shape
        self._dtype = session.actions_dtype
        self._own_dims = [int(np.prod(a["shape"])) if a["kind"] == "box" else len(a["n"]) for a in self._actions]
        self._plain = self._dtype.kind == "i" and self._dims == 1
        self._pack = struct.Struct(f"<{n}i").pack

    def infos(self, arrays: Any, agents: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The infos of some agents."""
        team = self.floats(arrays.team)
        values = self._info_floats(arrays.info)
        columns = self._columns
        k = len(columns)
        masks = None
        if self._mask_shape is not None:
            masks = list(np.frombuffer(arrays.mask, np.int8).reshape(self._mask_shape).copy())
        infos: dict[str, dict[str, Any]] = {}
        for a in agents:
            i = self._index[a]
            infos[a] = one = dict(zip(columns, values[i * k : i * k + k]))  # noqa: B905
            one["team_reward"] = team[i]
            if masks is not None:
                one["action_mask"] = masks[i] if self._plain_masks else _spaces.split(masks[i], self._actions[i])
            if self._text:
                one["notes"] = [{"kind": n["kind"], "text": n["text"]} for n in arrays.notes if n["agent"] == a]
        return infos

    def observations(self, arrays: Any, infos: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """The observations of the agents that have infos; masks move there from the infos where that is wanted."""
        obs = np.frombuffer(arrays.obs, self._obs_dtype).reshape(self._obs_shape).copy()
        where = self._index
        if self._own_shapes is None:
            out: dict[str, Any] = {a: obs[where[a]] for a in infos}
        else:
            out = {}
            for a in infos:
                shape = self._own_shapes[where[a]]
                out[a] = obs[where[a]].reshape(-1)[: int(np.prod(shape))].reshape(shape)
        if self._in_obs:
            out = {a: {"observation": o, "action_mask": infos[a].pop("action_mask")} for a, o in out.items()}
        return out

    def pack(self, actions: Mapping[str, Any], acting: Sequence[str]) -> bytes:
        """Packs actions; agents that have ended get zeros.

        Raises:
            Invalid: An action is missing, or no member of its space's kind.
        """
        if self._plain and len(acting) == len(self._agents):
            try:
                return self._pack(*[index(actions[a]) for a in self._agents])
            except (KeyError, TypeError, struct.error):
                pass  # told below
        out = np.zeros((len(self._agents), self._dims), self._dtype)
        for a in acting:
            i = self._index[a]
            if a not in actions:
                raise Invalid(f"{a}: an action is missing", "invalid", f"/actions/{a}")
            value = np.asarray(actions[a])
            fits = value.size == self._own_dims[i] and value.dtype.kind in ("iu" if out.dtype.kind == "i" else "iuf")
            if fits and out.dtype.kind == "i":
                fits = bool(-(2**31) <= value.min() and value.max() < 2**31)
            if not fits:
                message = f"{a}: an action is one of {_spaces.make(self._actions[i])}, got {actions[a]!r}"
                raise Invalid(message, "invalid", f"/actions/{a}")
            out[i, : value.size] = value.reshape(-1)
        return out.tobytes()
