"""BenchMARL trains on the tasks, from Python and by its own command; what it needs to be installed stands in test_torchrl.py."""

from __future__ import annotations

import csv
import json
import os
import pickle
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("benchmarl")

from benchmarl.environments import task_config_registry  # noqa: E402
from benchmarl.experiment import Experiment, ExperimentConfig  # noqa: E402
from benchmarl.models.mlp import MlpConfig  # noqa: E402
from torch import nn  # noqa: E402

import marlpit  # noqa: E402
from marlpit._worlds import WORLDS  # noqa: E402
from marlpit.benchmarl import Evaluations, MarlpitClass, MarlpitTask, algorithm  # noqa: E402
from marlpit.errors import Invalid  # noqa: E402
from marlpit.torchrl import MarlpitEnv  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from doc_blocks import blocks  # noqa: E402

# Theirs: names that will go away, and that no episode ended in a batch as small as the tests'.
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::UserWarning:torch.*", "ignore:No episode terminated:UserWarning"
)

torch.set_num_threads(1)
UNEVEN: dict[str, Any] = {"engineers": 1, "medics": 2}
BATCH = 320


@pytest.fixture
def trained(tmp_path: Path) -> Callable[..., tuple[Experiment, Evaluations]]:
    """Runs one iteration of an algorithm on a task."""

    def run(name: str, task: MarlpitClass, **changes: Any) -> tuple[Experiment, Evaluations]:
        config = ExperimentConfig.get_from_yaml()
        config.loggers, config.render, config.save_folder = ["csv"], False, str(tmp_path)
        config.max_n_frames = config.evaluation_interval = BATCH
        config.evaluation_episodes = 4
        for kind in ("on", "off"):
            setattr(config, f"{kind}_policy_collected_frames_per_batch", BATCH)
            setattr(config, f"{kind}_policy_n_envs_per_worker", 8)
        config.on_policy_minibatch_size, config.on_policy_n_minibatch_iters = BATCH, 1
        config.off_policy_n_optimizer_steps, config.off_policy_init_random_frames = 2, BATCH
        for key, value in changes.items():
            setattr(config, key, value)
        model, evaluations = MlpConfig(num_cells=[16], layer_class=nn.Linear, activation_class=nn.Tanh), Evaluations()
        experiment = Experiment(task, algorithm(name, task), model, seed=0, config=config, callbacks=[evaluations])
        experiment.run()
        return experiment, evaluations

    return run


def test_every_world_has_a_task_with_its_parameters() -> None:
    assert [t.name.lower().replace("_", "-") for t in MarlpitTask.__members__.values()] == list(WORLDS)
    for task in MarlpitTask.__members__.values():
        made = task.get_task()
        assert task_config_registry[f"marlpit/{task.name.lower()}"] is task
        assert made.config == task.get_from_yaml().config
        own = {"reward": "team", "groups": "role", "url": None, "max_steps": made.config["max_steps"]}
        assert made.config == {**own, **WORLDS[made.world].params}
        assert pickle.loads(pickle.dumps(made)) == made
        assert pickle.loads(pickle.dumps(task)) is task
    changed = MarlpitTask.TWO_SWITCH_V1.get_task(reward="credit", agents=3).config
    assert (changed["reward"], changed["agents"], changed["height"]) == ("credit", 3, 5)
    assert MarlpitTask.WEB_V1.get_task({"agents": 2}).config == {"agents": 2}


def test_a_config_of_ones_own_file(tmp_path: Path) -> None:
    file = tmp_path / "task.yaml"
    file.write_text("defaults:\n  - _self_\nreward: none\nagents: 4\n", "utf-8")
    assert MarlpitTask.TWO_SWITCH_V1.get_from_yaml(str(file)).config == {"reward": "none", "agents": 4}


@pytest.mark.parametrize("name", ["mappo", "qmix"])
@pytest.mark.parametrize("ending", ["together", "leave", "death"])
def test_uneven_groups(trained: Callable[..., Any], name: str, ending: str) -> None:
    experiment, evaluations = trained(name, MarlpitTask.VICTIM_RUBBLE_V1.get_task(ending=ending, **UNEVEN))
    assert experiment.group_map == {"engineer": ["engineer_0"], "medic": ["medic_0", "medic_1"]}
    assert experiment.total_frames == BATCH
    assert [e.frames for e in evaluations.all] == [BATCH]
    assert evaluations.all[0].success.shape == (4,)


@pytest.mark.parametrize(("name", "world"), [("ippo", "PHONE_V1"), ("vdn", "WEB_V1")])
def test_screens(trained: Callable[..., Any], name: str, world: str) -> None:
    _, evaluations = trained(name, MarlpitTask[world].get_task(agents=2, rounds=1, template="all"))
    assert (evaluations.all[0].length <= 150).all()


def test_logs_and_evaluation_are_the_teams(trained: Callable[..., Any]) -> None:
    """Under `none` the learner pays for each step and earns a bonus; what is reported is the game's own reward."""
    small = {"width_left": 2, "width_right": 2, "height": 3, "max_cycles": 40}
    task = MarlpitTask.TWO_SWITCH_V1.get_task(reward="none", **small)
    experiment, evaluations = trained("ippo", task, evaluation_deterministic_actions=False, evaluation_static=True)
    (evaluation,) = evaluations.all
    won = evaluation.success == 1
    expected = torch.where(won, 1 - 0.5 * evaluation.length / 40, torch.zeros(4))
    assert torch.allclose(evaluation.team_return, expected)
    report = json.loads(next(experiment.folder_name.glob("*.json")).read_text("utf-8"))
    assert report["marlpit"]["two_switch_v1"]["ippo"]["seed_0"]["step_1"]["return"] == pytest.approx(expected.tolist())

    def logged(name: str) -> list[float]:
        with open(next(experiment.folder_name.rglob(f"{name}.csv"))) as f:
            return [float(row[-1]) for row in csv.reader(f)]

    assert logged("eval_success") == [pytest.approx(float(won.float().mean()))]
    assert logged("eval_team_return") == [pytest.approx(float(expected.mean()))]
    (team,), (paid,), (success,) = (logged(f"collection_{n}") for n in ("team_return", "reward_episode_reward_mean", "success"))
    (length,) = logged("collection_episode_length")
    assert paid == pytest.approx(success - 0.01 * length, abs=1e-3)
    assert 0 <= team <= success


