"""COMA, QTRAN and QPLEX step and learn once through pymarlzooplus; and the environment is what its runners ask for.

uv venv --python 3.11 epymarl-env
cd clients/python/tests/heavy/epymarl
export VIRTUAL_ENV=/path/to/epymarl-env
uv pip install -r requirements.txt --override overrides.txt
uv pip install --no-deps -e ../../..
cd ../../../../..
epymarl-env/bin/python -m pytest --noconftest -p no:cacheprovider clients/python/tests/heavy/epymarl
"""

from __future__ import annotations

import csv
import functools
import logging
import os
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

torch = pytest.importorskip("torch")
pytest.importorskip("pymarlzooplus")

import gymnasium  # noqa: E402
import pymarlzooplus.run as zoo  # noqa: E402
from pymarlzooplus.envs.gym_wrapper import FlattenObservation, TimeLimit  # noqa: E402
from pymarlzooplus.envs.multiagentenv import MultiAgentEnv  # noqa: E402
from pymarlzooplus.utils.logging_setup import Logger  # noqa: E402

import marlpit  # noqa: E402
from marlpit import epymarl  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from doc_blocks import blocks  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")  # theirs are no errors of ours

torch.set_num_threads(1)
CONFIG = Path(zoo.__file__).parent / "config"
STUDY = Path(__file__).resolve().parents[3] / "examples" / "coma_study.py"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with marlpit.serve(test_worlds=True) as server:
        yield server.url


def settings(algorithm: str, **changes: Any) -> dict[str, Any]:
    """Its configuration, as the library's own command puts it together."""
    out: dict[str, Any] = {}
    for name in ("default.yaml", "envs/gymma.yaml", f"algs/{algorithm}.yaml"):
        out |= yaml.safe_load((CONFIG / name).read_text())
    here = {"env": "marlpit", "seed": 0, "results_path": "", "device": "cpu", "device_cnn_modules": "cpu"}
    return out | here | {"use_cuda": False, "use_cuda_cnn_modules": False} | changes


@pytest.mark.parametrize(
    ("config", "changes"),
    [
        ("coma", {"batch_size_run": 2, "batch_size": 2, "buffer_size": 2}),  # two copies, each in a process
        ("qplex", {"batch_size": 1, "buffer_size": 2}),
        ("vdn", {"batch_size": 1, "buffer_size": 2, **epymarl.QTRAN}),
    ],
    ids=["coma", "qplex", "qtran"],
)
def test_it_steps_and_learns(url: str, monkeypatch: pytest.MonkeyPatch, config: str, changes: dict[str, Any]) -> None:
    epymarl.register()
    learners: list[Any] = []
    first: list[Any] = []

    def watched(kind: Any, *parts: Any) -> Any:
        learner = kind(*parts)
        learners.append(learner)
        first.extend(p.detach().clone() for p in learner.mac.parameters())
        return learner

    for name, kind in list(zoo.le_REGISTRY.items()):
        monkeypatch.setitem(zoo.le_REGISTRY, name, functools.partial(watched, kind))
    env = {"key": "two-switch-v1", "time_limit": 6, "reward": "credit-mean", "seed": 0, "url": url}
    args = types.SimpleNamespace(
        **settings(config, env_args=env, t_max=1, test_nepisode=changes.get("batch_size_run", 1), **changes)
    )
    logger = Logger(logging.getLogger("test"))
    logger.print_recent_stats = lambda: None
    zoo.run_sequential(args, logger)
    assert any(not torch.equal(a, b) for a, b in zip(first, learners[0].mac.parameters(), strict=True))
    assert (args.n_agents, args.n_actions, args.unit_dim, args.state_shape) == (2, 5, 7, 79)
    stats = {k: v[-1][1] for k, v in logger.stats.items()}
    assert stats["test_ep_length_mean"] == 6
    assert stats["test_success_mean"] == stats["test_episode_team_return_mean"] == 0
    assert stats["test_return_mean"] != 0  # what the learner was paid


