"""Runs of anybody's, from CSV: what can't be meant is refused with its line."""

from __future__ import annotations

import csv
import math
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from marlpit.ablate._kinds import MOST, NAME
from marlpit.errors import Invalid

NAMES = ("env", "algo", "arm")
NEEDED = (*NAMES, "seed", "frames", "success")
COLUMNS = ("part", *NEEDED, "team_return", "cpu_seconds", "tokens")
VALUES = COLUMNS[5:]
WHOLE = ("seed", "frames")
GROWING = ("cpu_seconds", "tokens")  # what is spent so far
LARGEST = 1e15  # of any number: sums and squares of larger ones are none

Key = tuple[str, str, str, str, int]
Lists = dict[str, list[float]]


def read_csv(path: Path) -> dict[Key, Lists]:
    """Reads runs: a row for each evaluation, columns as docs/ablations.md tells.

    Returns:
        Part, world, learner, arm and seed of each run, to its lists over evaluations by column.

    Raises:
        Invalid: What is wrong, and in which line.
    """
    runs: dict[Key, Lists] = {}
    try:
        with open(path, newline="", encoding="utf-8-sig") as f:
            table = csv.DictReader(f, strict=True)
            head = table.fieldnames or ()
            if wrong := [n for n in NEEDED if n not in head]:
                raise Invalid(f"{path}: the column {wrong[0]} is missing; needed are {', '.join(NEEDED)}")
            if twice := [n for n in COLUMNS if list(head).count(n) > 1]:
                raise Invalid(f"{path}: the column {twice[0]} is there more than once")
            for row in table:
                _add(runs, row, f"{path}, line {table.line_num}", len(head))
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        raise Invalid(f"{path} can't be read: {e}") from None
    for key, lists in runs.items():
        if not lists["frames"][-1] > 0:
            raise Invalid(f"{path}: the run {', '.join(map(str, key))} has no evaluation after frame 0")
    return runs


def _add(runs: dict[Key, Lists], row: Mapping[str, str], at: str, columns: int) -> None:
    if None in row or None in row.values():
        raise Invalid(f"{at}: {columns} values are wanted, got {'more' if None in row else 'fewer'}")
    names = [_name(row, n, at) for n in NAMES]
    part = _name(row, "part", at) if row.get("part") else "main"
    found = {n: _number(row, n, at) for n in VALUES}
    if not 0 <= found["success"] <= 1:
        raise Invalid(f"{at}: success is from 0 to 1, got {row['success']}")
    for name in ("frames", *GROWING):
        if found[name] < 0:
            raise Invalid(f"{at}: {name} are at least 0, got {row[name]}")
    run = runs.setdefault((part, names[0], names[1], names[2], _seed(row, at)), {n: [] for n in VALUES})
    later = len(run["frames"]) > 0
    if later and found["frames"] <= run["frames"][-1]:
        raise Invalid(f"{at}: frames grow within a run, got {row['frames']} after {run['frames'][-1]:g}")
    for name in VALUES:
        if later and math.isnan(found[name]) != math.isnan(run[name][-1]):
            raise Invalid(f"{at}: {name} is in all rows of a run, or in none")
        if later and name in GROWING and found[name] < run[name][-1]:
            raise Invalid(f"{at}: {name} never fall within a run, got {row.get(name)} after {run[name][-1]:g}")
        run[name].append(found[name])


def _name(row: Mapping[str, str], column: str, at: str) -> str:
    name = row[column]
    if not name.strip():
        raise Invalid(f"{at}: {column} is a name, got {name!r}")
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in name):
        raise Invalid(f"{at}: {column} is a name of one line without control characters, got {name[:80]!r}")
    if len(name.encode()) > NAME:
        raise Invalid(f"{at}: {column} has {len(name.encode())} bytes, and {NAME} at most")
    return name


def _seed(row: Mapping[str, str], at: str) -> int:
    try:
        return int(row["seed"])  # exactly: those of 64 bits are no floats
    except ValueError:
        return int(_number(row, "seed", at))


def _number(row: Mapping[str, str], name: str, at: str) -> float:
    text = row.get(name) or ""
    if not text and name not in NEEDED:
        return 0.0 if name == "tokens" else math.nan
    try:
        value = float(text)
        if not abs(value) <= (MOST if name in WHOLE else LARGEST) or (name in WHOLE and value != int(value)):
            raise ValueError
    except ValueError:
        raise Invalid(f"{at}: {name} is a {'whole ' if name in WHOLE else ''}number, got {text[:80]!r}") from None
    return value
