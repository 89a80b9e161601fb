"""What came out of the primary comparison, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from marlpit.ablate._load import Study
from marlpit.ablate._plan import Comparison
from marlpit.ablate._stats import Estimate
from marlpit.ablate._summary import FEWER_IS_BETTER, Verdict
from marlpit.ablate._words import places, plural

LEVEL = 0.05
UNITS: dict[str, tuple[float, int | None]] = {  # and digits; None: as many as it takes
    "success": (1, 2), "team_return": (1, 2), "area": (1, 2), "to50": (1000, None), "to80": (1000, None),
}  # fmt: skip
METRIC = {
    "success": "success at the end", "team_return": "team return at the end", "area": "area under the curve of success",
    "to50": "thousand frames to 50 %", "to80": "thousand frames to 80 %",
}  # fmt: skip


def outcomes(study: Study, verdicts: Sequence[Verdict]) -> list[tuple[str, str]]:
    """Name and outcome of each primary comparison, in each part that has both of its arms."""
    out = []
    for c in study.comparisons:
        if not c.primary:
            continue
        title = f"Primary comparison, {c.name}:"
        found = [v for v in verdicts if v.of == c]
        out += [(title, _sentence(v) + _so_far(study, v.of, v.part)) for v in found]
        if not found:
            out.append((title, "nothing can be said yet, for no seed has runs of both."))
    return out


def _sentence(v: Verdict) -> str:
    """A difference counts where the corrected p is below LEVEL and the interval leaves 0 out."""
    c, r = v.of, v.result
    a, b, metric, part = c.a, c.b, METRIC[c.metric], f"in part {v.part}"
    d, pairs = r.difference, plural(r.pairs, "pair")
    clear = v.corrected < LEVEL and d.low is not None and d.high is not None and (d.low > 0 or d.high < 0)
    value, interval = _signed(d, *UNITS[c.metric])
    numbers = f"{value} in {metric}{interval}, {pairs}, p = {v.corrected:.2g} after Holm's correction"
    if clear:
        better = (d.value < 0) == (c.metric in FEWER_IS_BETTER)
        return f"{a} is {'better' if better else 'worse'} than {b} {part} ({numbers})."
    if r.least > LEVEL:
        return f"too few runs to tell {a} from {b} {part} ({numbers}; {pairs} can't give less than {r.least:.2g})."
    return f"no difference between {a} and {b} is shown {part} ({numbers})."


def _signed(e: Estimate, unit: float, digits: int | None) -> tuple[str, str]:
    """A difference with its sign, `+0.21`, and its interval, `, 95 % interval +0.10 to +0.33`."""
    digits = places(*(None if x is None else x / unit for x in e)) if digits is None else digits
    value, low, high = (None if x is None else f"{x / unit:+.{digits}f}".replace("-", "−") for x in e)
    return str(value), "" if low is None else f", 95 % interval {low} to {high}"


def _so_far(study: Study, c: Comparison, part: str) -> str:
    """What is missing of it."""
    worlds, arms = c.worlds, (c.a, c.b)
    asked = [p for p in study.planned if p[0] == part and p[3] in arms and (not worlds or p[1] in worlds)]
    lost = len(set(asked) & set(study.missing()))
    return f" So far: {len(asked) - lost:,} of its {plural(len(asked), 'run')} are there." if lost else ""
