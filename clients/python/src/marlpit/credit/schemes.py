"""What an agent gets for a step: the reward schemes of docs/rewards.md, in float32 as the server computes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marlpit.credit.functions import refused
from marlpit.credit.model import Model

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

_DELTA = ("scale", "gamma", "terminal", "bonus", "step_cost")

# Scheme to the kind of model it needs (none: empty) and the options it takes.
SCHEMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "team": ("", ()),
    "credit": ("agents", ("form", *_DELTA)),
    "credit-mean": ("agents", _DELTA),
    "sum": ("agents", _DELTA),
    "add": ("agents", ("weight", "gamma", "terminal")),
    "direct": ("agents", ("scale", "bonus", "step_cost")),
    "shared": ("shared", _DELTA),
    "coin": ("coin", _DELTA),
    "shared-labels": ("shared-labels", _DELTA),
    "none": ("", ("bonus", "step_cost")),
}

_DEFAULTS = {"scale": 0.1, "bonus": 1.0, "step_cost": 0.01, "weight": 0.1}
_LARGEST = {"scale": 1000.0, "bonus": 1000.0, "step_cost": 1000.0, "weight": 1000.0, "gamma": 1.0}


@dataclass(frozen=True)
class Reward:
    """A scheme with every option resolved.

    Attributes:
        scheme: Its name.
        options: Name to value, of the options that it takes.
    """

    scheme: str
    options: dict[str, Any]

    @property
    def kind(self) -> str:
        """Kind of the model it needs; empty for none."""
        return SCHEMES[self.scheme][0]

    def number(self, name: str) -> np.float32:
        """Returns an option as float32; 0 where the scheme has none of the name."""
        return np.float32(self.options.get(name, 0))


def parse(scheme: str, given: Mapping[str, Any]) -> Reward:
    """Resolves a scheme's options.

    Args:
        scheme: Its name.
        given: Options that were named.

    Returns:
        The scheme.

    Raises:
        Invalid: The scheme or an option is unknown or out of range, or they contradict each other.
    """
    if not isinstance(scheme, str) or scheme not in SCHEMES:
        raise refused(f"there is no scheme {scheme!r} without a server: there are {', '.join(SCHEMES)}", "/scheme")
    takes = SCHEMES[scheme][1]
    if "form" in takes:
        form = given.get("form", "replace")
        if form not in ("replace", "add"):
            raise refused(f"form is replace or add, got {form!r}", "/form")
        if form == "add":
            return parse("add", {k: v for k, v in given.items() if k != "form"})
    unknown = sorted(set(given) - set(takes))
    if unknown:
        there = f"there are {', '.join(takes)}" if takes else "it has none"
        raise refused(f"{scheme} has no option {unknown[0]!r}: {there}", f"/{unknown[0]}")
    adds = scheme == "add"
    defaults = {**_DEFAULTS, "form": "replace", "gamma": 0.99 if adds else 1.0, "terminal": "zero" if adds else "value"}
    options = {name: given.get(name, defaults[name]) for name in takes}
    for name, value in options.items():
        if name in _LARGEST:
            options[name] = _number(name, value)
    if "terminal" in options:
        _check_terminal(options["terminal"], replaces=not adds)
    return Reward(scheme, options)


def _number(name: str, value: Any) -> float:
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    x, top = float(value) if real else math.nan, _LARGEST[name]
    above = name == "scale"  # 0 is out of range
    if not 0 <= x <= top or (above and np.float32(x) == 0):
        raise refused(f"{name} is a number {'above 0' if above else 'from 0'} to {top:g}, got {value!r}", f"/{name}")
    return x


def _check_terminal(value: Any, replaces: bool) -> None:
    if value not in ("value", "zero"):
        raise refused(f"terminal is value or zero, got {value!r}", "/terminal")
    if replaces and value == "zero":
        raise refused(
            "form replace with terminal zero: the sum of γ^t·(γσ(s') − σ(s)) over an episode that terminates would be the "
            "constant −σ(s₀), whatever the agents do, so that the reward would say nothing. Use terminal value with replace, "
            "or the scheme add, where σ is zero at the end",
            "/terminal",
        )


class Payer:
    """Pays one episode after another; it remembers σ as it was used on entering the present state."""

    def __init__(self, reward: Reward, model: Model | None, agents: int) -> None:
        """Begins without a state: `enter` comes first.

        Args:
            reward: The scheme.
            model: Of the kind it needs; None where it needs none.
            agents: Their number.
        """
        self._scheme, self._zero = reward.scheme, reward.options.get("terminal") == "zero"
        self._gamma = reward.number("gamma")
        self._bonus, self._cost = reward.number("bonus"), reward.number("step_cost")
        self._times = np.zeros(agents, np.float32)  # scale/sd or weight/sd, 0 where σ is flat
        if model is not None:
            rough = model.sd > 0
            factor = reward.options["weight" if reward.scheme == "add" else "scale"]
            self._times[rough] = (factor / model.sd[rough]).astype(np.float32)
        self._sigma = np.zeros(agents, np.float32)

    def enter(self, sigma: Floats) -> None:
        """Begins an episode.

        Args:
            sigma: float32 (agents,), σ of the first state.
        """
        self._sigma = sigma.copy()

    def join(self, sigma: Floats, new: Flags) -> None:
        """Lets agents in that were not there, or had ended, before the step that was paid last.

        Args:
            sigma: float32 (agents,), σ of the present state.
            new: (agents,) they are.
        """
        self._sigma = np.where(new, sigma, self._sigma)

    def pay(self, sigma: Floats, team: list[Any], terminated: Flags, dead: Flags, won: Flags) -> tuple[list[Any], Floats]:
        """Pays a step.

        Args:
            sigma: float32 (agents,), σ of the state that was entered.
            team: (agents,) the game's own rewards.
            terminated: (agents,) the step ended the agent's game.
            dead: (agents,) it had ended before.
            won: (agents,) success came with this step.

        Returns:
            Rewards (agents,), and shaping, float32 (agents,). Both are 0 for an agent that had ended.
        """
        shaping = self._shaping(sigma, terminated, dead)
        if self._scheme == "add":
            # Where nothing is added, the reward is the game's to the last bit.
            return [
                0.0 if d else t if f == 0 else float(np.float32(t) + f) for t, f, d in zip(team, shaping, dead, strict=True)
            ], shaping
        rewards = np.where(won, shaping + self._bonus, shaping) - self._cost
        rewards[dead] = 0
        return rewards.tolist(), shaping

    def _shaping(self, sigma: Floats, terminated: Flags, dead: Flags) -> Floats:
        if self._scheme == "none":
            return np.zeros_like(sigma)
        if self._scheme == "direct":
            out: Floats = np.where(dead, np.float32(0), sigma * self._times)
            return out
        if self._zero:
            sigma = np.where(terminated, np.float32(0), sigma)
        delta = self._gamma * sigma - self._sigma
        delta[dead] = 0
        self._sigma = np.where(dead, self._sigma, sigma)
        delta *= self._times
        if self._scheme == "add":
            return delta + np.float32(0)  # no −0
        if self._scheme in ("sum", "credit-mean"):
            total = np.add.accumulate(delta)[-1]  # agent by agent
            if self._scheme == "credit-mean":
                total /= np.float32(len(delta))
            delta = np.where(dead, np.float32(0), total)
        return delta
