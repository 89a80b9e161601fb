"""A policy for screens in numpy: every element is scored by the same small net.

A screen has a varying number of elements, and what can be done is a verb with an element,
an element with an offered text, or neither. So the policy embeds the situation, each element
and each offered text, with weights that are shared by all elements, texts, agents and tasks,
and scores each candidate from the embeddings of its parts. Nothing in it depends on where an
element stands in the list, or on the world: what was learnt on the phone can be tried on web
pages. The critic sees the situation and the elements' mean and maximum. Both are trained by
PPO (Schulman et al. 2017); `marlpit.ppo.train` runs it.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marlpit.ppo import Settings
from ui_screens import GLOBALS, PAIR, VERBS, Flat, Floats, Layout, Screens, gather

Weights = dict[str, Floats]


class Adam:
    """Kingma and Ba 2015, with the gradient's norm bounded."""

    def __init__(self, weights: Weights, lr: float) -> None:
        """Starts with no moments."""
        self.weights, self.lr, self.steps = weights, lr, 0
        self.first = {k: np.zeros_like(w) for k, w in weights.items()}
        self.second = {k: np.zeros_like(w) for k, w in weights.items()}

    def step(self, grads: Weights) -> None:
        """Moves the weights against the gradient."""
        norm = np.sqrt(sum(float((g * g).sum()) for g in grads.values()))
        scale = np.float32(min(1.0, 0.5 / (norm + 1e-8)))
        self.steps += 1
        rate = self.lr * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for k, g in grads.items():
            m, v = self.first[k], self.second[k]
            m += 0.1 * (g * scale - m)
            v += 0.001 * ((g * scale) ** 2 - v)
            self.weights[k] -= (rate * m / (np.sqrt(v) + 1e-5)).astype(np.float32)


def draw(rng: np.random.Generator, n_in: int, n_out: int, gain: float) -> Floats:
    """Weights of a layer."""
    return (gain / np.sqrt(n_in) * rng.standard_normal((n_in, n_out))).astype(np.float32)


class Actor:
    """Scores of all choices that can be made."""

    def __init__(self, rng: np.random.Generator, layout: Layout, hidden: int) -> None:
        """Draws weights; those of apps to open are the only ones that belong to one world."""
        h, zeros = hidden, lambda *shape: np.zeros(shape, np.float32)
        self.weights: Weights = {
            "context": draw(rng, len(layout.context), h, 1.2), "said": draw(rng, layout.message, h, 0.6),
            "situation0": zeros(1, h),
            "element": draw(rng, layout.element, h, 1.4), "votes": draw(rng, 1, h, 0.2), "element_s": draw(rng, h, h, 1.0),
            "element0": zeros(1, h),
            "text": draw(rng, layout.text, h, 1.4), "text_s": draw(rng, h, h, 1.0), "text0": zeros(1, h),
            "verbs": draw(rng, h, len(VERBS), 0.01), "verbs0": zeros(1, len(VERBS)),
            "typed": draw(rng, h, h, 0.01), "pair": zeros(PAIR, 1), "typed0": zeros(1, 1),
            "answer": draw(rng, h, 1, 0.01), "answer0": zeros(1, 1),
            "global": draw(rng, h, len(GLOBALS), 0.01), "global0": zeros(1, len(GLOBALS)),
            "open": draw(rng, h, len(layout.apps), 0.01) if layout.apps else zeros(h, 0),
        }  # fmt: skip

    def forward(self, x: Flat) -> tuple[Floats, tuple[Floats, ...]]:
        """Logits (choices that can be made, agents), and the activations that `backward` needs."""
        w = self.weights
        s = np.tanh((x.context @ w["context"] + w["situation0"])[:, None] + times(x.said, w["said"]))
        e = times(s, w["element_s"])[x.element_row]
        e += (x.elements @ w["element"] + w["element0"])[:, None]
        e += x.votes[..., None] * w["votes"]
        np.tanh(e, out=e)
        t = times(s, w["text_s"])[x.text_row]
        t += (x.texts @ w["text"] + w["text0"])[:, None]
        np.tanh(t, out=t)
        typed = (times(e[x.typed_element], w["typed"]) * t[x.typed_text]).sum(2) + x.pairs @ w["pair"] + w["typed0"]
        parts = (
            np.concatenate([times(s, w["global"]) + w["global0"], times(s, w["open"])], 2),
            times(t, w["answer"]) + w["answer0"], times(e, w["verbs"]) + w["verbs0"], typed,
        )  # fmt: skip
        return np.concatenate([p.ravel() for p in parts])[x.place], (s, e, t)

    def backward(self, x: Flat, kept: tuple[Floats, ...], grad: Floats) -> Weights:
        """The gradient in the weights, from that in the logits."""
        w, (s, e, t), a = self.weights, kept, x.agents
        spread = np.zeros(x.sizes.sum(), np.float32)
        spread[x.place] = grad
        g_s, g_answer, g_verbs, g_typed = np.split(spread, np.cumsum(x.sizes)[:-1])
        g_s, g_answer = g_s.reshape(x.screens, a, -1), g_answer.reshape(-1, a, 1)
        g_verbs, g_typed = g_verbs.reshape(-1, a, len(VERBS)), g_typed.reshape(-1, a, 1)
        g_global, g_open = g_s[..., : len(GLOBALS)], g_s[..., len(GLOBALS) :]
        d_e, d_t = times(g_verbs, w["verbs"].T), times(g_answer, w["answer"].T)
        on, with_ = e[x.typed_element], t[x.typed_text] * g_typed
        d_e += gather(times(with_, w["typed"].T), x.typed_element, len(e))
        by_text = np.argsort(x.typed_text, kind="stable")
        d_t += gather((times(on, w["typed"]) * g_typed)[by_text], x.typed_text[by_text], len(t))
        d_e -= d_e * e * e
        d_t -= d_t * t * t
        e_sum, t_sum = gather(d_e, x.element_row, x.screens), gather(d_t, x.text_row, x.screens)
        d_s = times(g_global, w["global"].T) + times(g_open, w["open"].T)
        d_s += times(e_sum, w["element_s"].T) + times(t_sum, w["text_s"].T)
        d_s -= d_s * s * s
        return {
            "context": x.context.T @ d_s.sum(1), "said": joint(x.said, d_s), "situation0": rows(d_s).sum(0, keepdims=True),
            "element": x.elements.T @ d_e.sum(1), "votes": joint(x.votes[..., None], d_e),
            "element_s": joint(s, e_sum), "element0": rows(e_sum).sum(0, keepdims=True),
            "text": x.texts.T @ d_t.sum(1), "text_s": joint(s, t_sum), "text0": rows(t_sum).sum(0, keepdims=True),
            "verbs": joint(e, g_verbs), "verbs0": rows(g_verbs).sum(0, keepdims=True),
            "typed": joint(on, with_), "pair": x.pairs.T @ g_typed.sum(1), "typed0": g_typed.sum().reshape(1, 1),
            "answer": joint(t, g_answer), "answer0": g_answer.sum().reshape(1, 1),
            "global": joint(s, g_global), "global0": rows(g_global).sum(0, keepdims=True), "open": joint(s, g_open),
        }  # fmt: skip


