"""A report as one HTML page that needs nothing else."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape

from marlpit.ablate._document import Block, Heading, Listing, Mark, Paragraph, Picture, Table, Text

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; line-height: 1.3; margin-top: 2.2rem; }
p, li, h1, h2 { overflow-wrap: anywhere; } p { max-width: 50rem; }
p.outcome { font-size: 1.05rem; background: #eef4fa; border-left: 4px solid #0072b2; padding: .6rem .8rem; }
.wide { overflow-x: auto; margin: .6rem 0 1.2rem; } .wide img { display: block; max-width: 100%; height: auto; }
figure { margin: 1rem 0; } figcaption { max-width: 50rem; font-size: 13px; color: #444; }
table { border-collapse: collapse; font-size: 12.5px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
th { font-weight: 600; border-bottom: 2px solid #999; vertical-align: bottom; } td { white-space: nowrap; }
td.long { white-space: normal; min-width: 14rem; overflow-wrap: anywhere; }
.few { color: #a33; } tr.primary { background: #faf3e0; }
code { font-size: 12px; background: #f4f4f4; padding: .1rem .25rem; overflow-wrap: anywhere; }
@media (max-width: 700px) { body { margin-top: 1rem; } .wide img { max-width: 44rem; } }
"""
LONG = 40  # letters from which a cell has several lines


def page(blocks: Sequence[Block], pictures: Mapping[str, bytes]) -> str:
    """Writes the page.

    Args:
        blocks: What it says.
        pictures: Name of each of its pictures to the SVG.
    """
    body = "\n".join(_html(b, pictures) for b in blocks)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Ablation</title><style>{STYLE}</style></head>\n"
        f"<body>\n<h1>Reward schemes compared</h1>\n{body}\n</body></html>\n"
    )


def _html(b: Block, pictures: Mapping[str, bytes]) -> str:
    if isinstance(b, Heading):
        return f"<h{b.level}>{escape(b.text)}</h{b.level}>"
    if isinstance(b, Paragraph):
        return f"<p{' class=outcome' if b.outcome else ''}>{_inline(b.text)}</p>"
    if isinstance(b, Listing):
        return f'<ol start="0">{"".join(f"<li>{escape(e)}</li>" for e in b.entries)}</ol>'
    if isinstance(b, Picture):
        data = base64.b64encode(pictures[b.name]).decode()
        image = f'<img alt="{escape(b.alt)}" src="data:image/svg+xml;base64,{data}">'
        return f'<figure><div class="wide">{image}</div><figcaption>{escape(b.caption)}</figcaption></figure>'
    return _table(b)


def _table(t: Table) -> str:
    top = "".join(f"<th>{escape(h)}</th>" for h in t.head)
    rows = "".join(
        f"<tr{' class=primary' if n in t.marked else ''}>{''.join(map(_cell, row))}</tr>" for n, row in enumerate(t.rows)
    )
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table></div>'


def _cell(text: Text) -> str:
    letters = sum(len(t.text if isinstance(t, Mark) else t) for t in text)
    return f"<td{' class=long' if letters > LONG else ''}>{_inline(text)}</td>"


def _inline(text: Text) -> str:
    tags = {"strong": "<b>{}</b>", "code": "<code>{}</code>", "few": '<span class="few">{}</span>'}
    return "".join(tags[t.kind].format(escape(t.text)) if isinstance(t, Mark) else escape(t) for t in text)
