"""What a learner makes of the arrays of screens: where things stand, and what there is, without the gaps.

All agents of a team see one screen; what they differ in is whom they hear. So a screen is read
once for the team, and only what was heard once for each agent. Most places of an observation
are empty and most choices can't be made: elements, texts and choices of a batch of screens are
put one after the other, each with the number of its screen.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Whole = NDArray[np.intp]

GLOBALS = (
    "wait", "press enter", "go home", "go back", "scroll up", "scroll down", "scroll left", "scroll right",
    "status complete", "status infeasible",
)  # fmt: skip
VERBS = ("click", "long press", "scroll up", "scroll down", "scroll left", "scroll right", "answer")
PAIR = 3  # what is known of an element and a text together: before it in the goal, equal, like the words before it
GENERAL, ANSWER, VERB, TYPED = range(4)  # kinds of choices


class Layout:
    """Where things stand in a world's observations and choices.

    Attributes:
        element: features of an element; the last is the share of the messages about it.
        context: places of what belongs to no element, text or message.
        kind, item, column: of each choice: its kind, the element or text it is about, and its place among those of its kind.
    """

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
        blocks = {k: [s for n, s in places.items() if re.fullmatch(rf"{k}_\d+", n)] for k in ("element", "text", "message")}
        self.goal, self.size, self.choices = places["goal"], at, len(names)
        self.listed, self.offered = len(blocks["element"]), len(blocks["text"])
        words, texts = self.goal.stop - self.goal.start, self.offered
        # As the fields' help has it: 30 features before the hash of an element's words, and two after it and the texts'.
        self.element, self.text = 30 + words + 1 + 2 * texts + 1, 2 + 2 * words
        self.hash = slice(30, 30 + words)
        self.equals, self.near = self.hash.stop + 1, self.hash.stop + 1 + texts
        self.before = slice(2 + words, 2 + 2 * words)
        widths = {k: {s.stop - s.start for s in v} for k, v in blocks.items()}
        if widths["element"] != {self.element} or widths["text"] != {self.text}:
            raise ValueError(f"elements of {self.element} and texts of {self.text} features are wanted, got {widths}")
        self.message = widths["message"].pop()
        self.elements, self.texts, self.messages = (slice(v[0].start, v[-1].stop) for v in blocks.values())
        grouped = {s.start for v in blocks.values() for s in v}
        self.context = np.concatenate([np.arange(s.start, s.stop) for s in places.values() if s.start not in grouped])
        self.apps = [n for n in names if n.startswith("open ")]
        self._sort({n: i for i, n in enumerate(names)})

    def _sort(self, number: dict[str, int]) -> None:
        self.kind, self.item, self.column = (np.full(self.choices, -1) for _ in range(3))
        place = {n: (GENERAL, 0, i) for i, n in enumerate((*GLOBALS, *self.apps))}
        place |= {f"answer text {k}": (ANSWER, k, 0) for k in range(self.offered)}
        for i in range(self.listed):
            on = [f"scroll {i} {v.split()[1]}" if v.startswith("scroll") else f"{v} {i}" for v in VERBS]
            place |= {n: (VERB, i, v) for v, n in enumerate(on)}
            place |= {f"type text {k} into {i}": (TYPED, i, k) for k in range(self.offered)}
        for name, of in place.items():
            self.kind[number[name]], self.item[number[name]], self.column[number[name]] = of

    def blocks(self, obs: Floats, where: slice, width: int) -> Floats:
        """The elements, texts or messages (…, blocks, width) of observations (…, obs)."""
        return obs[..., where].reshape(*obs.shape[:-1], -1, width)

    def heard(self, obs: Floats) -> Floats:
        """The mean message (…, message) that is heard."""
        said = self.blocks(obs, self.messages, self.message)
        return said.sum(-2) / np.maximum(said[..., :1].sum(-2), 1)

    def pack(self, obs: Floats) -> Floats:
        """A team's observations (n, agents, obs) as one row (n, ·): the screen, then what each agent heard."""
        votes = self.blocks(obs, self.elements, self.element)[..., -1]
        own = np.concatenate([self.heard(obs), votes], 2)
        return np.concatenate([obs[:, 0], own.reshape(len(obs), -1)], 1)


