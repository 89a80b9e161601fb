"""Words that numbers are said with."""

from __future__ import annotations

from collections.abc import Iterable


def plural(n: int, thing: str) -> str:
    """A number of things: `1 run`, `1,090 runs`."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def span(least: int, most: int) -> str:
    """Where numbers are: `3`, `3–10`."""
    return str(least) if least == most else f"{least}–{most}"


def ranges(numbers: Iterable[int]) -> str:
    """A set of numbers, such as seeds: `0, 3–9`."""
    found: list[list[int]] = []
    for n in sorted(set(numbers)):
        if found and n == found[-1][1] + 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return ", ".join(span(a, b) if b != a + 1 else f"{a}, {b}" for a, b in found)
