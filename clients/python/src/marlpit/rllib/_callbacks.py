"""What RLlib's results say of the team beside the learner's own return."""

from __future__ import annotations

from typing import Any

from ray.rllib.callbacks.callbacks import RLlibCallback


class TeamMetrics(RLlibCallback):
    """Logs the team's return and success where RLlib's own runner plays, and episodes that ended with a runner.

    `MarlpitEnvRunner` logs the first two itself. ``team_return`` and ``success`` stand with the other results of env runners,
    ``episodes_lost_with_runners`` beside them at the top: each runner that had to be restarted takes one for each of its copies.
    """

    def on_episode_end(self, *, episode: Any, metrics_logger: Any, prev_episode_chunks: Any = (), **kwargs: Any) -> None:
        """Reads both from the last infos of each agent."""
        last: dict[str, dict[str, Any]] = {}
        for chunk in (*prev_episode_chunks, episode):
            for side in chunk.agent_episodes.values():
                if len(side.infos) and "episode_team_return" in (info := side.infos[-1]):
                    last[side.agent_id] = info
        if not last:
            return
        returns = [float(i["episode_team_return"]) for i in last.values()]
        metrics_logger.log_value("team_return", sum(returns) / len(returns), window=100)
        if all("success" in i for i in last.values()):
            metrics_logger.log_value("success", max(float(i["success"]) for i in last.values()), window=100)

    def on_env_runners_recreated(
        self, *, algorithm: Any, env_runner_indices: list[int], is_evaluation: bool, **kwargs: Any
    ) -> None:
        """Counts what was under way."""
        if not is_evaluation:
            lost = len(env_runner_indices) * algorithm.config.num_envs_per_env_runner
            algorithm.metrics.log_value("episodes_lost_with_runners", lost, reduce="lifetime_sum")
