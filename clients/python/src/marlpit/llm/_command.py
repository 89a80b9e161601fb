"""``python -m marlpit evaluate``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from marlpit._options import carried_out, param
from marlpit.llm._evaluate import ARMS, POLICIES, Evaluation, Plan
from marlpit.llm._models import Model
from marlpit.llm._prompts import ROLES

_DOC = """Success of agents on the tasks of a world, by template and app, with Wilson's intervals.

Three arms are compared: `single`, one agent; `silent`, a team that votes but doesn't talk; `team`, the team with rounds of
talk. Success is the world's own test of its state. An episode whose endpoint gave no answer is counted apart, and played
again by the next call; what is on disk is never played twice."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(
        prog="python -m marlpit evaluate", description=_DOC, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--env", required=True, help="id of the world, such as phone-v1")
    p.add_argument(
        "--base-url", action="append", default=[], help="of an OpenAI-compatible endpoint; repeated: one for each agent"
    )
    p.add_argument("--model", action="append", default=[], help="its name there; repeated: one for each agent")
    p.add_argument(
        "--policies", type=_names(POLICIES), default=["model"], help="model, solution, random, with commas between (model)"
    )
    p.add_argument("--arms", type=_names(ARMS), default=list(ARMS), help="single, silent, team, with commas between (all)")
    p.add_argument("--agents", type=int, default=4, help="of a team (4)")
    p.add_argument("--rounds", type=int, default=3, help="of talk before an action is executed (3)")
    p.add_argument("--graph", default="chain", help="who hears whom: chain, full, random (chain)")
    p.add_argument("--roles", choices=list(ROLES), default="none", help="parts of the agents (none)")
    p.add_argument("--templates", default="all", help="of tasks, with commas between (all)")
    p.add_argument("--split", help="of the tasks: train, heldout-seeds, heldout-templates, heldout-apps (all)")
    p.add_argument("--seeds", type=int, default=5, help="episodes of each template and arm (5)")
    p.add_argument(
        "-p", "--param", type=param, action="append", default=[], metavar="KEY=VALUE", help="of the world; may be repeated"
    )
    p.add_argument("--temperature", type=float, default=0.7, help="of sampling (0.7)")
    p.add_argument("--max-tokens", type=int, default=400, help="of a reply (400)")
    p.add_argument("--timeout", type=float, default=60, help="seconds to wait for a reply (60)")
    p.add_argument("--jobs", type=int, default=4, help="episodes at a time (4)")
    p.add_argument("--out", type=Path, help="folder for episodes, transcripts, rounds and the report (evaluation-ENV)")
    p.add_argument("--url", help="of a marlpit server; absent: one is started")
    p.add_argument("--json", action="store_true", help="print the numbers as JSON")
    return p


def main(words: list[str]) -> int:
    """Evaluates; 0 where every episode is there, 1 where some are missing, 2 for a wrong call."""
    p = parser()
    o = p.parse_args(words)
    for name in ("agents", "rounds", "seeds", "jobs"):
        if getattr(o, name) < 1:
            p.error(f"--{name} is at least 1, got {getattr(o, name)}")
    if "model" in o.policies and not o.model:
        p.error("--model is needed, or --policies solution,random")
    if len(o.base_url) > 1 and len(o.base_url) != len(o.model):
        p.error(f"--base-url is there once, or as often as --model ({len(o.model)} times), got {len(o.base_url)}")
    return carried_out(p, lambda: _evaluate(o))


def _evaluate(o: argparse.Namespace) -> int:
    plan = Plan(
        o.env, o.policies, o.arms, [] if o.templates == "all" else o.templates.split(","), o.seeds, o.agents, o.rounds, o.graph,
        o.split, o.roles, dict(o.param), _models(o),
    )  # fmt: skip
    evaluation = Evaluation(plan, o.out or Path(f"evaluation-{o.env}"), o.url)
    done = evaluation.run(o.jobs, _Bar())
    text = done.pop("page")
    print(json.dumps(done, indent=1) if o.json else text, end="\n" if o.json else "")
    print(f"Episodes, transcripts and rounds: {evaluation.out}", file=sys.stderr)
    return 1 if done["missing"] else 0


def _models(o: argparse.Namespace) -> list[Model]:
    if "model" not in o.policies:
        return []
    urls = o.base_url or [None]
    return [
        Model(name, urls[i % len(urls)], temperature=o.temperature, max_tokens=o.max_tokens, timeout=o.timeout)
        for i, name in enumerate(o.model)
    ]


class _Bar:
    """Progress: a line that is rewritten on a terminal, one for each tenth elsewhere."""

    def __init__(self) -> None:
        self.since, self.told = time.monotonic(), 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        spent = time.monotonic() - self.since
        text = f"{done}/{total} episodes, {spent:.0f} s, about {spent / done * (total - done):.0f} s left  {what}"
        if sys.stderr.isatty():
            print(f"\r{text:<100}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif done == total or done / total >= self.told + 0.1:
            self.told = done / total
            print(text, file=sys.stderr, flush=True)


def _names(known: tuple[str, ...]) -> Any:
    def read(text: str) -> list[str]:
        out = [w for w in text.split(",") if w]
        if not out or (wrong := [w for w in out if w not in known]):
            raise argparse.ArgumentTypeError(f"{wrong[0] if out else text!r} is none of {', '.join(known)}")
        return list(dict.fromkeys(out))

    return read
