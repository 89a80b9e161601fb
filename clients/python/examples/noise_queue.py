"""The noise study's work in order: pairs, then models, then runs; what is on disk is done."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from noise_arms import Arm, Case, Critic, described, folder, keep
from noise_work import Plan, collect, rank, trained
from study_queue import WorkQueue

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


class Queue(WorkQueue[Task]):
    """The noise study's tasks."""

    def __init__(self, out: Path, plan: Plan, todo: Sequence[Task], jobs: int) -> None:
        """Takes the tasks; what is on disk is done."""
        super().__init__(todo, jobs)
        self.out, self.plan = out, plan
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

    def call(self, t: Task) -> tuple[Callable[..., float], tuple[Any, ...]]:
        """What to call in a worker."""
        return do, (self.out, self.plan, t, self.twin(t))

    def took(self, t: Task, seconds: float) -> None:
        """Remembers what work of its kind takes."""
        units, spent = self.spent.get(t.kind, (0, 0))
        self.spent[t.kind] = units + self.units(t), spent + seconds


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
