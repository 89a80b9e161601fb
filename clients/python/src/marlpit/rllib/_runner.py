"""An env runner that plays many copies of a world in one request a step."""

from __future__ import annotations

import logging
import math
import time
from typing import Any

import gymnasium as gym
import numpy as np
import ray
import torch
from numpy.typing import NDArray
from ray.rllib.callbacks.utils import make_callback
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.env.vector.vector_multi_agent_env import VectorMultiAgentEnv
from ray.rllib.utils.metrics import (
    ENV_STEP_TIMER,
    NUM_AGENT_STEPS_SAMPLED,
    NUM_AGENT_STEPS_SAMPLED_LIFETIME,
    NUM_ENV_STEPS_SAMPLED,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    NUM_EPISODES,
    NUM_EPISODES_LIFETIME,
    NUM_MODULE_STEPS_SAMPLED,
    NUM_MODULE_STEPS_SAMPLED_LIFETIME,
    RLMODULE_INFERENCE_TIMER,
)
from ray.rllib.utils.spaces.space_utils import clip_action, get_base_struct_from_space, unsquash_action

from marlpit import _ray_node
from marlpit._frames import Step
from marlpit.errors import ConnectionLost, EnvFailed, MarlpitError, SessionExpired
from marlpit.rllib import _spaces
from marlpit.rllib._episodes import Moved, Rows, Structure
from marlpit.vec import VecEnv, vec_env

logger = logging.getLogger("ray.rllib")

_PASSING = (ConnectionLost, EnvFailed, SessionExpired)  # a new session may do
_AGAIN = 60.0  # seconds to try for a new session
_FAILURES = 5  # in one sample; a world that fails each time is given up


class _Vector(VectorMultiAgentEnv):
    """What RLlib looks at of a runner's environment; it is stepped as `vec` alone."""

    def __init__(self, vec: VecEnv, masked: bool) -> None:
        self.vec = vec
        self.num_envs = vec.num_envs
        self.agents = list(vec.spec.agents)
        self.spaces = _spaces.observation(vec.spec.__dict__, masked), _spaces.action(vec.spec.__dict__)
        self.single_observation_spaces = dict.fromkeys(self.agents, self.spaces[0])
        self.single_action_spaces = dict.fromkeys(self.agents, self.spaces[1])
        self.single_observation_space = gym.spaces.Dict(self.single_observation_spaces)
        self.single_action_space = gym.spaces.Dict(self.single_action_spaces)
        self.observation_space, self.action_space = self.single_observation_space, self.single_action_space

    def close_extras(self, **kwargs: Any) -> None:
        self.vec.close()


