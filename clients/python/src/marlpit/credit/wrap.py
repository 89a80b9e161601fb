"""Any PettingZoo parallel environment with credit for its agents in the slot of the reward."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pettingzoo
from numpy.typing import ArrayLike, NDArray
from pettingzoo.utils import BaseParallelWrapper

from marlpit.credit.functions import Functions, refused
from marlpit.credit.model import Model
from marlpit.credit.recorder import Recorder
from marlpit.credit.schemes import Payer, Reward, parse
from marlpit.errors import NotReset

Floats = NDArray[np.float32]


class CreditEnv(BaseParallelWrapper[str, Any, Any]):
    """An environment whose rewards are a scheme's; `marlpit.credit.wrap` makes one.

    All but rewards and infos is the environment's own. Infos hold ``team_reward``, the reward it gave, and with every
    scheme but team ``shaping`` and ``model_version``, as docs/rewards.md says; evaluate by ``team_reward``.

    It can be deep-copied and pickled where the environment and the functions can; not while it records.

    Attributes:
        env: The environment inside.
        model: The model; None for schemes without one.
    """

    def __init__(self, env: Any, reward: Reward, model: Model | None, functions: Functions, recorder: Recorder | None) -> None:
        """Wraps an environment."""
        super().__init__(env)
        self.model = model
        self._reward, self._functions, self._recorder = reward, functions, recorder
        names = self._names = list(env.possible_agents)
        self._payer = Payer(reward, model, len(names))
        self._reads = set() if model is None else {model.input(a) for a in names}
        self._state: Any = None
        self._vector: Floats | None = None
        self._won = np.zeros(len(names), np.bool_)
        self._begun = False
        self._success_seen = functions.success is not None or not reward.options.get("bonus")

    @property
    def reward(self) -> dict[str, Any]:
        """The scheme with all its options, the model's name and its version."""
        out = {"scheme": self._reward.scheme, **self._reward.options}
        if self.model is not None:
            out |= {"model": self.model.name, "model_version": self.model.version}
        return out

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts a new episode.

        Args:
            seed: As the environment takes it.
            options: Likewise.

        Returns:
            Observations and infos of all agents.

        Raises:
            Invalid: The model does not fit what the functions give, or the environment has shaped rewards already.
        """
        observations, infos = self.env.reset(seed=seed, options=options)
        infos = _given(infos)
        if any("shaping" in info for info in infos.values()):
            raise refused("the environment has a reward scheme already: its infos hold shaping", "/env")
        self._state = None
        self._look()
        if self._recorder is not None:
            assert self._vector is not None
            self._recorder.begin(self._state, self._vector)
        if self.model is not None:
            self._payer.enter(self._sigma(self._state, set(self.env.agents)))
        self._won[:] = [self._success(a, infos) for a in self._names]
        self._begun = True
        zero = np.zeros(len(self._names), np.float32)
        return observations, self._noted(infos, dict.fromkeys([*infos, *self.env.agents], 0.0), zero)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Lets all agents act at once.

        Args:
            actions: As the environment takes them.

        Returns:
            Observations, rewards of the scheme, terminations, truncations and infos.

        Raises:
            NotReset: There was no reset yet.
        """
        if not self._begun:
            raise NotReset("step before the first reset", "not_reset")
        before, old, alive = self._state, self._vector, set(self.env.agents)
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        if not alive:
            return observations, rewards, terminations, truncations, infos
        infos = _given(infos)
        unknown = (rewards.keys() | self.env.agents) - set(self._names)
        if unknown:
            raise refused(f"the environment has an agent {unknown.pop()!r} that its possible_agents lack", "/env")
        joined = set(self.env.agents) - alive
        self._look(before)
        if self._recorder is not None:
            ended = not self.env.agents and any(terminations.values())
            assert old is not None
            assert self._vector is not None
            self._recorder.see((before, self._state), (old, self._vector), alive, terminal=ended, over=not self.env.agents)
        own = {a: infos.get(a, {}).get("team_reward", r) for a, r in rewards.items()}
        if self._reward.scheme == "team":
            return observations, rewards, terminations, truncations, self._noted(infos, own, None)
        sigma = self._sigma(self._state, alive | joined)
        dead = np.array([a not in alive for a in self._names])
        success = np.array([a in alive and self._success(a, infos) for a in self._names])
        paid, shaping = self._payer.pay(
            sigma, [own.get(a, 0.0) for a in self._names], np.array([terminations.get(a, False) for a in self._names], np.bool_),
            dead, success & ~self._won,
        )  # fmt: skip
        self._won = np.where(dead, self._won, success)
        if joined:  # they begin here: what their state is worth is nothing they did
            new = np.array([a in joined for a in self._names])
            self._payer.join(sigma, new)
            self._won[new] = [self._success(a, infos) for a in self._names if a in joined]
        by_name = dict(zip(self._names, paid, strict=True))
        if not self.env.agents:
            self._warn_of_bonus()
        return observations, {a: by_name[a] for a in rewards}, terminations, truncations, self._noted(infos, own, shaping)

    def _look(self, before: Any = None) -> None:
        """Takes the present state, where anything reads it."""
        if self._reads or self._recorder is not None or self._functions.success is not None:
            self._state = self._functions.look(self.env, before)
        if "state" in self._reads or self._recorder is not None:
            want = self._recorder.state_size if self.model is None else self.model.header.world.state_size  # type: ignore[union-attr]
            self._vector = self._functions.vector(self._state, want)

    def _sigma(self, state: Any, alive: set[str]) -> Floats:
        """Computes σ of the agents that are alive; the others' is not used."""
        out = np.zeros(len(self._names), np.float32)
        m = self.model
        if m is None:
            return out
        if m.kind == "shared":
            out[:] = m.value(0, self._vector)  # type: ignore[arg-type]
            return out
        for i, a in enumerate(self._names):
            if a in alive:
                x = self._vector if m.input(i) == "state" else self._functions.own(state, a, m.features(i))
                out[i] = m.value(i, x)  # type: ignore[arg-type]
        return out

    def _success(self, agent: str, infos: Mapping[str, Mapping[str, Any]]) -> bool:
        if self._functions.success is not None:
            return bool(self._functions.success(self._state, agent))
        info = infos.get(agent, {})
        self._success_seen = self._success_seen or "success" in info
        return bool(info.get("success", 0) == 1)

    def _warn_of_bonus(self) -> None:
        if not self._success_seen:
            self._success_seen = True  # say it once
            warnings.warn(
                "an episode has ended and no info held success: the bonus is never paid. Give success=…, or bonus=0",
                RuntimeWarning,
                stacklevel=3,
            )

    def _noted(
        self, infos: dict[str, dict[str, Any]], team: Mapping[str, Any], shaping: Floats | None
    ) -> dict[str, dict[str, Any]]:
        version = 0.0 if self.model is None else float(self.model.version)
        out = {}
        for i, a in enumerate(self._names):
            if a not in infos and a not in team:
                continue
            out[a] = {**infos.get(a, {}), "team_reward": float(team.get(a, 0.0))}
            if self._reward.scheme != "team" and shaping is not None:
                out[a] |= {"shaping": float(shaping[i]), "model_version": version}
        return out

    def close(self) -> None:
        """Writes what was recorded, and closes the environment."""
        try:
            if self._recorder is not None and self._recorder.frames:
                self._recorder.flush()
        finally:
            self.env.close()


