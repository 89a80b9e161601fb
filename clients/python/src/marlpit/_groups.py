"""Groups of agents, for learners that hold the agents of a group in one array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marlpit import _checks, _spaces
from marlpit.errors import Invalid

# Entries beside the groups in what learners are given.
RESERVED = ("action", "done", "info", "next", "reward", "state", "terminated", "truncated")


class Group(NamedTuple):
    """Agents of one group, and what is common to them.

    Attributes:
        agents: Their names.
        where: Their places along the agents axis of the wire's arrays.
        obs: Shape of one agent's observation: their own where all have the same, else the padded one.
        low: Its bounds, (agents, obs…); 0 in the padding.
        high: Likewise.
        kind: Of the actions: ``"discrete"``, ``"multi_discrete"`` or ``"box"``.
        choices: For each dimension of the action the most choices an agent has; empty for a box.
        own: Choices of each agent, (agents, 1), where they differ; else None.
        noop: For the same agents the choice that does nothing, (agents, 1); else None.
        box: Bounds of box actions, each (agents, dims); else None.
    """

    agents: list[str]
    where: slice | NDArray[np.int64]
    obs: tuple[int, ...]
    low: NDArray[Any]
    high: NDArray[Any]
    kind: str
    choices: list[int]
    own: NDArray[np.int64] | None
    noop: NDArray[np.int64] | None
    box: tuple[NDArray[np.float32], NDArray[np.float32]] | None


def names(spec: Mapping[str, Any], how: str | Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Divides the agents.

    Args:
        spec: The world's.
        how: ``"role"``: a group for each role, named as it; ``"team"``: one for all; or group to agents. A single group that
            nobody named is called ``"agents"``, as TorchRL calls it.

    Returns:
        Group to the names of its agents.

    Raises:
        Invalid: Agents are left out, unknown or in two groups, or a group's name is taken.
    """
    agents: list[str] = list(spec["agents"])
    if isinstance(how, str):
        if how not in ("role", "team"):
            raise Invalid(f"groups is 'role', 'team' or a mapping from group to agents, got {how!r}", "invalid")
        roles = list(spec["roles"]) if how == "role" else []
        if len(set(roles)) < 2:
            return {"agents": agents}
        return {r: [a for a, b in zip(agents, roles, strict=True) if b == r] for r in dict.fromkeys(roles)}
    if not (
        isinstance(how, Mapping)
        and all(isinstance(g, str) and g for g in how)
        and all(not isinstance(m, str) and isinstance(m, Sequence) and all(isinstance(a, str) for a in m) for m in how.values())
    ):
        raise Invalid(f"groups map a name that is not empty to a list of agents' names, got {how!r}", "invalid")
    out = {g: list(members) for g, members in how.items()}
    if sorted(a for members in out.values() for a in members) != sorted(agents) or not all(out.values()):
        raise Invalid(f"groups name each of {', '.join(agents)} once and leave no group empty, got {out}", "invalid")
    if taken := [g for g in out if g in RESERVED]:
        raise Invalid(f"no group can be called {taken[0]!r}", "invalid")
    return out


def make(spec: Mapping[str, Any], padded: tuple[int, ...], members: Sequence[str]) -> Group:
    """Collects what is common to a group.

    Args:
        spec: The world's.
        padded: Shape of an observation on the wire.
        members: Names of the agents.

    Raises:
        Invalid: Their actions are of different kinds, or differ in more than the number of choices.
    """
    at = [list(spec["agents"]).index(a) for a in members]
    seen = [_spaces.make(spec["observation_spaces"][i]) for i in at]
    same = all(s.shape == seen[0].shape for s in seen)
    shape = tuple(seen[0].shape or ()) if same else padded
    low, high = (np.stack([_padded(getattr(s, bound), shape) for s in seen]) for bound in ("low", "high"))
    acts: list[dict[str, Any]] = [spec["action_spaces"][i] for i in at]
    kind = acts[0]["kind"]
    if any(a["kind"] != kind for a in acts):
        raise Invalid(f"actions of a group are of one kind; give {', '.join(members)} groups of their own", "invalid")
    contiguous = at == list(range(at[0], at[0] + len(at)))
    where: Any = slice(at[0], at[0] + len(at)) if contiguous else np.array(at)
    if kind == "box":
        spaces = [_spaces.make(a) for a in acts]
        if len({s.shape for s in spaces}) > 1:
            raise Invalid(f"box actions of a group have one shape; give {', '.join(members)} groups of their own", "invalid")
        box = tuple(np.stack([getattr(s, bound).reshape(-1) for s in spaces]) for bound in ("low", "high"))
        return Group(list(members), where, shape, low, high, kind, [], None, None, box)  # type: ignore[arg-type]
    alike = all(a["n"] == acts[0]["n"] for a in acts)
    if alike:
        return Group(list(members), where, shape, low, high, kind, list(acts[0]["n"]), None, None, None)
    if kind != "discrete":
        raise Invalid(
            f"actions of several dimensions are alike in a group; give {', '.join(members)} groups of their own", "invalid"
        )
    own, noop = np.array([a["n"] for a in acts]), np.array([spec["noop"][i] for i in at])
    return Group(list(members), where, shape, low, high, kind, [int(own.max())], own, noop, None)


def observations(g: Group, obs: NDArray[Any]) -> NDArray[Any]:
    """Takes a group's observations (envs, members, obs…) out of the wire's (envs, agents, obs…)."""
    size = (len(obs), len(g.agents))
    return obs[:, g.where].reshape(*size, -1)[..., : int(np.prod(g.obs))].reshape(*size, *g.obs)


def masks(g: Group, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Takes a group's masks (envs, members, choices) out of the wire's."""
    return mask[:, g.where, : sum(g.choices)]


def actions(groups: Mapping[str, Group], chosen: Mapping[str, NDArray[Any]], like: tuple[Any, Any]) -> NDArray[Any]:
    """Puts what groups chose, each (envs, members) or (envs, members, dims), into the wire's order.

    Args:
        groups: By name.
        chosen: By the same names; a choice beyond an agent's own does nothing.
        like: Shape (envs, agents, dims) and dtype on the wire.

    Raises:
        Invalid: A shape is wrong, or actions are no numbers, no whole ones where they are choices, or beyond 32 bits.
    """
    shape, dtype = like
    out = np.zeros(shape, dtype)
    for name, g in groups.items():
        one, dims = chosen[name], g.box[0].shape[1] if g.box is not None else len(g.choices)
        want = (shape[0], len(g.agents), dims)
        if one.shape != want and (*one.shape, 1) != want:
            raise Invalid(
                f"actions of {name} have the shape {want if dims > 1 else want[:2]}, got {one.shape}", "invalid", "/actions"
            )
        one = _checks.actions(one, dtype, g.box is None).reshape(want)
        if g.own is not None and g.noop is not None:
            one = np.where(one < g.own, one, g.noop)
        out[:, g.where, : one.shape[-1]] = one
    return out


def ends(terminated: NDArray[np.bool_], truncated: NDArray[np.bool_]) -> dict[str, NDArray[np.bool_]]:
    """Flags of whole rows, (envs, 1), from those of agents: done once all are, and truncated where a limit ended any."""
    over = np.all(terminated | truncated, 1, keepdims=True)
    limit = over & np.any(truncated, 1, keepdims=True)
    return {"done": over, "terminated": over & ~limit, "truncated": limit}


def _padded(bound: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    out = np.zeros(int(np.prod(shape)), bound.dtype)
    out[: bound.size] = bound.reshape(-1)
    return out.reshape(shape)
