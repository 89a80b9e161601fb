"""A world as a PettingZoo ``AECEnv``: agents act in turn."""

from __future__ import annotations

from typing import Any

import pettingzoo
from pettingzoo.utils.conversions import parallel_to_aec

from marlpit.parallel import parallel_env


def aec_env(id: str, **options: Any) -> pettingzoo.AECEnv[str, Any, Any]:
    """Makes one copy of a world, agents acting in turn; it moves once all have said what they do.

    Args:
        id: Of the world; `list_envs` gives those there are.
        **options: As for `parallel_env`.

    Returns:
        The environment, not yet reset; `unwrapped` is the `ParallelEnv`.

    Raises:
        MarlpitError: As for `parallel_env`.
    """
    return parallel_to_aec(parallel_env(id, **options))
