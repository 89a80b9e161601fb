"""What would fail in each run is refused before anything is begun, and nobody is asked meanwhile."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

pytest.importorskip("scipy")

from marlpit import credit
from marlpit.ablate._command import main
from marlpit.ablate._read import read_plan
from marlpit.errors import Invalid

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
        (
            "queries = 1",
            'critic = "openai", model = "m", base_url = "http://x", key_env = "NO_SUCH"',
            "x: ranker: .*NO_SUCH, which is not set",
        ),
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


def test_votes_that_are_there_are_looked_at(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    db = tmp_path / "two.db"
    credit.collect(env="two-switch-v1", transitions=20, copies=4, steps=50, db=db)
    (tmp_path / "none.db").write_bytes(db.read_bytes())
    credit.label(db=db, critic="rule")
    (tmp_path / "two.db.gz").write_bytes(gzip.compress(db.read_bytes()))
    (tmp_path / "text.db").write_text("no votes")
    (tmp_path / "cut.db.gz").write_bytes((tmp_path / "two.db.gz").read_bytes()[:1000])

    def said(votes: str, **more: str) -> str:
        try:
            text = PLAN.replace("queries = 1", f'votes = "{votes}"' + "".join(f', {k} = "{v}"' for k, v in more.items()))
            assert carry_out(text, tmp_path) == 1
        except SystemExit:
            return capfd.readouterr().err.splitlines()[-1]
        return ""

    assert said("two.db") == said("two.db.gz", annotator="rule") == ""
    assert "x: ranker: " in said("text.db")
    assert "text.db is no file of votes" in said("text.db")
    assert "cut.db.gz is no file of votes" in said("cut.db.gz")
    assert "none.db has no votes by anybody" in said("none.db")
    assert "two.db has no votes by nobody; there are rule version=1 viewpoint=guided" in said("two.db", annotator="nobody")
    credit.label(db=db, critic="coin")
    assert "annotator says whose are meant" in said("two.db")
    high = PLAN.replace("queries = 1", 'votes = "two.db", annotator = "rule"').replace("algos", "params = {height = 9}\nalgos")
    with pytest.raises(SystemExit):
        carry_out(high, tmp_path)
    assert "two.db has votes of two-switch-v1 with height 5, and 9 is wanted" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("was", "comes", "says"),
    [
        ("queries = 1", 'critic = "rule", noise = "iid"', "arms.x: noise says nothing to rule"),
        ("algos", 'ranker = {noise = "iid"}\nalgos', ""),
        ("queries = 1", "samples = 3", "arms.x: samples says nothing to oracle"),
        ("queries = 1", 'critic = "human", timeout = "9s"', "arms.x: timeout says nothing to human"),
        ("algos", 'ranker = {critic = "rule", noise = "iid"}\nalgos', "ranker: noise says nothing to rule"),
        ("queries = 1", 'queries = 1, votes = "x.db"', "arms.x: queries says nothing beside votes"),
        ("algos", "bonus = -1\nalgos", "bonus is a number from 0 to 1000, got -1"),
        ("algos", "step_cost = 1e4\nalgos", "step_cost is a number from 0 to 1000, got 10000.0"),
    ],
)
def test_what_says_nothing(was: str, comes: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("")
    (tmp_path / "plan.toml").write_text(PLAN.replace(was, comes, 1))
    if not says:
        read_plan(tmp_path / "plan.toml")
        return
    with pytest.raises(Invalid, match=says):
        read_plan(tmp_path / "plan.toml")


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
