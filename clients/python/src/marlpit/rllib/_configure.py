"""Preparing an algorithm's configuration."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.utils import force_list

from marlpit import _spaces
from marlpit.errors import Invalid
from marlpit.parallel import parallel_env
from marlpit.rllib._callbacks import TeamMetrics
from marlpit.rllib._env import MarlpitEnv
from marlpit.rllib._masks import MaskedPPO
from marlpit.rllib._runner import MarlpitEnvRunner

POLICIES = ("shared", "role", "agent")


class _Mapping:
    """From an agent to its module, as RLlib's ``policy_mapping_fn``."""

    def __init__(self, modules: dict[str, str]) -> None:
        self.modules = modules

    def __call__(self, agent: str, episode: Any = None, **kwargs: Any) -> str:
        return self.modules[agent]


def configure(
    config: Any,
    id: str,
    *,
    num_envs: int = 64,
    reward: str | Mapping[str, Any] = "team",
    seed: int | None = None,
    url: str | None = None,
    token: str | None = None,
    policies: str = "shared",
    masked: bool | None = None,
    batched: bool = True,
    credit: Sequence[str | os.PathLike[str]] = (),
    **params: Any,
) -> Any:
    """Prepares an RLlib configuration for a world: environment, runner, modules, masks, metrics and what happens after failures.

    Results then have, beside RLlib's own, ``team_return``, ``success`` and ``episodes_lost`` under ``env_runners``, and
    ``episodes_lost_with_runners``. Evaluation is greedy, on the team reward, with seeds of its own; RLlib's
    ``evaluation(evaluation_interval=…)`` turns it on. All else is set as usual, before or after.

    Args:
        config: An ``AlgorithmConfig``, such as ``PPOConfig()``; it is changed.
        id: Of the world.
        num_envs: Copies that each env runner plays.
        reward: Reward scheme of the learner, as for `marlpit.vec_env`.
        seed: Of everything; runners and evaluation get different ones made of it. None: drawn.
        url: Of a server for all nodes. None: each node starts one of its own, which its runners share.
        token: Of that server.
        policies: Who shares a module: all agents (``"shared"``), those of a role (``"role"``) or nobody (``"agent"``).
        masked: Whether modules see masks: observations are then ``{"observations": …, "action_mask": …}``. None: where the world
            has masks and the algorithm is PPO, whose module is then `MaskedPPO`; other algorithms need a module of yours for
            it. Without, an action that the mask forbids does nothing.
        batched: Play with `MarlpitEnvRunner`; else with RLlib's own runner, one request a copy.
        credit: Files of fitted models that the nodes' servers load: paths that are there on every node.
        **params: The world's parameters.

    Returns:
        The configuration.

    Raises:
        Invalid: An option or a parameter is unknown or out of range.
        NotFound: No such world.
    """
    if policies not in POLICIES:
        raise Invalid(f"policies is one of {', '.join(POLICIES)}, got {policies!r}", "invalid")
    if url is not None and credit:
        raise Invalid("credit is for the servers that nodes start; the one at url has models of its own", "invalid")
    env = parallel_env(id, url=url, token=token, **params)  # refuses what the runners would be refused
    spec = env.spec
    env.close()
    has_masks = any(_spaces.choices(a) for a in spec["action_spaces"])
    masked = isinstance(config, PPOConfig) and has_masks if masked is None else masked
    if masked and not has_masks:
        raise Invalid(f"{id} has box actions, and no masks", "invalid")
    agents: list[str] = spec["agents"]
    modules = {
        "shared": dict.fromkeys(agents, "shared"),
        "role": dict(zip(agents, spec["roles"], strict=True)),
        "agent": {a: a for a in agents},
    }[policies]
    settings: dict[str, Any] = {"id": id, "reward": reward, "url": url, "token": token, "masked": masked, **params}
    if credit:
        settings["server"] = [part for path in credit for part in ("--credit", os.path.abspath(path))]
    config.environment(env=MarlpitEnv, env_config=settings, disable_env_checking=True)
    config.env_runners(num_envs_per_env_runner=num_envs)
    if batched:
        config.env_runners(env_runner_cls=MarlpitEnvRunner)
    config.multi_agent(policies=set(modules.values()), policy_mapping_fn=_Mapping(modules))
    if masked and isinstance(config, PPOConfig):
        specs = {m: RLModuleSpec(module_class=MaskedPPO) for m in set(modules.values())}
        config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=specs))
    config.callbacks([*force_list(config.callbacks_class), TeamMetrics])
    config.fault_tolerance(restart_failed_env_runners=True, restart_failed_sub_environments=True)
    config.evaluation(evaluation_config={"explore": False, "env_config": {**settings, "reward": "team"}})
    if seed is not None:
        config.debugging(seed=seed)
    return config
