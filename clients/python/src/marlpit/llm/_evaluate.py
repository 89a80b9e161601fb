"""Measuring policies over the tasks of a world; what is on disk is done."""

from __future__ import annotations

import asyncio
import difflib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import marlpit
from marlpit.errors import Invalid
from marlpit.llm._models import EndpointFailed, Model
from marlpit.llm._play import Policy, RandomPolicy, SolutionPolicy, play
from marlpit.llm._report import page, results
from marlpit.llm._team import Team

ARMS = ("single", "silent", "team")  # one agent; a team that votes but doesn't talk; a team with rounds of talk
POLICIES = ("model", "solution", "random")


@dataclass(frozen=True)
class Plan:
    """What is measured.

    Attributes:
        env: Id of the world.
        policies: Of POLICIES.
        arms: Of ARMS.
        templates: Of tasks; empty for all of them.
        seeds: Episodes of each template and arm.
        agents: Of a team.
        rounds: Of talk, of the arm `team`.
        graph: Of that arm: who hears whom.
        split: Of the world's tasks.
        roles: Of model agents.
        params: Further parameters of the world.
        models: Of model agents.
    """

    env: str
    policies: Sequence[str] = ("model",)
    arms: Sequence[str] = ARMS
    templates: Sequence[str] = ()
    seeds: int = 5
    agents: int = 4
    rounds: int = 3
    graph: str = "chain"
    split: str | None = None
    roles: str = "none"
    params: Mapping[str, Any] = field(default_factory=dict)
    models: Sequence[Model] = ()

    def pinned(self) -> dict[str, Any]:
        """What all episodes of a folder have in common; seeds, templates, arms and policies may be added to."""
        models = [
            {k: v for k, v in asdict(m).items() if k in ("model", "temperature", "seed", "max_tokens")} for m in self.models
        ]
        grows = ("policies", "arms", "templates", "seeds", "models")
        return {**{k: v for k, v in asdict(self).items() if k not in grows}, "params": dict(self.params), "models": models}


@dataclass(frozen=True)
class Case:
    """One episode to play."""

    arm: str  # with its policy: `team`, or `solution-team`
    policy: str
    params: Mapping[str, Any]
    template: str  # empty where the world has no templates to choose
    seed: int

    @property
    def name(self) -> str:
        """For files."""
        return "-".join(p for p in (self.arm, self.template, f"s{self.seed}") if p)


def _among(name: str, names: Sequence[str], env: str) -> str:
    """What an error says of a name that a world doesn't know: which was meant, and some of those there are."""
    near = difflib.get_close_matches(name, names, 5)
    there = f": did you mean {near[0]!r}? It" if near else "; it"
    if len(names) <= 20:
        return f"{there} has {', '.join(names) or 'none'}"
    some = list(dict.fromkeys([*near, *names]))[:5]
    return f"{there} has {len(names)}, such as {', '.join(some)}; 'marlpit envs {env}' lists them"


def cases(plan: Plan, known: Mapping[str, Any]) -> list[Case]:
    """All episodes, seed by seed, so that an evaluation that is broken off has whole seeds.

    Args:
        plan: What is measured.
        known: The world's parameters, JSON schema by name.

    Raises:
        Invalid: The world has no such template or parameter.
    """
    templates = list(plan.templates)
    there = [t for t in known.get("template", {}).get("enum", []) if t != "all"]
    if wrong := [t for t in templates if t not in there]:
        raise Invalid(f"{plan.env} has no template {wrong[0]!r}{_among(wrong[0], there, plan.env)}", "invalid")
    fixed = {**plan.params, **({} if plan.split is None else {"split": plan.split})}
    if wrong := [k for k in fixed if k not in known]:
        raise Invalid(f"{plan.env} has no parameter {wrong[0]!r}{_among(wrong[0], list(known), plan.env)}", "invalid")
    sizes = {
        "single": {"agents": 1, "rounds": 1, "graph": "none"},
        "silent": {"agents": plan.agents, "rounds": 1, "graph": "none"},
        "team": {"agents": plan.agents, "rounds": plan.rounds, "graph": plan.graph},
    }
    out = []
    for seed in range(plan.seeds):
        for template in templates or there or [""]:
            for policy in plan.policies:
                for arm in plan.arms:
                    own = {k: v for k, v in sizes[arm].items() if k in known}
                    name = arm if policy == "model" else f"{policy}-{arm}"
                    task = {"template": template} if template else {}
                    out.append(Case(name, policy, {**own, **fixed, **task}, template, seed))
    return out


