"""BenchMARL's learners. Importing this imports torch."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from typing import Any

import torch
from benchmarl.algorithms import algorithm_config_registry
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig
from torchrl.envs.utils import ExplorationType

import marlpit
from marlpit.ablate._collect import Actor, Collector
from marlpit.ablate._measure import LONGEST, Examiner, player
from marlpit.ablate._plan import OFF_POLICY, Job, Learning
from marlpit.benchmarl import MarlpitClass

ARRAYS = ("obs", "mask", "state", "rewards", "terminated", "truncated")


class _Fast(Experiment):
    """An experiment that learns what `Experiment` learns, bit for bit, without TorchRL's environments around each step.

    Evaluations are timed, always of the same held-out starts, and by the game's own reward.
    """

    def __init__(self, job: Job, env: marlpit.VecEnv, url: str, examine: Examiner, **arguments: Any) -> None:
        self._job, self._env, self._url, self._examine = job, env, url, examine
        super().__init__(**arguments)

    def _setup_collector(self) -> None:
        self.policy = self.algorithm.get_policy_for_collection()
        self.group_policies = {g: self.policy.select_subsequence(out_keys=[(g, "action")])[0] for g in self.group_map}
        self._actor = Actor(self.policy, self._env, self.test_env.base_env._groups)
        self.collector = Collector(self._actor, self._env, self.seed, self._job.learning.horizon)
        self._play = player(self._job, self._url, self._evaluated)

    def _setup_logger(self) -> None:
        self.logger = _Silent()

    def _evaluated(self, step: Any) -> Any:
        return self._actor.act(step, ExplorationType.DETERMINISTIC if self._job.greedy else ExplorationType.RANDOM)[0]

    def _evaluation_loop(self) -> None:
        with torch.random.fork_rng(devices=[]):  # training's exploration goes on as if nobody had looked
            self._examine(self.total_frames, self._play)


class _Silent:
    """In place of BenchMARL's logger: no means of what nobody reads."""

    def log_collection(self, *_: Any, **__: Any) -> float:
        return float("nan")

    def log(self, *_: Any, **__: Any) -> None: ...

    log_training = log

    def commit(self) -> None: ...

    finish = commit


def train(job: Job, reward: Mapping[str, Any], frames: int, url: str, examine: Examiner) -> None:
    """Trains a learner of BenchMARL, evaluated before and after each batch."""
    torch.set_num_threads(1)
    env = marlpit.vec_env(
        job.world.env, job.learning.num_envs, reward=reward, autoreset="same_step", url=url, arrays=ARRAYS, **job.world.params
    )
    with tempfile.TemporaryDirectory() as folder:
        experiment = _Fast(job, env, url, examine, **arguments(job, reward, frames, url, folder))
        experiment._evaluation_loop()
        experiment.run()
    if not all(bool(torch.isfinite(p).all()) for p in experiment.policy.parameters()):
        raise FloatingPointError("the policy's parameters are no numbers any more")


def arguments(job: Job, reward: Mapping[str, Any], frames: int, url: str, folder: str) -> dict[str, Any]:
    """What an `Experiment` takes for a run."""
    groups = "team" if job.algo in OFF_POLICY else "role"
    config = {"reward": dict(reward), "groups": groups, "url": url, "max_steps": None, **job.world.params}
    if job.world.params.get("max_cycles") == 0:
        config["max_steps"] = LONGEST
    algorithm = algorithm_config_registry[job.algo].get_from_yaml()
    s = job.learning
    ours = {"share_param_critic": s.share_param_critic, "clip_epsilon": s.clip, "entropy_coef": s.entropy, "lmbda": s.lam}
    for name, value in ours.items():
        if hasattr(algorithm, name):
            setattr(algorithm, name, value)
    return {
        "task": MarlpitClass(job.world.env.upper().replace("-", "_"), config),
        "algorithm_config": algorithm,
        "model_config": MlpConfig(num_cells=[s.hidden, s.hidden], layer_class=torch.nn.Linear, activation_class=torch.nn.Tanh),
        "seed": job.seed,
        "config": _config(s, frames, job.episodes, job.greedy, folder),
    }


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
