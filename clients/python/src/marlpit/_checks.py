"""What callers give, looked at before it is used; the words are those of the server where it would refuse likewise."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marlpit.errors import Invalid

RENDER_MODES = ("rgb_array",)
LONGEST = 1_000_000  # seconds; a socket's are milliseconds in 32 bits


def actions(given: NDArray[Any], dtype: np.dtype[Any], whole: bool) -> NDArray[Any]:
    """Casts actions to the wire's dtype where that changes none of them.

    Args:
        given: Of any shape.
        dtype: int32 or float32.
        whole: Whether they are choices.

    Raises:
        Invalid: They are no numbers, choices that are no whole numbers, or beyond 32 bits.
    """
    if given.dtype.kind not in ("iu" if whole else "iuf"):
        raise Invalid(f"actions are {'whole ' if whole else ''}numbers, got {given.dtype}", "invalid", "/actions")
    if given.dtype == dtype:
        return given
    if whole and given.size and not (-(2**31) <= given.min() and given.max() < 2**31):
        raise Invalid("actions do not fit 32 bits", "invalid", "/actions")
    return given.astype(dtype)


def choice(given: Any) -> int:
    """Reads one choice.

    Raises:
        Invalid: It is no whole number.
    """
    try:
        return index(given)
    except TypeError:
        raise Invalid(f"actions are whole numbers, got {given!r}", "invalid", "/actions") from None


def seed(given: Any, bits: int = 64) -> int:
    """Reads a seed of so many bits.

    Raises:
        Invalid: It is no whole number, or out of range.
    """
    try:
        value = index(given)
    except TypeError:
        value = -1
    if not 0 <= value < 1 << bits:
        most = "2" + str(bits).translate(str.maketrans("346", "³⁴⁶")) + "−1"
        raise Invalid(f"seed is an integer from 0 to {most}, got {given!r}", "invalid", "/seed")
    return value


def copies(given: Any) -> int:
    """Reads a number of copies.

    Raises:
        Invalid: It is no whole number, or below 1.
    """
    try:
        value = index(given)
    except TypeError:
        value = 0
    if value < 1:
        raise Invalid(f"num_envs is an integer of at least 1, got {given!r}", "invalid", "/num_envs")
    return value


def timeout(given: Any) -> float:
    """Reads a number of seconds.

    Raises:
        Invalid: It is none, not above 0, or more than sockets take.
    """
    if isinstance(given, bool) or not isinstance(given, (int, float, np.number)) or not 0 < given <= LONGEST:
        raise Invalid(f"timeout is a number of seconds above 0, and at most {LONGEST:,}, got {given!r}", "invalid")
    return float(given)


def render_mode(given: Any) -> None:
    """Refuses what no environment draws.

    Raises:
        Invalid: It is neither a mode nor None.
    """
    if given not in (None, *RENDER_MODES):
        raise Invalid(f"render_mode is rgb_array or None, got {given!r}", "invalid")
