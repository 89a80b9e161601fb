"""What an environment's user says of it: functions of a state that give features, words and truth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from marlpit.errors import Invalid

Floats = NDArray[np.float32]

LARGEST = 1e6  # absolute value of a feature that fitting takes
LONGEST = 1 << 15  # bytes of a text
LONGEST_NAME = 200
LONGEST_VALUE = 4096  # of a parameter
VIEWS = ("guided", "plain")


@dataclass(frozen=True)
class Functions:
    """The functions, each None where it was not given; `marlpit.credit.wrap` says what they are."""

    state: Callable[[Any], Any] | None = None
    features: Callable[[Any], ArrayLike] | None = None
    focus: Callable[[Any, str], ArrayLike] | None = None
    success: Callable[[Any, str], Any] | None = None
    describe: Callable[[Any, Any, str], Any] | None = None
    truth: Callable[[Any, Any, str], float | None] | None = None
    team_truth: Callable[[Any, Any], float | None] | None = None
    family: Callable[[Any, Any, str], str] | None = None

    def __post_init__(self) -> None:
        """Refuses what can't be called."""
        for name, f in vars(self).items():
            if f is not None and not callable(f):
                raise refused(f"{name} is a function, got {f!r}", f"/{name}")

    def look(self, env: Any, before: Any = None) -> Any:
        """Takes the state of an environment.

        Args:
            env: It.
            before: The last state taken, which must not be the same object.

        Returns:
            The state.

        Raises:
            Invalid: There is none, or it is the object of before, that the step has changed.
        """
        if self.state is None:
            try:
                return np.array(env.state())
            except (NotImplementedError, AttributeError):
                raise refused("the environment has no state(): say how to take one, state=fn(env)", "/state") from None
        state = self.state(env)
        if state is before and state is not None:
            raise refused("state gave the same object as before the step: it has to give a copy, or what was is lost", "/state")
        return state

    def vector(self, state: Any, want: int | None) -> Floats:
        """Computes the features of a state, float32 (features,); `want` is their number, where it is known."""
        return _vector("features", state if self.features is None else self.features(state), want)

    def own(self, state: Any, agent: str, want: int | None) -> Floats:
        """Computes an agent's own features, float32 (focus,)."""
        if self.focus is None:
            raise refused(f"the features of {agent}'s own view are needed: give focus=fn(state, agent)", "/focus")
        return _vector(f"focus of {agent}", self.focus(state, agent), want)

    def words(self, before: Any, after: Any, agent: str) -> dict[str, str] | None:
        """Asks for the words of a change; None where there are none."""
        assert self.describe is not None
        words = self.describe(before, after, agent)
        if words is None or (isinstance(words, str) and not words.strip()):
            return None
        if isinstance(words, str):
            words = dict.fromkeys(VIEWS, words)
        texts = isinstance(words, Mapping) and all(isinstance(w, str) and w.strip() for w in words.values())
        if texts and set(words) == set(VIEWS):
            return {view: text_of(w, "describe", LONGEST, "/describe") for view, w in words.items()}
        raise refused(f"describe gives a text, or {{'guided': text, 'plain': text}}, or None; got {words!r}", "/describe")


def _vector(what: str, x: ArrayLike, want: int | None) -> Floats:
    try:
        if np.iscomplexobj(x):
            raise TypeError("they are complex")
        with np.errstate(over="ignore"):  # infinity is refused below
            out = np.array(x, np.float32).reshape(-1)  # a copy: functions may fill one array again and again
    except (TypeError, ValueError, OverflowError) as e:
        raise refused(f"{what}: want numbers, got {x!r:.200} ({e})", "/features") from None
    if want is not None and len(out) != want:
        raise refused(f"{what}: {len(out)} numbers, want {want}", "/features")
    wrong = ~(np.abs(out) <= LARGEST)
    if wrong.any() or not len(out):
        at = int(np.argmax(wrong)) if len(out) else 0
        got = f"element {at} is {out[at]}" if len(out) else "there are none"
        raise refused(f"{what}: want numbers from {-LARGEST:g} to {LARGEST:g}, {got}", "/features")
    return out


def refused(message: str, at: str) -> Invalid:
    """Makes the error for what a caller gave; `at` names the argument."""
    return Invalid(message, "invalid", at)


def truth_of(value: Any) -> float | None:
    """Checks a truth: a finite number, or None where it is unknown."""
    if value is None:
        return None
    try:
        x = float(value)
    except (TypeError, ValueError, OverflowError):
        x = math.nan
    if not math.isfinite(x):
        raise refused(f"truth is a finite number or None, got {value!r}", "/truth")
    return x


def text_of(text: str, what: str, longest: int, at: str) -> str:
    """Checks a text that is to be written: UTF-8, and of at most so many bytes."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError as e:
        raise refused(f"{what}: the text has no UTF-8 ({e.reason} at {e.start})", at) from None
    if size > longest:
        raise refused(f"{what}: {size} bytes of text, want at most {longest}", at)
    return str(text)  # a plain one, of whatever kind of str it was


def name_of(name: object, what: str, at: str) -> str:
    """Checks a name that is to be written: without blanks at its ends, and of printable characters."""
    if not isinstance(name, str) or not name or name != name.strip() or any(c < " " or "\x7f" <= c <= "\x9f" for c in name):
        raise refused(f"{what}: want a name of at most {LONGEST_NAME} bytes, got {name!r:.60}", at)
    return text_of(name, what, LONGEST_NAME, at)
