"""Work in processes of its own, as many at a time as are wanted; what is on disk is done."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marlpit.ablate import _process, _store
from marlpit.ablate._plan import Job
from marlpit.errors import Invalid

MODEL_FRAMES = 100_000  # frames of training that a model is taken for, where time is told and nothing was measured yet
FIRST_RATE = 1e-4  # seconds a frame, likewise


@dataclass
class Task:
    """A model or a run.

    Attributes:
        kind: `model` or `run`.
        job: It is of.
        folder: Where its result goes.
        needs: Task of the model that it needs; None without one.
        begun: When it began; 0 before.
        share: How much of it is done, in [0, 1].
    """

    kind: str
    job: Job
    folder: Path
    needs: Task | None = None
    begun: float = 0
    share: float = 0

    @property
    def name(self) -> str:
        """For people."""
        return self.job.slug if self.kind == "run" else f"votes and σ of {self.job.world.name}, seed {self.job.seed}"

    @property
    def frames(self) -> int:
        """How much there is to do."""
        return self.job.frames if self.kind == "run" else MODEL_FRAMES

    @property
    def pace(self) -> str:
        """Tasks of one pace take about as long."""
        return f"{self.job.algo} {self.job.world.name}" if self.kind == "run" else f"model {self.job.world.name}"

    def done(self) -> bool:
        """Whether its result is there."""
        return (self.folder / ("result.json" if self.kind == "run" else "model.json")).exists()


def tasks(jobs: Sequence[Job], out: Path) -> list[Task]:
    """All work of the jobs: each run, and before it the model it needs, if that isn't another's too."""
    models: dict[Path, Task] = {}
    found: list[Task] = []
    for job in jobs:
        place, needs = _store.model_folder(out, job), None
        if place is not None:
            if place not in models:
                models[place] = Task("model", job, place)
                found.append(models[place])
            needs = models[place]
        found.append(Task("run", job, _store.run_folder(out, job), needs))
    return found


@dataclass
class Queue:
    """Does tasks in their order.

    Attributes:
        out: The folder of all.
        base: Folder that files of the plan are named from.
        call: Command and revision, for manifests.
        jobs: Processes at a time.
        algos: Learners of all that is to come, where that is known: their library is imported once.
        paces: Pace to frames and seconds so far.
        failed: Folder of what failed to the reason.
        since: When it was made.
    """

    out: Path
    base: Path
    call: dict[str, str]
    jobs: int
    algos: Collection[str] = ()
    paces: dict[str, tuple[float, float]] = field(default_factory=dict)
    failed: dict[Path, str] = field(default_factory=dict)
    since: float = field(default_factory=time.monotonic)

    def spent(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self.since

    def work(self, todo: Sequence[Task], seconds: float) -> bool:
        """Does what isn't done; starts nothing after so many seconds. False where some of it wasn't begun.

        Raises:
            KeyboardInterrupt: Ctrl-C; what was under way has been ended, and nothing was lost but its time.
        """
        rest = [t for t in todo if not t.done()]
        self.total, end = len(rest), time.monotonic() + seconds
        events: queue.Queue[_process.Said] = queue.Queue()
        running: dict[Path, _process.Process] = {}
        by = {t.folder: t for t in rest}
        processes = _process.context({*self.algos, *(t.job.algo for t in rest if t.kind == "run")})
        try:
            while True:
                for t in [t for t in rest if t.needs and t.needs.folder in self.failed]:
                    rest.remove(t)
                    self._fail(t, f"its model failed: {self.failed[t.needs.folder]}" if t.needs else "")
                while len(running) < self.jobs and time.monotonic() < end and (ready := next(filter(_ready, rest), None)):
                    rest.remove(ready)
                    self._note(ready)
                    _process.start(processes, running, (ready.kind, ready.folder, self.out, self.base), events)
                if not running:
                    return not rest
                for folder, r in running.items():
                    if by[folder].done():
                        r.finish()
                    r.hurry()
                try:
                    folder, said = events.get(timeout=1)
                except queue.Empty:
                    continue
                t = by[folder]
                running[folder].hear(said)
                if "ended" in said:
                    self._ended(t, running.pop(folder))
                elif "frames" in said:
                    t.share = min(1, said["frames"] / t.job.frames)
                self._bar(rest, [by[f] for f in running], t, said)
        finally:
            _process.end(running.values())

    def _note(self, t: Task) -> None:
        """Notes what is begun, and for which time."""
        t.folder.mkdir(parents=True, exist_ok=True)
        try:
            tried = (_store.read(t.folder / "job.json") or {}).get("attempt", 0)
        except Invalid:  # the times before are lost, and nothing else
            tried = 0
        _store.keep(t.folder / "job.json", {"job": t.job.as_json(), "attempt": tried + 1, **self.call})
        t.begun = time.monotonic()

    def _ended(self, t: Task, r: _process.Process) -> None:
        why = r.reason()
        if t.done():
            frames, seconds = self.paces.get(t.pace, (0, 0))
            self.paces[t.pace] = frames + t.frames, seconds + (r.over or time.monotonic()) - t.begun
            (t.folder / "failed.json").unlink(missing_ok=True)
        else:
            self._fail(t, why)

    def _fail(self, t: Task, why: str) -> None:
        self.failed[t.folder] = why
        _store.keep(t.folder / "failed.json", {"job": t.job.as_json(), "why": why, "at": _store.now()})

    def left(self, todo: Sequence[Task]) -> float:
        """Seconds that tasks will take, by the pace of those that are done or under way."""
        known = [s / f for f, s in self.paces.values() if f]
        mean = sum(known) / len(known) if known else FIRST_RATE
        total = 0.0
        for t in todo:
            frames, seconds = self.paces.get(t.pace, (0, 0))
            rate = seconds / frames if frames else mean
            if t.share > 0.05:
                rate = (time.monotonic() - t.begun) / (t.share * t.frames)
            total += rate * t.frames * (1 - t.share)
        return total / self.jobs

    def _bar(self, rest: Sequence[Task], running: Sequence[Task], t: Task, said: dict[str, Any]) -> None:
        done = self.total - len(rest) - len(running)
        spent, left = clock(self.spent()), clock(self.left([*rest, *running]))
        text = f"{done}/{self.total}, {spent}, about {left} left  {t.name}"
        if sys.stderr.isatty():
            how = f" {said['frames']:,} frames: {said['success']:.0%}" if "frames" in said else ""
            print(f"\r{text + how:<120}", end="", file=sys.stderr, flush=True)
        elif "ended" in said:
            print(text + ("" if t.done() else " FAILED"), file=sys.stderr, flush=True)


def _ready(t: Task) -> bool:
    return t.needs is None or t.needs.done()


def clock(seconds: float) -> str:
    """Seconds for people: `48 s`, `12 min`, `3 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
