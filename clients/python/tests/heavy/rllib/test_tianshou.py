"""Tianshou's DQN steps and updates, through the AEC interface, with masks."""

from __future__ import annotations

import runpy
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tianshou")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own, at import
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm as Chance
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv

import marlpit  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from doc_blocks import blocks  # noqa: E402

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "tianshou_train.py"

pytestmark = pytest.mark.filterwarnings("default")  # theirs are no errors of ours

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with marlpit.serve(test_worlds=True) as server:
        yield server.url


def test_masks_and_returns(url: str) -> None:
    def make() -> PettingZooEnv:
        return PettingZooEnv(marlpit.aec_env("two-switch-v1", mask="obs", reward="expert", max_cycles=15, url=url))

    world = make()
    team = MultiAgentOffPolicyAlgorithm(algorithms=[Chance(world.action_space) for _ in world.agents], env=world)
    buffer = VectorReplayBuffer(200, 2)
    stats = Collector(team, DummyVectorEnv([make, make]), buffer).collect(n_episode=2, reset_before_collect=True)
    assert stats.lens.tolist() == [30, 30]  # steps of agents
    assert stats.returns.shape == (2, 2)
    steps = buffer.sample(0)[0]
    masks, chosen = np.asarray(steps.obs.mask), steps.act.astype(int)
    assert masks.shape == (60, 5)
    assert masks[np.arange(60), chosen].all()
    assert not masks.all()


def test_the_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["tianshou_train", "--frames", "64", "--copies", "2", "--reward", "expert"])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    steps, updates = (int(part.split()[0]) for part in capsys.readouterr().out.strip().splitlines()[-1].split(", "))
    assert steps >= 128
    assert updates > 0


def test_docs_run_as_printed() -> None:
    for code in blocks("learners.md", "Tianshou"):
        exec(compile(code, "Tianshou", "exec"), {"__name__": "__main__"})
