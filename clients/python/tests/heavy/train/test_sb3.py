"""Stable-Baselines3 trains on a world for real; and what the VecEnv promises beside that.

Installed as test_torchrl.py says.
"""

from __future__ import annotations

import runpy
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3 import DQN, PPO  # noqa: E402
from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402
from stable_baselines3.common.evaluation import evaluate_policy  # noqa: E402
from stable_baselines3.common.vec_env import VecCheckNan, VecNormalize  # noqa: E402

import marlpit  # noqa: E402
from marlpit.errors import Invalid  # noqa: E402
from marlpit.sb3 import MarlpitVecEnv  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from doc_blocks import blocks  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

# Theirs: names that will go away.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with marlpit.serve(test_worlds=True) as server:
        yield server.url


def test_rows_end_alone_and_are_padded_until_their_copy_ends(url: str) -> None:
    env = MarlpitVecEnv("test-stages-v0", 2, url=url)  # agents end at steps 2, 4 and 7, each paid 1 at its end
    assert (env.num_envs, env.agents) == (6, ["agent_0", "agent_1", "agent_2"])
    env.reset()
    for t in range(1, 9):
        obs, rewards, dones, infos = env.step(np.ones(6, int))
        assert obs.shape == (6, 1)
        assert np.array_equal(dones[:3], dones[3:])
        ends = {2: [0], 4: [1], 7: [0, 1, 2]}.get(t, [])
        assert np.flatnonzero(dones[:3]).tolist() == ends
        out = [i for i, last in enumerate((2, 4, 7)) if last < t <= 7]
        assert [i for i in range(3) if infos[i].get("padded")] == out
        if t < 7:
            assert (obs[out] == 0).all()
            assert not any("episode" in one for one in infos)
        assert rewards[:3].tolist() == [float(t == last) for last in (2, 4, 7)]
        assert not any(one["TimeLimit.truncated"] for one in infos)
        if t == 4:
            assert infos[1]["terminal_observation"] == 4
            assert env.action_masks().tolist() == [[True, False], [True, False], [True, True]] * 2
        if t == 7:
            assert (obs == 0).all()  # the next episode's first
            assert [infos[i]["terminal_observation"].item() for i in range(3)] == [0, 0, 7]
            assert all((one["episode"]["r"], one["episode"]["l"], one["episode"]["learner"]) == (3, 7, 1) for one in infos)
            assert all(one["is_success"] is True for one in infos)
    assert (obs == 1).all()


def test_a_limit_is_a_truncation(url: str) -> None:
    env = MarlpitVecEnv("test-count-v0", 1, url=url, length=2, end="truncate")
    env.reset()
    env.step(np.zeros(2, int))
    obs, _, dones, infos = env.step(np.zeros(2, int))
    assert dones.all()
    assert all(one["TimeLimit.truncated"] is True for one in infos)
    assert all((one["terminal_observation"] == 2).all() for one in infos)
    assert (obs == 0).all()


def test_what_the_learner_is_paid_is_not_what_is_logged(url: str) -> None:
    env = MarlpitVecEnv("two-switch-v1", 2, reward="expert", max_cycles=5, url=url)
    env.reset()
    paid = np.zeros(4)
    for _ in range(5):
        _, rewards, _, infos = env.step(np.full(4, 1))
        paid += rewards
    assert [one["episode"]["r"] for one in infos] == [0] * 4
    assert [one["episode"]["learner"] for one in infos] == pytest.approx(paid)
    assert (paid != 0).all()
    assert all(one["team_reward"] == 0 and one["is_success"] is False for one in infos)


def test_seeds_are_the_learners(url: str) -> None:
    first = [MarlpitVecEnv("two-switch-v1", 4, start="random", url=url, seed=s) for s in (3, 3, 4)]
    a, b, c = (env.reset() for env in first)
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)
    first[2].seed(3)
    assert np.array_equal(first[2].reset(), a)
    assert not np.array_equal(first[2].reset(), a)  # once only
    assert len(np.unique(a.reshape(4, -1), axis=0)) > 1


def test_what_sb3_asks_of_a_vector(url: str) -> None:
    env = MarlpitVecEnv("two-switch-v1", 2, url=url, render_mode="rgb_array")
    assert env.get_attr("render_mode") == ["rgb_array"] * 4
    assert is_masking_supported(env)
    env.reset()
    assert get_action_masks(env).shape == (4, 5)
    assert [m.shape for m in env.env_method("action_masks", indices=[1, 3])] == [(5,), (5,)]
    assert env.render().shape[2] == 3
    assert not env.has_attr("nothing")
    for wrong in (lambda: env.set_attr("x", 1), lambda: env.env_method("reset")):
        with pytest.raises(AttributeError):
            wrong()
    with pytest.raises(Invalid, match=r"one for each agent of each copy, got \(3,\)"):
        env.step(np.zeros(3, int))
    env.close()
    env.close()
    boxes = MarlpitVecEnv("test-pixels-v0", 1, url=url)
    assert not is_masking_supported(boxes)
    with pytest.raises(Invalid, match="actions of one kind"):
        MarlpitVecEnv("test-uneven-v0", 1, url=url)
    with pytest.raises(Invalid, match="render_mode is rgb_array or None, got 'foo'"):
        MarlpitVecEnv("two-switch-v1", 1, url=url, render_mode="foo")


