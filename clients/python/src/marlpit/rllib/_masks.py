"""A PPO module that never chooses what the mask forbids."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import torch
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from ray.rllib.utils.torch_utils import FLOAT_MIN


class MaskedPPO(DefaultPPOTorchRLModule):
    """RLlib's PPO module over ``observations``; the logits of choices that ``action_mask`` forbids are the least there are.

    It takes the options (``model_config``) of RLlib's own module, recurrent ones aside.
    """

    def __init__(self, *, observation_space: gym.Space[Any] | None = None, **kwargs: Any) -> None:
        """Builds the networks for the observations alone.

        Args:
            observation_space: A ``Dict`` of ``observations`` and ``action_mask``.
            **kwargs: Of RLlib's module.

        Raises:
            ValueError: The space is another.
        """
        if not isinstance(observation_space, gym.spaces.Dict) or set(observation_space) != {"observations", "action_mask"}:
            raise ValueError(f"observations are a Dict of observations and action_mask, got {observation_space}")
        self._whole = observation_space
        super().__init__(observation_space=observation_space["observations"], **kwargs)

    def setup(self) -> None:
        """Builds the networks; a copy is then made from the whole space again."""
        super().setup()
        self.observation_space = self._whole

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return _masked(super()._forward(_plain(batch), **kwargs), batch)

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return _masked(super()._forward_train(_plain(batch), **kwargs), batch)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Gives the critic's values, float32 (batch,)."""
        values: torch.Tensor = super().compute_values(_plain(batch), embeddings)
        return values


def _plain(batch: dict[str, Any]) -> dict[str, Any]:
    return {**batch, Columns.OBS: batch[Columns.OBS]["observations"]}


def _masked(out: dict[str, Any], batch: dict[str, Any]) -> dict[str, Any]:
    logits = out[Columns.ACTION_DIST_INPUTS]
    out[Columns.ACTION_DIST_INPUTS] = torch.where(batch[Columns.OBS]["action_mask"] > 0, logits, FLOAT_MIN)
    return out