def test_masks_state_and_the_limit(url: str) -> None:
    env = epymarl.MarlpitMultiAgentEnv("victim-rubble-v1", time_limit=5, seed=3, url=url, scout=True, reward="expert")
    other = marlpit.parallel_env("victim-rubble-v1", url=url, scout=True, reward="expert", max_cycles=5)
    missing = [n for n in vars(MultiAgentEnv) if not n.startswith("_") and not hasattr(env, n)]
    assert missing == ["seed"]  # it is given when the environment is made, or to reset
    assert env.get_env_info() == {"state_shape": 82, "obs_shape": 10, "n_actions": 6, "n_agents": 3, "episode_limit": 5}
    seen, state = env.reset(seed=7)
    wanted, infos = other.reset(seed=7)
    for t in range(1, 6):
        assert np.array_equal(state, other.state())
        for i, a in enumerate(other.agents):
            assert np.array_equal(seen[i][: len(wanted[a])], wanted[a])
            own = infos[a]["action_mask"].tolist()
            assert env.get_avail_agent_actions(i) == own + [0] * (6 - len(own))
        actions = [int(np.flatnonzero(infos[a]["action_mask"])[-1]) for a in other.agents]
        wanted, paid, _, _, infos = other.step(dict(zip(other.agents, actions, strict=True)))
        reward, over, info = env.step(torch.tensor(actions))
        seen, state = env.get_obs(), env.get_state()
        assert reward == pytest.approx(np.mean(list(paid.values())))
        assert over is (t == 5)
    assert info == {"success": 0.0, "episode_team_return": 0.0, "episode_limit": True}
    env.close()
    for wrong, params, why in (("test-stages-v0", {}, "give time_limit"), ("test-uneven-v0", {}, "choose one of n")):
        with pytest.raises(marlpit.errors.Invalid, match=why):
            epymarl.MarlpitMultiAgentEnv(wrong, url=url, **params)


def test_the_team_passes_through_gymmas_wrappers(url: str) -> None:
    env = gymnasium.make("marlpit:marlpit/two-switch-v1", url=url, max_cycles=4)
    wrapped = FlattenObservation(TimeLimit(env, max_episode_steps=4))
    assert wrapped.unwrapped.n_agents == 2
    assert max(s.n for s in wrapped.action_space.spaces) == 5
    wrapped.reset()
    for t in range(1, 5):
        observations, rewards, done, _ = wrapped.step([0, 0])
        assert [len(o) for o in observations] == [7, 7]
        assert rewards == [0, 0]
        assert all(done) if isinstance(done, list) else done == (t == 4)


def test_the_coma_study_goes_on_and_into_a_report(tmp_path: Path) -> None:
    def call(*words: str) -> subprocess.CompletedProcess[str]:
        environ = os.environ | {"MPLBACKEND": "Agg"}
        return subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, env=environ)

    study = (str(STUDY), "--smoke", "--out", "study")
    done = call(*study)
    assert done.returncode == 0, done.stderr[-2000:]
    with open(tmp_path / "study" / "coma.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    assert {r["arm"]: r["frames"] for r in reversed(rows)} == {"credit-mean": "2000", "none": "0", "team": "0", "oracle": "0"}
    assert {r["part"] for r in rows} == {r["algo"] for r in rows} == {"coma"}
    assert all(float(r["cpu_seconds"]) >= 0 and int(r["frames"]) <= 2800 for r in rows)
    assert "0 of 4 runs to do" in call(*study, "--dry-run").stdout
    (tmp_path / "study" / "work" / "runs" / "two-switch-v1" / "team-s0.json").unlink()
    assert "1 of 4 runs to do" in call(*study, "--dry-run").stdout
    compared = ("--compare", "credit-mean,none")
    done = call("-m", "marlpit", "ablate", "report", "--csv", "study/coma.csv", "--out", "report", *compared)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "credit-mean" in (tmp_path / "report" / "summary.csv").read_text()


def test_a_failed_run_of_the_coma_study_is_named(tmp_path: Path) -> None:
    words = ["--smoke", "--frames", "2300", "--arms", "credit-mean", "--out", str(tmp_path / "study")]
    done = subprocess.run([sys.executable, str(STUDY), *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "failed: two-switch-v1 credit-mean, seed 0: ValueError: pairs take 2000 frames, an update 400" in done.stderr
    assert len((tmp_path / "study" / "coma.csv").read_text().splitlines()) == 1


@pytest.mark.parametrize("code", range(len(blocks("learners.md", "EPyMARL"))))
def test_docs_run_as_printed(tmp_path: Path, code: int) -> None:
    script = tmp_path / "printed.py"
    script.write_text(blocks("learners.md", "EPyMARL")[code], "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"MPLBACKEND": "Agg"}
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "test_success_mean" in next((tmp_path / "results").rglob("metrics.json")).read_text()