def test_the_environment_of_evaluation_is_told() -> None:
    task = MarlpitTask.TWO_SWITCH_V1.get_task(reward="none", start="random")
    tested, training = (task.get_env_fun(4, False, 3, "cpu")() for _ in range(2))
    assert task.get_env_transforms(tested) == []
    assert (tested.evaluating, training.evaluating) == (True, False)
    same = MarlpitEnv("two-switch-v1", 4, seed=3, start="random", evaluation=True)
    start = tested.reset()["state"]
    assert torch.equal(start, same.reset()["state"])
    assert not torch.equal(start, training.reset()["state"])


def test_settings_that_a_reward_asks_for() -> None:
    def task(**config: Any) -> MarlpitClass:
        return MarlpitTask.TWO_SWITCH_V1.get_task(**config)

    for alike in ("team", "oracle", {"scheme": "credit-mean", "scale": 1}):
        assert algorithm("mappo", task(reward=alike)).share_param_critic is True
        assert algorithm("qmix", task(reward=alike)).mixing_embed_dim == 32
    for scheme in ("credit", "expert", {"scheme": "shapley"}):
        assert algorithm("mappo", task(reward=scheme)).share_param_critic is False
        assert algorithm("ippo", task(reward=scheme)).share_param_critic is False
        for name in ("qmix", "vdn"):
            with pytest.raises(ValueError, match=r"averages.*credit-mean.*groups='team'"):
                algorithm(name, task(reward=scheme))
    with pytest.raises(ValueError, match="mappo"):
        algorithm("coma", task())


def test_a_world_without_limit_asks_for_one() -> None:
    env = MarlpitEnv("two-switch-v1", 1, max_cycles=0)
    with pytest.raises(ValueError, match="max_steps"):
        MarlpitTask.TWO_SWITCH_V1.get_task(max_cycles=0).max_steps(env)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("max_steps", -1, "max_steps is an integer of at least 1, or null for the world's own limit, got -1"),
        ("max_steps", 0, "got 0"),
        ("max_steps", "100", "got '100'"),
        ("num_envs", 4, "no num_envs: set the experiment's on_policy_n_envs_per_worker .*; it has reward, groups, .*max_steps"),
        ("seed", 0, "no seed: give it to the experiment"),
        ("device", "cpu", "no device: set the experiment's sampling_device"),
        ("id", "web-v1", "no id: the task's name says the world"),
        ("evaluation", True, "no evaluation: .*held-out seeds"),
        ("evaluation", False, "no evaluation"),
    ],
)
def test_what_no_task_takes(key: str, value: Any, says: str) -> None:
    with pytest.raises(Invalid, match=says):
        MarlpitTask.TWO_SWITCH_V1.get_task(**{key: value})
    changed = MarlpitTask.TWO_SWITCH_V1.get_task()
    changed.config[key] = value
    with pytest.raises(Invalid, match=says):
        changed.get_env_fun(2, False, 0, "cpu")


def test_a_world_of_ones_own_server() -> None:
    with marlpit.serve(test_worlds=True) as server:
        boxes = MarlpitClass("TEST_PIXELS_V0", {"url": server.url})
        assert boxes.supports_continuous_actions()
        assert not boxes.supports_discrete_actions()
        env = boxes.get_env_fun(2, True, 0, "cpu")()
        assert boxes.action_mask_spec(env) is None
        assert boxes.has_render(env)
        env.reset()
        assert env.render().shape == (32, 40, 3)


def test_benchmarls_own_command(tmp_path: Path) -> None:
    """The command the page prints, made short."""
    (printed,) = (b for b in blocks("learners.md", "BenchMARL", "") if b.startswith("python -m benchmarl.run"))
    words = shlex.split(printed.replace("\\\n", " "))[1:]
    assert "task=marlpit/two_switch_v1" in words
    short = (
        f"experiment.max_n_frames={BATCH} experiment.evaluation_interval={BATCH} experiment.on_policy_minibatch_size={BATCH} "
        f"experiment.on_policy_collected_frames_per_batch={BATCH} experiment.on_policy_n_minibatch_iters=1 "
        "experiment.evaluation_episodes=2 experiment.loggers=[csv] experiment.render=false"
    )
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    run = subprocess.run([sys.executable, *words, *short.split()], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    (report,) = tmp_path.rglob("mappo_two_switch_v1_mlp*/*.json")
    assert "seed_0" in json.loads(report.read_text("utf-8"))["marlpit"]["two_switch_v1"]["mappo"]


def test_the_pages_training_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BenchMARL's section, run as printed: its greedy policy against a random one, on held-out seeds."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(blocks("learners.md", "BenchMARL")[0], "docs/learners.md", "exec"), names)
    last = names["evaluations"].all[-1]
    chance = MarlpitEnv("two-switch-v1", 32, seed=0, evaluation=True).rollout(100, break_when_any_done=False)
    ended = chance["next", "done"].squeeze(-1)
    assert chance["next", "agents", "info", "success"][ended].mean() < 0.5
    assert (last.frames, last.success.mean()) == (40_000, 1)
    assert last.team_return.mean() > 0.8
