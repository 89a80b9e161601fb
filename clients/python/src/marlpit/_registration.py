"""Makes the shipped worlds known to PettingZoo and Gymnasium, without starting a server."""

from __future__ import annotations

from typing import Any

import gymnasium
import pettingzoo

from marlpit._worlds import WORLDS


def register() -> None:
    """Registers every shipped world as ``marlpit/<id>`` with both. PettingZoo before 1.27 has no registry."""
    for world in WORLDS:
        if f"marlpit/{world}" not in gymnasium.registry:
            gymnasium.register(
                f"marlpit/{world}",
                "marlpit._registration:team",
                vector_entry_point="marlpit._registration:vector",
                disable_env_checker=True,  # its rewards are a list
                kwargs={"world": world},  # `make_vec` has an argument `id` of its own in the way
            )
    if not hasattr(pettingzoo, "register"):
        return
    for kind, entry, known in (
        ("parallel", "marlpit.parallel:parallel_env", pettingzoo.parallel_registry),
        ("aec", "marlpit.aec:aec_env", pettingzoo.aec_registry),
    ):
        for world in WORLDS:
            if f"marlpit/{world}" not in known:
                pettingzoo.register(kind, f"marlpit/{world}", entry, kwargs={"id": world})


def team(world: str, **options: Any) -> gymnasium.Env[Any, Any]:
    """Makes what `gymnasium.make` gives."""
    from marlpit.gymnasium import MarlpitTeamEnv

    return MarlpitTeamEnv(world, **options)


def vector(world: str, **options: Any) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
    """Makes what `gymnasium.make_vec` gives."""
    from marlpit.gymnasium import MarlpitVectorEnv

    return MarlpitVectorEnv(world, **options)