@pytest.mark.parametrize("algorithm", [PPO, MaskablePPO, DQN])
def test_algorithms_update_through_the_usual_wrappers(url: str, algorithm: type) -> None:
    world = MarlpitVecEnv("victim-rubble-v1", 2, url=url, reward="expert", scout=True, ending="leave", max_cycles=20)
    env = VecNormalize(VecCheckNan(world, raise_exception=True), norm_obs=False)
    options = {"learning_starts": 64, "train_freq": 8} if algorithm is DQN else {"n_steps": 32, "batch_size": 64}
    model = algorithm("MlpPolicy", env, seed=0, **options)
    before = [p.clone() for p in model.policy.parameters()]
    model.learn(192)
    assert model.num_timesteps == 192
    assert any(not torch.equal(a, b) for a, b in zip(before, model.policy.parameters(), strict=True))
    assert np.isfinite([one["r"] for one in model.ep_info_buffer]).all()


def test_training_says_that_its_server_died() -> None:
    server = marlpit.serve()
    env = MarlpitVecEnv("two-switch-v1", 2, url=server.url)
    model = PPO("MlpPolicy", env, n_steps=8, batch_size=32, seed=0)
    model.learn(32)
    assert server._process is not None
    server._process.kill()
    for _ in range(2):
        with pytest.raises(marlpit.ServerDied, match=r"its log is .*server\.log"):
            model.learn(32, reset_num_timesteps=False)
    with pytest.raises(marlpit.ServerDied):
        env.reset()
    env.close()
    server.stop()


class Last(BaseCallback):
    """Keeps what SB3 logs of rollouts."""

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.lengths = [one["l"] for one in self.model.ep_info_buffer]
        self.won = list(self.model.ep_success_buffer)


def greedy(model: MaskablePPO, url: str) -> float:
    """Team's mean return of 20 greedy episodes on a seed that training never saw."""
    env = MarlpitVecEnv("two-switch-v1", 20, start="random", max_cycles=60, seed=1_000_000, url=url)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # rows count as monitored
        obs, returns = env.reset(), {}
        while len(returns) < env.num_envs:
            actions, _ = model.predict(obs, action_masks=env.action_masks(), deterministic=True)
            obs, _, _, infos = env.step(actions)
            returns |= {i: one["episode"]["r"] for i, one in enumerate(infos) if "episode" in one and i not in returns}
    env.close()
    return float(np.mean(list(returns.values())))


def test_it_learns_to_open_the_door(url: str) -> None:
    rng = np.random.default_rng(0)
    env = MarlpitVecEnv("two-switch-v1", 20, start="random", max_cycles=60, seed=1_000_000, url=url)
    env.reset()
    chance: list[float] = []
    while len(chance) < 40:
        noise = rng.random((env.num_envs, 5)) * env.action_masks()
        _, _, _, infos = env.step(noise.argmax(1))
        chance += [one["episode"]["r"] for one in infos if "episode" in one]
    env.close()

    env = MarlpitVecEnv("two-switch-v1", 16, start="random", max_cycles=60, reward="oracle", seed=0, url=url)
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=512, learning_rate=1e-3, gamma=0.98, n_epochs=6, seed=0)
    logged = Last()
    model.learn(12 * 128 * env.num_envs, callback=logged)
    env.close()
    assert np.mean(chance) < 0.3
    assert greedy(model, url) > 0.6
    assert np.mean(logged.won) > 0.7
    assert max(logged.lengths) <= 60


def test_evaluate_policy_reports_the_teams_return(url: str) -> None:
    env = MarlpitVecEnv("test-stages-v0", 2, url=url, reward="none")
    model = PPO("MlpPolicy", env, n_steps=8, batch_size=48, seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        returns, lengths = evaluate_policy(model, env, 6, return_episode_rewards=True)
    assert returns == [3] * 6
    assert lengths == [7] * 6


@pytest.mark.parametrize("heading", ["Stable-Baselines3", "Gymnasium", "SuperSuit"])
def test_docs_run_as_printed(heading: str) -> None:
    for i, code in enumerate(blocks("learners.md", heading)):
        exec(compile(code, f"{heading} {i}", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize(("example", "arguments"), [("sb3_train", ["--copies", "2"]), ("supersuit_train", ["--copies", "2"])])
def test_examples(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], example: str, arguments: list[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [example, "--frames", "128", *arguments])
    runpy.run_path(str(EXAMPLES / f"{example}.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert {"sb3_train": "greedy success", "supersuit_train": "512 steps of agents"}[example] in said
