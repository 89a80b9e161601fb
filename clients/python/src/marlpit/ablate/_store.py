"""Folders of runs: what is on disk whole is done."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

import marlpit
from marlpit.ablate._plan import Job

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
    """Reads JSON; None where there is no such file."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return found


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
