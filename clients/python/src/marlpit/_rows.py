"""Agents as rows: what learners of a single policy see of a batched environment.

Such learners know neither teams nor copies, only environments that step together: here every agent of every copy is one, and all
share one policy. Row ``copy · agents + i`` is agent i of that copy.

An agent that ends before its copy does leaves a hole: its row is padded until the copy ends, with an observation of zeros, reward
0 and a mask that allows only what does nothing. Its own episode ends when the agent does, so nothing is bootstrapped across; the
padding is a second, empty episode that ends with the copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from marlpit import _groups
from marlpit._frames import ALL, Step, invalid
from marlpit.errors import Invalid
from marlpit.vec import vec_env

Bools = NDArray[np.bool_]


class Moved(NamedTuple):
    """What a step gives the rows.

    Attributes:
        obs: (rows, obs…).
        reward: float32 (rows,), what the learner gets.
        terminated: bool (rows,), the row's episode ended in this step, and not by a limit.
        truncated: bool (rows,), it ended by a limit.
        over: bool (rows,), its copy ended in this step.
        padded: bool (rows,), the agent was out before this step.
        last: (rows, obs…) for autoreset ``"same_step"``: the last observations of rows that ended; 0 elsewhere.
        columns: Name to values, float32 (rows,): ``team_reward`` and the world's info columns, of the step that was played.
    """

    obs: NDArray[Any]
    reward: NDArray[np.float32]
    terminated: Bools
    truncated: Bools
    over: Bools
    padded: Bools
    last: NDArray[Any]
    columns: dict[str, NDArray[np.float32]]


class Rows:
    """A batched environment whose rows are agents.

    Attributes:
        env: The environment, one row a copy.
        agents: Agents of a copy.
        count: Rows in all.
        observation_space: Of one row.
        action_space: Of one row.
        mask: bool (rows, choices), what the next step accepts; None for box actions.
    """

    def __init__(self, id: str, num_envs: int, agent_id: bool | None, same_step: bool, **options: Any) -> None:
        """Opens a session.

        Raises:
            Invalid: The agents' spaces can't be made one; or as `vec_env`.
        """
        self.env = vec_env(
            id, num_envs, autoreset="same_step" if same_step else "next_step",
            arrays=[a for a in ALL if a != "state"], **options,
        )  # fmt: skip
        session = self.env._session
        try:
            self._take(
                session.spec, tuple(next(a["shape"] for a in session.layout["arrays"] if a["name"] == "obs")[2:]), agent_id
            )
        except Invalid:
            self.env.close()
            raise
        self.mask: Bools | None = None
        self._same_step = same_step

    def _take(self, spec: Mapping[str, Any], padded: tuple[int, ...], agent_id: bool | None) -> None:
        """Makes one space of the agents'."""
        acts = spec["action_spaces"]
        kinds = [a["kind"] if a["kind"] == "discrete" else f"{a['kind']}{a.get('n') or a['shape']}" for a in acts]
        if len(set(kinds)) > 1:
            seen = ", ".join(f"{a} {k}" for a, k in zip(spec["agents"], kinds, strict=True))
            raise Invalid(f"one policy for all agents needs actions of one kind, got {seen}", "invalid")
        self.agents = n = len(spec["agents"])
        self.count = self.env.num_envs * n
        self._group = g = _groups.make(spec, padded, spec["agents"])
        vectors = len(g.obs) == 1 and g.low.dtype == np.float32
        shapes = {tuple(s["shape"]) for s in spec["observation_spaces"]}
        unlike = len(set(spec["roles"])) > 1 or len(shapes) > 1 or g.own is not None
        if agent_id and not vectors:
            raise Invalid(f"agent_id is for observations that are vectors, got {g.low.dtype}{list(g.obs)}", "invalid")
        self._ids = np.eye(n, dtype=np.float32) if (unlike and vectors if agent_id is None else agent_id) else None
        low, high = np.minimum(g.low.min(0), 0), np.maximum(g.high.max(0), 0)  # the padding is 0
        if self._ids is not None:
            low, high = (np.concatenate([b, np.full(n, v, b.dtype)]) for b, v in ((low, 0), (high, 1)))
        self.observation_space: spaces.Box = spaces.Box(low, high, low.shape, low.dtype.type)
        self.action_space: spaces.Space[Any]
        if g.box is not None:
            self.action_space = spaces.Box(g.box[0].max(0), g.box[1].min(0), dtype=np.float32)
        elif g.kind == "discrete":
            self.action_space = spaces.Discrete(g.choices[0])
        else:
            self.action_space = spaces.MultiDiscrete(g.choices)

    def reset(self, seed: int | None) -> NDArray[Any]:
        """Starts all copies anew: observations (rows, obs…)."""
        step = self.env.reset(seed)
        self._out = np.zeros(self.count, np.bool_)
        self._look(step)
        return self._observe(step.obs, self._out)

    def send(self, actions: ArrayLike) -> None:
        """Begins a step; choices beyond an agent's own do nothing."""
        a, g = np.asarray(actions), self._group
        shape = (self.count, *(self.action_space.shape or ()))
        if a.shape != shape:
            raise invalid(f"actions have the shape {shape}, one for each agent of each copy, got {a.shape}")
        a = a.reshape(self.env.num_envs, self.agents, -1)
        if g.own is not None and g.noop is not None:
            a = np.where(a < g.own, a, g.noop)
        self.env.send(a)

    def recv(self) -> Moved:
        """Waits for the step that `send` began."""
        step = self.env.recv()
        obs, rewards, team, terminations, truncations = step.obs, step.rewards, step.team, step.terminated, step.truncated
        assert obs is not None
        assert rewards is not None
        assert team is not None
        assert terminations is not None
        assert truncations is not None
        out = self._out
        ended = terminations | truncations
        over = np.repeat(ended.all(1), self.agents)
        flat = ended.reshape(-1)
        fresh = flat & ~out
        terminated = fresh & terminations.reshape(-1) | over & out
        self._out = flat & ~over if self._same_step else flat
        self._look(step)
        last = np.zeros((self.count, *(self.observation_space.shape or ())), self.observation_space.dtype)
        if self._same_step and fresh.any():
            before = obs
            if step.final is not None:
                before = obs.copy()
                before[step.final.rows] = step.final.obs
            last = self._observe(before, ~fresh)
        columns = {k: v.reshape(-1) for k, v in (("team_reward", team), *step.info.items())}
        seen = self._observe(obs, self._out if self._same_step else out & flat)
        return Moved(seen, rewards.reshape(-1), terminated, fresh & ~terminated, over, out & flat, last, columns)

    def _look(self, step: Step) -> None:
        if step.mask is None:
            return
        self.mask = step.mask.reshape(self.count, -1)

    def _observe(self, obs: Any, hidden: Bools) -> NDArray[Any]:
        """Observations of rows, 0 where hidden."""
        size = int(np.prod(self._group.obs))
        out: NDArray[Any] = obs.reshape(self.count, -1)[:, :size].reshape(self.count, *self._group.obs)
        if self._ids is not None:
            out = np.concatenate([out, np.tile(self._ids, (self.env.num_envs, 1))], axis=1)
        if hidden.any():
            out = np.where(hidden.reshape(-1, *[1] * (out.ndim - 1)), out.dtype.type(0), out)
        return out
