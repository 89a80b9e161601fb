"""Steps of many rows, recorded as arrays and cut into RLlib's episodes at the end."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

Structure = Any  # an array that begins with (envs, agents), or a dict of such


class Moved(NamedTuple):
    """One step of all rows.

    Attributes:
        before: Observations that were acted on.
        after: Observations that came of it; where a row ended, its last ones.
        actions: (envs, agents) or (envs, agents, dims).
        rewards: float32 (envs, agents).
        alive: bool (envs, agents), who acted.
        terminated: bool (envs, agents).
        truncated: bool (envs, agents).
        over: bool (envs,), which episodes ended.
        extra: What modules said beside the actions.
    """

    before: Structure
    after: Structure
    actions: NDArray[Any]
    rewards: NDArray[np.float32]
    alive: NDArray[np.bool_]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    over: NDArray[np.bool_]
    extra: dict[str, NDArray[Any]]


class Rows:
    """Where each row is in its episode, and what was recorded of it since the last time episodes were taken.

    Attributes:
        alive: bool (envs, agents), who acts next.
        modules: object (envs, agents), the id of each one's module.
        t: int (envs,), steps of the present episode.
    """

    def __init__(
        self, num_envs: int, agents: list[str], spaces: tuple[gym.Space[Any], gym.Space[Any]], mapping: Callable[..., Any]
    ) -> None:
        """Begins an episode in each row.

        Args:
            num_envs: Rows.
            agents: Their agents.
            spaces: Of any agent's observations and actions.
            mapping: From an agent and an episode to the agent's module, as RLlib's ``policy_mapping_fn``.
        """
        self._agents, self._spaces, self._mapping = agents, spaces, mapping
        self.alive = np.ones((num_envs, len(agents)), np.bool_)
        self.modules = np.empty((num_envs, len(agents)), object)
        self.t = np.zeros(num_envs, np.int64)
        self._ids = [""] * num_envs
        self._from = np.zeros(num_envs, np.int64)  # t at which the chunk that is recorded begins
        self._moved: list[Moved] = []
        for row in range(num_envs):
            self.begin(row)

    def begin(self, row: int) -> None:
        """Begins an episode in a row."""
        self._ids[row] = uuid.uuid4().hex
        self.alive[row] = True
        self.t[row] = 0
        episode = MultiAgentEpisode(self._ids[row])  # for mappings that draw by the episode
        self.modules[row] = [self._mapping(a, episode) for a in self._agents]

    def add(self, moved: Moved, take: NDArray[np.bool_]) -> list[MultiAgentEpisode]:
        """Records a step, and begins the next episodes of rows that are over.

        Args:
            moved: The step.
            take: bool (envs,), rows of which the episode is wanted where it ends.

        Returns:
            The episodes that ended, or the last chunks of them.
        """
        self._moved.append(moved)
        self.t += 1
        self.alive = moved.alive & ~(moved.terminated | moved.truncated)
        ended = []
        for row in np.flatnonzero(moved.over).tolist():
            if take[row]:
                ended.append(self._chunk(row, True))
            self.begin(row)
            self._from[row] = 0
        return ended

    def cut(self, keep: bool = True) -> list[MultiAgentEpisode]:
        """Takes what was recorded of episodes that go on, and forgets it.

        Args:
            keep: Whether it is wanted.
        """
        chunks = [self._chunk(row, False) for row in range(len(self._ids)) if keep and self.t[row] > self._from[row]]
        self._moved.clear()
        self._from = self.t.copy()
        return chunks

    def _chunk(self, row: int, over: bool) -> MultiAgentEpisode:
        begin, end = int(self._from[row]), int(self.t[row])
        moved = self._moved[len(self._moved) - (end - begin) :]
        last = moved[-1]
        out = MultiAgentEpisode(
            self._ids[row], env_t_started=begin, len_lookback_buffer=0, agent_to_module_mapping_fn=self._mapping,
            observation_space=dict.fromkeys(self._agents, self._spaces[0]),
            action_space=dict.fromkeys(self._agents, self._spaces[1]),
        )  # fmt: skip
        out.env_t = end
        for i, agent in enumerate(self._agents):
            n = sum(bool(m.alive[row, i]) for m in moved)  # those who acted did so from the beginning
            if not n:
                continue
            at = moved[n - 1]
            ended, cut = bool(at.terminated[row, i]), bool(at.truncated[row, i])
            module = self.modules[row, i]
            out._agent_to_module_mapping[agent] = module
            out.agent_t_started[agent] = begin
            out.env_t_to_agent_t[agent] = InfiniteLookbackBuffer([*range(n + 1), *[out.SKIP_ENV_TS_TAG] * (len(moved) - n)])
            out.agent_episodes[agent] = self._side(moved[:n], (row, i), agent, module, begin, ended, cut and not ended, out.id_)
        out.is_terminated = over and bool((last.terminated[row] | ~last.alive[row]).all())
        out.is_truncated = over and not out.is_terminated
        return out

    def _side(
        self, moved: list[Moved], at: tuple[int, int], agent: str, module: str, begin: int, ended: bool, cut: bool, whole: str
    ) -> SingleAgentEpisode:
        """Makes one agent's side of a chunk."""
        after = moved[-1].after
        observations: Structure
        if isinstance(after, dict):
            observations = {k: np.stack([*(m.before[k][at] for m in moved), v[at]]) for k, v in after.items()}
        else:
            observations = np.stack([*(m.before[at] for m in moved), after[at]])
        return SingleAgentEpisode(
            observations=InfiniteLookbackBuffer(observations, 0, self._spaces[0]),
            actions=InfiniteLookbackBuffer(np.stack([m.actions[at] for m in moved]), 0, self._spaces[1]),
            rewards=InfiniteLookbackBuffer(np.stack([m.rewards[at] for m in moved]), 0),
            infos=[{}] * (len(moved) + 1),
            extra_model_outputs={
                k: InfiniteLookbackBuffer(np.stack([m.extra[k][at] for m in moved]), 0) for k in moved[0].extra
            },
            observation_space=self._spaces[0], action_space=self._spaces[1], terminated=ended, truncated=cut, t_started=begin,
            len_lookback_buffer=0, agent_id=agent, module_id=module, multi_agent_episode_id=whole,
        )  # fmt: skip
