"""What the package's own commands have in common."""

from __future__ import annotations

import argparse
import subprocess
import sys

import pytest

from marlpit._options import carried_out
from marlpit.errors import Invalid, MarlpitError


@pytest.mark.parametrize(
    ("raised", "code", "says"),
    [
        (MarlpitError("no server"), 1, "python -m toy: no server\n"),
        (KeyboardInterrupt(), 130, "\npython -m toy: interrupted; the same call goes on\n"),
    ],
    ids=str,
)
def test_what_went_wrong_is_an_exit_code(raised: BaseException, code: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        raise raised

    assert carried_out(argparse.ArgumentParser(prog="python -m toy"), work) == code
    assert capsys.readouterr().err == says


def test_a_wrong_call_exits(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        raise Invalid("frames is at least 1")

    with pytest.raises(SystemExit) as e:
        carried_out(argparse.ArgumentParser(prog="python -m toy"), work)
    assert e.value.code == 2
    assert capsys.readouterr().err.endswith("python -m toy: error: frames is at least 1\n")
    assert carried_out(argparse.ArgumentParser(), lambda: 7) == 7


@pytest.mark.parametrize("words", [["--help"], ["report", "nothing"]])
@pytest.mark.parametrize("library", ["scipy", "matplotlib"])
def test_ablate_says_what_to_install(words: list[str], library: str) -> None:
    code = (
        f"import sys; sys.modules[{library!r}] = None; from marlpit.__main__ import main; sys.exit(main(['ablate', *{words!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if (words, library) == (["--help"], "matplotlib"):
        assert done.returncode == 0, "runs don't draw"
    else:
        assert done.returncode == 1
        assert done.stderr.endswith("install marlpit[ablate]\n")
        assert "Traceback" not in done.stderr
