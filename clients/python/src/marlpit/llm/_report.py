"""What an evaluation came to: success by template and app, with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]  # an episode's line


def wilson(successes: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's interval for a share (Wilson 1927), 95 % by default.

    Args:
        successes: Of n.
        n: At least 1.
        z: Quantile of the normal distribution.

    Returns:
        Its ends, from 0 to 1.
    """
    p, d = successes / n, 1 + z * z / n
    middle = (p + z * z / (2 * n)) / d
    half = z / d * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """Counts some episodes; the share and its interval are None where there are none."""
    n, won = len(rows), sum(r["success"] for r in rows)
    low, high = wilson(won, n) if n else (None, None)
    made = sum(r["proposals"] for r in rows)
    return {
        "episodes": n, "successes": won, "success": won / n if n else None, "low": low, "high": high,
        "turns": sum(r["turns"] for r in rows) / n if n else None,
        "wasted": sum(r["wasted"] for r in rows) / made if made else None,
        "right": sum(r["right"] for r in rows) / made if made else None,
        **{k: sum(r[k] for r in rows) for k in ("calls", "retried", "prompt_tokens", "completion_tokens")},
    }  # fmt: skip


def results(arms: Sequence[str], rows: Sequence[Row]) -> dict[str, Any]:
    """All numbers: of each arm, in all and by template and app. A task about two apps counts for both."""

    def by(keys: Callable[[Row], Iterable[str]]) -> dict[str, Any]:
        names = sorted({k for r in rows for k in keys(r)})
        return {k: {a: summary([r for r in rows if r["arm"] == a and k in keys(r)]) for a in arms} for k in names}

    return {
        "all": {a: summary([r for r in rows if r["arm"] == a]) for a in arms},
        "templates": by(lambda r: [r["template"]]),
        "apps": by(lambda r: r["apps"]),
    }


def page(title: str, notes: Sequence[str], found: Mapping[str, Any], failed: Mapping[str, str], missing: int) -> str:
    """The report in Markdown."""
    arms = list(found["all"])
    lines = [f"# {title}", "", *notes, ""]
    lines += _table("", found={"all": found["all"]}, arms=arms)
    for name in ("templates", "apps"):
        if found[name]:
            lines += ["", *_table(name[:-1], found[name], arms)]
    lines += [
        "",
        "| | turns | right proposals | wasted | model calls | asked again | tokens read | tokens written |",
        "|---" * 8 + "|",
    ]
    for a, s in found["all"].items():
        cells = [_number(s["turns"], ".1f"), _number(s["right"], ".0%"), _number(s["wasted"], ".0%")]
        cells += [f"{s[k]:,}" for k in ("calls", "retried", "prompt_tokens", "completion_tokens")]
        lines.append(f"| {a} | {' | '.join(cells)} |")
    lines += ["", f"Successes of episodes, share and Wilson's 95 % interval. {_absent(len(failed), missing)}"]
    lines += [f"- failed: {name}: {why}" for name, why in sorted(failed.items())]
    return "\n".join(lines) + "\n"


def _absent(failed: int, missing: int) -> str:
    if not missing:
        return "No episode failed or is missing."
    return f"{missing} episodes are missing, {failed} of them failed in this run; none is counted as a 0. The same call goes on."


def _table(head: str, found: Mapping[str, Any], arms: Sequence[str]) -> list[str]:
    lines = [f"| {head} | {' | '.join(arms)} |", "|---" * (len(arms) + 1) + "|"]
    return lines + [f"| {name or 'unnamed'} | {' | '.join(_share(of[a]) for a in arms)} |" for name, of in found.items()]


def _share(s: Mapping[str, Any]) -> str:
    if not s["episodes"]:
        return "missing"
    return f"{s['successes']}/{s['episodes']} {s['success']:.2f} [{s['low']:.2f}, {s['high']:.2f}]"


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)