class Screens:
    """Packed observations of teams, taken apart; `of` puts what is on some of them one after the other."""

    def __init__(self, layout: Layout, packed: Floats, mask: NDArray[Any]) -> None:
        """Takes rows (n, ·) of `Layout.pack` and masks (n, choices)."""
        self.layout = layout
        self.context, self.goal = packed[:, layout.context], packed[:, layout.goal]
        self.elements = layout.blocks(packed, layout.elements, layout.element)
        self.texts = layout.blocks(packed, layout.texts, layout.text)
        own = packed[:, layout.size :].reshape(len(packed), -1, layout.message + layout.listed)
        self.said, self.votes = own[..., : layout.message], own[..., layout.message :]
        self.there, self.offered = self.elements[..., 0] > 0, self.texts[..., 0] > 0
        self.open = mask.astype(bool)
        self.open[:, -1] = False  # the stored proposal is for agents that talk

    def of(self, rows: Whole) -> Flat:
        """What is on these screens."""
        return Flat(self, rows)


class Flat:
    """What is on some screens, one after the other, and the choices that can be made there.

    Attributes:
        context, said: of the screens (n, ·), and what each agent heard (n, agents, ·).
        elements, votes, element_row: features (p, ·), share of the heard messages (p, agents), and screen (p,).
        texts, text_row: features (q, ·) and screen (q,).
        pairs, typed_element, typed_text: of a text and an element to type it into: (t, PAIR), and which they are (t,).
        choice, row: the choices that can be made (c,) and their screens (c,).
        place: of a choice's logit (c, agents) among those that a net gives out: general, answers, verbs, typed.
    """

    def __init__(self, x: Screens, rows: Whole) -> None:
        """Takes rows (n,) of screens."""
        lay, n, agents = x.layout, len(rows), x.said.shape[1]
        self.screens, self.agents, self.context, self.said = n, agents, x.context[rows], x.said[rows]
        there, offered = x.there[rows], x.offered[rows]
        self.element_row, e = np.nonzero(there)
        self.text_row, k = np.nonzero(offered)
        at = rows[self.element_row]
        self.elements, self.votes = x.elements[at, e], x.votes[at, :, e]
        self.elements[:, -1] = np.einsum("pw,pw->p", self.elements[:, lay.hash], x.goal[at])  # like the goal; votes are apart
        self.texts = x.texts[rows[self.text_row], k]
        self.row, self.choice = np.nonzero(x.open[rows])
        kind, item, column = lay.kind[self.choice], lay.item[self.choice], lay.column[self.choice]
        typed = kind == TYPED
        self.typed_element = _number(there)[self.row[typed], item[typed]]
        self.typed_text = _number(offered)[self.row[typed], column[typed]]
        to = self.elements[self.typed_element]
        named = np.einsum("tw,tw->t", to[:, lay.hash], self.texts[self.typed_text][:, lay.before])
        own = np.arange(len(to)), column[typed]
        self.pairs = np.stack([to[:, lay.near :][own], to[:, lay.equals :][own], named], 1)

        wide = np.array([len(GLOBALS) + len(lay.apps), 1, len(VERBS), 1])
        self.sizes = agents * wide * [n, len(self.texts), len(self.elements), len(to)]
        first = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        unit = self.row.copy()
        unit[kind == ANSWER] = _number(offered)[self.row[kind == ANSWER], item[kind == ANSWER]]
        unit[kind == VERB] = _number(there)[self.row[kind == VERB], item[kind == VERB]]
        unit[typed] = np.arange(len(to))
        step = wide[kind]
        begin = first[kind] + unit * agents * step + np.where((kind == GENERAL) | (kind == VERB), column, 0)
        self.place = begin[:, None] + np.arange(agents) * step[:, None]
        self._starts = np.searchsorted(self.row, np.arange(n))

    def log_softmax(self, logits: Floats) -> Floats:
        """Log-probabilities (c, agents) of the choices on each screen."""
        logits = logits - np.maximum.reduceat(logits, self._starts, axis=0)[self.row]
        return logits - np.log(np.add.reduceat(np.exp(logits), self._starts, axis=0))[self.row]

    def total(self, values: Floats) -> Floats:
        """Sums (n, …) of choices' values (c, …) over each screen."""
        return np.add.reduceat(values, self._starts, axis=0)

    def find(self, choices: NDArray[np.int32], top: int) -> Whole:
        """Where choices (n, agents), each of its screen and below `top`, stand among those that can be made."""
        keys = np.arange(self.screens)[:, None] * top + choices
        return np.searchsorted(self.row * top + self.choice, keys)


def _number(there: NDArray[np.bool_]) -> Whole:
    """Numbers of what is there, in order; the rest has none that means anything."""
    return np.cumsum(there).reshape(there.shape) - 1


def gather(values: Floats, into: Whole, n: int) -> Floats:
    """Sums (n, …) of values (p, …) by the numbers that `into` (p,) gives them, in rising order."""
    out = np.zeros((n, *values.shape[1:]), values.dtype)
    if len(into):
        starts = np.flatnonzero(np.diff(into, prepend=-1))
        out[into[starts]] = np.add.reduceat(values, starts, axis=0)
    return out
