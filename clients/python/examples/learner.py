"""A small learner without a deep-learning library: multi-agent PPO in numpy.

Each agent has an actor that reads its own observation and a critic that reads
the global state (centralised training, decentralised execution: Yu et al. 2022,
"The Surprising Effectiveness of PPO in Cooperative Multi-Agent Games"). Nothing
is shared between agents, so one batched matrix product serves them all. The
learner knows nothing of reward schemes: it learns from whatever stands in the
reward slot, and is evaluated on the game's own success.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Settings:
    """Hyperparameters; the same for every reward scheme.

    Attributes:
        frames: environment steps to train for (all agents acting once is one).
        num_envs: copies that are stepped together.
        horizon: steps of every copy between two updates.
        hidden: units in each of the two hidden layers.
        gamma: discount.
        lam: λ of generalised advantage estimation (Schulman et al. 2016).
        lr: Adam's step size.
        clip: PPO's ratio clip (Schulman et al. 2017).
        entropy: weight of the entropy bonus.
        epochs: passes over a batch.
        minibatches: parts of a batch in a pass.
    """

    frames: int = 300_000
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

    def __post_init__(self) -> None:
        """Refuses too few frames for one update."""
        least = self.num_envs * self.horizon
        if self.frames < least:
            raise ValueError(f"frames is at least {least} ({self.num_envs} copies × {self.horizon} steps), got {self.frames}")


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
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


class Learner:
    """Multi-agent PPO over a batched environment (`marlpit.vec_env`)."""

    def __init__(self, agents: int, obs: int, state: int, choices: int, seed: int, settings: Settings) -> None:
        """Makes the networks.

        Args:
            agents: number of agents.
            obs: length of one agent's observation.
            state: length of the global state.
            choices: number of choices of one agent.
            seed: of the weights and of the exploration.
            settings: hyperparameters.
        """
        self.rng = np.random.default_rng(seed)
        self.settings = s = settings
        self.actor = Net.make(self.rng, agents, [obs, s.hidden, s.hidden, choices], s.lr, last=0.01)
        self.critic = Net.make(self.rng, agents, [state, s.hidden, s.hidden, 1], s.lr, last=1.0)
        self.agents = agents

    def act(self, obs: Floats, mask: NDArray[np.uint8], greedy: bool = False) -> tuple[NDArray[np.int32], Floats]:
        """Chooses for obs (envs, agents, obs): actions (envs, agents) and their log-probabilities."""
        logits = self.actor.forward(obs.transpose(1, 0, 2))[-1].transpose(1, 0, 2)
        logp = log_softmax(logits, mask.astype(bool))
        if greedy:
            choice = logp.argmax(axis=-1)
        else:
            choice = (logp + self.rng.gumbel(size=logp.shape).astype(np.float32)).argmax(axis=-1)
        taken = np.take_along_axis(logp, choice[..., None], axis=-1)[..., 0]
        return choice.astype(np.int32), taken

    def values(self, state: Floats) -> Floats:
        """Values (samples, agents) of states (samples, state)."""
        x = np.broadcast_to(state, (self.agents, *state.shape))
        return self.critic.forward(x)[-1][..., 0].T

    def update(self, batch: dict[str, NDArray]) -> None:
        """One PPO update on flat arrays: obs, mask, state, action, logp, alive, advantage, target."""
        s, n = self.settings, len(batch["action"])
        for _ in range(s.epochs):
            for part in np.array_split(self.rng.permutation(n), s.minibatches):
                self._update_actor({k: v[part] for k, v in batch.items()})

    def _update_actor(self, b: dict[str, NDArray]) -> None:
        s = self.settings
        n = np.float32(len(b["action"]))
        layers = self.actor.forward(b["obs"].transpose(1, 0, 2))
        logp = log_softmax(layers[-1], b["mask"].transpose(1, 0, 2).astype(bool))
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

        x = np.broadcast_to(b["state"], (self.agents, *b["state"].shape))
        layers = self.critic.forward(x)
        error = (layers[-1][..., 0] - b["target"].T) * alive[..., 0]
        self.critic.backward(layers, (np.clip(error, -10, 10) / n)[..., None].astype(np.float32))


def train(
    env,
    learner: Learner,
    evaluate: Callable[[Learner], float],
    progress: Callable[[int, float], bool],
) -> None:
    """Trains until `settings.frames` or until `progress` says stop.

    Args:
        env: a `marlpit.vec_env` with `autoreset="same_step"` and the arrays obs, mask, state.
        learner: what is trained.
        evaluate: gives the greedy success rate in [0, 1] of the learner now.
        progress: called after each update with the frames so far and that rate; True ends the training.
    """
    s = learner.settings
    shape = (s.horizon, s.num_envs)
    step = env.reset()
    for frames in range(s.horizon * s.num_envs, s.frames + 1, s.horizon * s.num_envs):
        rows: dict[str, list[NDArray]] = {k: [] for k in ("obs", "mask", "state", "action", "logp", "alive", "reward", "done")}
        after = np.zeros((*shape, learner.agents), np.float32)  # value of the true next state
        for t in range(s.horizon):
            action, logp = learner.act(step.obs, step.mask)
            before, step = step, env.step(action)
            done = step.terminated | step.truncated
            alive = ~(before.terminated | before.truncated)  # who has ended has nothing to learn from what follows
            if before.final is not None:
                alive[before.final.rows] = True
            for key, value in (
                ("obs", before.obs), ("mask", before.mask), ("state", before.state), ("action", action),
                ("logp", logp), ("alive", alive), ("reward", step.rewards), ("done", done),
            ):  # fmt: skip
                rows[key].append(value)
            if step.final is not None and len(step.final.rows):
                # A cut episode goes on in the value's eyes; a terminated one is worth nothing more.
                cut = learner.values(step.final.state) * ~step.terminated[step.final.rows]
                after[t, step.final.rows] = cut
        data = {k: np.stack(v) for k, v in rows.items()}
        value = learner.values(data["state"].reshape(-1, data["state"].shape[-1])).reshape(*shape, -1)
        upcoming = np.concatenate([value[1:], learner.values(step.state)[None]])
        following = np.where(data["done"], after, upcoming)
        advantage = np.zeros_like(value)
        tail = np.zeros_like(value[0])
        for t in reversed(range(s.horizon)):
            delta = data["reward"][t] + s.gamma * following[t] - value[t]
            tail = delta + s.gamma * s.lam * ~data["done"][t] * tail
            advantage[t] = tail
        flat = {k: data[k].reshape(-1, *data[k].shape[2:]) for k in ("obs", "mask", "state", "action", "logp", "alive")}
        flat["advantage"] = advantage.reshape(-1, learner.agents)
        flat["target"] = (advantage + value).reshape(-1, learner.agents)
        learner.update(flat)
        if progress(frames, evaluate(learner)):
            return
