"""Collect, label, fit: from a world to scoring models, with the command line."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import marlpit

ERROR_RATE = 0.25  # of the simulated ranker
QUERIES = 3  # votes on each pair and agent
SCHEMES = ("credit", "shared", "coin")  # those that score with a fitted model


@dataclass(frozen=True)
class Models:
    """Fitted scoring models and what they cost.

    Attributes:
        critic: who ranked, in words.
        frames: environment steps spent on collecting the pairs.
        paths: reward scheme → model file.
        accuracy: agent → share of held-out votes the model for `credit` agrees with.
    """

    critic: str
    frames: int
    paths: dict[str, str] = field(default_factory=dict)
    accuracy: dict[str, float] = field(default_factory=dict)


def cli(*words: str) -> dict:
    """Runs a command of the marlpit program and returns what it printed as JSON."""
    done = subprocess.run([marlpit.server_binary(), *words, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def make_models(env: str, folder: Path, seed: int, transitions: int, schemes: Sequence[str] = SCHEMES) -> Models:
    """Collects pairs, has them ranked and fits the models of the schemes.

    Args:
        env: id of the world.
        folder: where the votes (one SQLite file) and the models go.
        seed: of the collection, of the simulated ranker and of the fits.
        transitions: pairs to collect.
        schemes: of SCHEMES, `credit` among them.

    Returns:
        The models.
    """
    db = folder / f"votes-{seed}.db"
    db.unlink(missing_ok=True)
    collected = cli("collect", "--env", env, "--transitions", str(transitions), "--seed", str(seed), "--db", str(db))
    url, name = os.environ.get("MARLPIT_BASE_URL"), os.environ.get("MARLPIT_MODEL")
    if url and name:
        critic = f"the model {name}"
        ranker = ["--critic", "openai", "--base-url", url, "--model", name, "--queries", "1"]
    else:
        critic = f"a simulated ranker, {ERROR_RATE:.0%} wrong, {QUERIES} votes a pair"
        ranker = ["--critic", "oracle", "--error-rate", str(ERROR_RATE), "--queries", str(QUERIES), "--noise-seed", str(seed)]
    coin = ["--critic", "coin", "--queries", str(QUERIES), "--noise-seed", str(seed)]
    paths, fits = {}, {}
    for scheme in schemes:
        label = coin if scheme == "coin" else ranker
        shared = ["--shared"] if scheme == "shared" else []
        votes = cli("label", "--db", str(db), *label, *shared)
        paths[scheme] = str(folder / f"{scheme}-{seed}.credit")
        words = ["--annotator", votes["annotator"], "--out", paths[scheme], "--seed", str(seed)]
        fits[scheme] = cli("fit", "--db", str(db), *words, *shared)
    accuracy = {n["agent"]: n["held_out"]["right"] / n["held_out"]["n"] for n in fits["credit"]["nets"]}
    return Models(critic, collected["frames"], paths, accuracy)
