"""Model files in Python: the program's numbers, and the program's checks."""

from __future__ import annotations

import contextlib
import copy
import os
import pickle
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from credit_kit import Lane, header, model_bytes, save_model
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from marlpit import credit
from marlpit.credit.model import tanh
from marlpit.errors import Invalid

WORLD: dict[str, Any] = {
    "env": "lane_v0", "params": {"cells": 6}, "agents": ["a_0", "a_1"], "obs_version": 1, "state_size": 3, "focus_sizes": [2, 4],
}  # fmt: skip
HEAD = header("agents", WORLD, ["state", "focus"], [0.5, 0.0])


@pytest.fixture
def model(tmp_path: Path) -> credit.Model:
    return credit.Model.load(save_model(tmp_path / "m.credit", HEAD, 0))


def by_hand(m: credit.Model, net: int, x: np.ndarray) -> np.float32:
    """σ as the Go program computes it: one operation after the other, each rounded to float32."""
    f, w = np.float32, m._nets[net]
    total = w.constant
    for j in range(32):
        h = w.bias[j]
        for k, v in enumerate(x):
            if v != 0:
                h = f(h + f(f(v) * w.into[k, j]))
        total = f(total + f(tanh(np.array(h)) * w.out[j]))
    return f(total)


@given(x=arrays(np.float32, (3, 4), elements=st.floats(-8, 8, width=32).map(lambda v: v if abs(v) > 1 else round(v))))
@settings(max_examples=25, deadline=None)
def test_a_batch_is_its_rows_to_the_last_bit(x: np.ndarray) -> None:
    m = credit.Model._parse("", model_bytes(HEAD, 1))
    got = m.value("a_1", x)
    assert got.dtype == np.float32
    assert got.tolist() == [by_hand(m, 1, row) for row in x]
    assert got.tolist() == [float(m.value(1, row)) for row in x]
    assert m.value("a_1", x.reshape(3, 1, 4)).shape == (3, 1)


def test_many_rows_are_taken_in_parts(model: credit.Model) -> None:
    x = np.random.default_rng(0).normal(size=(20_000, 4)).astype(np.float32)
    got = model.value("a_1", x)
    assert got.shape == (20_000,)
    assert got[::4999].tolist() == [float(model.value("a_1", row)) for row in x[::4999]]
    assert model.value("a_1", x[:0]).shape == (0,)


def test_tanh_is_tanh_and_keeps_zero() -> None:
    x = np.linspace(-20, 20, 4001, dtype=np.float32)
    assert np.abs(tanh(x) - np.tanh(x)).max() < 1.1e-4
    assert tanh(np.zeros(1, np.float32))[0] == 0


def test_what_a_model_says_of_itself(model: credit.Model) -> None:
    assert (model.kind, model.agents, model.version, model.report) == ("agents", ["a_0", "a_1"], 1, None)
    assert model.sd.tolist() == [0.5, 0.0]
    assert (model.input("a_0"), model.input(1), model.features("a_1")) == ("state", "focus", 4)
    assert model.header.seeds == [0, 2**64 - 1]
    assert "lane_v0" in repr(model)
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert twin.value("a_0", [1, 2, 3]) == model.value("a_0", [1, 2, 3])
    with pytest.raises(Invalid, match=r"no agent 'a_2'; it knows a_0, a_1"):
        model.value("a_2", [1, 2, 3])
    with pytest.raises(Invalid, match="from 0 to 1, got -1"):
        model.value(-1, [1, 2, 3])
    with pytest.raises(Invalid, match=r"σ of a_0 reads 3 features, got an array of shape \(2,\)"):
        model.value("a_0", [1, 2])


