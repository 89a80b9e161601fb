"""Playing with BenchMARL's policies: one request a step, and no tensor that nobody reads. Importing this imports torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tensordict import TensorDict, TensorDictBase
from torchrl.envs.utils import ExplorationType, set_exploration_type

import marlpit
from marlpit import _groups

Arrays = dict[Any, NDArray[Any]]  # by the names of TorchRL's entries


class Actor:
    """A policy of all groups, asked with arrays as they come from the wire."""

    def __init__(self, policy: Callable[[TensorDictBase], Any], env: marlpit.VecEnv, groups: Mapping[str, _groups.Group]) -> None:
        """Notes whom to ask.

        Args:
            policy: Writes what it chose, and more, into what it is given.
            env: Any that is laid out like those it will be asked for.
            groups: By name.
        """
        self._policy, self._groups = policy, groups
        self._dims, self._dtype = env._session.actions_shape[1:], env._session.actions_dtype

    def sees(self, obs: NDArray[Any], mask: NDArray[np.bool_] | None, state: NDArray[Any]) -> Arrays:
        """What a learner knows of rows: a group's entries are (envs, members, …)."""
        out: Arrays = {"state": state}
        for name, g in self._groups.items():
            out[name, "observation"] = _groups.observations(g, obs)
            if mask is not None and g.choices:
                out[name, "action_mask"] = _groups.masks(g, mask)
        return out

    def gets(self, step: Any) -> Arrays:
        """What a step gave to the learner: rewards and ends, likewise."""
        out: Arrays = dict(_groups.ends(step.terminated, step.truncated))
        each = {"reward": step.rewards, "done": step.terminated | step.truncated}
        each |= {"terminated": step.terminated, "truncated": step.truncated}
        for name, g in self._groups.items():
            out |= {(name, key): value[:, g.where, None] for key, value in each.items()}
        return out

    def act(self, step: Any, how: ExplorationType) -> tuple[NDArray[Any], TensorDictBase]:
        """Gives actions (envs, agents, dims) for a `marlpit.Step`, and all that the policy read and wrote, (envs,)."""
        data = self.entries(self.sees(step.obs, step.mask, step.state), (len(step.obs),))
        with torch.no_grad(), set_exploration_type(how):
            self._policy(data)
        chosen = {name: data[name, "action"].numpy() for name in self._groups}
        return _groups.actions(self._groups, chosen, ((len(step.obs), *self._dims), self._dtype)), data

    def entries(self, arrays: Arrays, size: tuple[int, ...]) -> TensorDictBase:
        """Arrays as tensors on the same memory; groups have a dimension more than `size`."""
        root = {k: torch.from_numpy(v) for k, v in arrays.items() if isinstance(k, str)}
        for name, g in self._groups.items():
            own = {k[1]: torch.from_numpy(v) for k, v in arrays.items() if k[0] == name and isinstance(k, tuple)}
            root[name] = TensorDict(own, (*size, len(g.agents)))
        return TensorDict(root, size)


class Collector:
    """Batches as TorchRL's collector gives them to BenchMARL, bit for bit, without the entries that its learners don't read."""

    def __init__(self, actor: Actor, env: marlpit.VecEnv, seed: int, steps: int) -> None:
        """Begins.

        Args:
            actor: Explores; what it becomes by learning is what collects the next batch.
            env: With ``autoreset="same_step"``.
            seed: Of its rows.
            steps: Of a batch.
        """
        self._actor, self._env, self._seed, self._steps = actor, env, seed, steps

    def __iter__(self) -> Iterator[TensorDictBase]:
        """Yields batches (envs, steps) for ever."""
        actor = self._actor
        step: Any = self._env.reset(self._seed)
        while True:
            before, after = [], []
            for _ in range(self._steps):
                actions, data = actor.act(step, ExplorationType.RANDOM)
                step = self._env.step(actions)
                before.append(data)
                after.append(actor.sees(*_last(step)) | actor.gets(step))
            batch = torch.stack(before, 1)
            arrays = {k: np.stack([a[k] for a in after], 1) for k in after[0]}
            batch["next"] = actor.entries(arrays, tuple(batch.batch_size))
            yield batch

    def update_policy_weights_(self) -> None:
        """Does nothing: the actor's are the learner's own."""

    def shutdown(self) -> None:
        """Ends the session."""
        self._env.close()


def _last(step: Any) -> tuple[NDArray[Any], NDArray[np.bool_] | None, NDArray[Any]]:
    """What a step led to, in rows that began anew within it too."""
    if step.final is None or not len(step.final.rows):
        return step.obs, step.mask, step.state
    seen = [step.obs.copy(), None if step.mask is None else step.mask.copy(), step.state.copy()]
    for array, last in zip(seen, (step.final.obs, step.final.mask, step.final.state), strict=True):
        if array is not None:
            array[step.final.rows] = last
    return seen[0], seen[1], seen[2]
