"""What isn't there, in few words: equal gaps are one row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from marlpit.ablate._load import Study
from marlpit.ablate._words import plural, ranges

NAMED = 3  # folders that are named of those that failed alike

Key = tuple[str, str, str, str]


class Gap(NamedTuple):
    """Runs that were planned and weren't made.

    Attributes:
        where: Part, world, learner, reward; `all` where the same is missing in all of them.
        seeds: Those that are missing.
        runs: How many runs these are.
        planned: How many were planned there.
    """

    where: Key
    seeds: str
    runs: int
    planned: int

    @property
    def missing(self) -> str:
        """Such as `200 of 200`."""
        return f"{self.runs:,} of {self.planned:,}"


def not_run(study: Study) -> list[Gap]:
    """What was planned, isn't there and didn't fail either."""
    failed = {n.partition("/")[2] for n in study.failed}
    planned: dict[Key, list[int]] = {}
    gaps: dict[Key, frozenset[int]] = {}
    lost = set(study.missing())
    for part, world, algo, arm, seed in study.planned:
        key = part, world, algo, arm
        planned.setdefault(key, []).append(seed)
        gone = (*key, seed) in lost and f"{part}/{world}/{algo}/{arm}-s{seed}" not in failed
        gaps[key] = gaps.get(key, frozenset()) | ({seed} if gone else frozenset())
    return [g for part in dict.fromkeys(k[0] for k in planned) for g in _below((part,), gaps, planned)]


def _below(at: tuple[str, ...], gaps: Mapping[Key, frozenset[int]], planned: Mapping[Key, Sequence[int]]) -> list[Gap]:
    """Gaps of all that begins with `at`: one where they are all the same, else those one level further down."""
    keys = [k for k in gaps if k[: len(at)] == at]
    alike = {gaps[k] for k in keys}
    if len(alike) == 1:
        return _gap(keys, _named(at, keys), gaps, planned)
    if len(at) < 3:
        nexts = dict.fromkeys(k[: len(at) + 1] for k in keys)
        return [g for n in nexts for g in _below(n, gaps, planned)]
    groups: dict[frozenset[int], list[Key]] = {}
    for k in keys:
        groups.setdefault(gaps[k], []).append(k)
    return [g for ks in groups.values() for g in _gap(ks, (*at, ", ".join(k[3] for k in ks)), gaps, planned)]


def _named(at: tuple[str, ...], keys: Sequence[Key]) -> tuple[str, ...]:
    """The names so far, then of each level the only name that there is, or `all`."""
    rest = [{k[level] for k in keys} for level in range(len(at), 4)]
    return (*at, *(next(iter(names)) if len(names) == 1 else "all" for names in rest))


def _gap(
    keys: Sequence[Key], where: Sequence[str], gaps: Mapping[Key, frozenset[int]], planned: Mapping[Key, Sequence[int]]
) -> list[Gap]:
    runs = sum(len(gaps[k]) for k in keys)
    part, world, algo, arm = where
    return [Gap((part, world, algo, arm), ranges(gaps[keys[0]]), runs, sum(len(planned[k]) for k in keys))] if runs else []


class Failure(NamedTuple):
    """A reason, and what failed for it: `why`, `times`, and folders, the first of them by name."""

    why: str
    times: int
    folders: list[str]

    @property
    def others(self) -> str:
        """Those that aren't named."""
        return f" and {plural(rest, 'other')}" if (rest := self.times - len(self.folders)) else ""


def failures(failed: Mapping[str, str]) -> list[Failure]:
    """Reasons, those of the most failures first."""
    by: dict[str, list[str]] = {}
    for folder, why in sorted(failed.items()):
        by.setdefault(why, []).append(folder)
    return [Failure(why, len(n), n[:NAMED]) for why, n in sorted(by.items(), key=lambda x: (-len(x[1]), x[0]))]
