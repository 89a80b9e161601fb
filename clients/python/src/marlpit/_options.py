"""Options of the package's own commands, as argparse reads them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from marlpit.errors import Invalid, MarlpitError


def param(text: str) -> tuple[str, Any]:
    """Reads KEY=VALUE; a value that is no number and no boolean is a text."""
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"want KEY=VALUE, got {text!r}")
    try:
        read = json.loads(value)
    except ValueError:
        return key, value
    return key, read if isinstance(read, (bool, int, float)) else value


def carried_out(p: argparse.ArgumentParser, work: Callable[[], int]) -> int:
    """Does a command's work and gives its exit code; what went wrong is said on standard error.

    Args:
        p: Of the command.
        work: Does it, and gives a code of its own.

    Returns:
        The work's code; 1 where it failed, 130 where it was interrupted. A wrong call exits with 2.
    """
    try:
        return work()
    except Invalid as e:
        p.exit(2, f"{p.prog}: error: {e}\n")  # without the usage, which is for flags that don't exist
    except MarlpitError as e:
        print(f"{p.prog}: {e}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\n{p.prog}: interrupted; the same call goes on", file=sys.stderr)
        return 130
