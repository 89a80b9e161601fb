"""Gymnasium: a batched view for code of one policy, and teams as one environment.

Importing `marlpit` makes the shipped worlds known as ``marlpit/<id>``: `gymnasium.make` gives a `MarlpitTeamEnv`, and
`gymnasium.make_vec` a `MarlpitVectorEnv`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from marlpit import _checks, _spaces
from marlpit._frames import Spec, Step, invalid
from marlpit._rows import Rows
from marlpit.errors import Invalid
from marlpit.vec import vec_env

__all__ = ["MarlpitTeamEnv", "MarlpitVectorEnv"]

METADATA: dict[str, Any] = {"render_modes": list(_checks.RENDER_MODES), "render_fps": 4}
AUTORESETS = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP}


class MarlpitVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Copies of a world as a Gymnasium ``VectorEnv``: each agent of each copy is a row, and all share one policy.

    Row ``copy · agents + i`` is agent i, in the order of the spec. Infos hold arrays of all rows: ``action_mask`` (int8 (rows,
    choices), of what the next step accepts; not for box actions), ``team_reward`` (the game's own reward of the step, whatever
    the learner is paid), the world's columns, among them ``success`` and ``episode_team_return``, ``over`` (bool, the row's copy
    ended in this step: now the columns say how the episode went) and ``padded`` (bool, see below); with autoreset
    ``"same_step"`` also ``final_obs``, and ``_final_obs`` for which rows.

    An agent that ends before its copy has its row end there, and padded until the copy ends: an observation of zeros, reward 0,
    a mask that allows only what does nothing, ``padded`` True; then the row ends once more.

    Attributes:
        num_envs: Rows.
        metadata: Render modes, and ``autoreset_mode`` as Gymnasium wants it.
        single_observation_space: Of a row: the agents' own, padded with zeros to the largest, and with the agent's one-hot at
            the end if wanted.
        single_action_space: Of a row, with the most choices an agent has; those it doesn't have do nothing.
    """

    def __init__(
        self,
        id: str,
        num_envs: int = 1,
        *,
        reward: str | Mapping[str, Any] = "team",
        seed: int | None = None,
        autoreset: str = "next_step",
        agent_id: bool | None = None,
        render_mode: str | None = None,
        url: str | None = None,
        token: str | None = None,
        timeout: float = 60.0,
        **params: Any,
    ) -> None:
        """Opens a session.

        ```python
        envs = MarlpitVectorEnv("two-switch-v1", 16, seed=0)
        observations, infos = envs.reset()
        actions = envs.action_space.sample()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        ```

        Args:
            id: Of the world; `marlpit.list_envs` gives those there are.
            num_envs: Copies.
            reward: Reward scheme: a preset's name or ``{"scheme": …, …options}``, see docs/rewards.md.
            seed: Of the session; each copy gets a stream of its own. None: drawn by the server.
            autoreset: ``"next_step"`` or ``"same_step"``. Gymnasium's disabled mode resets rows one by one; agents can't be.
            agent_id: Whether an observation ends with the agent's one-hot; None: where roles or spaces differ.
            render_mode: ``"rgb_array"`` or None.
            url: Of a server, ``http://host:port`` or ``unix:/path``; None starts one that ends with this process.
            token: Of the server.
            timeout: Seconds to wait for a reply.
            **params: The world's parameters.

        Raises:
            NotFound: No such world.
            Invalid: A parameter, the reward scheme or an option is unknown or out of range, or the agents' spaces can't be padded
                to one: actions of different kinds, box actions of different shapes, a one-hot for pictures.
            ConnectionLost: No server answers.
        """
        if autoreset not in AUTORESETS:
            raise Invalid(f"autoreset is next_step or same_step: agents are not reset alone; got {autoreset!r}", "invalid")
        _checks.render_mode(render_mode)
        self._same_step = autoreset == "same_step"
        self._rows = r = Rows(
            id, num_envs, agent_id, self._same_step, reward=reward, seed=seed, url=url, token=token, timeout=timeout, **params
        )  # fmt: skip
        self.metadata = {**METADATA, "autoreset_mode": AUTORESETS[autoreset]}
        self.render_mode = render_mode
        self.num_envs = r.count
        self.single_observation_space, self.single_action_space = r.observation_space, r.action_space
        self.observation_space = batch_space(r.observation_space, r.count)
        self.action_space = batch_space(r.action_space, r.count)

    @property
    def world(self) -> Spec:
        """The world's spec, as docs/wire.md has it; its fields are attributes."""
        return self._rows.env.spec

    @property
    def reward(self) -> dict[str, Any]:
        """The reward scheme with all its options."""
        return self._rows.env.reward

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts new episodes in all copies.

        Args:
            seed: Starts every copy's stream anew; None goes on with it.
            options: ``reset_mask`` is refused, the rest ignored.

        Returns:
            Observations (rows, obs…), and infos with ``action_mask``.

        Raises:
            Invalid: The seed is out of range, or single rows were to be reset.
        """
        if options and "reset_mask" in options:
            raise Invalid("rows are agents, they can't be reset alone", "invalid")
        if seed is not None:
            seed = _checks.seed(seed)
        super().reset(seed=seed)
        obs = self._rows.reset(seed)
        return obs, self._masked({})

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Steps all copies.

        Args:
            actions: (rows,), or (rows, dims).

        Returns:
            Observations (rows, obs…), rewards float32 (rows,), terminations and truncations bool (rows,), and infos.

        Raises:
            Invalid: A shape or a value is wrong, or out of range; nothing has moved then.
        """
        self._rows.send(actions)
        m = self._rows.recv()
        infos: dict[str, Any] = {**m.columns, "over": m.over, "padded": m.padded}
        done = m.terminated | m.truncated
        if self._same_step and done.any():
            infos["final_obs"], infos["_final_obs"] = m.last, done
        return m.obs, m.reward, m.terminated, m.truncated, self._masked(infos)

    def _masked(self, infos: dict[str, Any]) -> dict[str, Any]:
        if self._rows.mask is not None:
            infos["action_mask"] = self._rows.mask.astype(np.int8)
        return infos

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Draws each copy: uint8 (height, width, 3); None without a render mode.

        Raises:
            NoAbility: The world can't be drawn.
        """
        env = self._rows.env
        return tuple(env.render(i) for i in range(env.num_envs)) if self.render_mode else None

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the session, when `close` is called."""
        self._rows.env.close()


