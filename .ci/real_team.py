#!/usr/bin/env python3
"""A team of language agents against a real language model on the CPU.

The model of real_model.py, of 135 M parameters, plays a turn of a task as a team with a
round of talk. What is checked is the protocol: every request got a reply, tokens
were counted, exchanges and rounds are on disk and agree with each other, a reply
that is no action was asked again once and then wasted, and a second run asks
nothing. The model's opinions, and whether it succeeds, are never checked.

Usage: real_team.py [path of the marlpit program]
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from real_model import MODEL, ROOT, check, serve, with_packages

CLIENT = ["gymnasium", "msgspec", "numpy", "openai>=2", "pettingzoo"]
SEEDS, AGENTS, ROUNDS, TURNS = 1, 2, 2, 1


def evaluate(url: str, out: pathlib.Path, program: str) -> dict:
    """Runs the client's command on the sources of this tree and returns its numbers."""
    env = {k: v for k, v in os.environ.items() if not k.endswith("API_KEY")}
    env |= {"PYTHONPATH": str(ROOT / "clients" / "python" / "src"), "MARLPIT_SERVER": os.path.abspath(program)}
    words = ["--env", "web-v1", "--templates", "click-button", "--seeds", str(SEEDS), "--arms", "team", "--agents", str(AGENTS)]
    words += ["--rounds", str(ROUNDS), "-p", f"max_turns={TURNS}", "--base-url", url, "--model", MODEL, "--max-tokens", "48"]
    words += ["--jobs", "1", "--timeout", "300", "--out", str(out), "--json"]
    command = [sys.executable, "-m", "marlpit", "evaluate", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=900)
    if done.returncode != 0:
        sys.exit(f"real_team: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def lines(path: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    with_packages()
    if not all(importlib.util.find_spec(name.partition(">")[0]) for name in CLIENT):
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", *CLIENT], check=True)
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "bin" / "marlpit")
    server, url = serve()
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "team"
        found = evaluate(url, out, program)
        check("episodes that are missing or failed", (found["missing"], found["failed"]), (0, {}))
        told = found["all"]["team"]
        check("episodes", told["episodes"], SEEDS)
        talk = [x for k in range(SEEDS) for x in lines(out / "transcripts" / f"team-click-button-s{k}.jsonl")]
        check("exchanges on disk", len(talk), told["calls"])
        check("asked again", sum(x["attempt"] for x in talk), told["retried"])
        check("asked again where there was a problem", sum(x["attempt"] == 0 and x["problem"] != "" for x in talk), told["retried"])
        check("tokens counted", sum(x["prompt_tokens"] for x in talk), told["prompt_tokens"])
        check("every prompt was read", all(x["prompt_tokens"] > 100 and x["finish"] in ("stop", "length") for x in talk), True)
        rounds = lines(out / "rounds.jsonl")
        check("proposals in rounds", sum(len(r["proposals"]) for r in rounds), len(talk) - told["retried"])
        check("one verdict for each", all(len(r["right"]) == AGENTS for r in rounds), True)
        again = evaluate(url, out, program)
        check("the same again", again, found)
        print(f"real_team: {len(talk)} exchanges with {MODEL} over {len(rounds)} rounds, {told['retried']} asked again")
    del server


if __name__ == "__main__":
    main()
