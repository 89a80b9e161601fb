"""Work of a study, done in processes; what is on disk is done."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from progress import bar, end_with_parent


class Piece(Protocol):
    """A piece of work."""

    @property
    def name(self) -> str:
        """For people."""


T = TypeVar("T", bound=Piece)


class WorkQueue(Generic[T]):
    """Does pieces of work, as many at a time as are wanted. A study says what is done, ready and dear."""

    def __init__(self, tasks: Sequence[T], jobs: int) -> None:
        """Takes the work in its order."""
        self.tasks, self.jobs = list(tasks), jobs

    def done(self, t: T) -> bool:
        """Whether what a piece makes is there."""
        raise NotImplementedError

    def ready(self, t: T) -> bool:
        """Whether what a piece needs is there."""
        return True

    def cost(self, t: T) -> float:
        """Seconds a piece will take."""
        raise NotImplementedError

    def call(self, t: T) -> tuple[Callable[..., float], tuple[Any, ...]]:
        """What to call in a worker; it returns the seconds it took."""
        raise NotImplementedError

    def took(self, t: T, seconds: float) -> None:
        """Told after each piece."""

    def left(self) -> tuple[int, float]:
        """Pieces of work that are not done, and the seconds they will take."""
        rest = [t for t in self.tasks if not self.done(t)]
        return len(rest), sum(self.cost(t) for t in rest) / self.jobs

    def work(self, seconds: float) -> dict[str, str]:
        """Does what is not done; starts nothing after the given seconds or Ctrl-C. Returns what failed, with the reason."""
        begin = time.monotonic()
        rest = [t for t in self.tasks if not self.done(t)]
        total, end, failed = len(rest), begin + seconds, {}
        running: dict[Future[float], T] = {}
        with ProcessPoolExecutor(self.jobs, get_context("spawn"), worker, (os.getpid(),)) as pool:
            while True:
                t = None
                try:
                    while len(running) < self.jobs and time.monotonic() < end and (t := next(filter(self.ready, rest), None)):
                        function, arguments = self.call(t)
                        running[pool.submit(function, *arguments)] = t
                        rest.remove(t)
                    finished = wait(running, return_when=FIRST_COMPLETED).done
                except KeyboardInterrupt:
                    end = 0
                    continue
                except BrokenProcessPool as error:
                    return {**failed, t.name if t else "a worker": f"a worker was killed: {error}"}
                if not finished:
                    return failed
                for future in finished:
                    t = running.pop(future)
                    if not (error := future.exception()):
                        self.took(t, future.result())
                    elif end:  # Ctrl-C ends the servers that runs are on
                        failed[t.name] = f"{type(error).__name__}: {error}"
                    ahead = sum(self.cost(t) for t in (*rest, *running.values())) / self.jobs
                    bar(total - len(rest) - len(running), total, begin, t.name, min(ahead, max(0, end - time.monotonic())))


def worker(parent: int) -> None:
    """Prepares a worker: it ends with its parent, and Ctrl-C is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    np.seterr(invalid="raise")  # a learner that got lost is a run that failed
    end_with_parent(parent)