def test_the_programs_sd_and_accuracy_come_out(tmp_path: Path) -> None:
    """Fitted to focus features too: what Go measured of its nets is what Python measures of them."""
    env = Lane(limit=60)
    credit.record(
        env, tmp_path / "lane.jsonl", frames=900, describe=lambda a, b, agent: f"Before: {a}. Now: {b}.",
        focus=lambda s, agent: [s[int(agent[-1])], 1], truth=lambda a, b, agent: float(b[int(agent[-1])] - a[int(agent[-1])]),
    )  # fmt: skip
    db = tmp_path / "lane.db"
    credit.collect(from_=tmp_path / "lane.jsonl", db=db)
    credit.label(db=db, critic="oracle")
    for reads in ("state", "focus"):
        fitted = credit.fit(db=db, out=tmp_path / "lane.credit", input=reads)
        m = credit.Model.load(tmp_path / "lane.credit")
        assert m.report is not None
        for i, net in enumerate(fitted["nets"]):
            a, b, c, held = examples(db, reads, i)
            delta = m.value(i, b).astype(float) - m.value(i, a)
            assert delta[~held].std() == pytest.approx(m.sd[i], rel=1e-6)
            assert np.concatenate([m.value(i, a[~held]), m.value(i, b[~held])]).mean() == pytest.approx(0, abs=1e-5)
            said = held & (c != 0.5)
            assert ((delta > 0) == (c > 0.5))[said].sum() == net["held_out"]["right"]
            assert said.sum() == net["held_out"]["n"]


def examples(db: Path, reads: str, agent: int) -> tuple[np.ndarray, ...]:
    """Features before and after, confidence, and whether it is held out."""
    side = {"state": "t.state_a, t.state_b", "focus": "a.focus_a, a.focus_b"}[reads]
    with contextlib.closing(sqlite3.connect(db)) as votes:
        rows = votes.execute(
            f"SELECT {side}, v.vote, t.held FROM votes v JOIN transition_agents a USING (transition, agent) "
            "JOIN transitions t ON t.id = v.transition WHERE v.agent = ?", (agent,),
        ).fetchall()  # fmt: skip
    a, b = (np.array([np.frombuffer(r[k], "<f4") for r in rows]) for k in (0, 1))
    return a, b, np.array([{"first": 0, "second": 1, "tie": 0.5}[r[2]] for r in rows]), np.array([r[3] == 1 for r in rows])


def changed(**fields: Any) -> Callable[[dict[str, Any]], None]:
    """Changes a header: field__inner=value."""

    def change(h: dict[str, Any]) -> None:
        for path, value in fields.items():
            *way, last = path.split("__")
            for step in way:
                h = h[int(step)] if isinstance(h, list) else h[step]
            h[last] = value

    return change


REFUSED: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "unknown field": (changed(colour=1), "unknown field `colour`"),
    "newer": (changed(format=3), "format 3, this version reads 1 to 2"),
    "format 1": (changed(format=1, report={"nets": [{}, {}]}), "format 1 has no report"),
    "version": (changed(version=0), "version 0"),
    "kind": (changed(kind="all"), "kind 'all'"),
    "kind and nets": (changed(kind="shared"), "2 nets, want 1"),
    "own views": (changed(kind="shared-labels"), "net 0: one of shared-labels reads the agent's own view"),
    "count": (changed(frames=-1), "a count is negative"),
    "text": (changed(critic="x" * 5000), "a text of 5000 bytes"),
    "no id": (changed(world__env=""), "the world has no id"),
    "agents": (changed(world__agents=["a_0"]), "2 focus sizes for 1 agents"),
    "state": (changed(world__state_size=2_000_000_000), "state of 2000000000"),
    "focus": (changed(world__focus_sizes=[2, 0]), "0 focus features"),
    "params": (changed(world__params={"cells": [1]}), "parameter 'cells' is list"),
    "other agent": (changed(nets__0__agent="a_9"), "net 0 is of agent 'a_9'"),
    "units": (changed(nets__0__hidden=33), "33 units"),
    "features": (changed(nets__1__features=3), "3 features"),
    "input": (changed(nets__0__input="eyes"), "input 'eyes'"),
    "blind": (changed(world__focus_sizes=[]), "reads focus features of a world without any"),
    "sd": (changed(nets__0__sd=-1.0), r"sd -1\.0"),
    "tiny sd": (changed(nets__0__sd=1e-9), "sd 1e-09"),
    "accuracy": (changed(nets__0__held_out__right=9), "held-out accuracy"),
    "type": (changed(pairs="2"), "Expected `int`"),
    "report": (changed(report={"members": 1, "nets": [{}]}), "report: 1 nets, want 2"),
    "nets of a report": (changed(report={"members": 1, "nets": 5}), "report: Expected `array"),
    "members": (changed(report={"members": 33, "nets": [{}, {}]}), "report: 33 members, want 1 to 32"),
    "weighing": (changed(report={"members": 1, "weighing": "x", "nets": [{}, {}]}), "report: weighing 'x'"),
    "asked": (changed(report={"members": 1, "asked": [{}] * 3, "nets": [{}, {}]}), "report: votes on 3 agents, want at most 2"),
    "bins": (
        changed(report={"members": 1, "nets": [{}, {"calibration": {"bins": [{}] * 11}}]}),
        "report: net 1 has more than 10",
    ),
    "seed": (changed(seeds=[-1]), "a seed is out of range"),
    "large": (changed(frames=2**63), f"a number is above {2**63 - 1}"),
    "large n": (changed(nets__0__held_out__n=2**63), f"net 0: a number is above {2**63 - 1}"),
    "large parameter": (changed(world__params={"cells": 10**400}), "parameter 'cells' is a number that no float64 holds"),
}


