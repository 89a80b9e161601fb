"""How stepping grows with copies and with processes; one table a run, for docs/scaling.md.

    python bench_scaling.py [--world ID] [--seconds N] [--copies 1,4,16,64,256,1024] [--processes 2] [--rllib]

`frames` are steps of single copies. CPU time is of the client and of its servers together.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import numpy as np

import marlpit


def cpu(pid: int) -> float:
    """CPU seconds of another process so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stepping(world: str, copies: int, seconds: float, start: float = 0.0) -> tuple[int, float, float]:
    """Steps copies on a server of their own for so long.

    Returns:
        Frames, seconds, CPU seconds.
    """
    with marlpit.serve() as server:
        env = marlpit.vec_env(world, copies, seed=0, url=server.url, autoreset="same_step")
        actions = np.zeros((copies, len(env.spec.agents)), np.int32)
        env.reset()
        assert server._process is not None
        pid = server._process.pid
        time.sleep(max(start - time.time(), 0.0))  # processes begin together
        at, used, steps = time.perf_counter(), time.process_time() + cpu(pid), 0
        while (took := time.perf_counter() - at) < seconds:
            env.step(actions)
            steps += 1
        return steps * copies, took, time.process_time() + cpu(pid) - used


def rllib(world: str, copies: int, seconds: float) -> tuple[int, float, float]:
    """Has RLlib's PPO module act for copies in our env runner."""
    from ray.rllib.algorithms.ppo import PPOConfig

    from marlpit.rllib import MarlpitEnvRunner, configure

    with marlpit.serve() as server:
        config = configure(PPOConfig(), world, num_envs=copies, url=server.url, seed=0)
        runner = MarlpitEnvRunner(config.rl_module(model_config={"fcnet_hiddens": [64, 64]}), worker_index=0)
        runner.sample(num_timesteps=copies, explore=True)
        assert server._process is not None
        at, used, frames = time.perf_counter(), time.process_time() + cpu(server._process.pid), 0
        while (took := time.perf_counter() - at) < seconds:
            frames += sum(len(e) for e in runner.sample(num_timesteps=copies * 16, explore=True))
        used = time.process_time() + cpu(server._process.pid) - used
        runner.stop()
        return frames, took, used


def line(what: str, runs: list[tuple[int, float, float]]) -> str:
    frames, seconds, used = sum(r[0] for r in runs), max(r[1] for r in runs), sum(r[2] for r in runs)
    return f"| {what} | {frames / seconds:,.0f} | {frames / used:,.0f} |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="two-switch-v1")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run (2)")
    parser.add_argument("--copies", default="1,4,16,64,256,1024")
    parser.add_argument("--processes", type=int, default=2, help="clients at once, each with a server, of 64 copies")
    parser.add_argument("--rllib", action="store_true", help="RLlib's runner, too")
    a = parser.parse_args()
    print("| | frames/s | frames per CPU-second |\n|---|---|---|")
    for n in (int(c) for c in a.copies.split(",")):
        print(line(f"{n} copies", [stepping(a.world, n, a.seconds)]), flush=True)
    for m in range(2, a.processes + 1):
        with ProcessPoolExecutor(m) as pool:
            start = time.time() + 2.0
            runs = [pool.submit(stepping, a.world, 64, a.seconds, start) for _ in range(m)]
            print(line(f"{m} × 64 copies", [r.result() for r in runs]), flush=True)
    for n in (16, 64, 256) if a.rllib else ():
        print(line(f"RLlib, {n} copies", [rllib(a.world, n, a.seconds)]), flush=True)


if __name__ == "__main__":
    main()
