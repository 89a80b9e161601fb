"""The tasks of the UI study, and several of them as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import marlpit
from ui_screens import Layout

# Templates to train on, and templates of the split heldout-templates to try afterwards.
TRAIN = {
    "phone-v1": (
        "clock-alarm-delete", "clock-alarms-off", "contacts-delete", "mail-delete", "mail-unread", "settings-switch",
        "tasks-delete", "tasks-complete",
    ),
    "web-v1": (
        "boxes-named", "choices-one", "click-button", "dialog-close", "links-named", "mail-star", "selects-one", "tabs-item",
    ),
}  # fmt: skip
HELD_OUT = {
    "phone-v1": ("mail-star", "mail-trash", "messages-unsend", "settings-pair", "tasks-clear", "tasks-reopen"),
    "web-v1": ("boxes-only", "click-odd-one", "links-position", "settings-all", "shop-cart", "tabs-find"),
}
OTHER = {"phone-v1": "web-v1", "web-v1": "phone-v1"}


class Several:
    """Copies of several templates that step together, with what `marlpit.ppo.train` asks of a `marlpit.VecEnv`.

    A team's observations are one row, as `Layout.pack` has them, and its mask is one: what can be done is the same for all.
    """

    def __init__(self, world: str, templates: Sequence[str], copies: int, url: str, seed: int, **options: Any) -> None:
        """Makes the environments: each has copies of one template.

        Args:
            world: id of the world.
            templates: of its tasks.
            copies: in all; they are shared out, at least one for each template.
            url: of the server.
            seed: of the first; each has a seed of its own.
            options: of `marlpit.vec_env`.
        """
        each = [copies // len(templates) + (k < copies % len(templates)) for k in range(len(templates))]
        self.envs = [
            marlpit.vec_env(world, n, template=t, seed=1000 * seed + k, url=url, **options)
            for k, (t, n) in enumerate(zip(templates, each, strict=True))
        ]
        self.spec = self.envs[0].spec
        self.layout = Layout(self.spec.observation_fields[0], self.spec.action_names[0])
        talk = options["rounds"] > 1 and options["graph"] != "none"
        self._seen = slice(None) if talk else slice(1)  # agents that hear nobody see the same
        self.num_envs = sum(e.num_envs for e in self.envs)
        self._ends = np.cumsum([e.num_envs for e in self.envs])

    def reset(self, seed: int | None = None) -> marlpit.Step:
        """Resets all."""
        return self._join([e.reset(None if seed is None else 1000 * seed + k) for k, e in enumerate(self.envs)])

    def step(self, actions: NDArray[np.int32]) -> marlpit.Step:
        """Steps all; the environments work at once."""
        for e, part in zip(self.envs, np.split(actions, self._ends[:-1]), strict=True):
            e.send(part)
        return self._join([e.recv() for e in self.envs])

    def _join(self, steps: Sequence[marlpit.Step]) -> marlpit.Step:
        first = self._ends - [e.num_envs for e in self.envs]
        names = ("state", "rewards", "terminated", "truncated")
        joined: dict[str, Any] = {n: _stack([getattr(s, n) for s in steps]) for n in names}
        joined["obs"] = self.layout.pack(np.concatenate([s.obs[:, self._seen] for s in steps]))
        joined["mask"] = np.concatenate([s.mask[:, 0] for s in steps])
        info = {k: np.concatenate([s.info[k] for s in steps]) for k in steps[0].info}
        finals = [(s.final, at) for s, at in zip(steps, first, strict=True) if s.final is not None]
        final = None
        if finals:
            rows = np.concatenate([f.rows + at for f, at in finals])
            final = marlpit.Final(rows, None, None, _stack([f.state for f, _ in finals]))
        return marlpit.Step(**joined, team=None, info=info, final=final)

    def close(self) -> None:
        """Ends the sessions."""
        for e in self.envs:
            e.close()


def _stack(parts: Sequence[Any]) -> Any:
    return None if parts[0] is None else np.concatenate(parts)
