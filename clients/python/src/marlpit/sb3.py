"""Stable-Baselines3: `MarlpitVecEnv`, every agent a row. An extra: ``pip install "marlpit[train]"``."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn

from marlpit import _checks
from marlpit._frames import Spec
from marlpit._rows import Rows

__all__ = ["MarlpitVecEnv"]


class MarlpitVecEnv(VecEnv):
    """Copies of a world as a Stable-Baselines3 ``VecEnv``: each agent of each copy is a row, and all share one policy.

    Row ``copy · agents + i`` is agent i, in the order of the spec. Rows end and begin again within a step, with
    ``terminal_observation`` and ``TimeLimit.truncated`` in their infos as SB3 wants them. Infos hold ``team_reward`` (the
    game's own reward of the step, whatever the learner is paid) and the world's columns, as floats. When a copy ends, each of
    its rows has ``is_success`` and ``episode``, as ``Monitor`` would give it: ``r`` is the copy's *team return*, ``l`` its
    length, ``t`` the seconds since the start, and ``learner`` the row's own return, as the learner was paid. So SB3 logs team
    returns (``rollout/ep_rew_mean``) and success (``rollout/success_rate``), and `evaluate_policy` reports team returns; it
    counts rows, of which a copy has as many as agents.

    An agent that ends before its copy has its row done there, and padded until the copy ends: an observation of zeros, reward
    0, a mask that allows only what does nothing, ``padded`` in its info; then the row is done once more, with an empty
    episode. A policy with masks learns nothing from such steps, for there is nothing to choose.

    `sb3_contrib.MaskablePPO` finds the masks by itself (``env_method("action_masks")``). Without masks, an action that is
    forbidden, or beyond an agent's own choices, does nothing.

    Attributes:
        num_envs: Rows.
        observation_space: Of a row: the agents' own, padded with zeros to the largest, and with the agent's one-hot at the end if
            wanted.
        action_space: Of a row, with the most choices an agent has.
    """

    def __init__(
        self,
        id: str,
        num_envs: int = 8,
        *,
        reward: str | Mapping[str, Any] = "team",
        seed: int | None = None,
        agent_id: bool | None = None,
        render_mode: str | None = None,
        url: str | None = None,
        token: str | None = None,
        timeout: float = 60.0,
        **params: Any,
    ) -> None:
        """Opens a session.

        ```python
        env = MarlpitVecEnv("two-switch-v1", 16, reward="credit", seed=0)
        MaskablePPO("MlpPolicy", env).learn(100_000)
        ```

        Args:
            id: Of the world; `marlpit.list_envs` gives those there are.
            num_envs: Copies.
            reward: Reward scheme: a preset's name or ``{"scheme": …, …options}``, see docs/rewards.md.
            seed: Of the session; each copy gets a stream of its own. A learner's ``seed`` starts them anew. None: drawn.
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
        _checks.render_mode(render_mode)
        self._rows = r = Rows(
            id, num_envs, agent_id, True, reward=reward, seed=seed, url=url, token=token, timeout=timeout, **params
        )  # fmt: skip
        self._mode = render_mode
        super().__init__(r.count, r.observation_space, r.action_space)
        self._began = time.monotonic()

    @property
    def world(self) -> Spec:
        """The world's spec, as docs/wire.md has it; its fields are attributes."""
        return self._rows.env.spec

    @property
    def reward(self) -> dict[str, Any]:
        """The reward scheme with all its options."""
        return self._rows.env.reward

    @property
    def agents(self) -> list[str]:
        """Names of a copy's agents; row i is ``agents[i % len(agents)]``."""
        return list(self.world.agents)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns what the next step accepts: bool (rows, choices), those of all dimensions side by side.

        Raises:
            AttributeError: Actions are boxes.
        """
        if self._rows.mask is None:
            raise AttributeError("no action_masks: there was no reset yet, or actions are boxes")
        return self._rows.mask

    def reset(self) -> NDArray[Any]:
        """Starts new episodes in all copies, with the seed given to `seed` since the last reset, if any.

        Returns:
            Observations (rows, obs…).
        """
        obs = self._rows.reset(self._seeds[0])
        self._reset_seeds()
        return obs

    def step_async(self, actions: NDArray[Any]) -> None:
        """Begins a step; learner and world can overlap until `step_wait`.

        Args:
            actions: (rows,), or (rows, dims).

        Raises:
            Invalid: A shape or a value is wrong, or out of range; nothing has moved then.
        """
        self._rows.send(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Waits for the step.

        Returns:
            Observations (rows, obs…), rewards float32 (rows,), dones bool (rows,), and an info for each row.
        """
        m = self._rows.recv()
        names = list(m.columns)
        infos: list[dict[str, Any]] = [
            dict(zip(names, row, strict=True)) for row in np.stack(list(m.columns.values()), 1).tolist()
        ]
        done = m.terminated | m.truncated
        for i, cut in enumerate(m.truncated.tolist()):
            infos[i]["TimeLimit.truncated"] = cut
        for i in np.flatnonzero(m.padded).tolist():
            infos[i]["padded"] = True
        for i in np.flatnonzero(done).tolist():
            infos[i]["terminal_observation"] = m.last[i]
        now = time.monotonic() - self._began
        length = m.columns["episode_length"].reshape(-1, self._rows.agents).max(1)
        success = m.columns["success"].reshape(-1, self._rows.agents).max(1)
        for i in np.flatnonzero(m.over).tolist():
            copy, one = i // self._rows.agents, infos[i]
            one["is_success"] = bool(success[copy])
            one["episode"] = {
                "r": one["episode_team_return"], "l": int(length[copy]), "t": now, "learner": one["episode_return"],
            }  # fmt: skip
        return m.obs, m.reward, done, infos

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Draws each copy: uint8 (height, width, 3).

        Raises:
            NoAbility: The world can't be drawn.
        """
        if self.render_mode != "rgb_array":
            return [None] * self._rows.env.num_envs
        return [self._rows.env.render(i) for i in range(self._rows.env.num_envs)]

    def close(self) -> None:
        """Ends the session. Calling it again does nothing."""
        self._rows.env.close()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Returns an attribute of this environment, once for each row.

        Raises:
            AttributeError: There is none of that name.
        """
        if attr_name == "action_masks" and not self._rows.env.choices:
            raise AttributeError("no action_masks: actions are boxes")
        value = self._mode if attr_name == "render_mode" else getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refuses: rows have nothing of their own.

        Raises:
            AttributeError: Always.
        """
        raise AttributeError(f"{attr_name} can't be set: rows are agents of one session; give it when the environment is made")

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """Calls ``action_masks``: each row's mask.

        Raises:
            AttributeError: Another method was asked for.
        """
        if method_name != "action_masks":
            raise AttributeError(f"rows have the method action_masks only, not {method_name}")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Says True for ``Monitor``: infos have ``episode``, as it would give it; False for anything else."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]
