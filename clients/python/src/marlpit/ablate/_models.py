"""Scoring models of a run's own: pairs, votes and σ are drawn anew for each seed."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marlpit.ablate import _store, _votes
from marlpit.ablate._plan import World
from marlpit.ablate._votes import FREE
from marlpit.credit import Model, collect, fit, label
from marlpit.errors import Invalid, MarlpitError


def make_model(folder: Path, world: World, seed: int, ranker: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Collects pairs, has them ranked and fits σ: `model.credit` and `model.json` in the folder.

    Args:
        folder: Where they go; a model that is there already is taken as it is. Votes that were paid go beside it.
        world: It is for.
        seed: Of collecting, of simulated votes and of the fit.
        ranker: Flags of the commands, as `marlpit.ablate._read.ranking` sorts them.

    Returns:
        What it cost and how good it is, as `model.json` has it: `frames`, `tokens`, `cost`, `cpu_seconds`, `sha256` …

    Raises:
        Invalid: Another model is there.
        CommandFailed: A step failed.
    """
    with _votes.held(folder):
        return whole(folder) or _made(folder, world, seed, ranker)


def whole(folder: Path) -> dict[str, Any] | None:
    """What `model.json` says of a model that is there; None where there is none, or its file was cut.

    Raises:
        Invalid: The file is another model: a run would bear the cost and the quality of this one.
    """
    note, file = _store.read(folder / "model.json"), folder / "model.credit"
    if note is None or not file.exists():
        return None
    if hashlib.sha256(file.read_bytes()).hexdigest() == note.get("sha256"):
        return note
    try:
        Model.load(file)
    except MarlpitError:
        return None
    raise Invalid(f"{file} is another model than model.json beside it tells of. Delete both, and the same call makes it anew")


def _made(folder: Path, world: World, seed: int, ranker: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    for broken_off in folder.glob("part-*"):  # by a process that was killed
        shutil.rmtree(broken_off, ignore_errors=True)
    before, spent, flags = sum(_store.seconds()), 0.0, dict(ranker["fit"])
    with tempfile.TemporaryDirectory(dir=folder, prefix="part-") as part:
        db = Path(part) / "votes.db"
        if "votes" in ranker:
            unpacked(Path(ranker["votes"]["votes"].replace("{env}", world.env)), db)
            asked = {"annotator": ranker["votes"].get("annotator"), **_votes.paid(db)}
        elif ranker["label"].get("critic", "oracle") not in FREE:
            db, asked, spent = _votes.gather(folder.parent, world, seed, ranker)
            before, flags["queries"] = sum(_store.seconds()), _votes.asked_for(ranker)
        else:
            collect(env=world.env, param=dict(world.params), seed=seed, db=db, **ranker["collect"])
            simulated = {"noise_seed": seed} if ranker["label"].get("critic") in ("oracle", "coin") else {}
            asked = label(db=db, **ranker["label"], **simulated)
            if missing := asked["failed"] + asked["unasked"]:
                raise RuntimeError(f"{missing} of {asked['wanted']} votes are missing; the same call goes on with them")
        made = Path(part) / "model.credit"
        fitted = fit(db=db, out=made, annotator=asked["annotator"], seed=seed, name=f"ablate-s{seed}", **flags)
        note = {
            "frames": fitted["frames"], "tokens": asked.get("prompt_tokens", 0) + asked.get("completion_tokens", 0),
            "requests": asked.get("requests", 0), "cost": asked.get("cost", 0), "annotator": fitted["annotator"],
            "prompt": Model.load(made).header.prompt, "cpu_seconds": round(spent + sum(_store.seconds()) - before, 3),
            "sha256": hashlib.sha256(made.read_bytes()).hexdigest(), **_quality(fitted),
        }  # fmt: skip
        made.replace(folder / "model.credit")
    _store.keep(folder / "model.json", note)
    return note


def unpacked(votes: Path, db: Path) -> None:
    """Copies votes that are there already, which may be packed by gzip."""
    if votes.suffix == ".gz":
        with gzip.open(votes) as source, open(db, "wb") as out:
            shutil.copyfileobj(source, out)
    else:
        shutil.copyfile(votes, db)


def _quality(fitted: Mapping[str, Any]) -> dict[str, float | None]:
    """How often the ranker's majority, and σ on pairs held out, agree with the exact credit, over all agents."""

    def share(counts: list[Mapping[str, Any]]) -> float | None:
        n = sum(c["n"] for c in counts)
        return round(sum(c["right"] for c in counts) / n, 4) if n else None

    return {
        "ranker_right": share([a["critic_truth"] for a in fitted["asked"] if a.get("critic_truth")]),
        "model_right": share([n["held_out_truth"] for n in fitted["nets"] if n.get("held_out_truth")]),
    }
