"""What would fail in each run is refused before anything is begun, and nobody is asked meanwhile."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("scipy")

from marlpit.ablate._command import main

PLAN = """
env = "two-switch-v1"
algos = ["mappo-numpy"]
seeds = 1
rewards = ["none", "x"]
[arms.x]
scheme = "credit"
options = {scale = 0.1}
ranker = {queries = 1}
"""


def carry_out(text: str, folder: Path) -> int:
    (folder / "plan.toml").write_text(text)
    return main(["run", str(folder / "plan.toml"), "--out", str(folder / "runs"), "--dry-run"])


@pytest.mark.parametrize(
    ("was", "comes", "says"),
    [
        ("two-switch-v1", "two-swich-v1", 'part main, two-swich-v1, none: .*did you mean "two-switch-v1"'),
        ("algos", "params = {heigth = 3}\nalgos", 'none: .*no parameter "heigth": did you mean "height"'),
        ("queries = 1", 'error_rate = "x"', 'part main, two-switch-v1, x: --error-rate: expected a float but got "x"'),
        ("queries = 1", "error_rate = 2", "the error rate is a number from 0 to 1, got 2"),
        ("queries = 1", "queries = 0", "x: --queries is 1 to"),
        ("queries = 1", 'noise = "foo"', "x: --noise must be one of"),
        ("queries = 1", 'critic = "nobody"', "x: --critic nobody is none of"),
        ("queries = 1", 'critic = "openai", model = "m", base_url = "htp://x"', "x: .*htp://x"),
        ("queries = 1", 'critic = "openai", model = "m"', "x: ranker: base_url is missing"),
        ("queries = 1", 'input = "foo"', "x: --input must be one of"),
        ("queries = 1", "ensemble = 99", "x: --ensemble is 1 to 32, got 99"),
        ("scale", "scael", 'x: .*no option "scael"'),
    ],
)
def test_what_each_run_would_fail_of(was: str, comes: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as e:
        carry_out(PLAN.replace(was, comes, 1), tmp_path)
    assert e.value.code == 2
    assert re.search(f"error: part main.*{says}|error: {says}", capfd.readouterr().err.splitlines()[-1])
    assert not (tmp_path / "runs").exists()


def test_an_endpoint_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARLPIT_ERROR_RATE", "7")  # of the program's flags; a plan's runs don't see them
    assert carry_out(PLAN.replace("queries = 1", 'critic = "openai", model = "m", base_url = "http://127.0.0.1:9/v1"'), tmp_path)


def test_models_that_are_there_are_tried(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert carry_out(PLAN.replace("ranker = {queries = 1}", 'model = "shipped"'), tmp_path)
    with pytest.raises(SystemExit):  # it is another world's
        carry_out(
            PLAN.replace("ranker = {queries = 1}", 'model = "shipped"').replace("algos", "params = {height = 9}\nalgos"), tmp_path
        )
    assert "part main, two-switch-v1+height=9, x: " in capfd.readouterr().err
    (tmp_path / "other.credit").write_bytes(b"none")
    with pytest.raises(SystemExit):
        carry_out(PLAN.replace("ranker = {queries = 1}", 'model = "other.credit"'), tmp_path)
    assert "part main, two-switch-v1, x: " in capfd.readouterr().err
