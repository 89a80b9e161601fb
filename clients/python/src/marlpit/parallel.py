"""A world as a PettingZoo ``ParallelEnv``."""

from __future__ import annotations

import copy
import struct
from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np
import pettingzoo
from numpy.typing import NDArray

from marlpit import _spaces
from marlpit._session import Session
from marlpit.errors import Invalid, NoAbility, NotReset
from marlpit.vec import ALL, picture

RENDER_MODES = ("human", "rgb_array", "ansi")
_MASKS = ("info", "obs")


class ParallelEnv(pettingzoo.ParallelEnv[str, Any, Any]):
    """One copy of a world, all agents acting at once; `parallel_env` makes one.

    An agent that has ended gets its last observation and reward once, and is gone from `agents` after that. Infos hold, for
    each agent that got an observation, ``action_mask`` (int8, of what the next step accepts, as the action space's `sample`
    takes it; only with ``mask="info"``), ``team_reward`` (the game's own, whatever the reward scheme) and the world's columns,
    as floats.

    In a forked child and when unpickled it has a session and a random stream of its own, to be reset first. A deep copy
    is made on the server, in mid-episode too, and plays on identically.

    Attributes:
        possible_agents: All agents, in the order of the spec.
        agents: Those that still act; empty before the first reset.
        metadata: Name and render modes.
        render_mode: As given.
        state_space: Of `state`.
        spec: The world's spec, as docs/wire.md has it.
    """

    def __init__(self, session: Session, mask: str, render_mode: str | None) -> None:
        """Wraps a session of one copy."""
        self._session = session
        self._mask = mask
        self.render_mode = render_mode
        self._adopt()

    def _adopt(self) -> None:
        self.spec: dict[str, Any] = self._session.spec
        spec = self.spec
        self.possible_agents = list(spec["agents"])
        self.agents: list[str] = []
        self._index = {a: i for i, a in enumerate(self.possible_agents)}
        self._begun = False
        self._state: memoryview | bytes = b""
        modes = list(RENDER_MODES) if "draw" in spec["abilities"] else []
        self.metadata = {"name": spec["id"], "render_modes": modes, "render_fps": 10, "is_parallelizable": True}
        observations, actions = spec["observation_spaces"], spec["action_spaces"]
        make = _spaces.masked if self._mask == "obs" else (lambda o, _: _spaces.make(o))
        self._observation_spaces: dict[str, _spaces.Space] = dict(
            zip(self.possible_agents, map(make, observations, actions), strict=True)
        )
        self._action_spaces: dict[str, _spaces.Space] = dict(zip(self.possible_agents, map(_spaces.make, actions), strict=True))
        self.state_space = _spaces.make(spec["state_space"])

        layout = {a["name"]: a for a in self._session.layout["arrays"]}
        n = len(self.possible_agents)
        self._obs_dtype = np.dtype(layout["obs"]["dtype"])
        self._obs_shape = tuple(layout["obs"]["shape"][1:])
        shapes = [tuple(o["shape"]) for o in observations]
        self._own_shapes = None if all(s == self._obs_shape[1:] for s in shapes) else shapes
        self._mask_shape = tuple(layout["mask"]["shape"][1:]) if "mask" in layout else None
        self._plain_masks = all(a["kind"] == "discrete" and a["n"] == actions[0]["n"] for a in actions)
        self._columns = list(spec["info"])
        self._floats = struct.Struct(f"<{n}f").unpack
        self._info_floats = struct.Struct(f"<{n * len(self._columns)}f").unpack
        _, _, self._dims = self._session.actions_shape
        self._own_dims = [int(np.prod(a["shape"])) if a["kind"] == "box" else len(a["n"]) for a in actions]
        self._plain = self._session.actions_dtype.kind == "i" and self._dims == 1
        self._pack = struct.Struct(f"<{n}i").pack

    def observation_space(self, agent: str) -> _spaces.Space:
        """Returns the agent's observation space, the same object each time.

        Args:
            agent: Its name.

        Returns:
            A ``Box``, or with ``mask="obs"`` a ``Dict`` of ``observation`` and ``action_mask``.
        """
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> _spaces.Space:
        """Returns the agent's action space, the same object each time.

        Args:
            agent: Its name.

        Returns:
            A ``Discrete``, ``MultiDiscrete`` or ``Box``.
        """
        return self._action_spaces[agent]

    @property
    def reward(self) -> dict[str, Any]:
        """The reward scheme with all its options."""
        return self._session.reward

    @property
    def seed(self) -> int:
        """The session's seed: the one that was asked for, or the one the server drew."""
        return self._session.seed

    @property
    def view(self) -> str:
        """Id for watching the session in a browser; it can change nothing."""
        return self._session.view

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts a new episode.

        Args:
            seed: Starts the random stream anew; None goes on with it.
            options: Ignored.

        Returns:
            Observations and infos of all agents.

        Raises:
            Invalid: The seed is no integer from 0 to 2⁶⁴ − 1.
        """
        arrays = self._session.reset(seed)
        self._begun = True
        self._state = arrays.state
        self.agents = self.possible_agents[:]
        infos = self._infos(arrays)
        return self._observations(arrays, infos), infos

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Lets all agents act at once.

        Args:
            actions: Agent to its action, for every agent in `agents`; those of agents that have ended are ignored. An
                action that its mask forbids does nothing.

        Returns:
            Observations, rewards, terminations, truncations and infos of the agents that acted. All empty when none is left.

        Raises:
            Invalid: An action is missing or out of range; nothing has moved then.
            NotReset: There was no reset yet.
        """
        agents = self.agents
        if not agents:
            if not self._begun:
                raise NotReset("step before the first reset", "not_reset")
            return {}, {}, {}, {}, {}
        arrays = self._session.step(self._bytes(actions))
        self._state = arrays.state
        infos = self._infos(arrays)
        observations = self._observations(arrays, infos)
        every = self._floats(arrays.rewards)
        ended, cut = arrays.terminated, arrays.truncated
        rewards, terminations, truncations, left = {}, {}, {}, []
        where = self._index
        for a in agents:
            i = where[a]
            rewards[a] = every[i]
            terminations[a] = t = ended[i] == 1
            truncations[a] = c = cut[i] == 1
            if not (t or c):
                left.append(a)
        self.agents = left
        return observations, rewards, terminations, truncations, infos

    def _infos(self, arrays: Any) -> dict[str, dict[str, Any]]:
        team = self._floats(arrays.team)
        values = self._info_floats(arrays.info)
        columns = self._columns
        k = len(columns)
        masks = None
        if self._mask_shape is not None:
            masks = list(np.frombuffer(arrays.mask, np.int8).reshape(self._mask_shape).copy())
        infos: dict[str, dict[str, Any]] = {}
        for a in self.agents:
            i = self._index[a]
            infos[a] = one = dict(zip(columns, values[i * k : i * k + k]))  # noqa: B905
            one["team_reward"] = team[i]
            if masks is not None:
                one["action_mask"] = masks[i] if self._plain_masks else _spaces.split(masks[i], self.spec["action_spaces"][i])
        return infos

    def _observations(self, arrays: Any, infos: dict[str, dict[str, Any]]) -> dict[str, Any]:
        obs = np.frombuffer(arrays.obs, self._obs_dtype).reshape(self._obs_shape).copy()
        where = self._index
        if self._own_shapes is None:
            out: dict[str, Any] = {a: obs[where[a]] for a in self.agents}
        else:
            out = {}
            for a in self.agents:
                shape = self._own_shapes[where[a]]
                out[a] = obs[where[a]].reshape(-1)[: int(np.prod(shape))].reshape(shape)
        if self._mask == "obs" and self._mask_shape is not None:
            out = {a: {"observation": o, "action_mask": infos[a].pop("action_mask")} for a, o in out.items()}
        return out

    def _bytes(self, actions: Mapping[str, Any]) -> bytes:
        """Packs actions as the layout says; agents that have ended get zeros."""
        if self._plain and len(self.agents) == len(self.possible_agents):
            try:
                return self._pack(*[index(actions[a]) for a in self.possible_agents])
            except (KeyError, TypeError, struct.error):
                pass  # told below
        out = np.zeros((len(self.possible_agents), self._dims), self._session.actions_dtype)
        for a in self.agents:
            if a not in actions:
                raise _refused(a, "an action is missing")
            i = self._index[a]
            value = np.asarray(actions[a])
            if value.size != self._own_dims[i] or value.dtype.kind not in ("iu" if out.dtype.kind == "i" else "iuf"):
                raise _refused(a, f"an action is one of {self._action_spaces[a]}, got {actions[a]!r}")
            if out.dtype.kind == "i" and not (-(2**31) <= value.min() and value.max() < 2**31):
                raise _refused(a, f"an action is one of {self._action_spaces[a]}, got {actions[a]!r}")
            out[i, : value.size] = value.reshape(-1)
        return out.tobytes()

    def state(self) -> NDArray[np.float32]:
        """Returns the global state, for central training; not for agents that act.

        Returns:
            float32, of `state_space`'s shape; a copy.

        Raises:
            NotReset: There was no reset yet.
        """
        if not self._begun:
            raise NotReset("state before the first reset", "not_reset")
        return np.frombuffer(self._state, "<f4").reshape(self.state_space.shape or ()).astype(np.float32)

    def render(self) -> NDArray[np.uint8] | str | None:
        """Draws the world as `render_mode` says.

        Returns:
            uint8 (height, width, 3) for ``rgb_array``, text for ``ansi``; None for ``human``, which prints the text, and
            without a mode.

        Raises:
            NotReset: There was no reset yet.
        """
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return picture(self._session, 0)
        text = bytes(self._session.get("render", row=0, format="text").body).decode()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def words(self, agent: str, view: str = "guided") -> str:
        """Returns what a critic would read of the last transition, in this agent's words.

        Args:
            agent: Its name.
            view: ``"guided"`` or ``"plain"``.

        Returns:
            The text.

        Raises:
            MarlpitError: The session was made without ``text=True``, or the world has no words.
        """
        return self._session.words(agent, view)

    def close(self) -> None:
        """Ends the session. Calling it again does nothing."""
        self._session.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> ParallelEnv:
        """Copies it on the server, in mid-episode too: the copy plays on identically."""
        twin: ParallelEnv = object.__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update({k: copy.deepcopy(v, memo) for k, v in self.__dict__.items() if k not in _SHARED})
        twin.__dict__.update({k: self.__dict__[k] for k in _SHARED if k in self.__dict__})
        twin._session = self._session.fork()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Pickles what is needed to open a session of its own."""
        return {"session": self._session, "mask": self._mask, "render_mode": self.render_mode}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Opens a session of its own, with a random stream of its own."""
        self._session, self._mask, self.render_mode = state["session"], state["mask"], state["render_mode"]
        self._adopt()


