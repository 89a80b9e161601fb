"""A worker's process: what it says, that it ended, and an end for one that doesn't."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from marlpit.ablate import _worker

GRACE = 5.0  # seconds to end in: once there is nothing left to do, and then once it was asked to
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}  # a process a core: more would be in the way
DEAF = "its process was ended, for it closed the pipe that it tells of itself through: a function closes what it opened"
Processes = Any  # a context of multiprocessing
Said = tuple[Path, dict[str, Any]]  # the folder of the work, and what was said of it


@dataclass
class Process:
    """A worker.

    Attributes:
        folder: Of its work.
        process: It.
        why: Why it failed, where it said so.
        deaf: Whether its pipe is closed.
        over: When it had nothing left to do, by `time.monotonic`; 0 before.
        ended: Whether it had to be ended.
    """

    folder: Path
    process: BaseProcess
    why: str = ""
    deaf: bool = False
    over: float = 0
    ended: bool = False

    def hear(self, said: dict[str, Any]) -> None:
        """Notes what matters of what it said."""
        self.why = said.get("failed", self.why)
        self.deaf = self.deaf or "closed" in said
        if self.why or self.deaf:
            self.finish()

    def finish(self) -> None:
        """Notes that there is nothing left for it to do."""
        self.over = self.over or time.monotonic()

    def hurry(self) -> None:
        """Ends it where it doesn't, some seconds after it had nothing left to do: a thread or a sleep holds up nobody else."""
        late = time.monotonic() - self.over if self.over else 0
        if late > GRACE:
            self.ended = True
            _send(self.process, hard=late > 2 * GRACE)

    def reason(self) -> str:
        """Why there is no result, once it has ended."""
        self.process.join(GRACE)
        code = self.process.exitcode or 0
        if self.why or (self.deaf and self.ended):
            return self.why or DEAF
        return f"killed by signal {-code}" if code < 0 else f"its process ended with code {code}, see {self.folder.name}/log.txt"


def context(algos: Collection[str]) -> Processes:
    """What makes the processes: forks of one that has imported what they need, where forking is safe.

    That one has a single thread and does nothing but import and fork: no pool of threads is in the way of its children. Off
    Linux, where system libraries don't survive a fork, each process imports anew.
    """
    os.environ.update(ONE_THREAD)
    program = os.environ.get("MARLPIT_SERVER", "")
    if os.path.dirname(program):  # else it is looked for on PATH
        os.environ["MARLPIT_SERVER"] = os.path.abspath(program)  # they work in another folder
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    made = multiprocessing.get_context("forkserver")
    torch = any(not a.endswith("-numpy") for a in algos)
    made.set_forkserver_preload(["marlpit.ablate._worker", *(["marlpit.ablate._preload"] if torch else [])])
    return made


def start(
    processes: Processes, running: dict[Path, Process], words: tuple[str, Path, Path, Path], events: queue.Queue[Said]
) -> None:
    """Starts a worker; it is among those that run before it does, so that no interrupt forgets it.

    Args:
        processes: Makes it.
        running: Those that run, by folder.
        words: Kind of work, its folder, the folder of all, and the folder that files of the plan are named from.
        events: Is put what it says, `closed` when it can't say more, and `ended`.
    """
    kind, folder, out, base = words
    ours, theirs = processes.Pipe(duplex=False)
    paths = (os.path.abspath(p) for p in (folder, out, base))
    process: BaseProcess = processes.Process(target=_worker.main, args=(kind, *map(Path, paths), theirs))
    running[folder] = Process(folder, process)
    process.start()
    theirs.close()
    threading.Thread(target=_listen, args=(folder, ours, process, events), daemon=True).start()


def end(running: Iterable[Process]) -> None:
    """Ends all, those too that don't want to; a second interrupt makes it hard at once."""
    processes = [r.process for r in running if r.process.pid is not None]
    for p in processes:
        _send(p, hard=False)
    try:
        until = time.monotonic() + GRACE
        while any(map(_lives, processes)) and time.monotonic() < until:
            time.sleep(0.02)
    finally:
        for p in processes:
            _send(p, hard=True)
    for p in processes:
        p.join(GRACE)


def _listen(folder: Path, told: Connection, process: BaseProcess, events: queue.Queue[Said]) -> None:
    """Passes on what a worker says, and that it ended."""
    with contextlib.suppress(EOFError, OSError), told:  # the latter where it was killed in the middle of a word
        while True:
            if told not in wait([told, process.sentinel]):
                if not _lives(process):  # the pipe stays open where a scheme of one's own left a process behind
                    break
                if not told.poll(1):  # the one that forks was killed, and its forks go on
                    continue
            events.put((folder, told.recv()))
    events.put((folder, {"closed": True}))
    wait([process.sentinel])
    while _lives(process):  # the one that forks was killed
        time.sleep(0.2)
    events.put((folder, {"ended": True}))


def _send(process: BaseProcess, hard: bool) -> None:
    """Sends the signal to end; its own `terminate` sends none once the one that forks was killed."""
    if sys.platform != "linux":
        (process.kill if hard else process.terminate)()
    elif _lives(process) and process.pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL if hard else signal.SIGTERM)


def _lives(process: BaseProcess) -> bool:
    if sys.platform != "linux":
        return not wait([process.sentinel], 0)
    try:
        with open(f"/proc/{process.pid}/stat", "rb") as f:
            return f.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return False
