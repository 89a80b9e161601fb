"""What the COMA study's workers do: fit σ, train, evaluate. It needs pymarlzooplus (docs/learners.md, EPyMARL)."""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pymarlzooplus
import torch
import yaml
from pymarlzooplus.components.episode_buffer import EpisodeBatch
from pymarlzooplus.components.transforms import OneHot
from pymarlzooplus.controllers.basic_controller import BasicMAC
from pymarlzooplus.learners.coma_learner import COMALearner
from torch.nn.functional import one_hot

import marlpit
from marlpit.credit import collect, fit, label

CONFIG = Path(pymarlzooplus.__file__).parent / "config"
HELD_OUT = 1 << 63  # plus the run's seed: the starts of its evaluations, those of `marlpit ablate`


class Coma:
    """COMA of pymarlzooplus, its nets and its learner, with all copies of a world in one request.

    The package's own runners ask for each copy's steps by themselves, and their tests draw COMA's actions.
    """

    def __init__(self, env: marlpit.VecEnv, learning: Mapping[str, Any]) -> None:
        """Makes nets for a world; `learning` goes before the package's configuration."""
        read = [yaml.safe_load((CONFIG / name).read_text()) for name in ("default.yaml", "algs/coma.yaml")]
        agents, choices = len(env.spec.agents), env.choices
        sizes = {"n_agents": agents, "n_actions": choices, "state_shape": env.state_size}
        self.args = SimpleNamespace(**{**read[0], **read[1], **learning, **sizes})
        scheme = {
            "state": {"vshape": env.state_size}, "obs": {"vshape": env.obs_size, "group": "agents"},
            "actions": {"vshape": (1,), "group": "agents", "dtype": torch.long},
            "avail_actions": {"vshape": (choices,), "group": "agents", "dtype": torch.int},
            "reward": {"vshape": (1,)}, "terminated": {"vshape": (1,), "dtype": torch.uint8},
        }  # fmt: skip
        self.limit, groups, hot = env.spec.max_cycles, {"agents": agents}, {"actions": ("actions_onehot", [OneHot(choices)])}
        self.batch = functools.partial(EpisodeBatch, scheme, groups, max_seq_length=self.limit + 1, preprocess=hot)
        full = self.batch(batch_size=1).scheme
        self.nets = BasicMAC(full, groups, self.args)
        self.learner = COMALearner(self.nets, full, SimpleNamespace(log_stat=lambda *_: None), self.args)
        self.updates = 0

    @torch.no_grad()
    def play(self, env: marlpit.VecEnv, seed: int | None = None, greedy: bool = False) -> tuple[EpisodeBatch, marlpit.Step]:
        """Plays an episode of each copy, as the package's parallel runner fills its batches: episodes, and the last step."""
        batch, step, rows = self.batch(batch_size=env.num_envs), env.reset(seed), torch.arange(env.num_envs)
        self.nets.init_hidden(env.num_envs)
        for t in range(self.limit + 1):
            obs = step.obs.reshape(*step.rewards.shape, -1)
            put(batch, rows, t, filled=1, state=step.state, obs=obs, avail_actions=step.mask)
            pi = self.nets.forward(batch, t)
            actions = pi.argmax(-1) if greedy else torch.distributions.Categorical(pi, validate_args=False).sample()
            put(batch, rows, t, actions=actions[..., None], actions_onehot=one_hot(actions, pi.shape[-1]))
            rows = torch.from_numpy(np.flatnonzero(~(step.terminated | step.truncated).all(1)))
            if not len(rows):
                break
            step = env.step(actions.numpy())
            put(batch, rows, t, reward=step.rewards.mean(1)[:, None], terminated=step.terminated.all(1)[:, None])
        return batch, step

    def learn(self, env: marlpit.VecEnv) -> int:
        """Plays, learns once from what was played, and returns its frames."""
        batch, _ = self.play(env)
        self.updates += 1
        self.learner.train(batch[:, : int(batch.max_t_filled())], self.updates, self.updates)
        return int(batch["filled"][:, 1:].sum())


def put(batch: EpisodeBatch, rows: torch.Tensor, t: int, **values: np.ndarray | torch.Tensor | int) -> None:
    """Writes a frame of some episodes, as the batch's own `update` does, which looks at each value first and takes longer."""
    for name, value in values.items():
        v = torch.from_numpy(value) if isinstance(value, np.ndarray) else value
        batch[name][rows, t] = v[rows].to(batch[name].dtype) if isinstance(v, torch.Tensor) else v


def sigma(folder: Path, world: str, seed: int, pairs: Mapping[str, Any], votes: Mapping[str, Any]) -> dict[str, Any]:
    """Makes `model.credit` in a folder as `marlpit ablate` does with these settings, to the last byte; what it cost."""
    db, model = folder / "votes.db", folder / "model.credit"
    collect(env=world, seed=seed, db=db, **pairs)
    asked = label(db=db, noise_seed=seed, **votes)
    if asked["failed"] + asked["unasked"]:
        raise RuntimeError(f"votes are missing: {asked}")
    made = fit(db=db, out=model, annotator=asked["annotator"], seed=seed, name=f"ablate-s{seed}")
    return {"frames": made["frames"], "sha256": hashlib.sha256(model.read_bytes()).hexdigest()}


def train(world: str, arm: str, seed: int, plan: Mapping[str, Any]) -> dict[str, Any]:
    """Trains a run and evaluates it before, meanwhile and at the end: what is known of σ, and a row for each evaluation."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    cpu, before = time.process_time(), os.times()
    with tempfile.TemporaryDirectory() as near:
        model = sigma(Path(near), world, seed, plan["pairs"], plan["votes"]) if arm.startswith("credit") else {"frames": 0}
        reward = {"scheme": arm} if arm == "team" else {"scheme": arm, "bonus": 1, "step_cost": 0.01}
        spent, rows, trained = _children(before), [], 0
        with marlpit.serve(credit=[Path(near) / "model.credit"] if model["frames"] else []) as server:
            copies = plan["learning"]["batch_size_run"]
            env = marlpit.vec_env(world, copies, reward=reward, seed=seed, autoreset="disabled", url=server.url)
            test = marlpit.vec_env(world, plan["episodes"], autoreset="disabled", url=server.url)
            coma, left, due = Coma(env, plan["learning"]), plan["frames"] - model["frames"], 0
            update = copies * coma.limit
            if left < update:
                raise ValueError(f"pairs take {model['frames']} frames, an update {update}: {plan['frames']} are too few")
            while True:
                last = trained + update > left
                if trained >= due or last:
                    paused, due = time.process_time(), due + plan["every"]
                    info = coma.play(test, HELD_OUT + seed, greedy=True)[1].info
                    rows.append({
                        "frames": model["frames"] + trained, "success": float(info["success"].max(1).mean()),
                        "team_return": float(info["episode_team_return"].mean()), "cpu_seconds": paused - cpu,
                    })  # fmt: skip
                    cpu += time.process_time() - paused
                if last:
                    break
                trained += coma.learn(env)
        serving = _children(before) - spent  # the server's time, by frames
    for row in rows:
        row["cpu_seconds"] = round(row["cpu_seconds"] + spent + serving * (row["frames"] - model["frames"]) / trained, 2)
    return {"model": model, "updates": coma.updates, "rows": rows}


def _children(before: os.times_result) -> float:
    """CPU-seconds of processes that this one started since, and that have ended."""
    now = os.times()
    return now.children_user + now.children_system - before.children_user - before.children_system