_SHARED = ("_session", "_floats", "_info_floats", "_pack", "_state", "spec")  # never changed in place


def _refused(agent: str, why: str) -> Invalid:
    return Invalid(f"{agent}: {why}", "invalid", f"/actions/{agent}")


def parallel_env(
    id: str,
    *,
    reward: str | Mapping[str, Any] = "team",
    url: str | None = None,
    render_mode: str | None = None,
    mask: str = "info",
    seed: int | None = None,
    token: str | None = None,
    text: bool = False,
    record: str | None = None,
    timeout: float = 60.0,
    **params: Any,
) -> ParallelEnv:
    """Makes one copy of a world, all agents acting at once.

    ```python
    env = marlpit.parallel_env("two-switch-v1", reward="credit", url=server.url)
    observations, infos = env.reset(seed=0)
    while env.agents:
        actions = {a: env.action_space(a).sample(infos[a]["action_mask"]) for a in env.agents}
        observations, rewards, terminations, truncations, infos = env.step(actions)
    ```

    Args:
        id: Of the world; `list_envs` gives those there are.
        reward: Reward scheme: a preset's name or ``{"scheme": …, …options}``, see docs/rewards.md.
        url: Of a server, ``http://host:port`` or ``unix:/path``; None starts one that ends with this process.
        render_mode: ``"human"``, ``"rgb_array"``, ``"ansi"`` or None.
        mask: Where the action mask is: ``"info"`` or ``"obs"``.
        seed: Of the session's random stream; None: drawn by the server.
        token: Of the server.
        text: Keep what `ParallelEnv.words` needs.
        record: Name of a recording, where the server records.
        timeout: Seconds to wait for a reply.
        **params: The world's parameters.

    Returns:
        The environment, not yet reset.

    Raises:
        NotFound: No such world.
        Invalid: A parameter, the reward scheme or an option is unknown or out of range.
        ConnectionLost: No server answers.
    """
    if mask not in _MASKS:
        raise Invalid(f"mask is one of {', '.join(_MASKS)}, got {mask!r}", "invalid")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise Invalid(f"render_mode is one of {', '.join(RENDER_MODES)} or None, got {render_mode!r}", "invalid")
    request: dict[str, Any] = {"env": id, "params": params, "reward": reward, "arrays": list(ALL)}
    for key, value in (("seed", None if seed is None else index(seed)), ("text", text or None), ("record", record)):
        if value is not None:
            request[key] = value
    session = Session(request, url, token, timeout)
    if render_mode is not None and "draw" not in session.spec["abilities"]:
        session.close()
        raise NoAbility(f"{id} can't be drawn, render_mode has to be None", "no_ability")
    return ParallelEnv(session, mask, render_mode)
