"""Words that numbers are said with."""

from __future__ import annotations

import math
from collections.abc import Iterable


def plural(n: int, thing: str) -> str:
    """A number of things: `1 run`, `1,090 runs`."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def places(*numbers: float | None) -> int:
    """Digits after the point that numbers of a kind are said with: two digits of the largest, none from 10 up."""
    largest = max((abs(x) for x in numbers if x is not None and math.isfinite(x)), default=0)
    return min(6, max(0, 1 - math.floor(math.log10(largest)))) if largest else 0


def amount(x: float) -> str:
    """For people: `1,234`, `2.5`, `0.30`; `–` where it is unknown."""
    return "–" if math.isnan(x) else f"{x:,.{places(x)}f}"


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