def rows(a: Floats) -> Floats:
    """All but the last axis as one."""
    return a.reshape(prod(a.shape[:-1]), a.shape[-1])  # of which there may be none


def times(a: Floats, w: Floats) -> Floats:
    """a @ w for a (…, in) and w (in, out), as one matrix product."""
    return (rows(a) @ w).reshape(*a.shape[:-1], w.shape[1])


def joint(a: Floats, d: Floats) -> Floats:
    """The gradient (in, out) of weights between a (…, in) and d (…, out)."""
    return rows(a).T @ rows(d)


class Critic:
    """A value of the situation and of the elements' mean and maximum; the same for all agents."""

    def __init__(self, rng: np.random.Generator, layout: Layout, hidden: int) -> None:
        """Draws weights."""
        n, self.layout = len(layout.context) + layout.message + 2 * (layout.element + 1), layout
        self.weights: Weights = {
            "one": draw(rng, n, hidden, 1.4), "one0": np.zeros((1, hidden), np.float32),
            "two": draw(rng, hidden, 1, 1.0), "two0": np.zeros((1, 1), np.float32),
        }  # fmt: skip

    def read(self, state: Floats) -> Floats:
        """What it sees (n, ·) of states (n, state): laid out as an observation that hears all; what follows is ignored."""
        lay = self.layout
        elements = lay.blocks(state, lay.elements, lay.element)  # zeros where there is none
        count = np.maximum(elements[..., :1].sum(1), 1)
        like_goal = elements[..., lay.hash] @ state[:, lay.goal, None]
        seen = (elements.sum(1) / count, like_goal.sum(1) / count, elements.max(1), like_goal.max(1))
        return np.concatenate([state[:, lay.context], lay.heard(state), *seen], 1)

    def forward(self, read: Floats) -> tuple[Floats, Floats]:
        """Values (n,), and what `backward` needs."""
        h = np.tanh(read @ self.weights["one"] + self.weights["one0"])
        return (h @ self.weights["two"] + self.weights["two0"])[:, 0], h

    def backward(self, read: Floats, h: Floats, grad: Floats) -> Weights:
        """The gradient in the weights, from that in the values (n,)."""
        g = grad[:, None]
        d = (g @ self.weights["two"].T) * (1 - h**2)
        return {"one": read.T @ d, "one0": d.sum(0, keepdims=True), "two": h.T @ g, "two0": g.sum().reshape(1, 1)}


