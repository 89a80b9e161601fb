"""Options of the package's own commands, as argparse reads them."""

from __future__ import annotations

import argparse
import json
from typing import Any


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
