"""``python -m marlpit ablate``."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from marlpit._options import carried_out, param
from marlpit.ablate import _store
from marlpit.ablate._plan import ALGOS, FITTED, Plan
from marlpit.ablate._read import make_plan, read_plan
from marlpit.ablate._run import carry_out
from marlpit.errors import Invalid

_DOC = """Compares reward schemes with real learners: each arm × learner × seed is a run in a folder of its own, with pairs, votes
and σ of its own. The same call goes on with what is missing. `python -m marlpit ablate report FOLDER` makes tables, curves and
tests of the runs; docs/ablations.md tells the whole road.

    python -m marlpit ablate --env two-switch-v1 --rewards team,credit,shared,none,coin,oracle --algos mappo,ippo --frames 500k
    python -m marlpit ablate run plan.toml --jobs 2 --budget-minutes 40"""
_OF_A_PLAN = ("env", "rewards", "algos", "seeds", "frames", "episodes", "drawn", "param", "learning", "tune", "tuned", "model")
_RANKER = ("critic", "error_rate", "noise", "queries", "base_url", "language_model", "viewpoint", "transitions")


def parser() -> argparse.ArgumentParser:
    """The command line of runs."""
    p = argparse.ArgumentParser(
        prog="python -m marlpit ablate run", description=_DOC, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("plan", nargs="?", type=Path, help="TOML file that says it all; without one: the flags up to --transitions")
    p.add_argument("--env", help="id of the world")
    p.add_argument("-p", "--param", type=param, action="append", metavar="KEY=VALUE", help="of the world; may be repeated")
    p.add_argument("--rewards", type=_names, help="schemes, or my.py:function, with commas between (credit,none,team)")
    p.add_argument("--algos", type=_names, help=f"learners: {', '.join(ALGOS)} (mappo)")
    p.add_argument("--seeds", type=int, help="runs of each, from seed 0 (5)")
    p.add_argument("--frames", type=count, help="environment steps of a run, those of collecting pairs included: 500k (200k)")
    p.add_argument("--episodes", type=int, help="of one evaluation (64)")
    p.add_argument("--drawn", action="store_true", default=None, help="evaluate actions drawn as in training, not the likeliest")
    p.add_argument("--learning", type=param, action="append", metavar="KEY=VALUE", help="hyperparameter, such as gamma=0.9")
    p.add_argument("--tune", type=_tries, metavar="CxS", help="tune with C configurations × S seeds, such as 8x2")
    p.add_argument("--tuned", type=_names, help="rewards that are tuned (credit,none)")
    p.add_argument("--model", help="file of a fitted model for all rewards of σ, or `shipped`; absent: fitted anew for each seed")
    p.add_argument("--critic", help="who ranks: oracle (simulated), rule, openai … (oracle)")
    p.add_argument("--error-rate", type=float, help="of the simulated ranker (0.25)")
    p.add_argument("--noise", help="what its mistakes depend on: iid, per-text, per-family (iid)")
    p.add_argument("--queries", type=int, help="votes on each pair and agent (3)")
    p.add_argument("--base-url", help="of a language model's endpoint")
    p.add_argument("--language-model", help="its name there")
    p.add_argument("--viewpoint", help="whose words it reads: guided, plain")
    p.add_argument("--transitions", type=int, help="pairs to keep (2000)")
    p.add_argument("--part", type=_names, help="do these parts of the plan only")
    p.add_argument("--out", type=Path, help="folder of the runs (ablation-ENV, or the plan's name)")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time (the number of cores)")
    p.add_argument("--budget-minutes", type=_minutes, default=float("inf"), help="begin nothing after that")
    p.add_argument("--dry-run", action="store_true", help="say what there is to do")
    return p


def main(words: list[str]) -> int:
    """Runs or reports; 0 where all that was asked for is there, 1 where something is missing, 2 for a wrong call."""
    if words[:1] == ["report"]:
        from marlpit.ablate._report import main as report

        return report(words[1:])
    p = parser()
    o = p.parse_args(words[1:] if words[:1] == ["run"] else words)
    if o.jobs < 1:
        p.error(f"--jobs is at least 1, got {o.jobs}")
    return carried_out(p, lambda: _store.disk(lambda: _run(o, words)))


def _run(o: argparse.Namespace, words: Sequence[str]) -> int:
    plan, base = _plan(o)
    out = o.out or Path(o.plan.stem if o.plan else f"ablation-{o.env}")
    _store.folder(out, "--out" if o.out else "the folder of the runs")
    call = {"command": shlex.join(["python", "-m", "marlpit", "ablate", *_without_out(words)]), "revision": _store.revision()}
    return 1 if carry_out(plan, o.part, out, base, call, o.jobs, o.budget_minutes * 60, o.dry_run) else 0


def _plan(o: argparse.Namespace) -> tuple[Plan, Path]:
    """The plan of a call, and the folder that its files are named from."""
    given = [n for n in (*_OF_A_PLAN, *_RANKER) if getattr(o, n) is not None]
    if o.plan:
        if given:
            raise Invalid(f"--{given[0].replace('_', '-')} is said by the plan, {o.plan}, or by flags alone")
        return read_plan(o.plan), o.plan.resolve().parent
    if not o.env:
        raise Invalid("a plan is missing, or --env")
    rewards = o.rewards or ["credit", "none", "team"]
    asked = {k: getattr(o, k) for k in _RANKER if getattr(o, k) is not None}
    pairs = {"transitions": asked.pop("transitions")} if "transitions" in asked else {}
    if "language_model" in asked:
        asked["model"] = asked.pop("language_model")
        asked.setdefault("critic", "openai")
    d: dict[str, Any] = {"env": o.env, "rewards": rewards, "ranker": asked, "pairs": pairs}
    for key in ("algos", "seeds", "frames", "episodes"):
        if getattr(o, key) is not None:
            d[key] = getattr(o, key)
    d |= {"params": dict(o.param or []), "learning": dict(o.learning or []), "greedy": not o.drawn}
    if o.model:
        d["arms"] = {r: {"model": o.model} for r in rewards if r in FITTED}
    if o.tune:
        d["tune"] = {"configs": o.tune[0], "seeds": o.tune[1]}
        d["tuned"] = o.tuned or [r for r in ("credit", "none") if r in rewards]
    elif o.tuned:
        raise Invalid("--tuned says nothing without --tune")
    return make_plan(d, Path.cwd(), "the call"), Path.cwd()


def count(text: str) -> int:
    """Reads a number of frames: `200000`, `200k`, `1.5M`."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kM]?)", text.replace("_", ""))
    if not found:
        raise argparse.ArgumentTypeError(f"want a number such as 200k, got {text!r}")
    return round(float(found[1]) * {"": 1, "k": 1_000, "M": 1_000_000}[found[2]])


def _minutes(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1
    if not found >= 0:
        raise argparse.ArgumentTypeError(f"want a number of minutes from 0 up, got {text!r}")
    return found


def _names(text: str) -> list[str]:
    out = [w for w in text.split(",") if w]
    if not out:
        raise argparse.ArgumentTypeError("want names with commas between")
    return out


def _tries(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"want configurations x seeds, such as 8x2, got {text!r}")
    return int(found[1]), int(found[2])


def _without_out(words: Sequence[str]) -> list[str]:
    """The words of a call without the folder: where it is says nothing about the numbers in it."""
    return [w for k, w in enumerate(words) if not w.startswith("--out=") and w != "--out" and words[k - 1 : k] != ["--out"]]
