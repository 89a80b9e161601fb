"""examples/train.py pays what it was asked for, or says what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TRAIN = Path(__file__).parents[1] / "examples" / "train.py"
MODELS = Path(__file__).parents[3] / "models"


def train(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, TRAIN, *words, "--seeds", "1", "--charged", "0"], capture_output=True, text=True, timeout=120
    )


def test_it_names_the_model() -> None:
    done = train("two-switch-v1", "credit", "--frames", "6400", "--model", MODELS / "two-switch-v1.credit", "-p", "max_cycles=50")
    assert done.stdout.startswith("two-switch-v1 credit (two-switch-v1) seed 0: 80% success never"), done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["two-switch-v1", "credit", "--model", MODELS / "victim-rubble-v1.credit"], "world: victim-rubble-v1 in the model"),
        (["two-switch-v1", "none", "--model", MODELS / "two-switch-v1.credit"], 'none has no option "model"'),
        (["two-switch-v1", "credit", "--model", "none.credit"], "there is no file none.credit"),
        (["two-switch-v1", "none", "--frames", "64"], "--frames is at least 6400 (64 copies × 100 steps), got 64"),
        (["two-switch-v1", "none", "-p", "view"], "want KEY=VALUE, got 'view'"),
        (["two-switch-v1", "none", "-p", "nothing=true"], 'two-switch-v1 has no parameter "nothing"'),
    ],
    ids=str,
)
def test_what_is_refused(words: list[str | Path], says: str) -> None:
    done = train(*words)
    assert done.returncode != 0
    assert says in done.stderr
    assert "Traceback" not in done.stderr
