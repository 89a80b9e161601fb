"""Makes the shipped worlds known to PettingZoo, without starting a server."""

from __future__ import annotations

import pettingzoo

from marlpit._worlds import WORLDS


def register() -> None:
    """Registers every shipped world as ``marlpit/<id>`` for `pettingzoo.make`. PettingZoo before 1.27 has no registry."""
    if not hasattr(pettingzoo, "register"):
        return
    for kind, entry, known in (
        ("parallel", "marlpit.parallel:parallel_env", pettingzoo.parallel_registry),
        ("aec", "marlpit.aec:aec_env", pettingzoo.aec_registry),
    ):
        for world in WORLDS:
            if f"marlpit/{world}" not in known:
                pettingzoo.register(kind, f"marlpit/{world}", entry, kwargs={"id": world})
