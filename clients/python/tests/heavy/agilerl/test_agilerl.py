"""AgileRL's IPPO steps and learns once, in processes of its own, with masks and without.

uv venv --python 3.11 agilerl-env
VIRTUAL_ENV=$PWD/agilerl-env uv pip install -r clients/python/tests/heavy/agilerl/requirements.txt
VIRTUAL_ENV=$PWD/agilerl-env uv pip install --no-deps -e clients/python
agilerl-env/bin/python -m pytest --noconftest -p no:cacheprovider clients/python/tests/heavy/agilerl
"""

from __future__ import annotations

import functools
import runpy
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("agilerl")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own, at import
    from agilerl.algorithms import IPPO
    from agilerl.vector.pz_async_vec_env import AsyncPettingZooVecEnv

import marlpit  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from doc_blocks import blocks  # noqa: E402

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "agilerl_train.py"

pytestmark = pytest.mark.filterwarnings("default")  # theirs are no errors of ours

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with marlpit.serve() as server:
        yield server.url


def test_masks_are_kept_and_one_update_is_taken(url: str) -> None:
    as_lists = runpy.run_path(str(EXAMPLE))["as_lists"]
    make = functools.partial(marlpit.parallel_env, "victim-rubble-v1", reward="expert", medics=2, max_cycles=10, url=url)
    env = AsyncPettingZooVecEnv([make] * 2)
    names = env.possible_agents
    assert names == ["engineer_0", "medic_0", "medic_1"]
    spaces = [[space(a) for a in names] for space in (env.single_observation_space, env.single_action_space)]
    agent = IPPO(*spaces, agent_ids=names, batch_size=32, learn_step=20)  # medics share a network
    obs, infos = env.reset()
    done = {a: np.zeros(2) for a in names}
    kept = [{a: [] for a in names} for _ in range(6)]
    ends = 0
    for _ in range(20):
        before = infos
        actions, logp, _, values = agent.get_action(obs, infos=as_lists(infos))
        for a in names:
            masks = np.stack(list(before[a]["action_mask"]))
            assert masks[np.arange(2), np.ravel(actions[a])].all()
        after, rewards, ended, cut, infos = env.step(actions)
        for store, step in zip(kept, (obs, actions, logp, rewards, done, values), strict=True):
            for a in names:
                store[a].append(step[a])
        obs, done = after, {a: np.logical_or(ended[a], cut[a]).astype(float) for a in names}
        ends += int(np.sum([done[a].sum() for a in names]))
    env.close()
    assert ends > 0  # an episode of ten steps ended, and the next began
    weights = [p.detach().clone() for net in agent.actors.values() for p in net.parameters()]
    losses = agent.learn((*kept, obs, done))
    assert np.isfinite([np.mean(v) for v in losses.values()]).all()
    now = [p for net in agent.actors.values() for p in net.parameters()]
    assert any(not torch.equal(a, b) for a, b in zip(weights, now, strict=True))


def test_the_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["agilerl_train", "--frames", "32", "--rollout", "32", "--reward", "expert"])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert "update 1:" in capsys.readouterr().out


def test_docs_run_as_printed() -> None:
    for code in blocks("learners.md", "AgileRL"):
        exec(compile(code, "AgileRL", "exec"), {"__name__": "__main__"})
