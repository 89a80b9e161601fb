"""BenchMARL's algorithms with the settings that a task's reward asks for."""

from __future__ import annotations

from benchmarl.algorithms import algorithm_config_registry
from benchmarl.algorithms.common import AlgorithmConfig

from marlpit.benchmarl.tasks import MarlpitClass

# Schemes that pay all agents alike: docs/rewards.md.
ALIKE = ("team", "credit-mean", "shared", "sum", "none", "oracle")

# They learn one value per group, from the mean of its agents' rewards.
AVERAGING = ("qmix", "vdn")


def algorithm(name: str, task: MarlpitClass) -> AlgorithmConfig:
    """Makes an algorithm's config from BenchMARL's defaults, with what the task's reward asks for.

    Where the reward scheme pays each agent for itself, critics of MAPPO and its like get parameters for each agent
    (`share_param_critic` False): BenchMARL's default has one value for all, which no longer fits. In a comparison of schemes set
    it to the same in every arm.

    Args:
        name: As BenchMARL has it: ``"mappo"``, ``"ippo"``, ``"qmix"``, …
        task: The task it will be used with.

    Raises:
        ValueError: No such algorithm, or one that averages the rewards of a group (QMIX, VDN) was asked for with a scheme that
            pays each agent for itself: ``reward="credit-mean"`` with ``groups="team"`` says the same openly.
    """
    if name not in algorithm_config_registry:
        raise ValueError(f"an algorithm is one of {', '.join(algorithm_config_registry)}, got {name!r}")
    reward = task.config.get("reward", "team")
    scheme = reward if isinstance(reward, str) else reward.get("scheme", "team")
    if scheme in ALIKE:
        return algorithm_config_registry[name].get_from_yaml()
    if name in AVERAGING:
        raise ValueError(
            f"{name} averages the rewards of a group's agents, so that {scheme!r} would not pay each for itself: "
            "use reward='credit-mean' with groups='team', or MAPPO or IPPO"
        )
    config = algorithm_config_registry[name].get_from_yaml()
    if hasattr(config, "share_param_critic"):
        config.share_param_critic = False
    return config
