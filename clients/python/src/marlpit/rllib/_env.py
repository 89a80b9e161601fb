"""One copy of a world as RLlib's own runners step it."""

from __future__ import annotations

from typing import Any

import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from marlpit import _ray_node
from marlpit.parallel import parallel_env
from marlpit.rllib import _spaces


class MarlpitEnv(MultiAgentEnv):
    """A world as a ``MultiAgentEnv``: for algorithms, modules and connectors that need RLlib's own env runner.

    Observations are padded to one space for all agents; with masks they are ``{"observations": …, "action_mask": …}``. An
    agent that has ended gets no data any more; the episode ends for ``__all__`` once everybody has, as terminated where all
    were, else as truncated. Infos are those of `marlpit.ParallelEnv`.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        """Opens the session.

        Args:
            config: Arguments of `marlpit.parallel_env`, ``id`` among them, and ``masked``: whether observations hold masks.
                Without ``url`` the node's server is used.

        Raises:
            MarlpitError: The session was refused.
        """
        super().__init__()
        settings = _ray_node.addressed(dict(config))
        self._masked = bool(settings.pop("masked", False))
        self._env = parallel_env(**settings, mask="info")
        spec = self._env.spec
        self.possible_agents = list(spec["agents"])
        self.agents = list(self.possible_agents)
        self._one, action = _spaces.observation(spec, self._masked), _spaces.action(spec)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._one)
        self.action_spaces = dict.fromkeys(self.possible_agents, action)
        self._terminated: dict[str, bool] = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts an episode; see `marlpit.ParallelEnv.reset`."""
        observations, infos = self._env.reset(seed=seed)
        self.agents = list(self._env.agents)
        self._terminated = {}
        return self._padded(observations, infos), infos

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Lets all agents act; see `marlpit.ParallelEnv.step`."""
        observations, rewards, terminated, truncated, infos = self._env.step(action_dict)
        self.agents = list(self._env.agents)
        self._terminated.update({a: t for a, t in terminated.items() if t or truncated[a]})
        over = not self.agents
        ended: dict[str, Any] = {**terminated, "__all__": over and all(self._terminated.values())}
        cut: dict[str, Any] = {**truncated, "__all__": over and not ended["__all__"]}
        return self._padded(observations, infos), rewards, ended, cut, infos

    def _padded(self, observations: dict[str, Any], infos: dict[str, dict[str, Any]]) -> dict[str, Any]:
        box = self._one["observations"] if self._masked else self._one  # type: ignore[index]
        out: dict[str, Any] = {}
        for agent, observation in observations.items():
            if observation.shape != box.shape:
                observation = np.pad(observation.ravel(), (0, int(np.prod(box.shape or ())) - observation.size))
            out[agent] = observation
            if self._masked:
                mask = infos[agent]["action_mask"]
                flat = np.concatenate(mask) if isinstance(mask, tuple) else mask
                n = self._one["action_mask"].shape[0]  # type: ignore[index]
                out[agent] = {"observations": observation, "action_mask": np.pad(flat, (0, n - flat.size)).astype(np.float32)}
        return out

    def close(self) -> None:
        """Ends the session."""
        self._env.close()
