"""A policy for screens in numpy: every element is scored by the same small net.

A screen has a varying number of elements, and what can be done is a verb with an element,
an element with an offered text, or neither. So the policy embeds the situation, each element
and each offered text, with weights that are shared by all elements, texts, agents and tasks,
and scores each candidate from the embeddings of its parts. Nothing in it depends on where an
element stands in the list, or on the world: what was learnt on the phone can be tried on web
pages. The critic sees the situation and the elements' mean and maximum. Both are trained by
PPO (Schulman et al. 2017); `learner.train` runs it.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learner import Settings, log_softmax

Floats = NDArray[np.float32]
Weights = dict[str, Floats]

# Places in an element's and an offered text's features, as their help in the spec has them.
ELEMENT, TEXT = 64, 34
EL_HASH, EL_EQUALS, EL_NEAR = slice(30, 46), slice(47, 55), slice(55, 63)
TX_BEFORE = slice(18, 34)
GLOBALS = (
    "wait", "press enter", "go home", "go back", "scroll up", "scroll down", "scroll left", "scroll right",
    "status complete", "status infeasible",
)  # fmt: skip
VERBS = ("click", "long press", "scroll up", "scroll down", "scroll left", "scroll right", "answer")
PAIR = 3  # what is known of an element and a text together: before it in the goal, equal, like the words before it


class Layout:
    """Where things stand in a world's observations and choices."""

    def __init__(self, fields: list[dict[str, Any]], names: list[str]) -> None:
        """Reads the spec.

        Args:
            fields: of an observation; `element_…` of one width, `text_…` of another, `message_…` of a third.
            names: of the choices.

        Raises:
            ValueError: the features are of another form than this learner knows.
        """
        at, places = 0, {}
        for f in fields:
            places[f["name"]] = slice(at, at + f["size"])
            at += f["size"]
        kinds = {k: [s for n, s in places.items() if re.fullmatch(rf"{k}_\d+", n)] for k in ("element", "text", "message")}
        widths = {k: {s.stop - s.start for s in v} for k, v in kinds.items()}
        if widths["element"] != {ELEMENT} or widths["text"] != {TEXT}:
            raise ValueError(f"elements of {ELEMENT} and texts of {TEXT} features are wanted, got {widths}")
        grouped = {s.start for v in kinds.values() for s in v}
        self.context = np.concatenate([np.arange(s.start, s.stop) for s in places.values() if s.start not in grouped])
        self.elements, self.texts, self.messages = (np.array([s.start for s in kinds[k]]) for k in kinds)
        self.message = widths["message"].pop() if kinds["message"] else 0
        self.goal = places["goal"]
        self.size, self.choices = at, len(names)
        number = {n: i for i, n in enumerate(names)}
        each, texts = range(len(self.elements)), range(len(self.texts))
        verb = [v if not v.startswith("scroll") else "scroll {} " + v.split()[1] for v in VERBS]
        self.on_element = np.array([[number[v.format(i) if "{}" in v else f"{v} {i}"] for v in verb] for i in each])
        self.typed = np.array([[number[f"type text {k} into {i}"] for k in texts] for i in each])
        self.answered = np.array([number[f"answer text {k}"] for k in texts])
        self.globals = np.array([number[n] for n in GLOBALS])
        self.apps = [n for n in names if n.startswith("open ")]
        self.opened = np.array([number[n] for n in self.apps], int)

    @property
    def width(self) -> int:
        """Of the situation: the context, and the mean message."""
        return len(self.context) + self.message


