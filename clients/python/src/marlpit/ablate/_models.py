"""Scoring models of a run's own: pairs, votes and σ are drawn anew for each seed."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from marlpit.ablate import _store
from marlpit.ablate._plan import World
from marlpit.credit import Model, collect, fit, label

FREE = ("oracle", "coin", "rule", "first")  # critics whose votes cost nothing


def make_model(folder: Path, world: World, seed: int, ranker: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Collects pairs, has them ranked and fits σ: `model.credit` and `model.json` in the folder.

    Args:
        folder: Where they go; a model that is there already is taken as it is.
        world: It is for.
        seed: Of collecting, of simulated votes and of the fit.
        ranker: Flags of the commands, as `marlpit.ablate._read.ranking` sorts them.

    Returns:
        What it cost and how good it is, as `model.json` has it: `frames`, `tokens`, `cost`, `cpu_seconds`, `sha256` …
    """
    done = _store.read(folder / "model.json")
    if done is not None:
        return done
    folder.mkdir(parents=True, exist_ok=True)
    for broken_off in folder.glob("part-*"):  # by a process that was killed
        shutil.rmtree(broken_off, ignore_errors=True)
    before = sum(_store.seconds())
    # Votes of a language model are paid for: they stay in place, and an interrupted labelling goes on.
    paid = ranker["label"].get("critic", "oracle") not in FREE
    with tempfile.TemporaryDirectory(dir=folder, prefix="part-") as part:
        db = (folder if paid else Path(part)) / "votes.db"
        asked: dict[str, Any] = {}
        if "votes" in ranker:
            _copy(Path(ranker["votes"]["votes"].replace("{env}", world.env)), db)
            annotator = ranker["votes"].get("annotator")
            asked = _paid(db)
        else:
            if not db.exists():
                new = db.with_name("collecting.db")
                new.unlink(missing_ok=True)
                collect(env=world.env, param=dict(world.params), seed=seed, db=new, **ranker["collect"])
                new.replace(db)
            simulated = {"noise_seed": seed} if ranker["label"].get("critic") in ("oracle", "coin") else {}
            asked = label(db=db, **ranker["label"], **simulated)
            annotator = asked["annotator"]
            missing = asked["failed"] + asked["unasked"]
            if missing:
                raise RuntimeError(f"{missing} of {asked['wanted']} votes are missing; the same call goes on with them")
            if paid:
                asked |= _paid(db)  # by the calls that were broken off too
        made = Path(part) / "model.credit"
        fitted = fit(db=db, out=made, annotator=annotator, seed=seed, name=f"ablate-s{seed}", **ranker["fit"])
        note = {
            "frames": fitted["frames"], "tokens": asked.get("prompt_tokens", 0) + asked.get("completion_tokens", 0),
            "requests": asked.get("requests", 0), "cost": asked.get("cost", 0), "annotator": fitted["annotator"],
            "prompt": Model.load(made).header.prompt, "cpu_seconds": round(sum(_store.seconds()) - before, 3),
            "sha256": hashlib.sha256(made.read_bytes()).hexdigest(), **_quality(fitted),
        }  # fmt: skip
        made.replace(folder / "model.credit")
    _store.keep(folder / "model.json", note)
    return note


def _copy(votes: Path, db: Path) -> None:
    if votes.suffix == ".gz":
        with gzip.open(votes) as source, open(db, "wb") as out:
            shutil.copyfileobj(source, out)
    else:
        shutil.copyfile(votes, db)


def _paid(db: Path) -> dict[str, Any]:
    """What the votes of a file were paid with, all annotators together."""
    names = ("prompt_tokens", "completion_tokens", "requests", "cost")
    with closing(sqlite3.connect(db)) as votes:
        row = votes.execute(f"SELECT {', '.join(f'COALESCE(SUM({n}), 0)' for n in names)} FROM v_costs").fetchone()
    return dict(zip(names, row, strict=True))


def _quality(fitted: Mapping[str, Any]) -> dict[str, float | None]:
    """How often the ranker's majority, and σ on pairs held out, agree with the exact credit, over all agents."""

    def share(counts: list[Mapping[str, Any]]) -> float | None:
        n = sum(c["n"] for c in counts)
        return round(sum(c["right"] for c in counts) / n, 4) if n else None

    return {
        "ranker_right": share([a["critic_truth"] for a in fitted["asked"] if a.get("critic_truth")]),
        "model_right": share([n["held_out_truth"] for n in fitted["nets"] if n.get("held_out_truth")]),
    }