@pytest.mark.parametrize("case", list(REFUSED))
def test_headers_are_checked(case: str, tmp_path: Path) -> None:
    change, says = REFUSED[case]
    head = copy.deepcopy(HEAD)
    change(head)
    with pytest.raises(Invalid, match=says):
        credit.Model.load(save_model(tmp_path / "m.credit", head, 0))


def test_bytes_are_checked(tmp_path: Path) -> None:
    raw = model_bytes(HEAD, 0)
    size = 12 + int.from_bytes(raw[8:12], "little")
    weights = np.frombuffer(raw[size:], "<f4").copy()
    for bad in (np.nan, np.inf, -1e30):
        weights[7] = bad
        with pytest.raises(Invalid, match="a weight is"):
            load(tmp_path, raw[:size] + weights.tobytes())
    for file, says in (
        (b"", "it ends within the start"),
        (b"\x89PNG and more than that", "it doesn't begin as one"),
        (raw[:40], "it ends within the header"),
        (raw[:-1], "it ends within the weights"),
        (raw + b"\0", "something follows the weights"),
        (raw[:8] + b"\xff\xff\xff\xff", "want at most 262144"),
    ):
        with pytest.raises(Invalid, match=says):
            load(tmp_path, file)
    with pytest.raises(FileNotFoundError):
        credit.Model.load(tmp_path / "none.credit")


@pytest.mark.parametrize("depth", [2_000, 100_000])
def test_deep_json_is_refused(depth: int, tmp_path: Path) -> None:
    raw = model_bytes(HEAD, 0)
    deep = raw[12:].replace(b'"cells": 6', b'"cells": ' + b"[" * depth + b"]" * depth, 1)
    size = int.from_bytes(raw[8:12], "little") + 2 * depth - 1
    with pytest.raises(Invalid, match="header: "):
        load(tmp_path, raw[:8] + size.to_bytes(4, "little") + deep)


def test_of_a_huge_file_no_more_is_read_than_a_model_may_have(tmp_path: Path) -> None:
    path = tmp_path / "m.credit"
    path.write_bytes(model_bytes(HEAD, 0))
    os.truncate(path, 1 << 40)
    with pytest.raises(Invalid, match="something follows the weights"):
        credit.Model.load(path)


def load(folder: Path, raw: bytes) -> credit.Model:
    (folder / "m.credit").write_bytes(raw)
    return credit.Model.load(folder / "m.credit")


@given(cut=st.integers(0, 4000), put=st.binary(max_size=8))
@settings(max_examples=150, deadline=None)
def test_damaged_files_are_refused_or_read(cut: int, put: bytes) -> None:
    raw = model_bytes(HEAD, 0)
    damaged = raw[:cut] + put + raw[cut + len(put) :]
    try:
        m = credit.Model._parse("", damaged)
    except credit.model.BadModel:
        return
    assert np.isfinite(m.value(0, [1, 2, 3]))
