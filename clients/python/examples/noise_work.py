"""What the noise study's workers do: collect pairs, make models, train.

Every file is written whole or not at all, so that what is on disk is done.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from marlpit.ppo import Settings
from noise_arms import Case, Critic, described, folder, keep
from pipeline import cli
from runs import Job, run


@dataclass(frozen=True)
class Plan:
    """What all runs of a study have in common; a folder holds runs of one plan.

    Attributes:
        frames: environment steps of a run in all, those of collecting pairs included.
        transitions: pairs kept.
        copies: copies that play at random while pairs are collected.
        steps: steps of each.
        episodes: of one evaluation.
        greedy: evaluations take the likeliest choices; False draws them, as training does.
        stop_early: two perfect evaluations in a row end a run.
    """

    frames: int
    transitions: int
    copies: int
    steps: int
    episodes: int
    greedy: bool
    stop_early: bool


def collect(out: Path, plan: Plan, world: str, seed: int) -> None:
    """Collects the pairs of a world and seed."""
    place = folder(out, world, seed)
    place.mkdir(parents=True, exist_ok=True)
    part = place / f"pairs.{os.getpid()}.part.db"
    for old in place.glob("pairs.*"):
        old.unlink()
    made = cli(
        "collect", "--env", world, "--transitions", str(plan.transitions), "--seed", str(seed),
        "--copies", str(plan.copies), "--steps", str(plan.steps), "--db", str(part),
    )  # fmt: skip
    for journal in place.glob("pairs.*.part.db-*"):
        journal.unlink()  # empty: the file was closed
    part.replace(place / "pairs.db")
    keep(place / "pairs.json", {k: made[k] for k in ("frames", "kept", "solver", "content_hash")})


def rank(out: Path, world: str, seed: int, critic: Critic, queries: Sequence[int]) -> None:
    """Has the pairs ranked as often as the most of the queries says, and fits a model for each number of queries."""
    place = folder(out, world, seed)
    for old in place.glob(f"{critic.name}.*.part.db*"):
        old.unlink()
    db = place / f"{critic.name}.{os.getpid()}.part.db"
    shutil.copyfile(place / "pairs.db", db)
    shared = ["--shared"] if critic.team else []
    asked = ["--critic", critic.kind, "--queries", str(max(queries)), "--noise-seed", str(seed), *shared]
    if critic.kind == "oracle":
        asked += ["--error-rate", str((100 - critic.accuracy) / 100), "--noise", critic.noise or "iid"]
    try:
        votes = cli("label", "--db", str(db), *asked)
        if votes["valid"] != votes["wanted"]:
            raise RuntimeError(f"{votes['valid']} valid votes of {votes['wanted']}")
        for q in queries:
            part = place / f"{critic.name}-q{q}.{os.getpid()}.part.credit"
            words = ["--annotator", votes["annotator"], "--out", str(part), "--queries", str(q), "--seed", str(seed)]
            fitted = cli("fit", "--db", str(db), *words, "--name", f"{critic.name}-q{q}", *shared)
            model = place / f"{critic.name}-q{q}.credit"
            keep(model.with_suffix(".json"), {"weights": weights(part), **quality(fitted)})
            part.replace(model)
    finally:
        for left in (*place.glob(f"{db.name}*"), *place.glob(f"*.{os.getpid()}.part.credit")):
            left.unlink()


def quality(fitted: dict[str, Any]) -> dict[str, Any]:
    """How often the ranker's majority, and the model on pairs held out, are right by the exact credit, over all agents."""

    def share(counts: list[dict[str, Any]]) -> float | None:
        asked = sum(c["n"] for c in counts)
        return sum(c["right"] for c in counts) / asked if asked else None

    return {
        "ranker_right": share([a["critic_truth"] for a in fitted["asked"] if a.get("critic_truth")]),
        "model_right": share([n["held_out_truth"] for n in fitted["nets"] if n.get("held_out_truth")]),
    }


def weights(model: Path) -> str:
    """A hash of a model's numbers, without what its header says of where they come from."""
    raw = model.read_bytes()
    return hashlib.sha256(raw[12 + int.from_bytes(raw[8:12], "little") :]).hexdigest()


def trained(out: Path, plan: Plan, case: Case) -> None:
    """Trains and evaluates a case, and keeps the run."""
    model = case.model(out)
    notes: dict[str, Any] = {}
    charged = 0
    if model:
        charged = json.loads((model.parent / "pairs.json").read_text())["frames"]
        notes["model"] = json.loads(model.with_suffix(".json").read_text())
    job = Job(
        case.arm.world, case.arm.scheme, case.seed, Settings(frames=plan.frames - charged), str(model) if model else None,
        charged, plan.episodes, plan.greedy, plan.stop_early,
    )  # fmt: skip
    done = run(job)
    keep(case.record(out), {**asdict(done), "solved_at": done.solved_at, **notes, **described(case)})
