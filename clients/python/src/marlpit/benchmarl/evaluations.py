"""What evaluations came to: the team's return and success of each episode."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from benchmarl.experiment import Callback
from tensordict import TensorDictBase
from torch import Tensor


class Evaluation(NamedTuple):
    """One evaluation.

    Attributes:
        frames: Collected before it.
        team_return: Of each episode, float32 (episodes,): the game's own reward, undiscounted, averaged over agents.
        success: 0 or 1, float32 (episodes,).
        length: Steps, float32 (episodes,).
    """

    frames: int
    team_return: Tensor
    success: Tensor
    length: Tensor


def episodes(ends: TensorDictBase) -> dict[str, Tensor]:
    """Reads the last steps of episodes.

    Args:
        ends: The steps, (episodes,).

    Returns:
        `team_return`, `success` and `episode_length`, each (episodes,).
    """
    following = ends["next"]
    infos = [following[key] for key in following.keys(True) if isinstance(key, tuple) and key[1:] == ("info",)]

    def column(name: str) -> Tensor:
        return torch.cat([i[name].squeeze(-1) for i in infos], -1)

    return {
        "team_return": column("episode_team_return").mean(-1),
        "success": column("success").amax(-1),
        "episode_length": column("episode_length").amax(-1),
    }


class Evaluations(Callback):
    """Logs success and the team's return under ``eval`` and keeps every evaluation.

    ```python
    done = Evaluations()
    Experiment(task, algorithm("mappo", task), model, seed=0, config=config, callbacks=[done]).run()
    done.all[-1].success.mean()
    ```

    Attributes:
        all: The evaluations, in order.
    """

    def __init__(self) -> None:
        """Starts with none."""
        super().__init__()
        self.all: list[Evaluation] = []

    def on_evaluation_end(self, rollouts: list[TensorDictBase]) -> None:
        """Takes an evaluation's rollouts, each from the start of an episode to its end or beyond."""
        done = [r["next", "done"].flatten() for r in rollouts]
        last = [int(d.int().argmax()) if d.any() else len(d) - 1 for d in done]
        ended = episodes(torch.stack([r[i] for r, i in zip(rollouts, last, strict=True)]))
        self.all.append(Evaluation(self.experiment.total_frames, *(v.cpu() for v in ended.values())))
        means = {f"eval/{k}": float(v.mean()) for k, v in ended.items()}
        self.experiment.logger.log(means, step=self.experiment.n_iters_performed)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles without the experiment, which sets itself again."""
        return {**self.__dict__, "experiment": None}
