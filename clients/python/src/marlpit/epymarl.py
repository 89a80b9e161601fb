"""PyMARL's family: a world as the multi-agent environment of ``pymarlzooplus``, with masks and the global state.

``pymarlzooplus`` has COMA, QTRAN, QPLEX and others. Its own ``gymma`` takes only the games it knows, so `register` adds an
environment called ``marlpit``. EPyMARL's ``gymma`` takes any Gymnasium environment: there `marlpit.gymnasium` is enough, without
masks and with the observations side by side as the state. It needs an environment of its own, see docs/learners.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marlpit import _checks
from marlpit.errors import Invalid
from marlpit.vec import vec_env

__all__ = ["QTRAN", "MarlpitMultiAgentEnv", "register"]

QTRAN: dict[str, Any] = {
    "name": "qtran", "learner": "qtran_learner", "mixer": "qtran_base", "qtran_arch": "qtran_paper", "network_size": "small",
    "mixing_embed_dim": 64, "rnn_hidden_dim": 64, "opt_loss": 1.0, "nopt_min_loss": 0.1, "target_update_interval": 200,
}  # fmt: skip
"""What makes ``pymarlzooplus``'s configuration ``vdn`` QTRAN-base (Son et al. 2019), for which it has a learner but no file; the
weights of the two losses are PyMARL's."""


def register() -> None:
    """Makes ``marlpit`` an environment of ``pymarlzooplus``: ``env_args`` are what `MarlpitMultiAgentEnv` takes.

    Raises:
        ImportError: ``pymarlzooplus`` is not installed.
    """
    from pymarlzooplus.envs import REGISTRY

    REGISTRY["marlpit"] = MarlpitMultiAgentEnv


class MarlpitMultiAgentEnv:
    """One copy of a world, as PyMARL's runners step it: one reward for the team.

    The learner's reward is the mean over the agents: of the game's own shared reward, that reward. Each agent's observation and
    mask are padded to the longest; an agent that ended keeps its last observation, and may only do nothing. Stats of an episode
    are ``success`` and ``episode_team_return``, which the runners log as ``test_success_mean`` and
    ``test_episode_team_return_mean``: the game's own, whatever the learner was paid.

    Attributes:
        n_agents: Number of agents.
        episode_limit: Steps until an episode is truncated.
    """

    def __init__(
        self,
        key: str,
        time_limit: int | None = None,
        seed: int | None = None,
        render: bool = False,
        reward: str | Mapping[str, Any] = "team",
        url: str | None = None,
        token: str | None = None,
        **params: Any,
    ) -> None:
        """Opens a session.

        Args:
            key: Id of the world.
            time_limit: The world's ``max_cycles``; None: the world's default.
            seed: Of the session's random stream.
            render: Accepted, for there is no window.
            reward: Reward scheme: a preset's name or ``{"scheme": …, …options}``, see docs/rewards.md.
            url: Of a server; None starts one that ends with this process, which with a parallel runner is one for each copy.
            token: Of the server.
            **params: The world's parameters.

        Raises:
            NotFound: No such world.
            Invalid: A parameter or the reward scheme is unknown or out of range, episodes have no limit, or actions are no
                single choice.
            ConnectionLost: No server answers.
        """
        if time_limit is not None:
            params["max_cycles"] = time_limit
        self._env = env = vec_env(key, 1, reward=reward, seed=seed, autoreset="disabled", url=url, token=token, **params)
        self.n_agents: int = len(env.spec.agents)
        self.episode_limit: int = env.spec.max_cycles
        wrong = None
        if not self.episode_limit:
            wrong = "episodes need a limit: give time_limit"
        elif any(a["kind"] != "discrete" for a in env.spec.action_spaces):
            wrong = f"PyMARL's agents choose one of n, those of {key} don't"
        if wrong:
            env.close()
            raise Invalid(wrong, "invalid")

    def reset(self, seed: int | None = None) -> tuple[list[NDArray[np.float32]], NDArray[np.float32]]:
        """Starts an episode: observations and state."""
        self._step: Any = self._env.reset(seed)
        return self.get_obs(), self.get_state()

    def step(self, actions: Sequence[Any]) -> tuple[float, bool, dict[str, Any]]:
        """Lets all agents act.

        Args:
            actions: A choice for each agent.

        Returns:
            The reward, whether the episode has ended, and infos: at the end stats, and ``episode_limit``, whether the limit
            ended it.

        Raises:
            Invalid: An action is missing, no whole number or out of range; nothing has moved then.
        """
        self._step = s = self._env.step(np.array([[_checks.choice(a) for a in actions]]))
        ended, cut = s.terminated[0], s.truncated[0]  # type: ignore[index]
        over = bool((ended | cut).all())
        info: dict[str, Any] = {}
        if over:
            info = {k: float(s.info[k].max()) for k in ("success", "episode_team_return")}
            info["episode_limit"] = bool((cut & ~ended).any())
        return float(s.rewards.mean()), over, info  # type: ignore[union-attr]

    def get_obs(self) -> list[NDArray[np.float32]]:
        """Returns each agent's observation, float32 (obs,)."""
        return list(self._step.obs[0].reshape(self.n_agents, -1).astype(np.float32))

    def get_obs_agent(self, agent_id: int) -> NDArray[np.float32]:
        """Returns an agent's observation."""
        return self.get_obs()[agent_id]

    def get_obs_size(self) -> int:
        """Returns the length of an observation."""
        return self._env.obs_size

    def get_state(self) -> NDArray[np.float32]:
        """Returns the global state, float32 (state,)."""
        state: NDArray[np.float32] = self._step.state[0]
        return state

    def get_state_size(self) -> int:
        """Returns its length."""
        return self._env.state_size

    def get_avail_actions(self) -> list[list[int]]:
        """Returns for each agent and choice whether the next step accepts it, 0 or 1."""
        masks: list[list[int]] = self._step.mask[0].astype(int).tolist()
        return masks

    def get_avail_agent_actions(self, agent_id: int) -> list[int]:
        """Returns them for one agent."""
        return self.get_avail_actions()[agent_id]

    def get_total_actions(self) -> int:
        """Returns the number of choices, of the agent that has most."""
        return self._env.choices

    def get_env_info(self) -> dict[str, int]:
        """Returns the sizes the learners are built by."""
        return {
            "state_shape": self.get_state_size(), "obs_shape": self.get_obs_size(), "n_actions": self.get_total_actions(),
            "n_agents": self.n_agents, "episode_limit": self.episode_limit,
        }  # fmt: skip

    def get_stats(self) -> dict[str, Any]:
        """Returns nothing: stats come with the last step."""
        return {}

    def get_print_info(self) -> None:
        """Returns nothing to print."""

    def render(self) -> None:
        """Does nothing: there is no window."""

    def save_replay(self) -> None:
        """Does nothing: a server records, see docs/record.md."""

    def close(self) -> None:
        """Ends the session. Calling it again does nothing."""
        self._env.close()
