"""What training costs: BenchMARL's MAPPO on the batched environment, and in the same run on PettingZooWrapper and SerialEnv.

    python bench_train.py [--batched 64] [--serial 16] [--json]

It needs BenchMARL, see tests/heavy/train. CPU seconds are this process's and the server's; machines differ and drift: the
ratio is what to quote. The first iteration of each arm warms up and is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from benchmarl.algorithms import MappoConfig
from benchmarl.experiment import Callback, Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig
from torch import nn
from torchrl.envs import EnvBase, PettingZooWrapper, Transform

import marlpit
from marlpit._session import Client
from marlpit.benchmarl import MarlpitClass, MarlpitTask

FRAMES = 6400  # an iteration: each of 64 copies plays an episode's 100 steps
TICK = os.sysconf("SC_CLK_TCK")


class Wrapped(MarlpitClass):
    """The same world, a copy at a time through PettingZoo."""

    def get_env_fun(self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any) -> Callable[[], EnvBase]:
        url = self.config["url"]

        def make() -> EnvBase:
            env = marlpit.parallel_env(self.world, url=url)
            return PettingZooWrapper(env, return_state=True, categorical_actions=True, seed=seed, device=device)

        return make

    def get_env_transforms(self, env: EnvBase) -> list[Transform]:
        return []

    def max_steps(self, env: EnvBase) -> int:
        return int(self.config["max_cycles"])


class Now(NamedTuple):
    """Seconds so far: CPU of both processes, the clock's, and waited for the server."""

    cpu: float
    clock: float
    stepping: float


class Meter(Callback):
    """Notes the time after each collection, with all training before it."""

    def __init__(self, server: int) -> None:
        super().__init__()
        self.server, self.stepping = server, 0.0
        self.marks: list[Now] = []
        exchange = Client.exchange

        def timed(client: Client, request: bytes, *, again: bool = True) -> Any:
            start = time.perf_counter()
            try:
                return exchange(client, request, again=again)
            finally:
                self.stepping += time.perf_counter() - start

        self.restore = lambda: setattr(Client, "exchange", exchange)
        Client.exchange = timed  # type: ignore[method-assign]

    def on_batch_collected(self, batch: Any) -> None:
        fields = Path(f"/proc/{self.server}/stat").read_text().rpartition(")")[2].split()
        served = (int(fields[11]) + int(fields[12])) / TICK
        self.marks.append(Now(time.process_time() + served, time.perf_counter(), self.stepping))

    def __getstate__(self) -> dict[str, Any]:
        return {}


def train(task: MarlpitClass, copies: int, iterations: int, server: int) -> dict[str, float]:
    """Trains, and tells frames per CPU second and the share of the clock's time that went into requests."""
    config = ExperimentConfig.get_from_yaml()
    config.max_n_frames, config.evaluation, config.loggers, config.create_json = FRAMES * (iterations + 1), False, [], False
    config.on_policy_collected_frames_per_batch, config.on_policy_n_envs_per_worker = FRAMES, copies
    config.on_policy_minibatch_size, config.on_policy_n_minibatch_iters = FRAMES // 4, 4
    config.evaluation_episodes = 1
    model, meter = MlpConfig(num_cells=[64, 64], layer_class=nn.Linear, activation_class=nn.Tanh), Meter(server)
    try:
        with tempfile.TemporaryDirectory() as folder:
            config.save_folder = folder
            Experiment(task, MappoConfig.get_from_yaml(), model, seed=0, config=config, callbacks=[meter]).run()
    finally:
        meter.restore()
    first, last = meter.marks[0], meter.marks[-1]
    return {
        "frames_per_cpu_second": FRAMES * iterations / (last.cpu - first.cpu),
        "frames_per_second": FRAMES * iterations / (last.clock - first.clock),
        "share_of_requests": (last.stepping - first.stepping) / (last.clock - first.clock),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batched", type=int, default=64, help="copies of the batched environment")
    parser.add_argument("--serial", type=int, default=16, help="copies behind SerialEnv")
    parser.add_argument(
        "--iterations", type=int, default=10, help="of the batched arm; SerialEnv runs a fifth of them, at least 2"
    )
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with marlpit.serve() as server:
        assert server._process is not None
        pid = server._process.pid
        batched, wrapped = (
            kind("TWO_SWITCH_V1", MarlpitTask.TWO_SWITCH_V1.get_task(url=server.url).config) for kind in (MarlpitClass, Wrapped)
        )
        result = {
            "batched": train(batched, args.batched, args.iterations, pid),
            "serial": train(wrapped, args.serial, max(2, args.iterations // 5), pid),
        }
    ratio = result["batched"]["frames_per_cpu_second"] / result["serial"]["frames_per_cpu_second"]
    if args.json:
        print(json.dumps({**result, "ratio": ratio}))
        return
    print(f"BenchMARL MAPPO, 64x64 nets, two-switch-v1, batches of {FRAMES} frames, 4 passes in 4 parts")
    for name, copies in (("batched", args.batched), ("serial", args.serial)):
        r = result[name]
        print(
            f"{name:8} {copies:4} copies {r['frames_per_cpu_second']:8.0f} frames per CPU second, "
            f"{100 * r['share_of_requests']:.1f} % of the time in requests"
        )
    print(f"ratio {ratio:.1f}")


if __name__ == "__main__":
    main()