class Screens:
    """Observations taken apart: situation (n, c), elements (n, e, ·), texts (n, k, ·) and pairs (n, e, k, ·)."""

    def __init__(self, layout: Layout, obs: Floats) -> None:
        """Takes observations (n, obs); what follows an observation's features in a state is ignored."""
        elements = obs[:, layout.elements[:, None] + np.arange(ELEMENT)]
        self.texts = obs[:, layout.texts[:, None] + np.arange(TEXT)]
        parts = [obs[:, layout.context]]
        if layout.message:
            said = obs[:, layout.messages[:, None] + np.arange(layout.message)]
            parts.append(said.sum(1) / np.maximum(said[:, :, :1].sum(1), 1))
        self.situation = np.concatenate(parts, 1)
        like_goal = elements[:, :, EL_HASH] @ obs[:, layout.goal, None]
        self.elements = np.concatenate([elements, like_goal], 2)
        named = elements[:, :, EL_HASH] @ self.texts[:, :, TX_BEFORE].transpose(0, 2, 1)
        self.pairs = np.stack([elements[:, :, EL_NEAR], elements[:, :, EL_EQUALS], named], 3)
        self.there = elements[:, :, :1]


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
    """Scores of all candidates."""

    def __init__(self, rng: np.random.Generator, layout: Layout, hidden: int) -> None:
        """Draws weights; those of apps to open are the only ones that belong to one world."""
        h, self.layout = hidden, layout
        self.weights: Weights = {
            "situation": draw(rng, layout.width, h, 1.4), "situation0": np.zeros((1, h), np.float32),
            "element": draw(rng, ELEMENT + 1, h, 1.4), "element_s": draw(rng, h, h, 1.0),
            "element0": np.zeros((1, h), np.float32),
            "text": draw(rng, TEXT, h, 1.4), "text_s": draw(rng, h, h, 1.0), "text0": np.zeros((1, h), np.float32),
            "verbs": draw(rng, h, len(VERBS), 0.01), "verbs0": np.zeros((1, len(VERBS)), np.float32),
            "typed": draw(rng, h, h, 0.01), "pair": np.zeros((PAIR, 1), np.float32), "typed0": np.zeros((1, 1), np.float32),
            "answer": draw(rng, h, 1, 0.01), "answer0": np.zeros((1, 1), np.float32),
            "global": draw(rng, h, len(GLOBALS), 0.01), "global0": np.zeros((1, len(GLOBALS)), np.float32),
            "open": draw(rng, h, len(layout.apps), 0.01) if layout.apps else np.zeros((h, 0), np.float32),
        }  # fmt: skip

    def forward(self, x: Screens) -> tuple[Floats, tuple[Floats, ...]]:
        """Logits (n, choices), and the activations that `backward` needs."""
        w, lay = self.weights, self.layout
        s = np.tanh(x.situation @ w["situation"] + w["situation0"])
        e = np.tanh(x.elements @ w["element"] + (s @ w["element_s"] + w["element0"])[:, None])
        t = np.tanh(x.texts @ w["text"] + (s @ w["text_s"] + w["text0"])[:, None])
        logits = np.full((len(s), lay.choices), -1e9, np.float32)
        logits[:, lay.globals] = s @ w["global"] + w["global0"]
        logits[:, lay.opened] = s @ w["open"]
        logits[:, lay.answered] = (t @ w["answer"] + w["answer0"])[..., 0]
        logits[:, lay.on_element] = e @ w["verbs"] + w["verbs0"]
        logits[:, lay.typed] = (e @ w["typed"]) @ t.transpose(0, 2, 1) + (x.pairs @ w["pair"])[..., 0] + w["typed0"]
        return logits, (s, e, t)

    def backward(self, x: Screens, kept: tuple[Floats, ...], grad: Floats) -> Weights:
        """The gradient in the weights, from that in the logits."""
        w, lay = self.weights, self.layout
        s, e, t = kept
        g_verbs, g_typed = grad[:, lay.on_element], grad[:, lay.typed]
        g_answer, g_global, g_open = grad[:, lay.answered][..., None], grad[:, lay.globals], grad[:, lay.opened]
        flat = lambda a: a.reshape(-1, a.shape[-1])  # noqa: E731
        seen = g_typed @ t  # (n, e, h): what the texts ask of the elements
        d_e = (g_verbs @ w["verbs"].T + seen @ w["typed"].T) * (1 - e**2)
        d_t = (g_answer @ w["answer"].T + g_typed.transpose(0, 2, 1) @ (e @ w["typed"])) * (1 - t**2)
        e_sum, t_sum = d_e.sum(1), d_t.sum(1)
        d_s = g_global @ w["global"].T + g_open @ w["open"].T + e_sum @ w["element_s"].T + t_sum @ w["text_s"].T
        d_s *= 1 - s**2
        return {
            "situation": x.situation.T @ d_s, "situation0": d_s.sum(0, keepdims=True),
            "element": flat(x.elements).T @ flat(d_e), "element_s": s.T @ e_sum, "element0": e_sum.sum(0, keepdims=True),
            "text": flat(x.texts).T @ flat(d_t), "text_s": s.T @ t_sum, "text0": t_sum.sum(0, keepdims=True),
            "verbs": flat(e).T @ flat(g_verbs), "verbs0": flat(g_verbs).sum(0, keepdims=True),
            "typed": flat(e).T @ flat(seen), "pair": flat(x.pairs).T @ g_typed.reshape(-1, 1),
            "typed0": g_typed.sum().reshape(1, 1),
            "answer": flat(t).T @ flat(g_answer), "answer0": g_answer.sum().reshape(1, 1),
            "global": s.T @ g_global, "global0": g_global.sum(0, keepdims=True), "open": s.T @ g_open,
        }  # fmt: skip


