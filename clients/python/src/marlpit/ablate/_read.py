"""Reads a plan: a TOML file, or the words of a command."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from marlpit.ablate import _kinds
from marlpit.ablate._kinds import checked, folder_name, is_whole, known
from marlpit.ablate._meaning import meaningful
from marlpit.ablate._plan import ALGOS, FITTED, METRICS, PLAIN, Arm, Comparison, Learning, Part, Plan, Tuning, World
from marlpit.errors import Invalid

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LEAST_PAIRS = 20  # that `marlpit fit` takes of each agent: MinPairs of shaping/study/fit.go
PAIRS = {"transitions": 2000, "copies": 64, "steps": 1000}
RANKER = {"critic": "oracle", "error_rate": 0.25, "noise": "iid", "queries": 3}
COLLECT = ("transitions", "copies", "steps", "draw", "enough")
FIT = ("input", "ensemble", "weigh", "graded")
LABEL = (
    "critic", "critics", "error_rate", "noise", "human_votes", "ask", "viewpoint", "threshold", "samples", "base_url", "key_env",
    "max_tokens", "timeout", "retries", "max_wait", "rpm", "tpm", "price_in", "price_out", "currency", "offline", "model",
    "queries", "concurrency", "budget_requests", "budget_tokens", "budget_cost",
)  # fmt: skip
VOTES = ("votes", "annotator")  # votes that are there already: they are only fitted anew
SPACE = {"lr": (3e-4, 1e-3, 3e-3), "entropy": (0.001, 0.01, 0.03), "epochs": (4, 6, 10), "minibatches": (2, 4, 8)}


def read_plan(path: Path) -> Plan:
    """Reads a plan file; files that it names are found beside it.

    Raises:
        Invalid: What is wrong, and where.
    """
    try:
        text = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise Invalid(f"{path} can't be read: {e.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise Invalid(f"{path} is no TOML: {e}") from None
    return make_plan(text, path.parent, str(path))


def make_plan(d: Mapping[str, Any], base: Path, where: str = "the plan") -> Plan:
    """Makes a plan of its tables; see docs/ablations.md for what they hold.

    Args:
        d: Tables.
        base: Where files that it names are.
        where: For messages.

    Raises:
        Invalid: What is wrong, and where.
    """
    checked(d, _kinds.TOP, where)
    common = {k: v for k, v in d.items() if k in _kinds.PART and k != "name"}
    tables, places = d.get("part", [{}]), {"env", "worlds"}
    parts = []
    for n, own in enumerate(tables):
        at = f"{where}, part {own.get('name', n + 1)}"
        checked(own, _kinds.PART, at)
        inherited = {k: v for k, v in common.items() if k not in places or not places & set(own)}
        merged = {**inherited, **own}
        if places <= set(merged):
            raise Invalid(f"{at}: there are both env and worlds")
        for table in ("learning", "ranker", "pairs"):
            merged[table] = {**common.get(table, {}), **own.get(table, {})}
        if "tuned" not in own:
            merged["tuned"] = [t for t in common.get("tuned", []) if t in merged.get("rewards", [])]
        parts.append(_part(merged, own.get("name", d.get("name", "main")), d.get("arms", {}), base, at))
    if lost := [t for t in common.get("tuned", []) if not any(t in [a.name for a in p.arms] for p in parts)]:
        raise Invalid(f"{where}: tuned: {lost[0]!r} is none of the rewards")
    if len({p.name for p in parts}) < len(parts):
        raise Invalid(f"{where}: two parts have one name")
    tune = d.get("tune", {})
    checked(tune, _kinds.TUNE, f"{where}, tune")
    checked(tune.get("space", {}), _kinds.SPACE, f"{where}, tune.space")
    if tune and not {"configs", "seeds"} <= set(tune):
        raise Invalid(f"{where}, tune: configs and seeds are numbers of their own, got {', '.join(tune)} alone")
    if any(p.tuned for p in parts) != bool(tune):
        raise Invalid(f"{where}: {'tune' if tune else 'tuned'} says nothing without {'tuned' if tune else 'tune'}")
    meaningful(d, where)
    tuning = Tuning(tune.get("configs", 0), tune.get("seeds", 0), tune.get("space", SPACE))
    comparisons = [_comparison(c, parts, where) for c in d.get("compare", [])]
    return Plan(parts, comparisons or _usual(parts), tuning)


def _part(d: Mapping[str, Any], name: str, arms: Mapping[str, Any], base: Path, at: str) -> Part:
    checked(d["learning"], _kinds.LEARNING, f"{at}, learning")
    if "worlds" in d:
        worlds = [_world(w, d.get("params", {}), at) for w in d["worlds"]]
    elif "env" in d:
        worlds = [World(d["env"], d.get("params", {}))]
    else:
        raise Invalid(f"{at}: env is missing, or worlds")
    rewards = d.get("rewards")
    if not rewards:
        raise Invalid(f"{at}: rewards are missing, such as credit, none, team")
    for arm in arms:
        checked(arms[arm], _kinds.ARM, f"{at}, arms.{arm}")
    envs = sorted({w.env for w in worlds})
    made = [_arm(r, arms.get(r, {}), d["ranker"], d["pairs"], envs, base, at) for r in rewards]
    for what, names in (("two rewards", [a.name for a in made]), ("two worlds", [w.name for w in worlds])):
        if twice := next((n for n in names if names.count(n) > 1), None):
            raise Invalid(f"{at}: {what} are called {twice}")
    for called in (name, *(a.name for a in made), *(w.name for w in worlds)):
        folder_name(called, at)
    algos = list(dict.fromkeys(d.get("algos", ["mappo"])))
    if wrong := [a for a in algos if a not in ALGOS]:
        raise Invalid(f"{at}: {wrong[0]!r} is no learner; there are {', '.join(ALGOS)}")
    if wrong := [t for t in d.get("tuned", []) if t not in [a.name for a in made]]:
        raise Invalid(f"{at}: tuned: {wrong[0]!r} is none of its rewards")
    seeds = d.get("seeds", 5)
    seeds = tuple(range(seeds)) if isinstance(seeds, int) else tuple(seeds)
    if len(set(seeds)) < len(seeds):
        raise Invalid(f"{at}: seeds has a seed twice: {', '.join(map(str, seeds))}")
    learning = Learning(**d["learning"])
    part = Part(
        name, worlds, algos, made, seeds, d.get("frames", 200_000), d.get("episodes", 64), d.get("greedy", True),
        float(d.get("bonus", 1)), float(d.get("step_cost", 0.01)), learning, tuple(d.get("tuned", ())),
    )  # fmt: skip
    if part.frames < learning.batch:
        raise Invalid(f"{at}: frames is at least {learning.batch}, those of one update, got {part.frames}")
    if learning.minibatches > learning.batch:
        raise Invalid(f"{at}, learning: minibatches are at most {learning.batch}, the frames of one update")
    return part


def _arm(
    name: str, d: Mapping[str, Any], ranker: Mapping[str, Any], pairs: Mapping[str, Any], envs: Sequence[str], base: Path, at: str
) -> Arm:
    function = d.get("function", name if ".py:" in name else None)
    if function:
        if others := [k for k in d if k != "function"]:
            raise Invalid(f"{at}, arms.{name}: {others[0]} means nothing to a function, which says all of its reward")
        file, _, called = function.rpartition(":")
        if not file.endswith(".py") or not called.isidentifier():
            raise Invalid(f"{at}: a function is named as my.py:fn, got {function!r}")
        return Arm(called if function == name else name, "", function=function, source=_sha(base, file, at))
    scheme = d.get("scheme", name)
    if scheme not in (*FITTED, *PLAIN):
        known = ", ".join((*FITTED, *PLAIN))
        raise Invalid(f"{at}: {scheme!r} is no reward scheme; there are {known}, and functions as my.py:fn")
    options = d.get("options", {})
    if lost := next((k for k in ("scheme", "model") if k in options), None):
        raise Invalid(f"{at}, arms.{name}: options has {lost}, which stands beside it")
    if scheme not in FITTED:
        for key in ("ranker", "pairs", "model"):
            if key in d:
                raise Invalid(f"{at}, arms.{name}: {key} means nothing to {scheme}")
        return Arm(name, scheme, options)
    if "model" in d:
        if others := [k for k in ("ranker", "pairs") if k in d]:
            raise Invalid(f"{at}, arms.{name}: {others[0]} means nothing beside model, which is fitted already")
        source = "" if d["model"] == "shipped" else _sha(base, d["model"], at)
        return Arm(name, scheme, options, model=d["model"], source=source)
    asked = ranking(scheme, {**ranker, **d.get("ranker", {})}, {**pairs, **d.get("pairs", {})}, at)
    votes = asked.get("votes", {}).get("votes", "")
    files = [
        *dict.fromkeys(votes.replace("{env}", e) for e in envs),
        *(asked["label"].get(k) for k in ("critics", "human_votes")),
    ]
    return Arm(name, scheme, options, asked, source="".join(_sha(base, f, at) for f in files if f))


def ranking(scheme: str, ranker: Mapping[str, Any], pairs: Mapping[str, Any], at: str = "ranker") -> dict[str, Any]:
    """Sorts the settings of votes and fit by command, with what a scheme needs of them.

    Raises:
        Invalid: A setting is unknown.
    """
    known(pairs, COLLECT, f"{at}, pairs")
    for key in PAIRS:
        if not is_whole(n := pairs.get(key, PAIRS[key]), 1):
            raise Invalid(f"{at}, pairs: {key} is a whole number from 1 up, got {n!r}")
    asked = {**PAIRS, **pairs}
    if asked["transitions"] < LEAST_PAIRS:
        raise Invalid(f"{at}, pairs: transitions are at least {LEAST_PAIRS}, got {asked['transitions']}: fewer can't be fitted")
    if asked["copies"] * asked["steps"] < LEAST_PAIRS:
        raise Invalid(
            f"{at}, pairs: copies × steps is at least {LEAST_PAIRS}, got {asked['copies']} × {asked['steps']}: "
            f"fewer transitions can't be fitted"
        )
    known(ranker, (*LABEL, *FIT, *VOTES), f"{at}, ranker")
    for key in ("votes", "annotator", "critics", "human_votes", "critic", "model", "base_url"):
        if not isinstance(n := ranker.get(key, ""), str):
            raise Invalid(f"{at}, ranker: {key} is a text, got {n!r}")
    if ranker.get("critic") == "openai" and not {"model", "critics", "votes"} & set(ranker):
        raise Invalid(f"{at}, ranker: model is missing, the language model's name at the endpoint")
    if lost := next((k for k in ("base_url", "model") if k in ranker and "critic" not in ranker), None):
        raise Invalid(
            f'{at}, ranker: {lost} says nothing without critic, such as critic = "openai"; without one votes are simulated'
        )
    said = {**(RANKER if ranker.get("critic", "oracle") == "oracle" else {"queries": 3}), **ranker}
    fit = {k: v for k, v in said.items() if k in FIT}
    label = {k: v for k, v in said.items() if k in LABEL}
    if scheme == "coin":
        label = {"critic": "coin", "queries": said.get("queries", 3)}
    if scheme in ("shared", "shared-labels"):
        label["shared"] = True
        fit[scheme.replace("-", "_")] = True
    if "votes" in ranker and scheme != "coin":
        return {"collect": {}, "label": {}, "fit": fit, "votes": {k: ranker[k] for k in VOTES if k in ranker}}
    return {"collect": {**PAIRS, **pairs}, "label": label, "fit": fit}


def _comparison(d: Mapping[str, Any], parts: Sequence[Part], where: str) -> Comparison:
    at = f"{where}, compare {d.get('name', '')}".rstrip()
    checked(d, _kinds.COMPARE, at)
    arms = d.get("arms", [])
    if len(arms) != 2 or arms[0] == arms[1]:
        raise Invalid(f"{at}: arms are two names, got {arms!r}")
    name = d.get("name", f"{arms[0]} against {arms[1]}")
    c = Comparison(
        name, arms[0], arms[1], d.get("metric", "area"), d.get("part"), d.get("primary", False), tuple(d.get("worlds", ()))
    )
    if c.metric not in METRICS:
        raise Invalid(f"{at}: {c.metric!r} is no metric; there are {', '.join(METRICS)}")
    if lost := [w for w in c.worlds if not any(w == x.name for p in parts if c.part in (None, p.name) for x in p.worlds)]:
        raise Invalid(f"{at}: there is no world {lost[0]!r}")
    if not any({c.a, c.b} <= {a.name for a in p.arms} and c.part in (None, p.name) for p in parts):
        raise Invalid(f"{at}: no part {c.part or ''} has both {c.a} and {c.b}".replace("  ", " "))
    return c


def _usual(parts: Sequence[Part]) -> list[Comparison]:
    """All arms against the one without σ, or else against the team's reward; the first is the primary one."""
    names = list(dict.fromkeys(a.name for p in parts for a in p.arms))
    base = next((n for n in ("none", "team") if n in names), None)
    others = [n for n in names if n != base] if base else []
    others.sort(key=lambda n: n != "credit")
    return [Comparison(f"{n} against {base}", n, str(base), primary=not k) for k, n in enumerate(others)]


def _world(w: Mapping[str, Any], params: Mapping[str, Any], at: str) -> World:
    checked(w, _kinds.WORLD, f"{at}, worlds")
    if "env" not in w:
        raise Invalid(f"{at}, worlds: env is missing in {dict(w)}")
    return World(w["env"], {**params, **w.get("params", {})}, w.get("name", ""))


def _sha(base: Path, name: str, at: str) -> str:
    try:
        return hashlib.sha256((base / name).read_bytes()).hexdigest()
    except OSError as e:
        raise Invalid(f"{at}: {base / name} can't be read: {e.strerror}") from None