class MarlpitTeamEnv(gymnasium.Env[tuple[Any, ...], tuple[Any, ...]]):
    """One copy of a world as a Gymnasium ``Env``: all agents at once, in the form of EPyMARL's ``gymma``.

    Observations and actions are tuples, one entry an agent in the order of the spec. The reward is a list of floats, one an
    agent, or with ``common_reward=True`` their mean: an environment for one policy that moves the whole team. The episode is
    terminated once all agents are, and truncated where the limit ended any. An agent that ended keeps its last observation, and
    gets 0. Infos are numbers: ``team_reward`` (the game's own reward of the step, whatever the learner is paid: of a shared
    reward one agent's, of individual ones the sum) and the world's columns, among them ``success`` and
    ``episode_team_return``, of each the largest over the agents.

    Attributes:
        n_agents: Number of agents.
        observation_space: A ``Tuple`` of the agents' own.
        action_space: Likewise.
        render_mode: As given.
    """

    metadata = METADATA

    def __init__(
        self,
        id: str,
        *,
        reward: str | Mapping[str, Any] = "team",
        seed: int | None = None,
        common_reward: bool = False,
        render_mode: str | None = None,
        url: str | None = None,
        token: str | None = None,
        timeout: float = 60.0,
        **params: Any,
    ) -> None:
        """Opens a session.

        ```python
        env = gymnasium.make("marlpit:marlpit/two-switch-v1", reward="credit")
        ```

        Args:
            id: Of the world; `marlpit.list_envs` gives those there are.
            reward: Reward scheme: a preset's name or ``{"scheme": …, …options}``, see docs/rewards.md.
            seed: Of the session's random stream; None: drawn by the server.
            common_reward: Whether the reward is one number.
            render_mode: ``"rgb_array"`` or None.
            url: Of a server, ``http://host:port`` or ``unix:/path``; None starts one that ends with this process.
            token: Of the server.
            timeout: Seconds to wait for a reply.
            **params: The world's parameters.

        Raises:
            NotFound: No such world.
            Invalid: A parameter, the reward scheme or an option is unknown or out of range.
            ConnectionLost: No server answers.
        """
        _checks.render_mode(render_mode)
        self._env = vec_env(
            id, 1, reward=reward, seed=seed, autoreset="disabled", url=url, token=token, timeout=timeout, **params
        )  # fmt: skip
        spec = self._env._session.spec
        self.n_agents = len(spec["agents"])
        self.observation_space = spaces.Tuple([_spaces.make(s) for s in spec["observation_spaces"]])
        self.action_space = spaces.Tuple([_spaces.make(a) for a in spec["action_spaces"]])
        self.render_mode = render_mode
        self._common = common_reward
        self._sizes = [int(np.prod(s.shape or ())) for s in self.action_space]
        self._shapes = [s.shape or () for s in self.observation_space]

    @property
    def world(self) -> Spec:
        """The world's spec, as docs/wire.md has it; its fields are attributes."""
        return self._env.spec

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[tuple[Any, ...], dict[str, float]]:
        """Starts a new episode.

        Args:
            seed: Starts the random stream anew; None goes on with it.
            options: Ignored.

        Returns:
            Observations of all agents, and infos.

        Raises:
            Invalid: The seed is out of range.
        """
        if seed is not None:
            seed = _checks.seed(seed)
        super().reset(seed=seed)
        self._alive = np.ones(self.n_agents, np.bool_)
        return self._see(self._env.reset(seed)), self._told()

    def step(self, action: Sequence[Any]) -> tuple[tuple[Any, ...], Any, bool, bool, dict[str, float]]:
        """Lets all agents act at once; what those that have ended do is ignored.

        Args:
            action: One for each agent. One that its mask forbids does nothing.

        Returns:
            Observations, rewards (a list, or their mean), whether the episode is terminated, whether it is truncated, and infos.

        Raises:
            Invalid: An action is missing or out of range; nothing has moved then.
        """
        parts = [np.asarray(a).reshape(-1) for a in action]
        if [p.size for p in parts] != self._sizes:
            raise invalid(f"actions are {self.n_agents}, of {self._sizes} numbers, got {[p.size for p in parts]}")
        actions = np.zeros((1, self.n_agents, max(self._sizes)), np.result_type(*parts))
        for i, p in enumerate(parts):
            actions[0, i, : p.size] = p
        seen = self._see(self._env.step(actions))
        rewards = self._step.rewards[0].astype(float)
        ended, cut = self._step.terminated[0], self._step.truncated[0]
        info = self._told()
        self._alive = ~(ended | cut)
        over = not self._alive.any()
        limit = over and bool((cut & ~ended).any())
        return seen, float(rewards.mean()) if self._common else rewards.tolist(), over and not limit, limit, info

    def _see(self, step: Step) -> tuple[Any, ...]:
        self._step: Any = step
        obs: Any = step.obs
        flat = obs[0].reshape(self.n_agents, -1)
        return tuple(one[: int(np.prod(shape))].reshape(shape) for one, shape in zip(flat, self._shapes, strict=True))

    def _told(self) -> dict[str, float]:
        team = self._step.team[0][self._alive]
        paid = 0.0 if not team.size else float(team[0] if self.world.team else team.sum())
        return {"team_reward": paid, **{k: float(v.max()) for k, v in self._step.info.items()}}

    def action_masks(self) -> tuple[Any, ...]:
        """Returns what the next step accepts, as ``action_space.sample(mask=…)`` takes it; None for box actions."""
        acts = self.world.action_spaces
        if self._step.mask is None:
            return (None,) * self.n_agents
        return tuple(_spaces.split(m, a) for m, a in zip(self._step.mask[0].astype(np.int8), acts, strict=True))

    def state(self) -> NDArray[np.float32]:
        """Returns the global state, for central training: float32 (state,)."""
        state: NDArray[np.float32] = self._step.state[0]
        return state

    def render(self) -> Any:
        """Draws the world: uint8 (height, width, 3); None without a render mode.

        Raises:
            NoAbility: The world can't be drawn.
        """
        return self._env.render() if self.render_mode else None

    def close(self) -> None:
        """Ends the session. Calling it again does nothing."""
        self._env.close()
