"""Code blocks of the docs, for the tests that run them as printed."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[4] / "docs"


def blocks(path: str | Path, heading: str, language: str = "python") -> list[str]:
    """Takes a section's code blocks.

    Args:
        path: Of the page; a relative one is looked for in docs/.
        heading: Text of the section's heading, of any level, as printed.
        language: Of the blocks.

    Returns:
        Their texts, in order; those of sub-sections too.

    Raises:
        ValueError: There is no such heading, or no such block below it.
    """
    page = (DOCS / path).read_text("utf-8")
    parts = re.split(r"^(```.*?^```[^\S\n]*$)", page, flags=re.M | re.S)  # every second one is a block
    level, found = 0, []
    seen = False
    for i, part in enumerate(parts):
        if i % 2:
            first, _, rest = part.partition("\n")
            if level and first[3:].strip() == language:
                found.append(rest.rpartition("```")[0])
            continue
        for marks, text in re.findall(r"^(#+) +(.*?)\s*$", part, flags=re.M):
            if level and len(marks) <= level:
                level = 0
            if text == heading and not level:
                level, seen = len(marks), True
    if not seen:
        raise ValueError(f"{path} has no heading {heading!r}")
    if not found:
        raise ValueError(f"{path} has no {language} block under {heading!r}")
    return found
