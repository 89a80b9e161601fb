"""TorchRL: `MarlpitEnv`, a batched multi-agent `EnvBase`. An extra: ``pip install "marlpit[train]"``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Bounded, Categorical, Composite, MultiCategorical, Unbounded
from torchrl.envs import EnvBase

from marlpit import _checks, _groups, _spaces
from marlpit._frames import ALL, Spec, Step
from marlpit.errors import Invalid
from marlpit.vec import vec_env

__all__ = ["HELD_OUT", "MarlpitEnv"]

HELD_OUT = 1 << 63
"""Seeds from here on are evaluation's: seed s there is s + HELD_OUT on the server."""


class MarlpitEnv(EnvBase):
    """Copies of a world that step together, as a TorchRL environment of batch size ``[num_envs]``.

    For each group, with a second batch dimension for its agents: ``action``, ``observation``, ``action_mask`` (bool; not for
    box actions), ``reward``, ``done``, ``terminated``, ``truncated``, and under ``info`` ``team_reward`` (the game's own reward
    of the step) and the world's info columns, among them ``success`` and ``episode_team_return``. At the root: ``state``, and
    ``done``, ``terminated``, ``truncated`` of the whole row: done once all its agents are, and truncated where a limit ended any.

    An agent that ended stays in place: reward 0, its flags set, its mask allowing only what does nothing; its action is
    ignored. A row that ended stays as it is until a reset, whole or through ``_reset``. Choices beyond an agent's own, where a
    group is padded, do nothing, as masked ones do.

    A step is one request that is waited for: policy and world take turns in TorchRL's loops, so there is nothing to overlap with.

    Pickling opens a session of its own with a random stream of its own; a deep copy plays on identically, in mid-episode too.

    Attributes:
        group_map: Group to the names of its agents.
    """

    def __init__(
        self,
        id: str,
        num_envs: int = 1,
        *,
        reward: str | Mapping[str, Any] = "team",
        seed: int | None = None,
        groups: str | Mapping[str, Sequence[str]] = "role",
        evaluation: bool = False,
        state: bool = True,
        device: torch.device | str | int = "cpu",
        url: str | None = None,
        token: str | None = None,
        timeout: float = 60.0,
        **params: Any,
    ) -> None:
        """Opens a session.

        ```python
        env = MarlpitEnv("two-switch-v1", 64, reward="credit", seed=0)
        rollout = env.rollout(100, break_when_any_done=False)
        ```

        Args:
            id: Of the world; `marlpit.list_envs` gives those there are.
            num_envs: Copies.
            reward: Reward scheme: a preset's name or ``{"scheme": …, …options}``, see docs/rewards.md.
            seed: 0 to 2⁶³ − 1; each row gets a stream of its own, and the same seed gives the same rows. None: drawn by the
                server.
            groups: ``"role"``, ``"team"`` or group to agents. A single group is called ``agents``; where its agents' spaces
                differ, observations and masks are padded as `vec_env` pads them.
            evaluation: As `evaluate`.
            state: Have the global state.
            device: Where tensors go.
            url: Of a server, ``http://host:port`` or ``unix:/path``; None starts one that ends with this process.
            token: Of the server.
            timeout: Seconds to wait for a reply.
            **params: The world's parameters.

        Raises:
            NotFound: No such world.
            Invalid: A parameter, the reward scheme, the groups or the seed is unknown or out of range.
            ConnectionLost: No server answers.
        """
        super().__init__(device=device, batch_size=[_checks.copies(num_envs)])
        self._evaluating = evaluation
        self._seed = self._seed_to_come = None if seed is None else _checks.seed(seed, 63)
        arrays = [a for a in ALL if state or a != "state"]
        self._vec = vec_env(
            id, num_envs, reward=reward, autoreset="disabled", url=url, token=token, arrays=arrays, timeout=timeout, **params
        )
        session = self._vec._session
        try:
            self.group_map = _groups.names(session.spec, groups)
            padded = tuple(next(a["shape"] for a in session.layout["arrays"] if a["name"] == "obs")[2:])
            self._groups = {g: _groups.make(session.spec, padded, members) for g, members in self.group_map.items()}
        except Invalid:
            self._vec.close()
            raise
        self._make_specs(session.spec, state)

    def _make_specs(self, spec: Mapping[str, Any], state: bool) -> None:
        seen, acts, rewards = Composite(), Composite(), Composite()
        ended = Composite(_flags(()))
        for name, g in self._groups.items():
            n = len(g.agents)
            columns = {c: Unbounded((n, 1)) for c in ("team_reward", *spec["info"])}
            seen[name] = Composite(observation=_bounded(g.low, g.high), info=Composite(columns, shape=(n,)), shape=(n,))
            if g.kind != "box":
                seen[name, "action_mask"] = Categorical(2, (n, sum(g.choices)), dtype=torch.bool)
            acts[name] = Composite(action=_action(g), shape=(n,))
            rewards[name] = Composite(reward=Unbounded((n, 1)), shape=(n,))
            ended[name] = Composite(_flags((n,)), shape=(n,))
        if state:
            space = _spaces.make(spec["state_space"])
            seen["state"] = _bounded(space.low, space.high)  # type: ignore[attr-defined]
        self.full_observation_spec_unbatched = seen.to(self.device)
        self.full_action_spec_unbatched = acts.to(self.device)
        self.full_reward_spec_unbatched = rewards.to(self.device)
        self.full_done_spec_unbatched = ended.to(self.device)

    @property
    def world(self) -> Spec:
        """The world's spec, as docs/wire.md has it; its fields are attributes."""
        return self._vec.spec

    @property
    def reward_scheme(self) -> dict[str, Any]:
        """The reward scheme with all its options."""
        return self._vec.reward

    @property
    def evaluating(self) -> bool:
        """Whether `evaluate` was called."""
        return self._evaluating

    def evaluate(self) -> None:
        """From now on ``reward`` is the game's own, whatever the learner is paid, and seeds are those held out for evaluation.

        The next reset of all rows starts them anew.
        """
        self._evaluating = True
        self._seed_to_come = self._seed

    def render(self, row: int = 0) -> NDArray[np.uint8]:
        """Draws a row: uint8 (height, width, 3).

        Raises:
            NoAbility: The world can't be drawn.
        """
        return self._vec.render(row)

    def close(self, *, raise_if_closed: bool = True) -> None:
        """Ends the session."""
        super().close(raise_if_closed=raise_if_closed)
        self._vec.close()

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """Draws an action for each agent, evenly among those its mask allows."""
        if tensordict is None:
            return super().rand_action(None)
        for name, g in self._groups.items():
            mask = tensordict.get((name, "action_mask"), None)
            if mask is None:
                action = self.full_action_spec[name, "action"].rand()
            else:
                parts = [torch.multinomial(p.flatten(0, -2).float(), 1) for p in mask.split(g.choices, -1)]
                action = torch.cat(parts, -1).view(*mask.shape[:-1], -1)
                action = action.squeeze(-1) if g.kind == "discrete" else action
            tensordict.set((name, "action"), action)
        return tensordict

    def _set_seed(self, seed: int | None) -> None:
        self._seed = self._seed_to_come = None if seed is None else _checks.seed(seed, 63)

    def _reset(self, tensordict: TensorDictBase | None = None, **kwargs: Any) -> TensorDictBase:
        if kwargs:
            raise Invalid(f"reset has no option {', '.join(kwargs)}; seeds go to set_seed", "invalid")
        some = None if tensordict is None else tensordict.get("_reset", None)
        seed = None
        if some is None or bool(some.all()):
            some, seed, self._seed_to_come = None, self._seed_to_come, None
        if seed is not None and self._evaluating:
            seed += HELD_OUT
        rows = None if some is None else some.reshape(-1).cpu().numpy()
        return self._tensors(self._vec.reset(seed, rows), stepped=False)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        chosen = {}
        for name in self._groups:
            action = tensordict.get((name, "action"), None)
            if action is None:
                raise Invalid(f"actions of {name} are missing: a step needs ({name!r}, 'action')", "invalid", "/actions")
            chosen[name] = action.cpu().numpy()
        like = self._vec._session.actions_shape, self._vec._session.actions_dtype
        return self._tensors(self._vec.step(_groups.actions(self._groups, chosen, like)), stepped=True)

    def _tensors(self, step: Step, stepped: bool) -> TensorDictBase:
        """Frames as tensors; they share memory with the frames, which are the caller's."""
        obs, rewards, team, ended, cut = (
            cast("NDArray[Any]", a) for a in (step.obs, step.rewards, step.team, step.terminated, step.truncated)
        )
        n = self.batch_size[0]
        done = ended | cut
        root: dict[str, Any] = dict(_groups.ends(ended, cut))
        if step.state is not None:
            root["state"] = step.state
        out = {k: torch.from_numpy(v) for k, v in root.items()}
        columns = {"team_reward": team, **step.info}
        for name, g in self._groups.items():
            w, size = g.where, (n, len(g.agents))
            arrays = {"observation": _groups.observations(g, obs)}
            for key, flag in (("done", done), ("terminated", ended), ("truncated", cut)):
                arrays[key] = flag[:, w, None]
            if step.mask is not None and g.choices:
                arrays["action_mask"] = _groups.masks(g, step.mask)
            if stepped:
                arrays["reward"] = (team if self._evaluating else rewards)[:, w, None]
            one: dict[str, Any] = {k: torch.from_numpy(v) for k, v in arrays.items()}
            info = {k: torch.from_numpy(v[:, w, None]) for k, v in columns.items()}
            one["info"] = TensorDict(info, size, device=self.device)
            out[name] = TensorDict(one, size, device=self.device)
        return TensorDict(out, self.batch_size, device=self.device)


def _flags(shape: tuple[int, ...]) -> dict[str, Any]:
    return {k: Categorical(2, (*shape, 1), dtype=torch.bool) for k in ("done", "terminated", "truncated")}


def _bounded(low: NDArray[Any], high: NDArray[Any]) -> Any:
    least, most = torch.from_numpy(low.copy()), torch.from_numpy(high.copy())
    return Bounded(least, most, least.shape, dtype=least.dtype)


def _action(g: _groups.Group) -> Any:
    n = len(g.agents)
    if g.box is not None:
        return _bounded(*g.box)
    if g.kind == "discrete":
        return Categorical(g.choices[0], (n,))
    return MultiCategorical(g.choices, (n, len(g.choices)))