class MarlpitEnvRunner(MultiAgentEnvRunner):
    """Plays ``num_envs_per_env_runner`` copies of a world, all in one request a step; a module acts once for all its agents.

    Its ``env_config`` is that of `MarlpitEnv`. Beside RLlib's results it logs ``team_return`` (of the game's own reward) and
    ``success`` of the episodes that ended, and ``episodes_lost``, those under way when a server or the world failed: what was
    played of them is trained on, and no return is made up. Asked for a number of episodes (evaluation), each copy plays its
    share, so that long ones count as often as short ones. Callbacks for single episodes and steps are not called.

    Modules see the observations as they are: connectors between environment and module, and recurrent modules, need RLlib's
    own runner with `MarlpitEnv`.
    """

    env: Any  # a _Vector; None before it is made

    def __init__(self, config: Any, **kwargs: Any) -> None:
        """Makes copies and modules.

        Args:
            config: The algorithm's configuration.
            **kwargs: Of RLlib.

        Raises:
            ValueError: The configuration has connectors, or a recurrent module.
            MarlpitError: The session was refused.
        """
        for name in ("env_to_module_connector", "module_to_env_connector"):
            if getattr(config, f"_{name}", None) is not None:
                raise ValueError(f"{name} is not used by MarlpitEnvRunner: take configure(…, batched=False)")
        self._remade = False
        self._rng = np.random.default_rng()
        super().__init__(config, **kwargs)
        if self.module is not None and any(m.is_stateful() for _, m in self.module.items()):
            raise ValueError("recurrent modules are not run by MarlpitEnvRunner: take configure(…, batched=False)")

    def make_env(self) -> None:
        """Opens a session, in place of the one there is."""
        if self.env is not None:
            self.env.close()
        settings = _ray_node.addressed(dict(self.config.env_config))
        settings.setdefault("seed", self._seed)
        if self._remade or _restarted():
            settings["seed"] = None  # not the episodes that were played already
        masked = bool(settings.pop("masked", False))
        wanted = ("obs", "mask", "rewards", "info", "terminated", "truncated")
        n = self.config.num_envs_per_env_runner
        self.env = _Vector(vec_env(**settings, num_envs=n, autoreset="same_step", arrays=wanted), masked)
        self.num_envs = self.env.num_envs
        self._remade = self._needs_initial_reset = True
        make_callback(
            "on_environment_created", callbacks_objects=self._callbacks,
            callbacks_functions=self.config.callbacks_on_environment_created,
            kwargs={"env_runner": self, "metrics_logger": self.metrics, "env": self.env, "env_context": self.config.env_config},
        )  # fmt: skip

    def _begin(self) -> None:
        """Begins an episode in each copy, of a new session where the old one is gone."""
        until = time.monotonic() + _AGAIN
        while True:
            try:
                self._step = self.env.vec.reset()
                break
            except _PASSING:
                if time.monotonic() > until or not self.config.restart_failed_sub_environments:
                    raise
                self._reopen(until)
        self._rows = Rows(self.num_envs, self.env.agents, self.env.spaces, self.config.policy_mapping_fn)
        self._since = np.full(self.num_envs, time.perf_counter())
        self._returns = np.zeros((self.num_envs, len(self.env.agents)))
        self._lengths = np.zeros((self.num_envs, len(self.env.agents)), np.int64)
        self._needs_initial_reset = False

    def _reopen(self, until: float) -> None:
        while True:
            try:
                return self.make_env()
            except _PASSING:
                if time.monotonic() > until:
                    raise
                time.sleep(0.5)

    def _sample(
        self,
        *,
        num_timesteps: int | None = None,
        num_episodes: int | None = None,
        explore: bool,
        random_actions: bool = False,
        force_reset: bool = False,
    ) -> list[MultiAgentEpisode]:
        if force_reset or num_episodes is not None or self._needs_initial_reset:
            self._begin()
        n = self.num_envs
        quota = np.full(n, np.iinfo(np.int64).max)  # episodes wanted of each row
        if num_episodes is not None:
            quota = num_episodes // n + (np.arange(n) < num_episodes % n)
            self._needs_initial_reset = True
        out: list[MultiAgentEpisode] = []
        played = failures = 0
        while played < num_timesteps if num_timesteps is not None else quota.any():
            try:
                moved = self._move(explore, random_actions, played)
            except _PASSING as e:
                self._lost(e, int(np.minimum(quota, 1).sum()))
                failures += 1
                if failures > _FAILURES:
                    raise
                out += self._rows.cut()
                self._begin()
                continue
            played += n
            wanted = quota > 0
            ended = np.flatnonzero(moved.over & wanted)
            self._count(moved, ended)
            out += self._rows.add(moved, wanted)
            quota[ended] -= 1
        out += self._rows.cut(num_episodes is None)
        return out

    def _lost(self, e: MarlpitError, episodes: int) -> None:
        self.metrics.log_value("episodes_lost", episodes, reduce="lifetime_sum")
        self.metrics.log_value("num_env_step_failures", 1, reduce="lifetime_sum")
        if not self.config.restart_failed_sub_environments:
            raise e
        logger.warning("%d episodes are lost, and begun anew: %s", episodes, e)

    def _move(self, explore: bool, random_actions: bool, played: int) -> Moved:
        """Acts for everybody, and steps all copies."""
        before, alive = self._seen(self._step), self._rows.alive
        if random_actions:
            actions, extra = _random(self.env.spaces[1], before, self._rng), dict[str, NDArray[Any]]()
        else:
            with self.metrics.log_time(RLMODULE_INFERENCE_TIMER):
                actions, extra = self._act(before, alive, explore, played)
        with self.metrics.log_time(ENV_STEP_TIMER):
            step = self.env.vec.step(self._for_env(actions))
        over = np.zeros(self.num_envs, np.bool_)
        after = self._seen(step)
        if step.final is not None:
            over[step.final.rows] = True
            last = self._seen(step.final)
            after = _patched(after, last, step.final.rows)
        self._step = step
        assert step.rewards is not None  # all were asked for
        assert step.terminated is not None
        assert step.truncated is not None
        return Moved(before, after, actions, step.rewards, alive, step.terminated, step.truncated, over, extra)

    def _seen(self, frames: Any) -> Structure:
        """The observations as modules see them."""
        if not isinstance(self.env.spaces[0], gym.spaces.Dict):
            return frames.obs
        return {"observations": frames.obs, "action_mask": frames.mask.astype(np.float32)}

    def _act(
        self, seen: Structure, alive: NDArray[np.bool_], explore: bool, played: int
    ) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
        """Asks each module once for all of its agents."""
        space = self.env.spaces[1]
        actions = np.zeros((*alive.shape, *(space.shape or ())), space.dtype)
        extra: dict[str, NDArray[Any]] = {}
        t = self.num_env_steps_sampled_lifetime + played * (self.config.num_env_runners or 1)
        for name in set(self._rows.modules[alive].tolist()):
            who = alive & (self._rows.modules == name)
            module = self.module[name]
            batch = {Columns.OBS: self._tensor(seen, who)}
            said = module.forward_exploration(batch, t=t) if explore else module.forward_inference(batch)
            if Columns.ACTIONS not in said:
                kind = module.get_exploration_action_dist_cls() if explore else module.get_inference_action_dist_cls()
                chances = kind.from_logits(said[Columns.ACTION_DIST_INPUTS])
                if not explore:
                    chances = chances.to_deterministic()
                said[Columns.ACTIONS] = chances.sample()
                said.setdefault(Columns.ACTION_LOGP, chances.logp(said[Columns.ACTIONS]))
            for key, value in said.items():
                if not isinstance(value, torch.Tensor):
                    continue
                array = value.detach().cpu().numpy()
                if key == Columns.ACTIONS:
                    actions[who] = array
                    continue
                if key not in extra:
                    extra[key] = np.zeros((*alive.shape, *array.shape[1:]), array.dtype)
                extra[key][who] = array
        return actions, extra

    def _tensor(self, seen: Structure, who: NDArray[np.bool_]) -> Any:
        if isinstance(seen, dict):
            return {k: self._tensor(v, who) for k, v in seen.items()}
        return torch.from_numpy(seen[who]).to(self._device)

    def _for_env(self, actions: NDArray[Any]) -> NDArray[Any]:
        """Brings a box's actions to its bounds, as the algorithm's configuration says."""
        space = self.env.spaces[1]
        if not isinstance(space, gym.spaces.Box):
            return actions
        bounds = get_base_struct_from_space(space)
        if self.config.normalize_actions:
            return np.asarray(unsquash_action(actions, bounds), space.dtype)
        return np.asarray(clip_action(actions, bounds), space.dtype) if self.config.clip_actions else actions

    def _count(self, moved: Moved, ended: NDArray[np.int64]) -> None:
        """Logs a step and the episodes that ended in it."""
        log = self.metrics.log_value
        log(NUM_ENV_STEPS_SAMPLED, self.num_envs, reduce="sum")
        log(NUM_ENV_STEPS_SAMPLED_LIFETIME, self.num_envs, reduce="lifetime_sum", with_throughput=True)
        self._metrics_num_env_steps_sampled.inc(self.num_envs)
        for i, agent in enumerate(self.env.agents):
            steps = int(moved.alive[:, i].sum())
            log((NUM_AGENT_STEPS_SAMPLED, agent), steps, reduce="sum")
            log((NUM_AGENT_STEPS_SAMPLED_LIFETIME, agent), steps, reduce="lifetime_sum")
        names, steps_of = np.unique(self._rows.modules[moved.alive].astype(str), return_counts=True)
        for name, steps in zip(names.tolist(), steps_of.tolist(), strict=True):
            log((NUM_MODULE_STEPS_SAMPLED, name), steps, reduce="sum")
            log((NUM_MODULE_STEPS_SAMPLED_LIFETIME, name), steps, reduce="lifetime_sum")
        self._returns += np.where(moved.alive, moved.rewards, 0.0)
        self._lengths += moved.alive
        for row in ended.tolist():
            self._end(row, self._step)
        if moved.over.any():
            self._returns[moved.over] = 0.0
            self._lengths[moved.over] = 0
            self._since[moved.over] = time.perf_counter()

    def _end(self, row: int, step: Step) -> None:
        """Logs an episode."""
        agents = self.env.agents
        returns = dict(zip(agents, self._returns[row].tolist(), strict=True))
        modules: dict[str, float] = {}
        for agent, module in zip(agents, self._rows.modules[row].tolist(), strict=True):
            modules[module] = modules.get(module, 0.0) + returns[agent]
        steps = dict(zip(agents, self._lengths[row].tolist(), strict=True))
        self._log_episode_metrics(
            int(self._rows.t[row]) + 1, sum(returns.values()), time.perf_counter() - self._since[row], returns, modules, steps
        )
        self.metrics.log_value(NUM_EPISODES, 1, reduce="sum")
        self.metrics.log_value(NUM_EPISODES_LIFETIME, 1, reduce="lifetime_sum")
        window = max(1, math.ceil(self.config.metrics_num_episodes_for_smoothing / (self.config.num_env_runners or 1)))
        self.metrics.log_value("team_return", float(step.info["episode_team_return"][row].mean()), window=window)
        if "success" in step.info:
            self.metrics.log_value("success", float(step.info["success"][row].max()), window=window)