class ElementLearner:
    """Multi-agent PPO with one policy for all agents, elements and tasks; has what `marlpit.ppo.train` asks of a learner.

    Observations are those of `Layout.pack`. Where nobody hears anybody, all agents see the same: one then stands for all.
    """

    def __init__(self, layout: Layout, agents: int, seed: int, settings: Settings) -> None:
        """Makes the nets.

        Args:
            layout: of the world.
            agents: number of agents.
            seed: of the weights and of the exploration.
            settings: hyperparameters.
        """
        self.rng = np.random.default_rng(seed)
        self.layout, self.agents, self.settings = layout, agents, settings
        self.actor = Actor(self.rng, layout, settings.hidden)
        self.critic = Critic(self.rng, layout, settings.hidden)
        self._actor, self._critic = Adam(self.actor.weights, settings.lr), Adam(self.critic.weights, settings.lr)

    def act(self, obs: Floats, mask: NDArray[np.bool_], greedy: bool = False) -> tuple[NDArray[np.int32], Floats]:
        """Chooses for packed obs (envs, ·) and masks (envs, choices): actions (envs, agents) and their log-probabilities."""
        x = Screens(self.layout, obs, mask).of(np.arange(len(obs)))
        logp = x.log_softmax(self.actor.forward(x)[0])
        noise = 0 if greedy else self.rng.gumbel(size=(len(logp), self.agents)).astype(np.float32)
        scores = np.full((len(obs), self.layout.choices, self.agents), -np.inf, np.float32)
        scores[x.row, x.choice] = logp + noise
        choice = scores.argmax(1).astype(np.int32)
        return choice, logp[x.find(choice, self.layout.choices), self._columns(x)]

    def _columns(self, x: Flat) -> NDArray[np.intp]:
        """Whose log-probabilities are each agent's."""
        return np.arange(self.agents) % x.agents

    def values(self, obs: Floats, state: Floats) -> Floats:
        """Values (samples, agents) of states (samples, state); observations aren't read."""
        return np.repeat(self.critic.forward(self.critic.read(state))[0][:, None], self.agents, 1)

    def update(self, batch: dict[str, NDArray[Any]]) -> None:
        """One PPO update on flat arrays: obs, mask, state, action, logp, alive, advantage, target."""
        s, n = self.settings, len(batch["action"])
        screens, read = Screens(self.layout, batch["obs"], batch["mask"]), self.critic.read(batch["state"])
        b = {k: batch[k] for k in ("action", "logp", "alive", "advantage")}
        for _ in range(s.epochs):
            for part in np.array_split(self.rng.permutation(n), s.minibatches):
                self._update_actor(screens.of(part), **{k: v[part] for k, v in b.items()})
                self._update_critic(read[part], batch["target"][part].mean(1), b["alive"][part].any(1))

    def _update_actor(
        self, x: Flat, action: NDArray[np.int32], logp: Floats, alive: NDArray[np.bool_], advantage: Floats
    ) -> None:
        s, n = self.settings, max(alive.sum(), 1)
        logits, kept = self.actor.forward(x)
        now = x.log_softmax(logits)
        taken = x.find(action, self.layout.choices), np.broadcast_to(self._columns(x), action.shape)
        living = advantage[alive]
        advantage = (advantage - living.mean()) / (living.std() + 1e-6) if len(living) else advantage
        ratio = np.exp(now[taken] - logp)
        clipped = ((ratio > 1 + s.clip) & (advantage > 0)) | ((ratio < 1 - s.clip) & (advantage < 0))
        slope = np.where(clipped, 0, -advantage * ratio) * alive / n  # of the loss in the log-probability of what was done
        shared = [m.reshape(x.screens, -1, x.agents).sum(1) for m in (slope, alive / n)]  # by those whose observation is one
        p = np.exp(now)
        entropy = -x.total(p * now)[x.row]
        grad = p * (s.entropy * (now + entropy) * shared[1][x.row] - shared[0][x.row])
        np.add.at(grad, taken, slope)
        self._actor.step(self.actor.backward(x, kept, grad.astype(np.float32)))

    def _update_critic(self, read: Floats, target: Floats, alive: NDArray[np.bool_]) -> None:
        value, kept = self.critic.forward(read)
        grad = (value - target) * alive / max(alive.sum(), 1)
        self._critic.step(self.critic.backward(read, kept, grad.astype(np.float32)))

    def moved_to(self, layout: Layout) -> ElementLearner:
        """The same policy for another world; opening apps, which belongs to one world, is left out there."""
        twin = ElementLearner(layout, self.agents, 0, self.settings)
        for name, w in self.actor.weights.items():
            if name != "open":
                twin.actor.weights[name][...] = w
        return twin
