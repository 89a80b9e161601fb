"""What the calls of studies have in common: arguments, the end of a report, and a folder that holds runs of one plan."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shlex
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

import marlpit
from noise_arms import keep


def names(known: tuple[str, ...]) -> Any:
    """An argument of words from a list, with commas between."""

    def read(text: str) -> list[str]:
        out = [w for w in text.split(",") if w]
        if wrong := [w for w in out if w not in known]:
            raise argparse.ArgumentTypeError(f"{wrong[0]!r} is none of {', '.join(known)}")
        return list(dict.fromkeys(out))

    return read


def numbers(low: int, high: int) -> Any:
    """An argument of whole numbers from a range, with commas between."""

    def read(text: str) -> list[int]:
        try:
            out = [int(w) for w in text.split(",") if w]
        except ValueError:
            raise argparse.ArgumentTypeError(f"want whole numbers with commas between, got {text!r}") from None
        if wrong := [n for n in out if not low <= n <= high]:
            raise argparse.ArgumentTypeError(f"{wrong[0]} is not from {low} to {high}")
        return sorted(set(out))

    return read


def running(p: argparse.ArgumentParser) -> None:
    """Adds the arguments that say how a study is run."""
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    p.add_argument("--budget-minutes", type=float, default=float("inf"), help="start nothing new after that")
    p.add_argument("--dry-run", action="store_true", help="say what there is to do, and how long it would take")
    p.add_argument("--smoke", action="store_true", help="a study of a few seconds, in a folder of its own unless --out is given")


def read(p: argparse.ArgumentParser, words: list[str], smoke: str, prefix: str) -> argparse.Namespace:
    """Reads the words of a call.

    Args:
        p: what they may be.
        words: of the call.
        smoke: words that --smoke stands for.
        prefix: of the folder of such a study.
    """
    o = p.parse_args(words)
    if o.smoke:
        given = "--out" in " ".join(words)
        o = p.parse_args([*smoke.split(), *(w for w in words if w != "--smoke")])
        if not given:
            o.out = Path(tempfile.mkdtemp(prefix=prefix))
    return o


def ending(done: int, total: int, failed: Mapping[str, str], calls: Sequence[dict[str, Any]]) -> list[str]:
    """The last lines of a report: what is missing, what failed and why, and the calls that made the runs."""
    missing = "" if done == total else " What is missing is left out, never counted as 0."
    return [
        "",
        f"{done} of {total} runs are there.{missing}",
        *(f"- failed: {name}: {why}" for name, why in sorted(failed.items())),
        "",
        "Made by",
        "",
        *(f"- {c['at']}: `{c['command']}`; {', '.join(f'{k} {v}' for k, v in c['versions'].items())}" for c in calls),
    ]


def versions() -> dict[str, str]:
    """What the numbers depend on beside the call."""
    server = hashlib.sha256(Path(marlpit.server_binary()).read_bytes()).hexdigest()[:12]
    try:
        ours = version("marlpit")
    except PackageNotFoundError:  # of a source tree on the path
        ours = "?"
    return {"marlpit": ours, "server-sha256": server, "numpy": np.__version__, "python": platform.python_version()}


def open_folder(out: Path, study: str, ours: Mapping[str, Any], words: Sequence[str], todo: int) -> list[dict[str, Any]]:
    """Notes a call that has something to do and returns all of them so far; one folder holds runs of one plan.

    Args:
        out: the folder.
        study: name of the script, without its ending.
        ours: the plan, JSON values.
        words: of the call.
        todo: pieces of work to do.
    """
    notes = out / "work" / "calls.json"
    before = json.loads(notes.read_text()) if notes.exists() else {"plan": ours, "calls": []}
    if before["plan"] != ours:
        other = ", ".join(f"{k} {before['plan'].get(k)}, here {v}" for k, v in ours.items() if before["plan"].get(k) != v)
        sys.exit(f"{study}: {out} holds runs of another plan: {other}. Take the same again, or another --out")
    if todo:  # where the folder is says nothing about the numbers in it
        said = [w for k, w in enumerate(words) if not w.startswith("--out") and words[k - 1 : k] != ["--out"]]
        at = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M")
        before["calls"].append({"at": at, "command": shlex.join([f"{study}.py", *said]), "versions": versions()})
        keep(notes, before)
    return before["calls"]
