"""The batched environment: many copies of a world in one request."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from marlpit import _checks, _spaces
from marlpit._frames import ALL, Final, Note, Spec, Step, invalid, picture
from marlpit._session import Session
from marlpit.errors import ConnectionLost, MarlpitError, NotReset


class VecEnv:
    """Copies of a world that step together; `vec_env` makes one.

    Not for several threads at a time. Closing is optional: a session ends with its object.
    """

    def __init__(self, session: Session) -> None:
        """Wraps a session."""
        self._session = session
        self._adopt()

    def _adopt(self) -> None:
        s = self._session
        self._sent = False
        self._shapes: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = {
            a["name"]: (np.dtype(a["dtype"]), tuple(a["shape"])) for a in (*s.layout["arrays"], *s.layout["final"])
        }
        for name in ("mask", "final_mask", "terminated", "truncated"):
            if name in self._shapes:
                self._shapes[name] = (np.dtype(np.bool_), self._shapes[name][1])

    @property
    def spec(self) -> Spec:
        """The world's spec, as docs/wire.md has it; its fields are attributes."""
        return Spec(self._session.spec)

    @property
    def num_envs(self) -> int:
        """Number of copies."""
        return self._session.num_envs

    @property
    def seed(self) -> int:
        """The session's seed: the one that was asked for, or the one the server drew."""
        return self._session.seed

    @property
    def reward(self) -> dict[str, Any]:
        """The reward scheme with all its options."""
        return self._session.reward

    @property
    def view(self) -> str:
        """Id for watching the session in a browser; it can change nothing."""
        return self._session.view

    @property
    def obs_size(self) -> int:
        """Elements of one agent's observation (of the largest, where agents differ)."""
        return max(int(np.prod(o["shape"])) for o in self._session.spec["observation_spaces"])

    @property
    def state_size(self) -> int:
        """Elements of the global state."""
        return int(np.prod(self._session.spec["state_space"]["shape"]))

    @property
    def choices(self) -> int:
        """Length of an agent's action mask (of the longest, where agents differ); 0 for box actions."""
        return max(_spaces.choices(a) for a in self._session.spec["action_spaces"])

    def reset(self, seed: int | None = None, mask: ArrayLike | None = None) -> Step:
        """Starts new episodes.

        Args:
            seed: Starts every row's stream anew; None goes on with it.
            mask: bool (envs,), which rows to reset; None for all.

        Returns:
            The frames of all rows.

        Raises:
            Invalid: The mask's length or the seed's range is wrong.
        """
        self._idle()
        rows = None if mask is None else np.ascontiguousarray(np.asarray(mask, np.bool_)).tobytes()
        return self._take(self._session.reset(seed, rows))

    def step(self, actions: ArrayLike) -> Step:
        """Steps all rows.

        Args:
            actions: (envs, agents) choices, or (envs, agents, dims); whole numbers, or float32 within bounds for box actions.

        Returns:
            The frames of all rows.

        Raises:
            Invalid: A shape or a value is wrong, or out of range; nothing has moved then.
            NotReset: A row was never reset.
        """
        self._idle()
        if self._session.tells:
            return self._take(self._session.move("POST", "step", {"actions": self._bytes(actions), "rounds": True}))
        try:
            return self._take(self._session.step(self._bytes(actions)))
        except NotReset:
            self._check()
            raise

    def propose(self, proposals: Sequence[Mapping[str, Mapping[str, Any] | str]]) -> Step:
        """Steps all rows, in words: a step of language agents.

        Args:
            proposals: For each row a mapping from agent to action, as `ParallelEnv.propose` takes it.

        Returns:
            The frames of all rows.

        Raises:
            NoAbility: The world takes choices only.
            Invalid: A row is missing or an agent unknown; nothing has moved then.
            TooLarge: A proposal is too long; nothing has moved then.
        """
        self._idle()
        asked = {"rounds": True} if self._session.tells else {}
        return self._take(self._session.move("POST", "step", {"proposals": list(proposals), **asked}))

    def observation(self, row: int = 0) -> dict[str, dict[str, Any]]:
        """Returns what a row's language agents see.

        Returns:
            Agent to its observation, as `ParallelEnv.observation`.
        """
        self._idle()
        return self._session.told("observation", row)

    def solution(self, row: int = 0) -> dict[str, dict[str, Any]]:
        """Returns a right next action of each agent of a row, as `ParallelEnv.solution`."""
        self._idle()
        return self._session.told("solution", row)

    def state_dict(self, row: int = 0) -> dict[str, Any]:
        """Returns a row's whole state as structured data, as `ParallelEnv.state_dict`."""
        self._idle()
        return self._session.told("state", row)

    def set_state_dict(self, state: Mapping[str, Any], row: int = 0) -> Step:
        """Makes a row what `state_dict` said, or what was made of that.

        Returns:
            The frames of all rows, rewards 0 in this one.

        Raises:
            Invalid: A field is missing, unknown or out of range: the message names it, and nothing has changed.
        """
        self._idle()
        return self._take(self._session.move("PUT", "state", {"row": row, "state": dict(state)}))

    def send(self, actions: ArrayLike) -> None:
        """Begins a step without waiting for it; `recv` has to follow.

        Args:
            actions: As for `step`.

        Raises:
            Invalid: As `step`.
            ConnectionLost: The server can't be reached. What moved is not known then: reset first.
        """
        self._idle()
        s = self._session
        s.ensure()
        a = self._bytes(actions)
        try:
            self._request = s.step_request(a)
            self._sent = True
            s.client.connection.send(self._request, again=True)
        except NotReset:
            self._check()
            raise
        except ConnectionLost:
            self._sent, s.lost = False, self._request
            if s.client.server is not None:
                s.client.server.check()
            raise

    def recv(self) -> Step:
        """Waits for the step that `send` began and returns its frames."""
        if not self._waiting:
            raise MarlpitError("recv without send")
        self._sent = False
        return self._take(self._session.finish(self._request))

    def render(self, row: int = 0) -> NDArray[np.uint8]:
        """Draws a row.

        Returns:
            uint8 (height, width, 3).

        Raises:
            NoAbility: The world can't be drawn.
        """
        self._idle()
        return picture(self._session, row)

    def close(self) -> None:
        """Ends the session. Calling it again does nothing."""
        self._session.close()

    def __enter__(self) -> VecEnv:
        """Returns itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Closes it."""
        self.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> VecEnv:
        """Copies it on the server, in mid-episode too: the copy plays on identically."""
        self._idle()
        return VecEnv(self._session.fork())

    def __getstate__(self) -> dict[str, Any]:
        """Pickles what is needed to open a session of its own."""
        return {"session": self._session}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Opens a session of its own, with random streams of its own."""
        self._session = state["session"]
        self._adopt()

    @property
    def _waiting(self) -> bool:
        """Whether a step was sent, by this process: the reply to a parent's is the parent's."""
        return self._sent and self._session.pid == os.getpid()

    def _idle(self) -> None:
        if self._waiting:
            raise MarlpitError("a step was sent: recv has to come first")

    def _check(self) -> None:
        """Raises ServerDied where that is why an earlier reply was lost."""
        server = self._session.client.server
        if server is not None and not server.alive:
            server.check()

    def _bytes(self, actions: ArrayLike) -> bytes:
        s = self._session
        a = np.asarray(actions)
        if a.shape != s.actions_shape and (*a.shape, 1) != s.actions_shape:
            want = s.actions_shape[:2] if s.actions_shape[2] == 1 else s.actions_shape
            raise invalid(f"actions have the shape {want}, got {a.shape}")
        return _checks.actions(a, s.actions_dtype, s.actions_dtype.kind == "i").tobytes()

    def _array(self, arrays: Any, name: str) -> Any:
        if name not in self._shapes:
            return None
        dtype, shape = self._shapes[name]
        return np.frombuffer(getattr(arrays, name), dtype).reshape(shape).copy()

    def _take(self, arrays: Any) -> Step:
        info = self._array(arrays, "info")
        names = self._session.spec["info"]
        columns = {} if info is None else dict(zip(names, np.moveaxis(info, -1, 0).copy(), strict=True))
        final = None
        if getattr(arrays, "final_rows", None) is not None:
            final = Final(
                self._array(arrays, "final_rows").astype(np.int64),
                *(self._array(arrays, f"final_{n}") for n in ("obs", "mask", "state")),
            )
        one = self._array
        return Step(
            one(arrays, "obs"), one(arrays, "mask"), one(arrays, "state"), one(arrays, "rewards"),
            one(arrays, "terminated"), one(arrays, "truncated"), one(arrays, "team"), columns, final,
            tuple(Note(n["row"], n["agent"], n["kind"], n["text"]) for n in arrays.notes), tuple(arrays.rounds),
        )  # fmt: skip


def vec_env(
    id: str,
    num_envs: int,
    *,
    reward: str | Mapping[str, Any] = "team",
    seed: int | None = None,
    autoreset: str = "next_step",
    url: str | None = None,
    token: str | None = None,
    arrays: Sequence[str] = ALL,
    text: bool = False,
    record: str | None = None,
    timeout: float = 60.0,
    **params: Any,
) -> VecEnv:
    """Makes copies of a world that step together.

    ```python
    env = marlpit.vec_env("two-switch-v1", 64, seed=0)
    step = env.reset()
    step = env.step(np.zeros((64, len(env.spec.agents)), np.int32))
    ```

    Args:
        id: Of the world; `list_envs` gives those there are.
        num_envs: Copies.
        reward: Reward scheme: a preset's name or ``{"scheme": …, …options}``, see docs/rewards.md.
        seed: Of the session; each row gets a stream of its own. None: drawn by the server.
        autoreset: ``"disabled"``, ``"next_step"`` or ``"same_step"``, as in Gymnasium.
        url: Of a server, ``http://host:port`` or ``unix:/path``; None starts one that ends with this process.
        token: Of the server.
        arrays: What travels, of obs, mask, state, rewards, team, info, terminated and truncated; the rest is None in `Step`.
        text: Have notes and rounds in `Step`.
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
    request: dict[str, Any] = {
        "env": id, "params": params, "num_envs": num_envs, "autoreset": autoreset, "reward": reward, "arrays": list(arrays),
    }  # fmt: skip
    if seed is not None:
        request["seed"] = seed
    if text:
        request["text"] = True
    if record is not None:
        request["record"] = record
    return VecEnv(Session(request, url, token, timeout))
