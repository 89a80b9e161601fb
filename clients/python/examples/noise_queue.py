"""The noise study's work in order: pairs, then models, then runs; what is on disk is done."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from noise_arms import Arm, Case, Critic, described, folder, keep
from noise_work import Plan, collect, rank, trained
from progress import bar, end_with_parent

# Seconds of a unit of work where none has been measured yet: of all pairs, of a critic's models, of 1000 training frames.
GUESS = {"collect": 4.0, "rank": 12.0, "run": 0.05}


@dataclass(frozen=True)
class Task:
    """A piece of work.

    Attributes:
        kind: `collect`, `rank` or `run`.
        world: id of the world.
        seed: seed.
        critic: of `rank`.
        queries: of `rank`: numbers of votes a model is wanted for.
        case: of `run`.
    """

    kind: str
    world: str
    seed: int
    critic: Critic | None = None
    queries: tuple[int, ...] = ()
    case: Case | None = None

    def makes(self, out: Path) -> list[Path]:
        """Files that are there when it is done."""
        place = folder(out, self.world, self.seed)
        if self.case:
            return [self.case.record(out)]
        if self.critic:
            return [place / f"{self.critic.name}-q{q}.credit" for q in self.queries]
        return [place / "pairs.json"]

    def needs(self, out: Path) -> list[Path]:
        """Files it can't do without."""
        if self.critic:
            return [folder(out, self.world, self.seed) / "pairs.json"]
        model = self.case.model(out) if self.case else None
        return [model] if model else []

    @property
    def name(self) -> str:
        """For people."""
        what = self.case.arm.name if self.case else self.critic.name if self.critic else "pairs"
        return f"{self.world} {what}, seed {self.seed}"


def tasks(arms: Sequence[Arm], seeds: Iterable[int]) -> list[Task]:
    """All work, seed by seed, so that a study that is broken off has whole seeds."""
    out: list[Task] = []
    for seed in seeds:
        for world in dict.fromkeys(a.world for a in arms):
            mine = [a for a in arms if a.world == world]
            wanted: dict[Critic, set[int]] = defaultdict(set)
            for a in mine:
                if a.critic:
                    wanted[a.critic].add(a.queries)
            if wanted:
                out.append(Task("collect", world, seed))
            out += [Task("rank", world, seed, critic, tuple(sorted(q))) for critic, q in wanted.items()]
            out += [Task("run", world, seed, case=Case(seed, a)) for a in mine]
    return out


class Queue:
    """Does tasks in processes, as many at a time as are wanted."""

    def __init__(self, out: Path, plan: Plan, todo: Sequence[Task], jobs: int) -> None:
        """Takes the tasks; what is on disk is done."""
        self.out, self.plan, self.tasks, self.jobs = out, plan, list(todo), jobs
        self.spent: dict[str, tuple[float, float]] = {}  # kind → units and seconds so far
        self.fewest: dict[Critic, int] = {}  # votes that a model is made of
        for c in (t.case.arm for t in self.tasks if t.case and t.case.arm.critic):
            self.fewest[c.critic] = min(c.queries, self.fewest.get(c.critic, c.queries))

    def done(self, t: Task) -> bool:
        """Whether a task's files are there."""
        return all(p.exists() for p in t.makes(self.out))

    def ready(self, t: Task) -> bool:
        """Whether what a task needs is there."""
        if not all(p.exists() for p in t.needs(self.out)):
            return False
        twin = self.twin(t)
        return twin is None or twin.record(self.out).exists()

    def twin(self, t: Task) -> Case | None:
        """The same with fewer votes, where those gave a scoring model of the very same numbers; None where none did."""
        if not t.case or not t.case.arm.critic:
            return None
        mine = weights(t.case.model(self.out))
        for c in (o.case for o in self.tasks if o.case):
            less = c.arm.queries < t.case.arm.queries and replace(c, arm=replace(c.arm, queries=t.case.arm.queries)) == t.case
            if less and weights(c.model(self.out)) == mine:
                return c
        return None

    def left(self) -> tuple[int, float]:
        """Pieces of work that are not done, and the seconds they will take."""
        rest = [t for t in self.tasks if not self.done(t)]
        return len(rest), sum(self.cost(t) for t in rest) / self.jobs

    def cost(self, t: Task) -> float:
        """Seconds a task will take, by those of its kind so far."""
        units, seconds = self.spent.get(t.kind, (0, 0))
        return self.units(t) * (seconds / units if units else GUESS[t.kind])

    def units(self, t: Task) -> float:
        """How much there is to do: nothing where more votes are expected to say what one says."""
        if not t.case:
            return 1
        critic, p = t.case.arm.critic, self.plan
        if critic and critic.noise == "per-text" and t.case.arm.queries > self.fewest[critic]:
            return 0
        return (p.frames - (p.copies * p.steps if critic else 0)) / 1000

    def work(self, seconds: float) -> dict[str, str]:
        """Does what is not done; starts nothing after the given seconds or Ctrl-C. Returns what failed, with the reason."""
        begin = time.monotonic()
        rest = [t for t in self.tasks if not self.done(t)]
        total, end, failed = len(rest), begin + seconds, {}
        running: dict[Future[float], Task] = {}
        with ProcessPoolExecutor(self.jobs, get_context("spawn"), worker, (os.getpid(),)) as pool:
            while True:
                try:
                    while len(running) < self.jobs and time.monotonic() < end and (t := next(filter(self.ready, rest), None)):
                        running[pool.submit(do, self.out, self.plan, t, self.twin(t))] = t
                        rest.remove(t)
                    finished = wait(running, return_when=FIRST_COMPLETED).done
                except KeyboardInterrupt:
                    end = 0
                    continue
                except BrokenProcessPool as error:
                    return {**failed, t.name: f"a worker was killed: {error}"}
                if not finished:
                    return failed
                for future in finished:
                    t = running.pop(future)
                    if not (error := future.exception()):
                        units, spent = self.spent.get(t.kind, (0, 0))
                        self.spent[t.kind] = units + self.units(t), spent + future.result()
                    elif end:  # Ctrl-C ends the servers that runs are on
                        failed[t.name] = f"{type(error).__name__}: {error}"
                    ahead = sum(self.cost(t) for t in (*rest, *running.values())) / self.jobs
                    bar(total - len(rest) - len(running), total, begin, t.name, min(ahead, max(0, end - time.monotonic())))


def worker(parent: int) -> None:
    """Prepares a worker: it ends with its parent, and Ctrl-C is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    np.seterr(invalid="raise")  # a learner that got lost is a run that failed
    end_with_parent(parent)


def do(out: Path, plan: Plan, t: Task, twin: Case | None) -> float:
    """Does a task in a worker and returns the seconds it took."""
    start = time.monotonic()
    if t.kind == "collect":
        collect(out, plan, t.world, t.seed)
    elif t.critic:
        rank(out, t.world, t.seed, t.critic, t.queries)
    elif twin:
        record = json.loads(twin.record(out).read_text())
        keep(t.case.record(out), {**record, **described(t.case), "copy_of": twin.arm.name})
    else:
        trained(out, plan, t.case)
    return time.monotonic() - start


def weights(model: Path) -> str:
    """The hash of a model's numbers; empty where there is no such model yet."""
    return json.loads(model.with_suffix(".json").read_text())["weights"] if model.exists() else ""
