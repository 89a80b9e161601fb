"""A process of its own for each model and each run.

It tells of its progress through a pipe, and ends with its parent.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

import marlpit
from marlpit._session import Client
from marlpit.ablate import _store
from marlpit.ablate._learners import learner
from marlpit.ablate._measure import Examiner
from marlpit.ablate._models import make_model
from marlpit.ablate._plan import Job
from marlpit.ablate._rewards import Resolved, resolve
from marlpit.errors import Invalid

KEPT = ("MARLPIT_SERVER", "MARLPIT_API_KEY", "MARLPIT_BASE_URL")  # how to reach what a plan names
Tell = Callable[[dict[str, Any]], None]  # says something to the parent


def main(kind: str, folder: Path, out: Path, base: Path, tell: Connection) -> None:
    """Does the work of `job.json` in a folder, and exits with 1 where its result didn't come to be.

    Args:
        kind: `model` or `run`.
        folder: Where the result goes.
        out: The folder of all.
        base: Folder that files of the plan are named from.
        tell: Is sent what there is to say: `begun`, `frames` with an evaluation, or `failed` with the reason.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with open(folder / "log.txt", "ab") as log:
        for stream in (1, 2):
            os.dup2(log.fileno(), stream)
    os.chdir(base)
    sys.path.insert(0, str(base))
    np.seterr(invalid="raise", over="raise")  # a learner that got lost is a run that failed
    try:
        with plain_environment():
            _work(kind, folder, out, tell.send)
    except Exception as e:
        tell.send({"failed": f"{type(e).__name__}: {e}"})
        with suppress(OSError):  # the disk of the log may be full, and the reason be that
            traceback.print_exc()
        sys.exit(1)


@contextmanager
def plain_environment() -> Iterator[None]:
    """Sets aside variables that the program would take for flags: a run is what its plan says."""
    aside = {n: os.environ.pop(n) for n in [*os.environ] if n.startswith("MARLPIT_") and n not in KEPT}
    try:
        yield
    finally:
        os.environ.update(aside)


def _work(kind: str, folder: Path, out: Path, tell: Tell) -> None:
    said = _store.read(folder / "job.json")
    assert said is not None
    job = Job.from_json(said["job"])
    _unchanged(job)
    if kind == "model":
        assert job.arm.ranker is not None
        make_model(folder, job.world, job.seed, job.arm.ranker)
    else:
        fitted = _store.model_folder(out, job)
        if fitted is not None and job.arm.ranker is not None:
            make_model(fitted, job.world, job.seed, job.arm.ranker)  # it is there, unless its file was lost since
        _store.keep(folder / "result.json", run(job, folder, fitted, said, tell))


def _unchanged(job: Job) -> None:
    """Refuses files that were changed since the plan was read: the run would bear the hash of others."""
    arm = job.arm
    ranker = arm.ranker or {}
    votes = ranker.get("votes", {}).get("votes", "").replace("{env}", job.world.env)
    files = [(arm.function or "").rpartition(":")[0], *([arm.model] if arm.model != "shipped" else []), votes]
    files += [ranker.get("label", {}).get(k) for k in ("critics", "human_votes")]
    for file in filter(None, files):
        if hashlib.sha256(Path(file).read_bytes()).hexdigest() not in arm.source:
            raise Invalid(f"{file} was changed since the plan was read: the same call takes it as it is now")


def run(job: Job, folder: Path, fitted: Path | None, said: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """Trains and evaluates one run.

    Returns:
        Its result.
    """
    began = time.monotonic()
    idle = _store.seconds()
    reward = resolve(job, folder, fitted)
    before = _store.seconds()
    spent = reward.cpu_seconds + sum(before) - sum(idle)  # by a function's model too, which is made here
    with marlpit.serve(reward.credit, shipped=reward.shipped) as server:
        spec, header = _granted(job, reward, server.url)
        charged = header.get("frames", 0) if reward.frames is None else reward.frames
        left = job.frames - charged
        if left < job.learning.batch:
            raise Invalid(
                f"{charged} of {job.frames} frames went into pairs, and one update takes {job.learning.batch}: "
                f"give at least {charged + job.learning.batch} frames, or a plan whose pairs have fewer steps or copies"
            )
        model = {k: header.get(k) for k in ("name", "critic", "prompt", "frames", "seeds")} if header else {}
        manifest = {
            **said, "versions": _store.versions(), "hardware": _store.hardware(), "started": _store.now(), "reward": spec,
            "model": {**model, **reward.note},
        }  # fmt: skip
        _store.keep(folder / "manifest.json", manifest)
        tell({"begun": charged})
        examine = Examiner(charged, tell)
        learner(job.algo)(job, reward.spec, left, server.url, examine)
    c = examine.curve
    children = _store.seconds()[1] - before[1]
    share = (np.array(c.frames) - charged) / max(1, c.frames[-1] - charged)  # the server's time, by frames
    return {
        "job": said["job"], "reward": spec, "charged": charged, "tokens": reward.tokens, "frames": c.frames,
        "success": _store.numbers(c.success), "team_return": _store.numbers(c.team_return),
        "cpu_seconds": _store.numbers(spent + np.array(c.own_seconds) + children * share),
        "model": manifest["model"], "seconds": round(time.monotonic() - began, 2), "finished": _store.now(),
    }  # fmt: skip


def _granted(job: Job, reward: Resolved, url: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the server makes of the reward, and the header of the model it takes; empty without one."""
    with marlpit.vec_env(job.world.env, 1, reward=reward.spec, seed=job.seed, url=url, **job.world.params) as env:
        spec = env.reward
    if "model" not in spec:
        return spec, {}
    client = Client(url, None)
    try:
        headers = client.call("GET", "/v1/credit-models")["models"]
    finally:
        client.connection.close()
    return spec, next((h for h in headers if h["name"] == spec["model"]), {})


def _end_with_parent() -> None:
    """Ends this process once the parent has ended, however it did."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
