"""Tries a plan in small before it is begun: its worlds, rankers, fits and rewards, with the program that it will be run with."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import marlpit
from marlpit.ablate._models import unpacked
from marlpit.ablate._plan import Arm, Job, World
from marlpit.ablate._rewards import asked
from marlpit.ablate._votes import FILES, FREE
from marlpit.ablate._worker import plain_environment
from marlpit.credit import CommandFailed, collect, fit, label
from marlpit.errors import Invalid, MarlpitError

PAIRS = {"transitions": 60, "copies": 8, "steps": 60}  # of a rehearsal: a second where a plan's pairs take half a minute


def rehearse(jobs: Sequence[Job], base: Path) -> None:
    """Refuses what would fail in each run: an unknown world, a ranker's impossible setting, an option that a reward hasn't.

    Nothing is asked of language models, and functions aren't called. What is too small here to tell is left to the run.

    Args:
        jobs: That are to be done.
        base: Folder that files of the plan are named from.

    Raises:
        Invalid: The first that was found, with its part and reward.
    """
    with plain_environment(), tempfile.TemporaryDirectory() as folder, marlpit.serve(shipped=False) as server:
        stage = _Stage(Path(folder), base, server.url)
        for job in jobs:
            try:
                stage.play(job)
            except MarlpitError as e:
                raise Invalid(f"part {job.part}, {job.world.name}, {job.arm.name}: {e.message}") from None


@dataclass
class _Stage:
    """What was tried already, and its answers.

    Attributes:
        folder: For files.
        base: Folder that files of the plan are named from.
        url: Of a server without models.
        played: What was tried to what came of it.
        number: Of the next file.
    """

    folder: Path
    base: Path
    url: str
    played: dict[str, Any] = field(default_factory=dict)
    number: Iterator[int] = field(default_factory=count)

    def play(self, job: Job) -> None:
        world, arm = job.world, job.arm
        self._once(["world", world.env, world.params], lambda: _session(world, "team", self.url))
        if arm.function:
            return
        named = arm.model or "votes" in (arm.ranker or {})  # which are of one world; to fit for, one world of a game is enough
        first: World = world if named else self._once(["first", world.env], lambda: world)
        model, shipped, spec = self._model(first, arm), arm.model == "shipped", asked(job)
        if model or shipped:
            self._once(
                ["reward", first.env, first.params, str(model), spec],
                lambda: _served(first, spec, [model] if model else [], shipped),
            )
        elif arm.ranker is None:
            self._once(["reward", first.env, first.params, "", spec], lambda: _session(first, spec, self.url))

    def _model(self, world: World, arm: Arm) -> Path | None:
        """A file of a model for a reward; None where it needs none, or none could be made of so little."""
        if arm.model not in (None, "shipped"):
            return self.base / str(arm.model)
        if arm.ranker is not None and "votes" in arm.ranker:
            given = arm.ranker["votes"]
            self._once(["given", world.env, world.params, given], lambda: self._given(world, **given))
            return None
        if arm.ranker is None:
            return None
        pairs, votes, flags = (arm.ranker[k] for k in ("collect", "label", "fit"))
        db: Path | None = self._once(["pairs", world.env, pairs], lambda: self._pairs(world, pairs))
        if db is None:
            return None
        told = {"base_url", "critics", "offline"} & set(votes) or "MARLPIT_BASE_URL" in os.environ
        if votes.get("critic") == "openai" and not told:
            raise Invalid("ranker: base_url is missing, the endpoint's address")
        key = votes.get("key_env")
        if key and not votes.get("offline") and not os.environ.get(key):
            raise Invalid(f"ranker: key_env names {key}, which is not set")
        self._once(["votes", str(db), votes], lambda: label(db=db, dry_run=True, **self._found(votes)))
        free = votes if votes.get("critic", "oracle") in FREE else {"critic": "oracle", "shared": "shared" in votes}
        fitted: Path | None = self._once(["fit", str(db), free, flags], lambda: self._fitted(db, free, flags))
        return fitted

    def _once(self, what: Sequence[Any], do: Callable[[], Any]) -> Any:
        key = json.dumps(what, sort_keys=True, default=str)
        if key not in self.played:
            self.played[key] = do()
        return self.played[key]

    def _pairs(self, world: World, flags: Mapping[str, Any]) -> Path | None:
        db = self._file(".db")
        with suppress(CommandFailed):
            collect(env=world.env, param=dict(world.params), db=db, **{**flags, **PAIRS})
            return db
        return None

    def _fitted(self, pairs: Path, votes: Mapping[str, Any], flags: Mapping[str, Any]) -> Path | None:
        db, out = self._file(".db"), self._file(".credit")
        shutil.copyfile(pairs, db)  # of one annotator's votes alone
        with suppress(CommandFailed):
            label(db=db, **self._found(votes))
            fit(db=db, out=out, **flags)
            return out
        return None

    def _given(self, world: World, votes: str, annotator: str = "") -> None:
        """Refuses a file whose votes can't be fitted for a world."""
        file = self.base / votes.replace("{env}", world.env)
        db = self._file(".db")
        try:
            unpacked(file, db)
            with closing(sqlite3.connect(db)) as found:
                env, text = found.execute("SELECT env, params FROM worlds").fetchone()
                names = [n for (n,) in found.execute("SELECT DISTINCT name FROM annotators JOIN votes ON annotator = id")]
            params = json.loads(text)
        except (OSError, EOFError, zlib.error, sqlite3.Error, ValueError, TypeError) as e:
            raise Invalid(f"ranker: {file} is no file of votes: {e}") from None
        finally:
            db.unlink(missing_ok=True)
        if env != world.env:
            raise Invalid(f"ranker: {file} has votes of {env}")
        if other := next((k for k, v in world.params.items() if params.get(k) != v), None):
            raise Invalid(
                f"ranker: {file} has votes of {env} with {other} {params.get(other)}, and {world.params[other]} is wanted"
            )
        if not names or (annotator and not any(annotator in n for n in names)):
            raise Invalid(
                f"ranker: {file} has no votes by {annotator or 'anybody'}" + (f"; there are {', '.join(names)}" if names else "")
            )
        if len(names) > 1 and not annotator:
            raise Invalid(f"ranker: {file} has votes by {', '.join(names)}: annotator says whose are meant")

    def _file(self, ending: str) -> Path:
        return self.folder / f"{next(self.number)}{ending}"

    def _found(self, votes: Mapping[str, Any]) -> dict[str, Any]:
        return {k: self.base / v if k in FILES else v for k, v in votes.items()}


def _session(world: World, reward: Any, url: str) -> None:
    marlpit.vec_env(world.env, 1, reward=reward, url=url, **world.params).close()


def _served(world: World, reward: Any, credit: Sequence[Path], shipped: bool) -> None:
    with marlpit.serve(credit, shipped=shipped) as server:
        _session(world, reward, server.url)
