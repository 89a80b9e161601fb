"""What a step costs through the client, and beside it a peer's, in one run.

    python bench_step.py [--peer PYTHON] [--steps N] [--json]

`--peer` names an interpreter that has `openenv` installed; `make bench` makes
one. Machines differ and drift: the ratios are what to quote.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import marlpit

ENV = "two-switch-v1"


def percentile(times: list[float], q: float) -> float:
    """A percentile of times in seconds, in microseconds."""
    return float(np.percentile(times, q)) * 1e6


def single(url: str, steps: int, reward: str) -> dict[str, float]:
    """Times `parallel_env.step` (actions drawn before the clock starts)."""
    env = marlpit.parallel_env(ENV, reward=reward, url=url, seed=0)
    env.reset()
    rng = np.random.default_rng(0)
    choices = rng.integers(0, 5, (steps, len(env.possible_agents)))
    times = []
    for row in choices.tolist():
        if not env.agents:
            env.reset()
        actions = dict(zip(env.agents, row, strict=True))
        start = time.perf_counter()
        env.step(actions)
        times.append(time.perf_counter() - start)
    env.close()
    return {"p50_us": percentile(times, 50), "p99_us": percentile(times, 99)}


def batched(url: str, copies: int, seconds: float, reward: str) -> float:
    """Environment steps a second through `vec_env`."""
    env = marlpit.vec_env(ENV, copies, reward=reward, url=url, seed=0, autoreset="same_step")
    env.reset()
    rng = np.random.default_rng(0)
    actions = [rng.integers(0, 5, (copies, 2), dtype=np.int32) for _ in range(16)]
    for a in actions:
        env.step(a)
    start, done = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        for a in actions:
            env.step(a)
        done += len(actions)
    rate = done * copies / (time.perf_counter() - start)
    env.close()
    return rate


def main() -> None:
    """Prints the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer", help="python with openenv installed, to be timed in the same run")
    options.add_argument("--steps", type=int, default=20_000)
    options.add_argument("--seconds", type=float, default=3.0, help="for each batch size")
    options.add_argument("--json", action="store_true")
    o = options.parse_args()
    out: dict = {"parallel_env": {}, "vec_env": {}, "peer": None}
    with marlpit.serve() as server:
        out["parallel_env"] = single(server.url, o.steps, "team")
        for copies in (1, 64, 1024, 4096):
            out["vec_env"][copies] = batched(server.url, copies, o.seconds, "team")
    if o.peer:
        words = [o.peer, str(Path(__file__).with_name("echo_peer.py")), str(max(500, o.steps // 10))]
        out["peer"] = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)
        out["peer_ratio"] = out["peer"]["p50_us"] / out["parallel_env"]["p50_us"]
    if o.json:
        json.dump(out, sys.stdout, indent=1)
        return
    one = out["parallel_env"]
    print(f"parallel_env step       p50 {one['p50_us']:7.1f} µs   p99 {one['p99_us']:7.1f} µs")
    if o.peer:
        peer = out["peer"]
        print(f"openenv echo step       p50 {peer['p50_us']:7.1f} µs   p99 {peer['p99_us']:7.1f} µs")
        print(f"                        {out['peer_ratio']:.1f} times ours (p50)")
    for copies, rate in out["vec_env"].items():
        print(f"vec_env × {copies:<5}         {rate / 1e3:10,.0f} thousand environment steps/s")


if __name__ == "__main__":
    main()