class Evaluation:
    """A folder of episodes: `episodes.jsonl`, `rounds/` and `transcripts/` by case, and the report."""

    def __init__(self, plan: Plan, out: Path, url: str | None = None, token: str | None = None) -> None:
        """Opens the folder.

        Raises:
            Invalid: It holds another evaluation, or the world lacks what is asked for.
        """
        self.plan, self.out, self.url, self.token = plan, out, url, token
        self.failed: dict[str, str] = {}
        known = dict(marlpit.describe_env(plan.env, url, token=token)["params"]["properties"])
        self.cases, self.left_out = self._within_split(cases(plan, known))
        if not self.cases:
            raise Invalid(f"split {plan.split} of {plan.env} holds none of the templates", "invalid")
        self._open()

    def _within_split(self, every: list[Case]) -> tuple[list[Case], list[str]]:
        """Leaves out the templates that the split doesn't hold, unless they were asked for by name."""
        if self.plan.split is None or self.plan.templates:
            return every, []
        outside = []
        for template in dict.fromkeys(c.template for c in every):
            one = next(c for c in every if c.template == template)
            try:
                self._env(one).close()
            except Invalid:
                outside.append(template)
        return [c for c in every if c.template not in outside], outside

    def _env(self, case: Case) -> marlpit.ParallelEnv:
        return marlpit.parallel_env(self.plan.env, url=self.url, token=self.token, text=True, **case.params)

    def _open(self) -> None:
        pinned, note = self.plan.pinned(), self.out / "plan.json"
        if note.exists():
            before = json.loads(note.read_text(encoding="utf-8"))
            if other := [k for k in pinned if before.get(k) != pinned[k]]:
                k = other[0]
                raise Invalid(f"{self.out} holds another evaluation: {k} {before.get(k)!r} there, {pinned[k]!r} here", "invalid")
        else:
            _keep(note, json.dumps(pinned, indent=1) + "\n")

    def rows(self) -> list[dict[str, Any]]:
        """The episodes on disk, those asked for here only. A line that was cut off is no episode."""
        path, wanted = self.out / "episodes.jsonl", {c.name for c in self.cases}
        found: dict[str, dict[str, Any]] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if row["case"] in wanted:
                found[row["case"]] = row
        return list(found.values())

    def run(self, jobs: int, told: Callable[[int, int, str], None] = lambda *_: None) -> dict[str, Any]:
        """Plays what isn't there yet, some at a time, and reports.

        Args:
            jobs: Episodes at a time.
            told: Called after each with those done, those there are, and its name.

        Returns:
            What `report` returns.
        """
        done = {r["case"] for r in self.rows()}
        todo = [c for c in self.cases if c.name not in done]
        asyncio.run(self._all(todo, jobs, told))
        return self.report()

    async def _all(self, todo: list[Case], jobs: int, told: Callable[[int, int, str], None]) -> None:
        queue, total, ended, in_a_row = list(reversed(todo)), len(todo), 0, 0

        async def worker() -> None:
            nonlocal ended, in_a_row
            while queue and in_a_row < 3 * jobs:  # an endpoint that is dead stays so
                case = queue.pop()
                try:
                    await self._one(case)
                    in_a_row = 0
                except EndpointFailed as e:
                    self.failed[case.name] = str(e)[:300]
                    in_a_row += 1
                ended += 1
                told(ended, total, case.name)

        workers = [asyncio.ensure_future(worker()) for _ in range(min(jobs, len(todo)))]
        try:
            await asyncio.gather(*workers)
        finally:
            for w in workers:
                w.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _one(self, case: Case) -> None:
        env = self._env(case)
        try:
            async with AsyncExitStack() as stack:
                policy: Policy = SolutionPolicy() if case.policy == "solution" else RandomPolicy()
                if case.policy == "model":
                    kept = self.out / "transcripts" / f"{case.name}.jsonl"
                    policy = await stack.enter_async_context(Team(self.plan.models, roles=self.plan.roles, transcript=kept))
                episode = await play(env, policy, case.seed)
        finally:
            env.close()
        row = asdict(episode)
        rounds = row.pop("rounds")
        _keep(self.out / "rounds" / f"{case.name}.jsonl", "".join(f"{line}\n" for line in rounds))
        row["template"] = row["template"] or case.template
        with (self.out / "episodes.jsonl").open("a", encoding="utf-8") as f:
            f.write(json.dumps({"case": case.name, "arm": case.arm, **row}, ensure_ascii=False) + "\n")
            f.flush()
            os.fsync(f.fileno())

    def report(self) -> dict[str, Any]:
        """Writes evaluation.md, evaluation.json and rounds.jsonl, and returns what the second holds, with the first as `page`."""
        rows = self.rows()
        missing = len(self.cases) - len(rows)
        found = results(list(dict.fromkeys(c.arm for c in self.cases)), rows)
        p, models = self.plan, ", ".join(dict.fromkeys(m.model for m in self.plan.models))
        asked = [f"{p.seeds} seeds", f"{p.agents} agents", f"{p.rounds} rounds", f"graph {p.graph}"]
        asked += [f"split {p.split}"] if p.split else []
        asked += [f"models {models}", f"roles {p.roles}"] if models else []
        notes = [", ".join(asked) + "."]
        if self.left_out:
            notes.append(f"{len(self.left_out)} templates are not in the split.")
        text = page(f"Success on {self.plan.env}", notes, found, self.failed, missing)
        whole = {**self.plan.pinned(), "wanted": len(self.cases), "missing": missing, "failed": self.failed, **found}
        _keep(self.out / "evaluation.md", text)
        _keep(self.out / "evaluation.json", json.dumps(whole, indent=1) + "\n")
        kept = [self.out / "rounds" / f"{r['case']}.jsonl" for r in rows]
        _keep(self.out / "rounds.jsonl", "".join(p.read_text(encoding="utf-8") for p in kept))
        return {**whole, "page": text}


def _keep(path: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
