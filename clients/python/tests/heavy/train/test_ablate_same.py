"""`marlpit ablate` learns and measures what BenchMARL's own experiment does; to be installed: see test_torchrl.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("benchmarl")

from benchmarl.experiment import Experiment  # noqa: E402

import marlpit  # noqa: E402
from marlpit.ablate import _benchmarl  # noqa: E402
from marlpit.ablate._measure import Examiner  # noqa: E402
from marlpit.ablate._plan import Arm, Job, Learning, World  # noqa: E402
from marlpit.benchmarl import Evaluations  # noqa: E402

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::UserWarning:torch.*", "ignore:No episode terminated:UserWarning"
)
SMALL = {"width_left": 2, "width_right": 2, "height": 3, "max_cycles": 15}
UNEVEN = {"engineers": 1, "medics": 2, "max_cycles": 30}


class Plain(Experiment):
    """BenchMARL's own loops, whose evaluations start from the same episodes each time."""

    def _evaluation_loop(self) -> None:
        self.test_env.set_seed(self.seed)
        super()._evaluation_loop()


@pytest.mark.parametrize(
    ("algo", "env", "params", "greedy"),
    [
        ("mappo", "two-switch-v1", SMALL, True),
        ("ippo", "two-switch-v1", SMALL, False),
        ("mappo", "victim-rubble-v1", UNEVEN, True),
        ("qmix", "victim-rubble-v1", UNEVEN, True),
        ("vdn", "two-switch-v1", SMALL, True),
    ],
)
def test_the_same_is_learnt(
    algo: str, env: str, params: dict[str, Any], greedy: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learning = Learning(num_envs=6, horizon=20, hidden=8, epochs=2, minibatches=2, steps_per_batch=3, train_batch=16, lr=0.01)
    job = Job("p", World(env, params), algo, Arm("team", "team", {}), 3, 480, learning, 5, greedy, 1.0, 0.01)
    fast: list[Any] = []
    kept = _benchmarl._Fast._setup_collector
    monkeypatch.setattr(_benchmarl._Fast, "_setup_collector", lambda self: (fast.append(self), kept(self)))
    with marlpit.serve() as server:
        examine = Examiner(0, lambda _: None)
        _benchmarl.train(job, {"scheme": "team"}, job.frames, server.url, examine)
        seen = Evaluations()
        given = _benchmarl.arguments(job, {"scheme": "team"}, job.frames, server.url, str(tmp_path))
        plain = Plain(callbacks=[seen], **given)
        plain._evaluation_loop()
        plain.run()
    ours, theirs = dict(fast[0].policy.named_parameters()), dict(plain.policy.named_parameters())
    assert list(ours) == list(theirs)
    for name, value in ours.items():
        assert torch.equal(value, theirs[name]), name
    assert examine.curve.frames == [e.frames for e in seen.all] == [0, 120, 240, 360, 480]
    assert examine.curve.success == pytest.approx([float(e.success.mean()) for e in seen.all])
    assert examine.curve.team_return == pytest.approx([float(e.team_return.mean()) for e in seen.all], abs=1e-6)
