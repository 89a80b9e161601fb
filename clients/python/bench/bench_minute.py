"""From nothing to a team that succeeds: how long a person waits.

    python bench_minute.py [--seeds N]

Collects pairs of two-switch-v1, has them ranked by a simulated ranker that is wrong a
quarter of the time, fits scoring models, trains a small learner on their credit, and
stops the clock when the greedy team has succeeded in every episode of two evaluations
in a row, on seeds it isn't trained on: later than when it first reached 80 %.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

from marlpit.ppo import Settings
from pipeline import make_models
from runs import Job, run

ENV = "two-switch-v1"


def measure(seed: int) -> tuple[float, float, int | None]:
    """Seconds for the scoring models, seconds for training, and frames to 80 %, those of the pairs included."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        models = make_models(ENV, Path(folder), seed, 2000, ("credit",))
        fitted = time.monotonic()
        done = run(Job(ENV, "credit", seed, Settings(frames=300_000), models.paths["credit"], models.frames))
        return fitted - begin, time.monotonic() - fitted, done.solved_at


def main() -> None:
    """Measures each seed in turn and prints the middle one."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=int, default=3, help="runs (3)")
    waits = []
    for seed in range(options.parse_args().seeds):
        fit, train, solved = measure(seed)
        waits.append(fit + train)
        when = "never" if solved is None else f"after {solved:,} frames"
        print(f"seed {seed}: pairs, votes and fit {fit:5.1f} s, training {train:5.1f} s; 80 % {when}", flush=True)
    print(f"{ENV}, from nothing to a team that succeeds: {statistics.median(waits):.0f} s (median of {len(waits)} seeds)")


if __name__ == "__main__":
    main()
