"""What a plan's values have to be; a value of another kind is refused with where it stands, before anything is begun."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from marlpit.ablate._plan import TUNING_SEEDS, Learning
from marlpit.errors import Invalid

NAME = 200  # bytes of a name: folders take 255, and names have seeds and endings behind them
MOST = 2**53  # whole numbers up to which floats are exact


class Kind(NamedTuple):
    """What a value is, in words, and whether one is."""

    says: str
    fits: Callable[[Any], bool]


def is_whole(value: Any, least: int = 0, most: int = MOST) -> bool:
    """Whether it is a whole number within limits; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def is_number(value: Any, least: float = -math.inf, most: float = math.inf) -> bool:
    """Whether it is a finite number within limits."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and least <= value <= most


def is_plain(value: Any) -> bool:
    """Whether JSON can say it: no date, and no number that is none."""
    if isinstance(value, Mapping):
        return all(isinstance(k, str) and is_plain(v) for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return value is None or isinstance(value, (str, bool)) or is_number(value)


def _texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value)


def _seeds(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and all(is_whole(s, 0, TUNING_SEEDS - 1) for s in value)
    return is_whole(value, 1, TUNING_SEEDS)


def _each(kind: Kind) -> Kind:
    def fits(value: Any) -> bool:
        return isinstance(value, (list, tuple)) and len(value) > 0 and all(map(kind.fits, value))

    return Kind(f"a list, of which each is {kind.says}", fits)


TEXT = Kind("a text", lambda v: isinstance(v, str) and v != "")
YES_OR_NO = Kind("true or false", lambda v: isinstance(v, bool))
COUNT = Kind(f"a whole number from 1 to {MOST:,}", lambda v: is_whole(v, 1))
NUMBER = Kind("a number", is_number)
TABLE = Kind("a table", lambda v: isinstance(v, Mapping))
PLAIN_TABLE = Kind("a table of texts, numbers and booleans", lambda v: isinstance(v, Mapping) and is_plain(v))
TABLES = Kind("a list of tables", lambda v: isinstance(v, (list, tuple)) and all(isinstance(x, Mapping) for x in v))
SOME_TABLES = Kind("a list of at least one table", lambda v: TABLES.fits(v) and len(v) > 0)
TEXTS = Kind("a list of names", _texts)
SOME_TEXTS = Kind("a list of at least one name", lambda v: _texts(v) and len(v) > 0)
SEEDS = Kind(f"a number of seeds, or a list of numbers from 0 to {TUNING_SEEDS - 1}", _seeds)
SHARE = Kind("a number from 0 to 1", lambda v: is_number(v, 0, 1))
SIZE = Kind("a number above 0", lambda v: is_number(v, 0) and v > 0)
COST = Kind("a number from 0 to 1000", lambda v: is_number(v, 0, 1000))  # as rewards take them: docs/rewards.md
WEIGHT = Kind("a number from 0 up", lambda v: is_number(v, 0))

PART = {
    "name": TEXT, "env": TEXT, "params": PLAIN_TABLE, "worlds": SOME_TABLES, "algos": SOME_TEXTS, "rewards": SOME_TEXTS,
    "seeds": SEEDS, "frames": COUNT, "episodes": COUNT, "greedy": YES_OR_NO, "bonus": COST, "step_cost": COST,
    "learning": TABLE, "ranker": PLAIN_TABLE, "pairs": PLAIN_TABLE, "tuned": TEXTS,
}  # fmt: skip
TOP = {**PART, "arms": TABLE, "part": SOME_TABLES, "compare": TABLES, "tune": TABLE}
ARM = {
    "scheme": TEXT, "options": PLAIN_TABLE, "ranker": PLAIN_TABLE, "pairs": PLAIN_TABLE, "model": TEXT, "function": TEXT,
}  # fmt: skip
WORLD = {"env": TEXT, "params": PLAIN_TABLE, "name": TEXT}
COMPARE = {"name": TEXT, "arms": TEXTS, "metric": TEXT, "part": TEXT, "worlds": TEXTS, "primary": YES_OR_NO}
TUNE = {"configs": COUNT, "seeds": COUNT, "space": TABLE}
_RANGES = {"gamma": SHARE, "lam": SHARE, "lr": SIZE, "clip": SIZE, "entropy": WEIGHT}
_KINDS: dict[type, Kind] = {bool: YES_OR_NO, int: COUNT, float: NUMBER}
LEARNING = {f.name: _RANGES.get(f.name, _KINDS[type(f.default)]) for f in fields(Learning)}
SPACE = {name: _each(kind) for name, kind in LEARNING.items()}


def known(d: Any, names: Sequence[str], at: str) -> None:
    """Refuses what is no table, and keys that there aren't."""
    if not isinstance(d, Mapping):
        raise Invalid(f"{at} is a table, got {d!r}")
    if wrong := [k for k in d if k not in names]:
        raise Invalid(f"{at}: there is no {wrong[0]!r}; there are {', '.join(names)}")


def checked(d: Any, kinds: Mapping[str, Kind], at: str) -> None:
    """Refuses what is no table of these kinds."""
    known(d, list(kinds), at)
    for key, value in d.items():
        if not kinds[key].fits(value):
            verb = "are" if key in ("seeds", "rewards", "algos", "worlds") else "is"
            raise Invalid(f"{at}: {key} {verb} {kinds[key].says}, got {value!r}")


def folder_name(name: str, at: str) -> None:
    """Refuses names that are none of a folder below another, on any system."""
    if not re.fullmatch(r"[\w.,+=() -]*\w[\w.,+=() -]*", name):
        raise Invalid(f"{at}: {name!r} is no name for a folder: letters, digits and ' .,+-=()_' are")
    if name != name.strip(" ") or name.endswith("."):
        raise Invalid(f"{at}: {name!r} is no name for a folder: it begins or ends with a space, or ends with a dot")
    if len(name.encode()) > NAME:
        raise Invalid(f"{at}: {name[:40]!r}… is no name for a folder: it has {len(name.encode())} bytes, and {NAME} at most")
