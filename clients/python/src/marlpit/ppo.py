"""A small learner without a deep-learning library: multi-agent PPO in numpy.

Each agent has an actor that reads its own observation, and a critic that reads the global state (MAPPO: centralised training,
decentralised execution, Yu et al. 2022) or the agent's own observation (IPPO: de Witt et al. 2020). Nothing is shared between
agents, so one batched matrix product serves them all. The learner knows nothing of reward schemes: it learns from whatever
stands in the reward slot. It is small enough to be read, and what demo, studies and `ablate` train where torch isn't wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import marlpit

__all__ = ["Hyperparameters", "Learner", "Settings", "train"]

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Hyperparameters:
    """What learning depends on; the same for every reward scheme.

    Attributes:
        num_envs: Copies that are stepped together.
        horizon: Steps of every copy between two updates.
        hidden: Units in each of the two hidden layers, of tanh.
        gamma: Discount.
        lam: λ of generalised advantage estimation (Schulman et al. 2016).
        lr: Adam's step size.
        clip: PPO's ratio clip (Schulman et al. 2017).
        entropy: Weight of the entropy bonus.
        epochs: Passes over a batch.
        minibatches: Parts of a batch in a pass.
    """

    num_envs: int = 64
    horizon: int = 100
    hidden: int = 32
    gamma: float = 0.98
    lam: float = 0.95
    lr: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.01
    epochs: int = 6
    minibatches: int = 4

    @property
    def batch(self) -> int:
        """Frames between two updates."""
        return self.num_envs * self.horizon


@dataclass(frozen=True)
class Settings(Hyperparameters):
    """Hyperparameters, and how long to train.

    Attributes:
        frames: Environment steps to train for (all agents acting once is one).
    """

    frames: int = 300_000

    def __post_init__(self) -> None:
        """Refuses too few frames for one update."""
        if self.frames < self.batch:
            copies = f"{self.num_envs} copies × {self.horizon} steps"
            raise ValueError(f"frames is at least {self.batch} ({copies}), got {self.frames}")


@dataclass
class Net:
    """A tanh network of two hidden layers for each agent, trained by Adam."""

    weights: list[Floats]  # (agents, in, out) and (agents, 1, out), layer by layer
    lr: float
    first: list[Floats] = field(default_factory=list)  # Adam's first moments
    second: list[Floats] = field(default_factory=list)
    steps: int = 0

    @classmethod
    def make(cls, rng: np.random.Generator, agents: int, sizes: list[int], lr: float, last: float) -> Net:
        """Draws weights: orthogonal-like scale for tanh, `last` for the output layer."""
        weights: list[Floats] = []
        for k, (n_in, n_out) in enumerate(zip(sizes[:-1], sizes[1:], strict=True)):
            gain = last if k == len(sizes) - 2 else np.sqrt(2)
            weights.append((gain / np.sqrt(n_in) * rng.standard_normal((agents, n_in, n_out))).astype(np.float32))
            weights.append(np.zeros((agents, 1, n_out), np.float32))
        net = cls(weights, lr)
        net.first = [np.zeros_like(w) for w in weights]
        net.second = [np.zeros_like(w) for w in weights]
        return net

    def forward(self, x: Floats) -> list[Floats]:
        """Activations of all layers for x (agents, samples, in); the last is the output."""
        layers = [x]
        for k in range(0, len(self.weights), 2):
            x = x @ self.weights[k] + self.weights[k + 1]
            if k < len(self.weights) - 2:
                x = np.tanh(x)
            layers.append(x)
        return layers

    def backward(self, layers: list[Floats], grad: Floats) -> None:
        """One Adam step along the gradient of the loss in the output (agents, samples, out)."""
        grads: list[Floats] = [None] * len(self.weights)  # type: ignore[list-item]
        for k in range(len(layers) - 2, -1, -1):
            grads[2 * k] = layers[k].transpose(0, 2, 1) @ grad
            grads[2 * k + 1] = grad.sum(axis=1, keepdims=True)
            if k:
                grad = (grad @ self.weights[2 * k].transpose(0, 2, 1)) * (1 - layers[k] ** 2)
        norm = np.sqrt(sum(float((g * g).sum()) for g in grads))
        scale = np.float32(min(1.0, 0.5 * len(self.weights[0]) / (norm + 1e-8)))
        self.steps += 1
        rate = self.lr * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for w, g, m, v in zip(self.weights, grads, self.first, self.second, strict=True):
            g *= scale
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= (rate * m / (np.sqrt(v) + 1e-5)).astype(np.float32)


def log_softmax(logits: Floats, mask: NDArray[np.bool_]) -> Floats:
    """Log-probabilities over the last axis; a masked choice gets about -1e9."""
    logits = np.where(mask, logits, np.float32(-1e9))
    logits = logits - logits.max(axis=-1, keepdims=True)
    out: Floats = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return out


class Learner:
    """Multi-agent PPO over a batched environment (`marlpit.vec_env`)."""

    def __init__(
        self, agents: int, obs: int, state: int, choices: int, seed: int, settings: Settings, central: bool = True
    ) -> None:
        """Makes the networks.

        Args:
            agents: Number of agents.
            obs: Length of one agent's observation.
            state: Length of the global state.
            choices: Number of choices of one agent.
            seed: Of the weights and of the exploration.
            settings: Hyperparameters.
            central: Critics read the state (MAPPO), not their agent's observation (IPPO).
        """
        self.rng = np.random.default_rng(seed)
        self.settings = s = settings
        self.central = central
        self.actor = Net.make(self.rng, agents, [obs, s.hidden, s.hidden, choices], s.lr, last=0.01)
        self.critic = Net.make(self.rng, agents, [state if central else obs, s.hidden, s.hidden, 1], s.lr, last=1.0)
        self.agents = agents

    def act(self, obs: Floats, mask: NDArray[np.bool_], greedy: bool = False) -> tuple[NDArray[np.int32], Floats]:
        """Chooses for obs (envs, agents, obs): actions (envs, agents) and their log-probabilities."""
        logits = self.actor.forward(obs.transpose(1, 0, 2))[-1].transpose(1, 0, 2)
        logp = log_softmax(logits, mask)
        if greedy:
            choice = logp.argmax(axis=-1)
        else:
            choice = (logp + self.rng.gumbel(size=logp.shape).astype(np.float32)).argmax(axis=-1)
        taken: Floats = np.take_along_axis(logp, choice[..., None], axis=-1)[..., 0]
        return choice.astype(np.int32), taken

    def _seen(self, obs: Floats, state: Floats) -> Floats:
        """What critics read (agents, samples, …) of obs (samples, agents, obs) and states (samples, state)."""
        if self.central:
            return np.broadcast_to(state, (self.agents, *state.shape))
        return obs.transpose(1, 0, 2)

    def values(self, obs: Floats, state: Floats) -> Floats:
        """Values (samples, agents) of obs (samples, agents, obs) and states (samples, state)."""
        out: Floats = self.critic.forward(self._seen(obs, state))[-1][..., 0].T
        return out

    def update(self, batch: dict[str, NDArray[Any]]) -> None:
        """One PPO update on flat arrays: obs, mask, state, action, logp, alive, advantage, target."""
        s, n = self.settings, len(batch["action"])
        for _ in range(s.epochs):
            for part in np.array_split(self.rng.permutation(n), s.minibatches):
                self._update({k: v[part] for k, v in batch.items()})

    def _update(self, b: dict[str, NDArray[Any]]) -> None:
        s = self.settings
        n = np.float32(len(b["action"]))
        layers = self.actor.forward(b["obs"].transpose(1, 0, 2))
        logp = log_softmax(layers[-1], b["mask"].transpose(1, 0, 2))
        p = np.exp(logp)
        action = b["action"].T[..., None]
        taken = np.take_along_axis(logp, action, axis=-1)[..., 0]
        ratio = np.exp(taken - b["logp"].T)
        adv, alive = b["advantage"].T, b["alive"].T[..., None]
        mean = adv.mean(axis=1, keepdims=True, where=alive[..., 0])
        adv = (adv - mean) / (adv.std(axis=1, keepdims=True, where=alive[..., 0]) + 1e-6)
        inside = np.where(adv >= 0, ratio < 1 + s.clip, ratio > 1 - s.clip)
        push = (ratio * adv * inside)[..., None]  # derivative of the clipped objective in log π(a)
        hit = np.zeros_like(p)
        np.put_along_axis(hit, action, 1.0, axis=-1)
        entropy = -(p * logp).sum(axis=-1, keepdims=True)
        grad = (-push * (hit - p) + s.entropy * p * (logp + entropy)) * alive
        self.actor.backward(layers, (grad / n).astype(np.float32))

        layers = self.critic.forward(self._seen(b["obs"], b["state"]))
        error = (layers[-1][..., 0] - b["target"].T) * alive[..., 0]
        self.critic.backward(layers, (np.clip(error, -10, 10) / n)[..., None].astype(np.float32))


class Trained(Protocol):
    """What `train` asks of a learner; shapes as `Learner` documents them."""

    settings: Settings
    agents: int

    def act(self, obs: Floats, mask: NDArray[np.bool_], greedy: bool = False) -> tuple[NDArray[np.int32], Floats]:
        """Choices and their log-probabilities."""

    def values(self, obs: Floats, state: Floats) -> Floats:
        """Expected returns."""

    def update(self, batch: dict[str, NDArray[Any]]) -> None:
        """Learns from a batch."""


def train(env: marlpit.VecEnv, learner: Trained) -> Iterator[int]:
    """Trains; yields the frames so far after each update, for an evaluation or an early end.

    Args:
        env: With ``autoreset="same_step"`` and the arrays obs, mask and state. It is reset at the start.
        learner: What is trained, for `settings.frames`; an update that would go beyond them isn't begun.

    Yields:
        Environment steps so far.
    """
    s = learner.settings
    shape = (s.horizon, s.num_envs)
    step: Any = env.reset()  # all of its arrays travel
    for at in range(s.batch, s.frames + 1, s.batch):
        names = ("obs", "mask", "state", "action", "logp", "alive", "reward", "done")
        rows: dict[str, list[NDArray[Any]]] = {k: [] for k in names}
        after = np.zeros((*shape, learner.agents), np.float32)  # value of the true next state
        for t in range(s.horizon):
            action, logp = learner.act(step.obs, step.mask)
            before, step = step, env.step(action)
            done = step.terminated | step.truncated
            alive = ~(before.terminated | before.truncated)  # who has ended has nothing to learn from what follows
            if before.final is not None:
                alive[before.final.rows] = True
            values = (before.obs, before.mask, before.state, action, logp, alive, step.rewards, done)
            for name, value in zip(names, values, strict=True):
                rows[name].append(value)
            if step.final is not None and len(step.final.rows):
                # A cut episode goes on in the value's eyes; a terminated one is worth nothing more.
                cut = learner.values(step.final.obs, step.final.state) * ~step.terminated[step.final.rows]
                after[t, step.final.rows] = cut
        data = {k: np.stack(v) for k, v in rows.items()}
        flat = {k: v.reshape(-1, *v.shape[2:]) for k, v in data.items()}
        value = learner.values(flat["obs"], flat["state"]).reshape(*shape, -1)
        upcoming = np.concatenate([value[1:], learner.values(step.obs, step.state)[None]])
        following = np.where(data["done"], after, upcoming)
        advantage = np.zeros_like(value)
        tail = np.zeros_like(value[0])
        for t in reversed(range(s.horizon)):
            delta = data["reward"][t] + s.gamma * following[t] - value[t]
            tail = delta + s.gamma * s.lam * ~data["done"][t] * tail
            advantage[t] = tail
        flat["advantage"] = advantage.reshape(-1, learner.agents)
        flat["target"] = (advantage + value).reshape(-1, learner.agents)
        learner.update(flat)
        yield at