class Critic:
    """A value of the situation and of the elements' mean and maximum; the same for all agents."""

    def __init__(self, rng: np.random.Generator, layout: Layout, hidden: int) -> None:
        """Draws weights."""
        n = layout.width + 2 * (ELEMENT + 1)
        self.weights: Weights = {
            "one": draw(rng, n, hidden, 1.4), "one0": np.zeros((1, hidden), np.float32),
            "two": draw(rng, hidden, 1, 1.0), "two0": np.zeros((1, 1), np.float32),
        }  # fmt: skip

    def forward(self, x: Screens) -> tuple[Floats, tuple[Floats, Floats]]:
        """Values (n,), and what `backward` needs."""
        mean = (x.elements * x.there).sum(1) / np.maximum(x.there.sum(1), 1)
        read = np.concatenate([x.situation, mean, (x.elements * x.there).max(1)], 1)
        h = np.tanh(read @ self.weights["one"] + self.weights["one0"])
        return (h @ self.weights["two"] + self.weights["two0"])[:, 0], (read, h)

    def backward(self, kept: tuple[Floats, Floats], grad: Floats) -> Weights:
        """The gradient in the weights, from that in the values (n,)."""
        read, h = kept
        g = grad[:, None]
        d = (g @ self.weights["two"].T) * (1 - h**2)
        return {"one": read.T @ d, "one0": d.sum(0, keepdims=True), "two": h.T @ g, "two0": g.sum().reshape(1, 1)}


class ElementLearner:
    """Multi-agent PPO with one policy for all agents, elements and tasks; has what `learner.train` asks of a learner."""

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
        """Chooses for obs (envs, agents, obs): actions (envs, agents) and their log-probabilities."""
        flat = Screens(self.layout, obs.reshape(-1, obs.shape[-1]))
        logp = log_softmax(self.actor.forward(flat)[0], self._known(mask.reshape(-1, mask.shape[-1])))
        noise = 0 if greedy else self.rng.gumbel(size=logp.shape).astype(np.float32)
        choice = (logp + noise).argmax(-1)
        taken = np.take_along_axis(logp, choice[:, None], 1)
        return choice.astype(np.int32).reshape(mask.shape[:2]), taken.reshape(mask.shape[:2])

    def _known(self, mask: NDArray[Any]) -> NDArray[np.bool_]:
        """The mask without the stored proposal, which is for agents that talk."""
        known = mask.astype(bool)
        known[:, -1] = False
        return known

    def values(self, state: Floats) -> Floats:
        """Values (samples, agents) of states (samples, state)."""
        value, _ = self.critic.forward(Screens(self.layout, state))
        return np.repeat(value[:, None], self.agents, 1)

    def update(self, batch: dict[str, NDArray[Any]]) -> None:
        """One PPO update on flat arrays: obs, mask, state, action, logp, alive, advantage, target."""
        s, n = self.settings, len(batch["action"])
        for _ in range(s.epochs):
            for part in np.array_split(self.rng.permutation(n), s.minibatches):
                b = {k: v[part] for k, v in batch.items()}
                self._update_actor({k: v.reshape(-1, *v.shape[2:]) for k, v in b.items() if k not in ("state", "target")})
                self._update_critic(b["state"], b["target"].mean(1), b["alive"].any(1))

    def _update_actor(self, b: dict[str, NDArray[Any]]) -> None:
        s, x = self.settings, Screens(self.layout, b["obs"])
        logits, kept = self.actor.forward(x)
        logp = log_softmax(logits, self._known(b["mask"]))
        p, alive = np.exp(logp), b["alive"].astype(np.float32)
        n, row = max(alive.sum(), 1), np.arange(len(p))
        advantage = b["advantage"]
        living = advantage[b["alive"].astype(bool)]
        advantage = (advantage - living.mean()) / (living.std() + 1e-6) if len(living) else advantage
        ratio = np.exp(logp[row, b["action"]] - b["logp"])
        clipped = ((ratio > 1 + s.clip) & (advantage > 0)) | ((ratio < 1 - s.clip) & (advantage < 0))
        slope = np.where(clipped, 0, -advantage * ratio) * alive / n  # of the loss in the log-probability of what was done
        grad = -p * slope[:, None]
        grad[row, b["action"]] += slope
        entropy = -(p * np.where(p > 0, logp, 0)).sum(1, keepdims=True)
        grad += s.entropy * p * (np.where(p > 0, logp, 0) + entropy) * alive[:, None] / n
        self._actor.step(self.actor.backward(x, kept, grad.astype(np.float32)))

    def _update_critic(self, state: Floats, target: Floats, alive: NDArray[np.bool_]) -> None:
        x = Screens(self.layout, state)
        value, kept = self.critic.forward(x)
        grad = (value - target) * alive / max(alive.sum(), 1)
        self._critic.step(self.critic.backward(kept, grad.astype(np.float32)))

    def moved_to(self, layout: Layout) -> ElementLearner:
        """The same policy for another world; opening apps, which belongs to one world, is left out there."""
        twin = ElementLearner(layout, self.agents, 0, self.settings)
        for name, w in self.actor.weights.items():
            if name != "open":
                twin.actor.weights[name][...] = w
        return twin
