"""The tasks: what BenchMARL builds environments from."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from functools import partial
from numbers import Integral
from pathlib import Path
from typing import Any

from benchmarl.environments.common import Task, TaskClass
from benchmarl.utils import _read_yaml_config
from tensordict import TensorDictBase
from torchrl.data import Composite
from torchrl.envs import EnvBase, Transform

from marlpit._catalog import describe_env
from marlpit.benchmarl.evaluations import episodes
from marlpit.errors import Invalid
from marlpit.torchrl import MarlpitEnv

# Arguments of MarlpitEnv that are no task's: whose they are instead.
TAKEN = {
    "id": "the task's name says the world",
    "num_envs": "set the experiment's on_policy_n_envs_per_worker or off_policy_n_envs_per_worker",
    "seed": "give it to the experiment",
    "device": "set the experiment's sampling_device",
    "evaluation": "BenchMARL's evaluation is switched by itself; a learner must see neither the held-out seeds nor their reward",
}


def _check(config: Mapping[str, Any]) -> None:
    if taken := next((k for k in TAKEN if k in config), None):
        allowed = "reward, groups, state, url, token, timeout, max_steps and the world's parameters"
        raise Invalid(f"a task's config has no {taken}: {TAKEN[taken]}; it has {allowed}", "invalid")
    limit = config.get("max_steps")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, Integral) or limit < 1):
        raise Invalid(f"max_steps is an integer of at least 1, or null for the world's own limit, got {limit!r}", "invalid")


class MarlpitClass(TaskClass):
    """A world with a reward scheme.

    The name is the world's id in capitals with underscores, `TWO_SWITCH_V1`; worlds of one's own server are named likewise.
    The config's keys are the arguments of `marlpit.torchrl.MarlpitEnv` (`reward`, `groups`, `url`, …), the world's parameters,
    and `max_steps`: the most steps of an evaluated episode, None for the world's own limit.

    What BenchMARL evaluates in is switched to the game's own reward and to held-out seeds (`MarlpitEnv.evaluate`), so that the
    returns it reports under ``eval`` and writes for marl-eval are the team's whatever the learner is paid.
    """

    def __init__(self, name: str, config: dict[str, Any]) -> None:
        """Takes the config.

        Raises:
            Invalid: It has a key that is BenchMARL's to give, or its `max_steps` is no number of steps.
        """
        super().__init__(name, config)
        _check(self.config)

    @property
    def world(self) -> str:
        """Id of the world."""
        return str(self.name).lower().replace("_", "-")

    def get_env_fun(self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any) -> Callable[[], EnvBase]:
        """Returns what makes a batched environment."""
        _check(self.config)  # it can be changed after it was given
        config = copy.deepcopy(self.config)
        config.pop("max_steps", None)
        return partial(MarlpitEnv, self.world, num_envs, seed=seed, device=device, **config)

    def get_env_transforms(self, env: EnvBase) -> list[Transform]:
        """Returns none. BenchMARL asks it of the environment that it evaluates in, and of no other: that is how it is told."""
        env.evaluate()
        return []

    def supports_continuous_actions(self) -> bool:
        """Whether the world's actions are boxes."""
        return self._kind() == "box"

    def supports_discrete_actions(self) -> bool:
        """Whether the world's actions are choices."""
        return self._kind() != "box"

    def _kind(self) -> str:
        return str(describe_env(self.world, self.config.get("url"))["spec"]["action_spaces"][0]["kind"])

    def has_render(self, env: EnvBase) -> bool:
        """Whether the world can be drawn."""
        return "draw" in env.world.abilities

    def max_steps(self, env: EnvBase) -> int:
        """The most steps of an evaluated episode.

        Raises:
            ValueError: Neither the config nor the world has a limit.
        """
        _check(self.config)
        limit = self.config.get("max_steps") or env.world.max_cycles
        if not limit:
            raise ValueError(f"{self.world} has no limit of steps here: set the task's max_steps, or the world's max_cycles")
        return int(limit)

    def group_map(self, env: EnvBase) -> dict[str, list[str]]:
        """Group to the names of its agents."""
        return dict(env.group_map)

    def observation_spec(self, env: EnvBase) -> Composite:
        """Of the observations."""
        return self._only(env, "observation")

    def info_spec(self, env: EnvBase) -> Composite:
        """Of the team's reward and the info columns."""
        return self._only(env, "info")

    def action_mask_spec(self, env: EnvBase) -> Composite | None:
        """Of the masks; None where actions are boxes."""
        spec = self._only(env, "action_mask")
        return spec if any("action_mask" in spec[group] for group in env.group_map) else None

    def _only(self, env: EnvBase, key: str) -> Composite:
        spec = env.full_observation_spec_unbatched.clone()
        for entry in list(spec.keys()):
            if entry not in env.group_map:
                del spec[entry]
                continue
            for inner in [k for k in spec[entry].keys() if k != key]:  # noqa: SIM118
                del spec[entry][inner]
        return spec

    def state_spec(self, env: EnvBase) -> Composite | None:
        """Of the global state."""
        spec = env.full_observation_spec_unbatched
        return Composite({"state": spec["state"].clone()}) if "state" in spec.keys() else None  # noqa: SIM118

    def action_spec(self, env: EnvBase) -> Composite:
        """Of the actions."""
        return env.full_action_spec_unbatched

    @staticmethod
    def env_name() -> str:
        """The folder of the configs."""
        return "marlpit"

    @staticmethod
    def log_info(batch: TensorDictBase) -> dict[str, float]:
        """Returns the team's return, success and length of the episodes that ended in a batch, averaged; else nothing."""
        ended = episodes(batch[batch["next", "done"].squeeze(-1)])
        return {f"collection/{k}": float(v.mean()) for k, v in ended.items() if v.numel()}


class MarlpitTask(Task):
    """The shipped worlds.

    ```python
    task = MarlpitTask.TWO_SWITCH_V1.get_task(reward="credit", agents=3)
    ```
    """

    PHONE_V1 = None
    TWO_SWITCH_V1 = None
    VICTIM_RUBBLE_V1 = None
    WEB_V1 = None

    @staticmethod
    def associated_class() -> type[TaskClass]:
        """Returns `MarlpitClass`."""
        return MarlpitClass

    def get_task(self, config: dict[str, Any] | None = None, **changes: Any) -> TaskClass:
        """Makes the task.

        Args:
            config: All of its config; None for the shipped one.
            **changes: Of the config.
        """
        base = config if config is not None else self.get_from_yaml().config
        return MarlpitClass(self.name, {**base, **changes})

    def get_from_yaml(self, path: str | None = None) -> TaskClass:
        """Makes the task of a file.

        Args:
            path: Of the file; None for the shipped one.
        """
        own = Path(__file__).parent / "conf" / "task" / "marlpit" / f"{self.name.lower()}.yaml"
        return MarlpitClass(self.name, _read_yaml_config(path or str(own)))