def _restarted() -> bool:
    """Whether Ray has started this process's actor before."""
    if not ray.is_initialized():
        return False
    context = ray.get_runtime_context()
    return context.get_actor_id() is not None and bool(context.was_current_actor_reconstructed)


def _patched(into: Structure, last: Structure, rows: NDArray[np.int64]) -> Structure:
    """Puts the last observations of rows that ended in place of the next episodes' first."""
    if isinstance(into, dict):
        return {k: _patched(v, last[k], rows) for k, v in into.items()}
    out = into.copy()
    out[rows] = last
    return out


def _random(space: gym.Space[Any], seen: Structure, rng: np.random.Generator) -> NDArray[Any]:
    """Draws actions of what masks allow, each as likely as any other; of a box evenly within its bounds."""
    if isinstance(space, gym.spaces.Box):
        n = (seen["observations"] if isinstance(seen, dict) else seen).shape[:2]
        return rng.uniform(space.low, space.high, (*n, *space.shape)).astype(space.dtype)
    if not isinstance(seen, dict):
        most = space.n if isinstance(space, gym.spaces.Discrete) else space.nvec  # type: ignore[attr-defined]
        return np.asarray(rng.integers(0, most, (*seen.shape[:2], *(space.shape or ()))))
    mask = seen["action_mask"]
    lots = np.where(mask > 0, rng.random(mask.shape), -1.0)
    if isinstance(space, gym.spaces.Discrete):
        return np.asarray(lots.argmax(-1))
    ends = np.cumsum(space.nvec).tolist()  # type: ignore[attr-defined]
    return np.stack([lots[..., e - n : e].argmax(-1) for e, n in zip(ends, space.nvec.tolist(), strict=True)], -1)  # type: ignore[attr-defined]
