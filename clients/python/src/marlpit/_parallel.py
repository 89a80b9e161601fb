"""A world as a PettingZoo ``ParallelEnv``."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import pettingzoo
from numpy.typing import NDArray

from marlpit import _spaces
from marlpit._arrays import Arrays
from marlpit._frames import picture
from marlpit._session import Session
from marlpit.errors import Invalid, NotReset

RENDER_MODES = ("human", "rgb_array", "ansi")
MASKS = ("info", "obs")


class ParallelEnv(pettingzoo.ParallelEnv[str, Any, Any]):
    """One copy of a world, all agents acting at once; `parallel_env` makes one.

    An agent that has ended gets its last observation and reward once, and is gone from `agents` after that. Infos hold, for
    each agent that got an observation, ``action_mask`` (int8, of what the next step accepts, as the action space's `sample`
    takes it; only with ``mask="info"``), ``team_reward`` (the game's own, whatever the reward scheme) and the world's columns,
    as floats; where the environment was made with ``text=True`` also ``notes``: what the world, or the reward scheme, says to
    this agent of the last step, each ``{"kind": "error" | "reason" | "result", "text": …}``.

    Language agents read `observation` and act by `propose`, in worlds that are made for them (docs/language-agents.md); what
    learners do by number and they do in words is the same.

    In a forked child and when unpickled it has a session and a random stream of its own, to be reset first. A deep copy
    is made on the server, in mid-episode too, and plays on identically.

    Attributes:
        possible_agents: All agents, in the order of the spec.
        agents: Those that still act; empty before the first reset.
        metadata: Name and render modes.
        render_mode: As given.
        state_space: Of `state`.
        spec: The world's spec, as docs/wire.md has it.
        round: The last step as a critic of rounds sees it, where the environment was made with ``text=True`` and the world has
            rounds, else None: a JSON text, to be recorded as it is, of goal, elements, proposals …, and under ``right`` which
            of the proposals are right by the task's own solution.
    """

    def __init__(self, session: Session, mask: str, render_mode: str | None) -> None:
        """Wraps a session of one copy."""
        self._session = session
        self._mask = mask
        self.render_mode = render_mode
        self._adopt()

    def _adopt(self) -> None:
        self.spec: dict[str, Any] = self._session.spec
        spec = self.spec
        self.possible_agents = list(spec["agents"])
        self.agents: list[str] = []
        self._index = {a: i for i, a in enumerate(self.possible_agents)}
        self._begun = False
        self._state: memoryview | bytes = b""
        self._seen: tuple[int, dict[str, Any]] = (-1, {})  # observations of language agents, with the seq they are of
        self.round: str | None = None
        modes = list(RENDER_MODES) if "draw" in spec["abilities"] else []
        self.metadata = {"name": spec["id"], "render_modes": modes, "render_fps": 10, "is_parallelizable": True}
        observations, actions = spec["observation_spaces"], spec["action_spaces"]
        make = _spaces.masked if self._mask == "obs" else (lambda o, _: _spaces.make(o))
        self._observation_spaces: dict[str, _spaces.Space] = dict(
            zip(self.possible_agents, map(make, observations, actions), strict=True)
        )
        self._action_spaces: dict[str, _spaces.Space] = dict(zip(self.possible_agents, map(_spaces.make, actions), strict=True))
        self.state_space = _spaces.make(spec["state_space"])
        self._arrays = Arrays(self._session, self._mask)

    def observation_space(self, agent: str) -> _spaces.Space:
        """Returns the agent's observation space, the same object each time.

        Args:
            agent: Its name.

        Returns:
            A ``Box``, or with ``mask="obs"`` a ``Dict`` of ``observation`` and ``action_mask``.
        """
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> _spaces.Space:
        """Returns the agent's action space, the same object each time.

        Args:
            agent: Its name.

        Returns:
            A ``Discrete``, ``MultiDiscrete`` or ``Box``.
        """
        return self._action_spaces[agent]

    @property
    def reward(self) -> dict[str, Any]:
        """The reward scheme with all its options."""
        return self._session.reward

    @property
    def seed(self) -> int:
        """The session's seed: the one that was asked for, or the one the server drew."""
        return self._session.seed

    @property
    def view(self) -> str:
        """Id for watching the session in a browser; it can change nothing."""
        return self._session.view

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts a new episode.

        Args:
            seed: Starts the random stream anew; None goes on with it.
            options: Ignored.

        Returns:
            Observations and infos of all agents.

        Raises:
            Invalid: The seed is no integer from 0 to 2⁶⁴ − 1.
        """
        return self._placed(self._session.reset(seed))

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Lets all agents act at once.

        Args:
            actions: Agent to its action, for every agent in `agents`; those of agents that have ended are ignored. An
                action that its mask forbids does nothing.

        Returns:
            Observations, rewards, terminations, truncations and infos of the agents that acted. All empty when none is left.

        Raises:
            Invalid: An action is missing or out of range; nothing has moved then.
            NotReset: There was no reset yet.
        """
        if not self.agents:
            return self._over()
        if self._session.tells:
            return self._stepped(
                self._session.move("POST", "step", {"actions": self._arrays.pack(actions, self.agents), "rounds": True})
            )
        return self._stepped(self._session.step(self._arrays.pack(actions, self.agents)))

    def propose(
        self, proposals: Mapping[str, Mapping[str, Any] | str]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Lets all agents act at once, in words: a step of language agents.

        ```python
        env = marlpit.parallel_env("phone-v1", text=True)
        env.reset(seed=0)
        env.propose({"agent_0": {"action_type": "open_app", "app_name": "Contacts"}})
        ```

        Args:
            proposals: Agent to its action, as a mapping or as JSON, of at most 16,384 bytes. An agent that is left out waits;
                what agents say that have ended is ignored. A proposal that can't be read or played is wasted: the agent's info
                has ``valid`` 0, and its next observation says under ``error`` what is wrong.

        Returns:
            As `step`.

        Raises:
            NoAbility: The world takes choices only.
            Invalid: An agent is unknown; nothing has moved then.
            TooLarge: A proposal is too long; nothing has moved then.
            NotReset: There was no reset yet.
        """
        if not self.agents:
            return self._over()
        said = {a: p for a, p in proposals.items() if a in self.agents or a not in self._index}
        asked = {"rounds": True} if self._session.tells else {}
        return self._stepped(self._session.move("POST", "step", {"proposals": said, **asked}))

    def observation(self, agent: str) -> dict[str, Any]:
        """Returns what a language agent sees: goal, elements, history, messages; the fields stand in the world's card.

        Args:
            agent: Its name.

        Returns:
            JSON values. Looking at all agents after a step takes one request.

        Raises:
            NoAbility: The world has arrays only.
            NotReset: There was no reset yet.
        """
        self._session.ensure()
        if self._seen[0] != self._session.seq:
            self._seen = self._session.seq, self._session.told("observation", 0)
        if agent not in self._seen[1]:
            raise Invalid(f"there is no agent {agent!r}; there are {', '.join(self.possible_agents)}", "invalid")
        return dict(self._seen[1][agent])

    def solution(self) -> dict[str, dict[str, Any]]:
        """Returns a right next action of each agent by the task's own solution: to measure with, not for agents under test.

        Returns:
            Agent to its action, as `propose` takes it; agents for which none is known are left out.

        Raises:
            NoAbility: The world has no solutions.
            NotReset: There was no reset yet.
        """
        return self._session.told("solution", 0)

    def state_dict(self) -> dict[str, Any]:
        """Returns the whole state as structured data: to be looked at, kept and set again.

        Returns:
            JSON values; the fields stand in the world's card.

        Raises:
            NoAbility: The world has no structured state; a deep copy may serve.
            NotReset: There was no reset yet.
        """
        return self._session.told("state", 0)

    def set_state_dict(self, state: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Makes the world what `state_dict` said, or what was made of that. The episode's statistics go on.

        Args:
            state: All of its fields.

        Returns:
            Observations and infos of the agents that act, as `reset` gives them.

        Raises:
            Invalid: A field is missing, unknown or out of range: the message names it, and nothing has changed.
            NotReset: There was no reset yet.
        """
        arrays = self._session.move("PUT", "state", {"state": dict(state)})
        return self._placed(arrays)

    def _over(self) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """A step when no agent is left."""
        if not self._begun:
            raise NotReset("step before the first reset", "not_reset")
        return {}, {}, {}, {}, {}

    def _placed(self, arrays: Any) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """What a reset, or a state that was set, gives."""
        self._begun = True
        self._state = arrays.state
        self.round = None
        ended, cut, where = arrays.terminated, arrays.truncated, self._index
        self.agents = [a for a in self.possible_agents if not (ended[where[a]] or cut[where[a]])]
        infos = self._arrays.infos(arrays, self.agents)
        return self._arrays.observations(arrays, infos), infos

    def _stepped(
        self, arrays: Any
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        agents = self.agents
        self._state = arrays.state
        self.round = arrays.rounds[0] if arrays.rounds else None
        infos = self._arrays.infos(arrays, agents)
        observations = self._arrays.observations(arrays, infos)
        every = self._arrays.floats(arrays.rewards)
        ended, cut = arrays.terminated, arrays.truncated
        rewards, terminations, truncations, left = {}, {}, {}, []
        where = self._index
        for a in agents:
            i = where[a]
            rewards[a] = every[i]
            terminations[a] = t = ended[i] == 1
            truncations[a] = c = cut[i] == 1
            if not (t or c):
                left.append(a)
        self.agents = left
        return observations, rewards, terminations, truncations, infos

    def state(self) -> NDArray[np.float32]:
        """Returns the global state, for central training; not for agents that act.

        Returns:
            float32, of `state_space`'s shape; a copy.

        Raises:
            NotReset: There was no reset yet.
        """
        if not self._begun:
            raise NotReset("state before the first reset", "not_reset")
        return np.frombuffer(self._state, "<f4").reshape(self.state_space.shape or ()).astype(np.float32)

    def render(self) -> NDArray[np.uint8] | str | None:
        """Draws the world as `render_mode` says.

        Returns:
            uint8 (height, width, 3) for ``rgb_array``, text for ``ansi``; None for ``human``, which prints the text, and
            without a mode.

        Raises:
            NotReset: There was no reset yet.
        """
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return picture(self._session, 0)
        text = bytes(self._session.get("render", row=0, format="text").body).decode()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def words(self, agent: str, view: str = "guided") -> str:
        """Returns what a critic would read of the last transition, in this agent's words.

        Args:
            agent: Its name.
            view: ``"guided"`` or ``"plain"``.

        Returns:
            The text.

        Raises:
            MarlpitError: The session was made without ``text=True``, or the world has no words.
        """
        return self._session.words(agent, view)

    def close(self) -> None:
        """Ends the session. Calling it again does nothing."""
        self._session.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> ParallelEnv:
        """Copies it on the server, in mid-episode too: the copy plays on identically."""
        twin: ParallelEnv = object.__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update({k: copy.deepcopy(v, memo) for k, v in self.__dict__.items() if k not in _SHARED})
        twin.__dict__.update({k: self.__dict__[k] for k in _SHARED if k in self.__dict__})
        twin._session = self._session.fork()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Pickles what is needed to open a session of its own."""
        return {"session": self._session, "mask": self._mask, "render_mode": self.render_mode}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Opens a session of its own, with a random stream of its own."""
        self._session, self._mask, self.render_mode = state["session"], state["mask"], state["render_mode"]
        self._adopt()


_SHARED = ("_session", "_arrays", "_state", "spec")  # never changed in place
