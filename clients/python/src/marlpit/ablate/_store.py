"""Folders of runs: what is on disk whole is done."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import platform
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

import marlpit
from marlpit.ablate._plan import Job
from marlpit.ablate._shapes import checked
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
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        with named(path), open(part, "wb") as f:
            f.write(text.encode(errors="backslashreplace"))  # half of a pair of UTF-16 is an escape of JSON
            f.flush()
            os.fsync(f.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def keep_all(place: Path, files: Mapping[str, bytes]) -> None:
    """Writes files into a folder, which is made where it isn't there: once all are whole, each takes its place."""
    new = not place.exists()
    place.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=place, prefix=".part-", ignore_cleanup_errors=True) as part:
            for name, data in files.items():
                with named(place / name):
                    (Path(part) / name).write_bytes(data)
                    if (place / name).is_dir():
                        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            for name in files:
                (Path(part) / name).replace(place / name)
    except OSError:
        if new:
            with contextlib.suppress(OSError):
                place.rmdir()
        raise


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Has errors say the file that was to be written: those of a full disk name none, and others a temporary one."""
    try:
        yield
    except OSError as e:
        raise OSError(e.errno, e.strerror or str(e), str(path)) from e


def read(path: Path) -> dict[str, Any] | None:
    """Reads a table of JSON, and checks it by the name of its file; None where there is no such file.

    Raises:
        Invalid: It is something else, such as the beginning of a file.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
        if not isinstance(found, dict):
            raise ValueError(f"a table is wanted, got {type(found).__name__}")
        checked(found, path.name)
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError, Invalid) as e:
        raise Invalid(f"{path} is broken: {e}. Delete it, and the same call makes it anew") from None
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


def folder(out: Path, flag: str) -> None:
    """Refuses a folder that is a file, or below one.

    Raises:
        Invalid: It is.
    """
    there = next((p for p in (out, *out.parents) if p.exists()), None)
    if there is not None and not there.is_dir():
        raise Invalid(f"{flag} {out}: {there} is a file, and a folder is wanted")


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
