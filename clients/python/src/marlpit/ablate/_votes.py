"""Votes that are paid for: where they are kept, who may add to them, and what they cost."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from marlpit.ablate import _store
from marlpit.ablate._plan import World, short_hash, without_asking
from marlpit.credit import CommandFailed, collect, label

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FREE = ("oracle", "coin", "rule", "first")  # critics whose votes cost nothing
FILES = ("critics", "human_votes")  # flags of `label` that name one
FOLDER = "votes-"  # its beginning
FINISHING = 90.0  # seconds that are waited for a labelling whose caller ended: it waits for the answers that are under way
BUSY = "this annotator is labelling already"
COSTS = ("prompt_tokens", "completion_tokens", "requests", "cost")


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Waits for its turn with a folder, which ends with its process too. Without locks (Windows) nobody waits."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "a") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def gather(models: Path, world: World, seed: int, ranker: Mapping[str, Any]) -> tuple[Path, dict[str, Any], float]:
    """Collects pairs and has them ranked, or what of it is missing: votes of equal questions are kept in one file.

    Args:
        models: Folder of models, which may share votes.
        world: They are of.
        seed: Of collecting.
        ranker: Flags of the commands, as `marlpit.ablate._read.ranking` sorts them.

    Returns:
        The file; what `label` printed, with all that was ever paid for as many queries; and CPU-seconds, of earlier calls too.

    Raises:
        RuntimeError: Votes are missing still.
        CommandFailed: The program failed; what was answered is kept.
    """
    folder = models / name(world, seed, ranker)
    db, spent = folder / "votes.db", folder / "spent.json"
    with held(folder):
        earlier = (_store.read(spent) or {}).get("cpu_seconds", 0.0)
        before = sum(_store.seconds())
        try:
            if not db.exists():
                new = db.with_name("collecting.db")
                new.unlink(missing_ok=True)
                collect(env=world.env, param=dict(world.params), seed=seed, db=new, **ranker["collect"])
                new.replace(db)
            asked = _label(db, ranker["label"])
        finally:
            now = round(earlier + sum(_store.seconds()) - before, 3)
            with suppress(OSError):  # a full disk: what there was to say of it is said already
                _store.keep(spent, {"cpu_seconds": now})
        if missing := asked["failed"] + asked["unasked"]:
            raise RuntimeError(f"{missing} of {asked['wanted']} votes are missing; the same call goes on with them")
        return db, asked | paid(db, asked_for(ranker)), now


def name(world: World, seed: int, ranker: Mapping[str, Any]) -> str:
    """Folder of votes: by what decides what is asked, and how answers are read.

    The number of queries isn't: where more are wanted, what is missing is asked. The address is: one name at two endpoints
    may be two models.
    """
    says = {k: v for k, v in without_asking(ranker)["label"].items() if k != "queries"}
    files = [hashlib.sha256(Path(says[k]).read_bytes()).hexdigest() for k in FILES if says.get(k)]
    return FOLDER + short_hash([world.env, dict(world.params), seed, ranker["collect"], says, files])


def asked_for(ranker: Mapping[str, Any]) -> int:
    """Queries that a ranker wants; a file may have another's further ones."""
    return int(ranker["label"].get("queries", 1))


def paid(db: Path, queries: int | None = None) -> dict[str, Any]:
    """What the votes of a file were paid with, all annotators and failures together.

    Args:
        db: The file.
        queries: Only what the first so many queries took: who wants three isn't charged for the five of another.
    """
    sums = ("prompt_tokens", "completion_tokens", "1", "cost")
    sql = f"SELECT {', '.join(f'COALESCE(SUM({n}), 0)' for n in sums)} FROM requests WHERE ? IS NULL OR query < ?"
    with closing(sqlite3.connect(db)) as votes:
        return dict(zip(COSTS, votes.execute(sql, (queries, queries)).fetchone(), strict=True))


def _label(db: Path, flags: Mapping[str, Any]) -> dict[str, Any]:
    """Labels, once a labelling that outlived its caller has ended."""
    end = time.monotonic() + FINISHING
    while True:
        try:
            return label(db=db, **flags)
        except CommandFailed as e:
            if BUSY not in e.message or time.monotonic() > end:
                raise
        time.sleep(0.5)
