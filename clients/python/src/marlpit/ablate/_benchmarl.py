"""BenchMARL's learners. Importing this imports torch."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from typing import Any

import torch
from benchmarl.algorithms import algorithm_config_registry
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig

from marlpit.ablate._measure import LONGEST, Examiner
from marlpit.ablate._plan import OFF_POLICY, Job, Learning
from marlpit.benchmarl import Evaluations, MarlpitClass


class _Examined(Experiment):
    """An experiment whose evaluations are timed, and always of the same held-out starts."""

    def __init__(self, examine: Examiner, **arguments: Any) -> None:
        self._examine, self._evaluations = examine, Evaluations()
        super().__init__(callbacks=[self._evaluations], **arguments)

    def _evaluation_loop(self) -> None:
        def play() -> tuple[float, float]:
            self.test_env.set_seed(self.seed)  # BenchMARL's own way would seed the training's exploration anew as well
            super(_Examined, self)._evaluation_loop()
            last = self._evaluations.all[-1]
            return float(last.success.mean()), float(last.team_return.mean())

        self._examine(self.total_frames, play)


def train(job: Job, reward: Mapping[str, Any], frames: int, url: str, examine: Examiner) -> None:
    """Trains a learner of BenchMARL, evaluated before and after each batch."""
    torch.set_num_threads(1)
    groups = "team" if job.algo in OFF_POLICY else "role"
    config = {"reward": dict(reward), "groups": groups, "url": url, "max_steps": None, **job.world.params}
    if job.world.params.get("max_cycles") == 0:
        config["max_steps"] = LONGEST
    task = MarlpitClass(job.world.env.upper().replace("-", "_"), config)
    algorithm = algorithm_config_registry[job.algo].get_from_yaml()
    s = job.learning
    ours = {"share_param_critic": s.share_param_critic, "clip_epsilon": s.clip, "entropy_coef": s.entropy, "lmbda": s.lam}
    for name, value in ours.items():
        if hasattr(algorithm, name):
            setattr(algorithm, name, value)
    model = MlpConfig(num_cells=[s.hidden, s.hidden], layer_class=torch.nn.Linear, activation_class=torch.nn.Tanh)
    with tempfile.TemporaryDirectory() as folder:
        experiment = _Examined(
            examine, task=task, algorithm_config=algorithm, model_config=model, seed=job.seed,
            config=_config(s, frames, job.episodes, job.greedy, folder),
        )  # fmt: skip
        experiment._evaluation_loop()
        experiment.run()
    if not all(bool(torch.isfinite(p).all()) for p in experiment.policy.parameters()):
        raise FloatingPointError("the policy's parameters are no numbers any more")


def _config(s: Learning, frames: int, episodes: int, greedy: bool, folder: str) -> ExperimentConfig:
    config = ExperimentConfig.get_from_yaml()
    values = {
        "gamma": s.gamma, "lr": s.lr, "share_policy_params": s.share_policy_params, "max_n_frames": frames - frames % s.batch,
        "on_policy_collected_frames_per_batch": s.batch, "on_policy_n_envs_per_worker": s.num_envs,
        "on_policy_n_minibatch_iters": s.epochs, "on_policy_minibatch_size": s.batch // s.minibatches,
        "off_policy_collected_frames_per_batch": s.batch, "off_policy_n_envs_per_worker": s.num_envs,
        "off_policy_n_optimizer_steps": s.steps_per_batch, "off_policy_train_batch_size": s.train_batch,
        "off_policy_memory_size": s.memory, "evaluation": True, "evaluation_interval": s.batch, "evaluation_episodes": episodes,
        "evaluation_deterministic_actions": greedy, "evaluation_static": False, "render": False, "loggers": [],
        "create_json": True,  # without any log BenchMARL leaves evaluations out
        "save_folder": folder,
    }  # fmt: skip
    for name, value in values.items():
        setattr(config, name, value)
    return config