def wrap(
    env: Any,
    *,
    scheme: str | None = None,
    model: Model | str | os.PathLike[str] | None = None,
    state: Callable[[Any], Any] | None = None,
    features: Callable[[Any], ArrayLike] | None = None,
    focus: Callable[[Any, str], ArrayLike] | None = None,
    success: Callable[[Any, str], Any] | None = None,
    describe: Callable[[Any, Any, str], Any] | None = None,
    truth: Callable[[Any, Any, str], float | None] | None = None,
    team_truth: Callable[[Any, Any], float | None] | None = None,
    family: Callable[[Any, Any, str], str] | None = None,
    record: str | os.PathLike[str] | None = None,
    limit: int = 2000,
    seed: int = 0,
    name: str | None = None,
    params: Mapping[str, Any] | None = None,
    overwrite: bool = False,
    **options: Any,
) -> CreditEnv:
    """Puts a reward scheme in the slot of an environment's rewards, as the server does for its own worlds.

    Whatever is said of the environment is said of a *state*: what ``state(env)`` gives, by default ``env.state()``. It has to
    be a copy, and to know of agents that ended in the step that led to it.

    ```python
    env = marlpit.credit.wrap(env, model="spread.credit", success=all_covered)
    ```

    Args:
        env: Any PettingZoo ``ParallelEnv``.
        scheme: ``credit``, ``credit-mean``, ``sum``, ``add``, ``direct``, ``shared``, ``shared-labels``, ``coin``, ``none`` or
            ``team``, see docs/rewards.md; None is ``credit`` where a model is given, else ``team``.
        model: A model, or its file.
        state: ``state(env)`` → the state, anything.
        features: ``features(state)`` → (features,), what a model reads of the whole; by default the state itself, which then
            has to be an array.
        focus: ``focus(state, agent)`` → (focus,), what an agent's own model may read; each agent has a fixed number.
        success: ``success(state, agent)`` → whether the agent's team has won; by default the info ``success`` is read. The
            bonus is paid in the step in which it turns true.
        describe: ``describe(before, after, agent)`` → what a critic reads of a change, as a text or as
            ``{"guided": …, "plain": …}``; None where there is nothing to ask this agent. Needed to record; it is called
            in both orders.
        truth: ``truth(before, after, agent)`` → exact credit of the agent's part in the change, where it is known.
        team_truth: ``team_truth(before, after)`` → likewise of the team's.
        family: ``family(before, after, agent)`` → name of the kind of situation.
        record: File to write transitions to, for `collect`; see `marlpit.credit.record`.
        limit: Transitions to keep at most.
        seed: Of the choice among transitions.
        name: The environment's id; by default its ``metadata["name"]``. A model of another one is refused.
        params: The environment's parameters; a model of others is refused, where they are given.
        overwrite: A recording that is there already is replaced; otherwise it is refused.
        **options: Of the scheme: ``scale``, ``bonus``, ``step_cost``, ``gamma``, ``weight``, ``terminal``, ``form``.

    Returns:
        The wrapped environment.

    Raises:
        Invalid: An option is unknown or out of range, a function is missing, or the model is of another world.
        Conflict: The file to record to is there already.
    """
    functions = Functions(state, features, focus, success, describe, truth, team_truth, family)
    if isinstance(env, CreditEnv) or not isinstance(env, pettingzoo.ParallelEnv):
        what = "has a reward scheme already" if isinstance(env, CreditEnv) else "is no PettingZoo ParallelEnv"
        raise refused(f"{env} {what}", "/env")
    reward = parse(scheme or ("team" if model is None else "credit"), options)
    name = name if name is not None else _name(env)
    loaded = Model.load(model) if isinstance(model, (str, os.PathLike)) else model
    if loaded is not None and not isinstance(loaded, Model):
        raise refused(f"model is a Model or the path of its file, got {model!r}", "/model")
    _check_model(reward, loaded, env, name, params, functions)
    recorder = None
    if record is not None:
        recorder = Recorder(record, functions, env.possible_agents, name, params, limit=limit, seed=seed, overwrite=overwrite)
    return CreditEnv(env, reward, loaded, functions, recorder)


