"""The generated reference is what the docstrings say."""

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[1] / "tools" / "apidoc.py"


def test_reference_is_fresh():
    """`make docs` was run after the last change of a docstring."""
    run = subprocess.run([sys.executable, str(TOOL), "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
