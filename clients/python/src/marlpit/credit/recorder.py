"""Choosing transitions while an environment is played, and writing them as JSON lines."""

from __future__ import annotations

import hashlib
import heapq
import os
import sys
import tempfile
import time
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from marlpit.credit.functions import (
    LONGEST_VALUE,
    VIEWS,
    Floats,
    Functions,
    name_of,
    refused,
    text_of,
    truth_of,
)
from marlpit.errors import Conflict, MarlpitError

_PAUSE = 10.0  # seconds between two writings in mid-recording

Pair = tuple[Any, Any]  # of states: before, after
Vectors = tuple[Floats, Floats]


class Recording(NamedTuple):
    """What came of a recording.

    Attributes:
        path: Of the file.
        frames: Steps that were watched; charge them to whatever is learnt from the model.
        changed: Steps in which the features changed.
        kept: Transitions in the file, all different.
    """

    path: str
    frames: int
    changed: int
    kept: int


class Recorder:
    """Keeps a choice of the transitions it sees, and writes them whole.

    Of the different pairs of states those with the smallest keyed hash are kept, so the choice is uniform, the same
    whenever a pair was seen, and bounded: pairs that ended an episode may take up a quarter.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        functions: Functions,
        agents: Iterable[str],
        name: str,
        params: Mapping[str, Any] | None = None,
        *,
        limit: int = 2000,
        seed: int = 0,
        overwrite: bool = False,
    ) -> None:
        """Starts with nothing; the file is written by `flush`, and now and then at the end of an episode.

        Args:
            path: Of the file.
            functions: Of the environment; describe is needed.
            agents: Names of all agents, in order.
            name: The environment's id.
            params: Its parameters: texts, numbers and booleans.
            limit: Transitions to keep at most.
            seed: Of the choice.
            overwrite: A file that is there already is replaced.

        Raises:
            Invalid: describe is missing, or the limit or a parameter is out of range.
            Conflict: The file is there already.
            OSError: The folder does not exist.
        """
        if functions.describe is None:
            raise refused("to record, describe=fn(before, after, agent) is needed", "/describe")
        if not isinstance(limit, int) or limit < 1:
            raise refused(f"limit is a whole number from 1, got {limit!r}", "/limit")
        names = [name_of(n, "an agent's name", "/env") for n in agents]
        if len(set(names)) != len(names):
            raise refused(f"two agents have one name: {names}", "/env")
        self.path = os.fspath(path)
        target = Path(self.path).resolve()
        if target.is_dir():
            raise IsADirectoryError(f"{self.path} is a folder")
        if target.exists() and not target.is_file():
            raise refused(f"{self.path} is no file that could be replaced", "/record")  # /dev/null, a pipe
        if not target.parent.is_dir():
            raise FileNotFoundError(f"there is no folder for {self.path}")
        if not overwrite and target.exists():
            raise Conflict(f"{self.path} is there already: overwrite=True replaces it", "exists")
        self._functions, self._agents, self._limit = functions, names, limit
        self._head = {
            "marlpit_transitions": 1, "env": name_of(name, "name", "/name"), "params": _checked(params), "agents": self._agents,
        }  # fmt: skip
        self._key = hashlib.sha256(str(seed).encode()).digest()
        self._frames = self._changed = 0
        self._state_size, self._focus_sizes = 0, list[int]()
        self._rest, self._ends = _Smallest(limit), _Smallest((limit + 3) // 4)
        self._written = time.monotonic()
        self._there = _identity(target)  # what the next writing replaces; None: nothing

    @property
    def frames(self) -> int:
        """Steps that were watched."""
        return self._frames

    @property
    def state_size(self) -> int | None:
        """Number of features; None before the first state."""
        return self._state_size or None

    def begin(self, state: Any, vector: Floats) -> None:
        """Takes the first state of an episode; that of the first episode says how many features there are.

        Args:
            state: It.
            vector: Its features.
        """
        if not self._state_size:
            f = self._functions
            if f.focus is not None:
                self._focus_sizes = [len(f.own(state, n, None)) for n in self._agents]
            self._state_size = len(vector)

    def see(self, states: Pair, vectors: Vectors, alive: Collection[str], *, terminal: bool, over: bool) -> None:
        """Takes a step in.

        Args:
            states: Before it and after.
            vectors: Their features.
            alive: Agents that acted.
            terminal: It ended the episode, and not by a limit of time.
            over: The episode is over.
        """
        self._frames += 1
        a, b = vectors
        if not np.array_equal(a, b):
            self._changed += 1
            pair = a.tobytes() + b"\xff" + b.tobytes()
            rank = int.from_bytes(hashlib.blake2b(pair, digest_size=8, key=self._key).digest(), "big")
            heap = self._ends if terminal else self._rest
            line = self._line(states, vectors, alive, terminal) if heap.wants(rank) else None
            if line is not None:
                heap.put(rank, line)
        if over and time.monotonic() - self._written > _PAUSE and self._chosen():
            self.flush()

    def _line(self, states: Pair, vectors: Vectors, alive: Collection[str], terminal: bool) -> bytes | None:
        """Encodes a transition; None where nobody is to be asked about."""
        f, (a, b) = self._functions, states
        sizes = dict(zip(self._agents, self._focus_sizes, strict=False))
        agents: list[dict[str, Any] | None] = []
        for n in self._agents:
            ways = (f.words(a, b, n), f.words(b, a, n)) if n in alive else (None, None)
            if ways[0] is None or ways[1] is None:
                agents.append(None)
                continue
            one: dict[str, Any] = {view: [way[view] for way in ways if way is not None] for view in VIEWS}
            if sizes:
                one["focus_a"], one["focus_b"] = (_numbers(f.own(s, n, sizes[n])) for s in states)
            one["truth"] = None if f.truth is None else truth_of(f.truth(a, b, n))
            if f.family is not None:
                family = f.family(a, b, n)
                one["family"] = "" if family is None or family == "" else name_of(str(family), "family", "/family")
            agents.append(one)
        if not any(agents):
            return None
        line: dict[str, Any] = {"a": _numbers(vectors[0]), "b": _numbers(vectors[1]), "terminal": terminal, "agents": agents}
        if f.team_truth is not None:
            line["truth"] = truth_of(f.team_truth(a, b))
        return msgspec.json.encode(line)

    def flush(self) -> Recording:
        """Writes the file: whole, or not at all.

        Returns:
            What is in it.

        Raises:
            MarlpitError: There is nothing to write: no features changed, or nobody was described.
            Conflict: Another recording has written the file meanwhile.
        """
        lines = self._chosen()
        if not lines:
            why = "describe had words of nobody" if self._changed else f"the features changed in none of {self._frames} steps"
            raise MarlpitError(f"{self.path}: nothing to write: {why}")
        head = {**self._head, "state_size": self._state_size, "focus_sizes": self._focus_sizes, "frames": self._frames}
        self._there = _write(self.path, [msgspec.json.encode(head), *lines], self._there)
        self._written = time.monotonic()
        return Recording(self.path, self._frames, self._changed, len(lines))

    def _chosen(self) -> list[bytes]:
        ends = self._ends.items()
        rest = {rank: line for rank, line in self._rest.items().items() if rank not in ends}
        kept = [ends[r] for r in sorted(ends)]
        return kept + [rest[r] for r in sorted(rest)[: self._limit - len(kept)]]

    def __reduce__(self) -> tuple[Any, ...]:
        """Refuses: two would write one file."""
        raise MarlpitError(f"an environment that records to {self.path} can be neither copied nor pickled")

    def __deepcopy__(self, memo: dict[int, Any]) -> Recorder:
        """Refuses likewise."""
        self.__reduce__()
        raise AssertionError


class _Smallest:
    """The lines of the smallest ranks, at most so many, each rank once."""

    def __init__(self, size: int) -> None:
        self._size, self._heap, self._lines = size, [], {}  # type: ignore[var-annotated]

    def wants(self, rank: int) -> bool:
        return rank not in self._lines and (len(self._heap) < self._size or rank < -self._heap[0])

    def put(self, rank: int, line: bytes) -> None:
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, -rank)
        else:
            del self._lines[-heapq.heapreplace(self._heap, -rank)]
        self._lines[rank] = line

    def items(self) -> dict[int, bytes]:
        return self._lines


def _checked(params: Mapping[str, Any] | None) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if not isinstance(params or {}, Mapping):
        raise refused(f"params is a mapping, got {params!r:.60}", "/params")
    for key, value in (params or {}).items():
        at = f"/params/{key}"
        key = name_of(str(key), "a parameter's name", "/params")
        if isinstance(value, str):
            out[key] = text_of(value, f"parameter {key}", LONGEST_VALUE, at)
        elif isinstance(value, (int, float)) and abs(value) <= sys.float_info.max:
            out[key] = value
        else:
            raise refused(f"parameter {key}: want a text, a number or a boolean, got {value!r:.60}", at)
    return out


def _numbers(x: Floats) -> list[float]:
    """Numbers that read back as the same float32, as short as they can be written."""
    return [float(str(v)) for v in x]


_Identity = tuple[int, int]  # of a file: device and number


def _identity(path: Path) -> _Identity | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _write(path: str, lines: list[bytes], there: _Identity | None) -> _Identity | None:
    """Writes a file in the place of the one that is known to be there, and says which it is."""
    target = Path(path).resolve()  # a link stays one
    handle, temporary = tempfile.mkstemp(prefix=".marlpit-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as f:
            f.write(b"\n".join(lines) + b"\n")
            f.flush()
            os.fsync(f.fileno())
        os.chmod(temporary, 0o644)
        now = _identity(target)
        if now is not None and now != there:
            raise Conflict(f"{path} was written by another recording meanwhile: each needs a file of its own", "exists")
        written = _identity(Path(temporary))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
    return written
