"""The console script: it becomes the Go program."""

from __future__ import annotations

import os
import subprocess
import sys

from marlpit._launcher import server_binary
from marlpit.errors import MarlpitError


def main() -> int:
    """Runs the marlpit program with this process's arguments.

    Returns:
        Its exit code.
    """
    try:
        binary = server_binary()
    except MarlpitError as e:
        print(f"marlpit: {e}", file=sys.stderr)
        return 1
    if os.name != "nt":
        os.execv(binary, [binary, *sys.argv[1:]])
    return subprocess.run([binary, *sys.argv[1:]], check=False).returncode