def _given(infos: Mapping[str, Any] | None) -> dict[str, dict[str, Any]]:
    """Infos of environments that leave them out, or give None for one."""
    return {a: info or {} for a, info in (infos or {}).items()}


def _name(env: Any) -> str:
    name = (getattr(env, "metadata", None) or {}).get("name")
    if not isinstance(name, str) or not name:
        raise refused("the environment's metadata have no name: give name=…", "/name")
    return name


def _check_model(
    reward: Reward, model: Model | None, env: Any, name: str, params: Mapping[str, Any] | None, functions: Functions
) -> None:
    if not reward.kind:
        if model is not None:
            raise refused(f"{reward.scheme} reads no model", "/model")
        return
    if model is None:
        raise refused(f"{reward.scheme} needs a model, of the kind {reward.kind}", "/model")
    if model.kind != reward.kind:
        raise refused(f"{reward.scheme} needs a model of the kind {reward.kind}, got {model.kind}", "/model")
    world = model.header.world
    have, here = dict(world.params or {}), dict(params or {})
    differs = []
    if world.env != name:
        differs.append(f"world: {world.env} in the model, {name} here")
    for key in sorted(have.keys() | here.keys()) if params is not None else ():
        if key != "max_cycles" and have.get(key) != here.get(key):
            differs.append(f"parameter {key}: {have.get(key)} in the model, {here.get(key)} here")
    if world.agents != list(env.possible_agents):
        differs.append(f"agents: {world.agents} in the model, {list(env.possible_agents)} here")
    if differs:
        raise refused("the model is of another world: " + "; ".join(differs), "/model")
    blind = [a for a in model.agents if model.input(a) == "focus"]
    if blind and functions.focus is None:
        raise refused(f"the model of {blind[0]} reads its own view: give focus=fn(state, agent)", "/focus")
