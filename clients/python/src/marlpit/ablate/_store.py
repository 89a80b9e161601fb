"""Folders of runs: what is on disk whole is done."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

import marlpit
from marlpit.ablate._plan import Job
from marlpit.errors import Invalid, MarlpitError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LIBRARIES = ("marlpit", "numpy", "scipy", "torch", "tensordict", "torchrl", "benchmarl", "gymnasium", "pettingzoo")


def keep(path: Path, value: Any) -> None:
    """Writes JSON whole or not at all, and onto the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with open(part, "w", encoding="utf-8") as f:
        f.write(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
        f.flush()
        os.fsync(f.fileno())
    part.replace(path)


def read(path: Path) -> dict[str, Any] | None:
    """Reads a table of JSON; None where there is no such file.

    Raises:
        Invalid: It is something else, such as the beginning of a file.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except FileNotFoundError:
        return None
    except ValueError as e:
        raise Invalid(f"{path} is broken: {e}. Delete it, and the same call makes it anew") from None
    if not isinstance(found, dict):
        kind = type(found).__name__
        raise Invalid(f"{path} is broken: a table is wanted, got {kind}. Delete it, and the same call makes it anew")
    return found


def result(path: Path) -> dict[str, Any] | None:
    """Reads what a run came to; None where it isn't there.

    Raises:
        Invalid: It is no whole result.
    """
    found = read(path)
    if found is None:
        return None
    lists: list[Any] = [found.get(name) for name in ("frames", "success", "team_return", "cpu_seconds")]
    whole = {"job", "charged", "tokens", "model", "reward", "seconds"} <= set(found) and isinstance(found["job"], dict)
    if not whole or not all(isinstance(x, list) and x and all(isinstance(v, (int, float)) for v in x) for x in lists):
        raise Invalid(f"{path} is broken: it is no run's result. Delete it, and the same call makes it anew")
    frames, success = lists[:2]
    grows = all(a < b for a, b in zip(frames, frames[1:], strict=False)) and frames[0] >= 0 < frames[-1]
    if len({len(x) for x in lists}) > 1 or not grows or not all(0 <= v <= 1 for v in success):
        raise Invalid(f"{path} is broken: its curve is none. Delete it, and the same call makes it anew")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


@contextlib.contextmanager
def alone(out: Path) -> Iterator[None]:
    """Holds a folder: two calls at once would do all work twice, and pay for votes twice.

    Raises:
        Invalid: Another call holds it. That ends with its process, however it ends.
    """
    out.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield
        return
    with open(out / ".lock", "a") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Invalid(f"another call is at work in {out}: wait for its end, or take another --out") from None
        yield


def disk(work: Callable[[], int]) -> int:
    """Does work whose files may not be written: a full or read-only disk is an error of the call's, not ours.

    Raises:
        MarlpitError: It was.
    """
    try:
        return work()
    except OSError as e:
        where = f": {e.filename}" if e.filename else ""
        raise MarlpitError(f"{e.strerror or e}{where}. What is there whole stays") from e


def run_folder(out: Path, job: Job) -> Path:
    """Where a run is."""
    return out / ("runs" if job.config is None else "tuning") / job.slug


def model_folder(out: Path, job: Job) -> Path | None:
    """Where the model that is fitted for it is; None where none is."""
    slug = job.model_slug()
    return None if slug is None else out / "models" / slug


def now() -> str:
    """The time, for records."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def versions() -> dict[str, str]:
    """Versions of what a run's numbers depend on; what isn't installed is left out. Imports nothing."""
    found = {"python": platform.python_version(), "server": _server()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def revision() -> str:
    """The git revision of the folder we are called in, with `+` where files are changed; empty outside of git."""
    try:
        head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        changed = subprocess.run(["git", "status", "--porcelain", "-uno"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return head + ("+" if changed.stdout.strip() else "")


def hardware() -> dict[str, Any]:
    """The machine."""
    name = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
            name = next((line.partition(":")[2].strip() for line in f if line.startswith("model name")), name)
    return {"system": f"{platform.system()} {platform.release()}", "processor": name, "cores": os.cpu_count()}


def _server() -> str:
    with open(marlpit.server_binary(), "rb") as f:
        return "sha256 " + hashlib.sha256(f.read()).hexdigest()[:12]


def seconds() -> tuple[float, float]:
    """CPU-seconds so far: of this process, and of its children that have ended."""
    t = os.times()
    return t.user + t.system, t.children_user + t.children_system


def numbers(values: Any) -> list[float]:
    """Floats for JSON, with six digits."""
    return [float(f"{v:.6g}") for v in np.asarray(values, float)]
