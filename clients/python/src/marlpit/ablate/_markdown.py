"""A report as a page of Markdown, with its pictures beside it: a repository shows it as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from marlpit.ablate._document import Block, Heading, Listing, Mark, Paragraph, Picture, Text


def markdown(blocks: Sequence[Block]) -> str:
    """Writes the page, as GitHub reads it."""
    return "\n\n".join(["# Reward schemes compared", *map(_block, blocks)]) + "\n"


def _block(b: Block) -> str:
    if isinstance(b, Heading):
        return f"{'#' * b.level} {_escaped(b.text)}"
    if isinstance(b, Paragraph):
        return _inline(b.text)
    if isinstance(b, Listing):
        return "\n".join(f"{n}. {_escaped(e)}" for n, e in enumerate(b.entries))
    if isinstance(b, Picture):
        return f"![{_escaped(b.alt)}]({quote(b.name)}.png)\n\n{_escaped(b.caption)}"
    rows = [[_inline([h]) for h in b.head], ["---"] * len(b.head), *([_inline(c) for c in row] for row in b.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _inline(text: Text) -> str:
    return "".join(_marked(t) if isinstance(t, Mark) else _escaped(t) for t in text)


def _marked(m: Mark) -> str:
    if m.kind == "code":
        words = " ".join(m.text.split()).replace("|", "\\|")
        ticks = "`" * (1 + max(map(len, re.findall("`+", words)), default=0))
        room = " " if words[:1] == "`" or words[-1:] == "`" else ""
        return f"{ticks}{room}{words}{room}{ticks}"
    inside = m.text.strip()
    mark = "**" if m.kind == "strong" else ""
    return m.text.replace(inside, f"{mark}{_escaped(inside)}{mark}") if inside else ""


def _escaped(text: str) -> str:
    """Text that means nothing to Markdown, on one line."""
    return re.sub(r"([\\`*<>|#~$]|\](?=\()|(?<!\w)_|_(?!\w))", r"\\\1", re.sub(r"\s+", " ", text))
