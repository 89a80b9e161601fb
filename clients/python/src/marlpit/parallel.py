"""Making a world a PettingZoo ``ParallelEnv``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marlpit._frames import ALL
from marlpit._parallel import MASKS, RENDER_MODES, ParallelEnv
from marlpit._session import Session
from marlpit.errors import Invalid, NoAbility

__all__ = ["ParallelEnv", "parallel_env"]


def parallel_env(
    id: str,
    *,
    reward: str | Mapping[str, Any] = "team",
    url: str | None = None,
    render_mode: str | None = None,
    mask: str = "info",
    seed: int | None = None,
    token: str | None = None,
    text: bool = False,
    record: str | None = None,
    timeout: float = 60.0,
    **params: Any,
) -> ParallelEnv:
    """Makes one copy of a world, all agents acting at once.

    ```python
    env = marlpit.parallel_env("two-switch-v1", reward="credit", url=server.url)
    observations, infos = env.reset(seed=0)
    while env.agents:
        actions = {a: env.action_space(a).sample(infos[a]["action_mask"]) for a in env.agents}
        observations, rewards, terminations, truncations, infos = env.step(actions)
    ```

    Args:
        id: Of the world; `list_envs` gives those there are.
        reward: Reward scheme: a preset's name or ``{"scheme": …, …options}``, see docs/rewards.md.
        url: Of a server, ``http://host:port`` or ``unix:/path``; None starts one that ends with this process.
        render_mode: ``"human"``, ``"rgb_array"``, ``"ansi"`` or None.
        mask: Where the action mask is: ``"info"`` or ``"obs"``.
        seed: Of the session's random stream; None: drawn by the server.
        token: Of the server.
        text: Keep what `ParallelEnv.words` needs, have notes in infos and the step in `ParallelEnv.round`.
        record: Name of a recording, where the server records.
        timeout: Seconds to wait for a reply.
        **params: The world's parameters.

    Returns:
        The environment, not yet reset.

    Raises:
        NotFound: No such world.
        Invalid: A parameter, the reward scheme or an option is unknown or out of range.
        ConnectionLost: No server answers.
    """
    if mask not in MASKS:
        raise Invalid(f"mask is one of {', '.join(MASKS)}, got {mask!r}", "invalid")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise Invalid(f"render_mode is one of {', '.join(RENDER_MODES)} or None, got {render_mode!r}", "invalid")
    request: dict[str, Any] = {"env": id, "params": params, "reward": reward, "arrays": list(ALL)}
    for key, value in (("seed", seed), ("text", text or None), ("record", record)):
        if value is not None:
            request[key] = value
    session = Session(request, url, token, timeout)
    if render_mode is not None and "draw" not in session.spec["abilities"]:
        session.close()
        raise NoAbility(f"{id} can't be drawn, render_mode has to be None", "no_ability")
    return ParallelEnv(session, mask, render_mode)
