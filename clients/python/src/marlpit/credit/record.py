"""Recordings of transitions, for critics to judge: JSON lines that ``marlpit collect --from`` reads."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import ArrayLike

from marlpit.credit.functions import refused
from marlpit.credit.recorder import Recording
from marlpit.credit.wrap import wrap
from marlpit.errors import MarlpitError


def record(
    env: Any,
    path: str | os.PathLike[str],
    *,
    describe: Callable[[Any, Any, str], Any],
    state: Callable[[Any], Any] | None = None,
    features: Callable[[Any], ArrayLike] | None = None,
    focus: Callable[[Any, str], ArrayLike] | None = None,
    truth: Callable[[Any, Any, str], float | None] | None = None,
    team_truth: Callable[[Any, Any], float | None] | None = None,
    family: Callable[[Any, Any, str], str] | None = None,
    policy: Callable[[dict[str, Any], dict[str, dict[str, Any]]], dict[str, Any]] | None = None,
    frames: int = 10_000,
    limit: int = 2000,
    seed: int = 0,
    name: str | None = None,
    params: Mapping[str, Any] | None = None,
    overwrite: bool = False,
) -> Recording:
    """Plays an environment and writes transitions for critics, words and features included.

    Turn its limit of time off, or set it high: episodes that are cut short miss the late phases of a task. Ctrl-C writes
    what there is.

    Args:
        env: Any PettingZoo ``ParallelEnv``; it is reset, and not closed.
        path: Of the file, ``….jsonl``; it is written whole or not at all.
        describe: As for `wrap`, as are state, features, focus, truth, team_truth, family, name and params.
        state: See there.
        features: See there.
        focus: See there.
        truth: See there.
        team_truth: See there.
        family: See there.
        policy: ``policy(observations, infos)`` → actions of the agents that live; None plays at random what the action
            masks, in infos or observations, allow.
        frames: Steps to play.
        limit: Transitions to keep at most.
        seed: Of play and choice.
        name: See `wrap`.
        params: See `wrap`.
        overwrite: A file that is there already is replaced; otherwise it is refused.

    Returns:
        What was recorded.

    Raises:
        Invalid: A function gives what it must not.
        Conflict: The file is there already.
        MarlpitError: Nothing changed.
    """
    if not isinstance(frames, int) or frames < 1:
        raise refused(f"frames is a whole number from 1, got {frames!r}", "/frames")
    if not isinstance(seed, int) or seed < 0:
        raise refused(f"seed is a whole number from 0, got {seed!r}", "/seed")
    watched = wrap(
        env, describe=describe, state=state, features=features, focus=focus, truth=truth, team_truth=team_truth, family=family,
        record=path, limit=limit, seed=seed, name=name, params=params, overwrite=overwrite,
    )  # fmt: skip
    recorder = watched._recorder
    assert recorder is not None
    for i, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + i)
    try:
        observations, infos = watched.reset(seed=seed)
        for _ in range(frames):
            if not watched.agents:
                observations, infos = watched.reset()
            actions = policy(observations, infos) if policy else _random(watched, observations, infos)
            observations, _, _, _, infos = watched.step(actions)
    except KeyboardInterrupt:
        with contextlib.suppress(MarlpitError):  # there is nothing yet
            recorder.flush()
        raise
    return recorder.flush()


def _random(env: Any, observations: dict[str, Any], infos: dict[str, dict[str, Any]]) -> dict[str, Any]:
    actions = {}
    for a in env.agents:
        mask = infos[a].get("action_mask")
        if mask is None and isinstance(observations[a], Mapping):
            mask = observations[a].get("action_mask")
        actions[a] = env.action_space(a).sample() if mask is None else env.action_space(a).sample(mask)
    return actions
