"""Fitted scoring models: the file that ``marlpit fit`` writes, evaluated in numpy with the program's own numbers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from marlpit.credit._header import HIDDEN, MAGIC, MAX_HEADER, MAX_WEIGHT, MAX_WEIGHTS, BadModel, Header, Net, read_header
from marlpit.errors import Invalid

Floats = NDArray[np.float32]

_F = np.float32
_CLAMP = _F(4.97)  # where the approximation of tanh is cut off
_CHUNK = 1 << 20  # products held at once

LARGEST = len(MAGIC) + 4 + MAX_HEADER + 4 * MAX_WEIGHTS  # bytes of a file


class Model:
    """A fitted σ for each agent of a world. It never changes, and can be pickled.

    Its numbers are those of the Go program to the last bit: every product is rounded to float32 before it is added, in
    the same order, and tanh is the same rational function.

    Attributes:
        path: Of the file, as given.
        header: All that the file says of itself: world, votes, critic, seeds, accuracy. Read only.
        report: What fitting found out, as JSON values: votes, flips, calibration …; None in files without it.
        name: Of the model.
        kind: ``"agents"``, ``"shared"``, ``"coin"`` or ``"shared-labels"``.
        version: Of the model; a live one counts up.
        agents: Names of the world's agents, in order.
        sd: float64 (agents,), standard deviation of Δσ over the training transitions; 0 where σ is flat.
    """

    def __init__(self, path: str, header: Header, nets: list[_Weights]) -> None:
        """Keeps the parts; `load` reads them."""
        self.path, self.header, self._nets = path, header, nets
        self.report: dict[str, Any] | None = header.report
        self.name, self.kind, self.version = header.name, header.kind, header.version
        self.agents = list(header.world.agents)
        self._index = {a: i for i, a in enumerate(self.agents)}
        self.sd = np.array([self._net(a).sd for a in self.agents])
        self.sd.flags.writeable = False

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file and checks all of it.

        Args:
            path: Of the file.

        Returns:
            The model.

        Raises:
            Invalid: It is no model file, or a damaged one; the message says where.
            OSError: It can't be read.
        """
        with Path(path).open("rb") as f:
            raw = f.read(LARGEST + 1)  # more is refused by its length, and need not be held
        try:
            return cls._parse(os.fspath(path), raw)
        except BadModel as e:
            raise Invalid(f"{os.fspath(path)} is no model file that `marlpit fit` would write: {e}") from None

    @classmethod
    def _parse(cls, path: str, raw: bytes) -> Model:
        start = len(MAGIC) + 4
        if raw[: len(MAGIC)] != MAGIC[: len(raw)]:
            raise BadModel("it doesn't begin as one")
        if len(raw) < start:
            raise BadModel("it ends within the start")
        size = int.from_bytes(raw[len(MAGIC) : start], "little")
        if size > MAX_HEADER:
            raise BadModel(f"a header of {size} bytes, want at most {MAX_HEADER}")
        if len(raw) < start + size:
            raise BadModel("it ends within the header")
        header = read_header(raw[start : start + size])
        counts = [n.features * HIDDEN + 2 * HIDDEN + 1 for n in header.nets]
        body = len(raw) - start - size
        if body < 4 * sum(counts):
            raise BadModel("it ends within the weights")
        if body > 4 * sum(counts):
            raise BadModel("something follows the weights")
        weights = np.frombuffer(raw, "<f4", offset=start + size).astype(np.float32)
        wrong = ~(np.abs(weights) <= MAX_WEIGHT)
        if wrong.any():
            raise BadModel(f"a weight is {weights[wrong][0]}, want {-MAX_WEIGHT} to {MAX_WEIGHT}")
        parts = np.split(weights, np.cumsum(counts)[:-1])
        return cls(path, header, [_Weights(p, n.features) for p, n in zip(parts, header.nets, strict=True)])

    def _at(self, agent: str | int) -> int:
        if isinstance(agent, str):
            if agent not in self._index:
                raise Invalid(f"the model knows no agent {agent!r}; it knows {', '.join(self.agents)}")
            return 0 if self.kind == "shared" else self._index[agent]
        if not 0 <= agent < len(self.agents):
            raise Invalid(f"an agent is a name, or a number from 0 to {len(self.agents) - 1}, got {agent!r}")
        return 0 if self.kind == "shared" else int(agent)

    def _net(self, agent: str | int) -> Net:
        return self.header.nets[self._at(agent)]

    def input(self, agent: str | int) -> str:
        """Says what an agent's net reads.

        Args:
            agent: Its name or number.

        Returns:
            ``"state"`` or ``"focus"``.
        """
        return self._net(agent).input

    def features(self, agent: str | int) -> int:
        """Says how many features an agent's net reads.

        Args:
            agent: Its name or number.

        Returns:
            Their number.
        """
        return self._net(agent).features

    def value(self, agent: str | int, x: ArrayLike) -> Floats:
        """Evaluates σ of an agent.

        Args:
            agent: Its name or number.
            x: (…, features), of what `input` names.

        Returns:
            float32 (…).

        Raises:
            Invalid: No such agent, or another number of features.
        """
        net, x = self._nets[self._at(agent)], np.asarray(x, np.float32)
        want = len(net.into)
        if x.ndim == 0 or x.shape[-1] != want:
            raise Invalid(f"σ of {agent} reads {want} features, got an array of shape {x.shape}")
        rows = x.reshape(-1, want)
        used = np.flatnonzero(rows.any(0))  # a column of zeros adds nothing
        step = max(1, _CHUNK // ((len(used) + 1) * HIDDEN))
        out = [net.value(rows[i : i + step], used) for i in range(0, len(rows), step)]
        return np.concatenate(out, dtype=np.float32).reshape(x.shape[:-1]) if out else np.zeros(x.shape[:-1], np.float32)

    def __repr__(self) -> str:
        """Names the model and its world."""
        return f"<marlpit.credit.Model {self.name!r} ({self.kind}) of {self.header.world.env}>"


class _Weights:
    """The weights of one net: into (features, units), its biases, out (units,), and the constant."""

    def __init__(self, flat: Floats, features: int) -> None:
        cut = features * HIDDEN
        self.into = flat[:cut].reshape(features, HIDDEN)
        self.bias, self.out, self.constant = flat[cut : cut + HIDDEN], flat[cut + HIDDEN : cut + 2 * HIDDEN], flat[-1]

    def value(self, x: Floats, used: NDArray[np.intp]) -> Floats:
        """Evaluates rows (n, features) of which only the columns `used` differ from 0. Sums run feature by feature."""
        terms = np.empty((len(x), len(used) + 1, HIDDEN), np.float32)
        terms[:, 0] = self.bias
        np.multiply(x[:, used, None], self.into[used], out=terms[:, 1:])
        hidden = np.add.accumulate(terms, axis=1)[:, -1]
        last = np.empty((len(x), HIDDEN + 1), np.float32)
        last[:, 0] = self.constant
        np.multiply(tanh(hidden), self.out, out=last[:, 1:])
        total: Floats = np.add.accumulate(last, axis=1)[:, -1]
        return total


def tanh(x: Floats) -> Floats:
    """The nets' activation: a Padé approximant of tanh, every operation rounded to float32."""
    x = np.minimum(np.maximum(x, -_CLAMP), _CLAMP)
    y = x * x
    p = y * (_F(378) + y) + _F(17325)
    p = y * p + _F(135135)
    q = _F(28) * y + _F(3150)
    q = y * q + _F(62370)
    q = y * q + _F(135135)
    out: Floats = x * p / q
    return out
