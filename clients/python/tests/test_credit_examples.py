"""The examples of docs/your-own-environment.md run, and the page shows their code."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from marlpit import credit

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PAGE = EXAMPLES.parents[2] / "docs" / "your-own-environment.md"


def example(name: str, needs: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Imports an example, where its environment's library is installed."""
    pytest.importorskip(needs)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    module = __import__(name)
    sys.modules.pop(name)
    return module


ORACLE = {"critic": "oracle", "error_rate": 0.25, "queries": 3}


@pytest.mark.parametrize("critic", [{"critic": "rule"}, ORACLE], ids=str)
def test_simple_spread(critic: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spread = example("credit_simple_spread", "mpe2", monkeypatch)
    got = spread.run(critic, tmp_path, 600)
    assert got["recording"].kept > 400
    assert got["critic"] == pytest.approx(0.84 if "error_rate" in critic else 1, abs=0.1)
    assert got["model"] > 0.75
    assert min(got["paid"]["agent_0"], got["paid"]["agent_1"]) > got["paid"]["agent_2"] + 0.2, "credit tells who drifts"
    parallel_api_test(wrapped_spread(spread, tmp_path), num_cycles=60)


def wrapped_spread(spread: ModuleType, folder: Path) -> credit.CreditEnv:
    return credit.wrap(
        spread.simple_spread_v3.parallel_env(), model=folder / "spread.credit", state=spread.state, features=spread.features,
        focus=spread.focus, success=spread.success,
    )  # fmt: skip


@pytest.mark.parametrize("critic", [{"critic": "rule"}, ORACLE], ids=str)
def test_lbforaging(critic: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foraging = example("credit_lbforaging", "lbforaging", monkeypatch)
    parallel_api_test(foraging.Foraging(), num_cycles=120)
    parallel_seed_test(foraging.Foraging, num_cycles=60)
    got = foraging.run(critic, tmp_path, 1500)
    assert got["critic"] == pytest.approx(0.84 if "error_rate" in critic else 1, abs=0.1), "three votes of one in four wrong"
    assert got["model"] > 0.9
    assert got["paid"]["player_0"] > got["paid"]["player_1"] + 0.2


def test_toy() -> None:
    done = subprocess.run([sys.executable, EXAMPLES / "credit_toy.py"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    paid = ast.literal_eval(done.stdout)
    assert paid["red"] > 0.05 > 0 > paid["blue"], "it moved on, the other pays for the step"


def test_plain_words_name_no_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    spread = example("credit_simple_spread", "mpe2", monkeypatch)
    env = spread.simple_spread_v3.parallel_env()
    env.reset(seed=0)
    before = spread.state(env)
    for _ in range(3):
        env.step(dict.fromkeys(env.agents, 1))
    words = spread.describe(before, spread.state(env), "agent_1")
    assert "is the one for" in words["guided"]
    assert "is the one for" not in words["plain"]
    assert words["guided"] != spread.describe(spread.state(env), before, "agent_1")["guided"]


def test_the_page_shows_the_examples_code() -> None:
    code = [p.read_text() for p in sorted(EXAMPLES.glob("credit_*.py"))]
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) >= 5
    for block in blocks:
        assert any(block in c or textwrap.indent(block, "    ") in c for c in code), f"in no example:\n{block}"
        compile(block, str(PAGE), "exec")
