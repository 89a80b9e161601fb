"""What a report says, as blocks that a page of HTML or of Markdown is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from marlpit.ablate._critics import SCORES, Prediction, predictions
from marlpit.ablate._gaps import failures, not_run
from marlpit.ablate._load import Study
from marlpit.ablate._outcome import METRIC, UNITS, outcomes
from marlpit.ablate._stats import RESAMPLES
from marlpit.ablate._summary import LEVELS, Censored, Line, Verdict, horizons
from marlpit.ablate._tables import interval
from marlpit.ablate._words import amount, places, plural


@dataclass(frozen=True)
class Mark:
    """A piece of text that looks different: `strong`, `code`, or `few` for what a reader should beware of."""

    text: str
    kind: str


Inline = str | Mark
Text = Sequence[Inline]  # one after the other; a str is text as it is


@dataclass(frozen=True)
class Heading:
    """Of a section; level 2 or 3."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """Some sentences; `outcome` where they say what the study found."""

    text: Text
    outcome: bool = False


@dataclass(frozen=True)
class Table:
    """Rows below a head; `marked` are the numbers of rows that matter most."""

    head: Sequence[str]
    rows: Sequence[Sequence[Text]]
    marked: Sequence[int] = ()


@dataclass(frozen=True)
class Picture:
    """A picture of a part: the name of its files without their endings, and what it shows, in short and in full."""

    name: str
    part: str
    alt: str
    caption: str


@dataclass(frozen=True)
class Listing:
    """Numbered entries, from 0."""

    entries: Sequence[str]


Block = Heading | Paragraph | Table | Listing | Picture


def document(
    study: Study, lines: Sequence[Line], totals: Sequence[Line], verdicts: Sequence[Verdict], pictures: Sequence[Picture]
) -> list[Block]:
    """Writes a report.

    Args:
        study: The runs.
        lines: A line for each arm.
        totals: A line for each arm over all worlds and learners.
        verdicts: The comparisons.
        pictures: Of its parts.
    """
    blocks = [*_head(study, verdicts), *_comparisons(study, verdicts)]
    for part in dict.fromkeys(line.key[0] for line in lines):
        blocks.append(Heading(f"Part {part}: curves and numbers"))
        blocks += [p for p in pictures if p.part == part]
        blocks += _lines([line for line in (*lines, *totals) if line.key[0] == part])
    return [*blocks, *_critics(predictions(study)), *_tuning(study), *_failed(study), *_not_run(study), *_made(study)]


def _head(study: Study, verdicts: Sequence[Verdict]) -> list[Block]:
    runs, lost = study.runs, len(study.missing())
    out: list[Block] = [Paragraph([Mark(title, "strong"), " ", says], outcome=True) for title, says in outcomes(study, verdicts)]
    more, failed = study.unplanned(), sum(k.startswith("runs/") for k in study.failed)
    there = plural(len(runs) - more, "run")
    if study.planned:
        there += f" of {len(study.planned):,} that were planned" + (f"; {lost:,} missing" if lost else "")
    there += f", {failed:,} of them failed" if failed else ""
    there += f"; {more:,} more from CSV" if more else ""
    out.append(Paragraph([f"{there}. What is missing is left out, never counted as 0."]))
    if not runs:
        return out
    out.append(
        Paragraph([
            "Success and team return are the game's own, on held-out starts, whatever the learner was paid. Frames include those "
            "of collecting pairs. Numbers are interquartile means over seeds (the mean of the middle half; of three runs and "
            "fewer, the mean) with 95 % stratified bootstrap intervals; frames to a level are restricted means: a run that never "
            "got there counts with all its frames, and is counted beside it. An interval of no width says that all runs agree, "
            "not that the next one will."
        ])
    )  # fmt: skip
    ends = horizons(runs)
    if len(set(ends.values())) == 1:
        out.append(
            Paragraph([f"Compared up to {next(iter(ends.values())):,.0f} frames, the last evaluation of the shortest run."])
        )
    else:
        rows = [[[part], [world], [f"{end:,.0f}"]] for (part, world), end in ends.items()]
        out += [
            Paragraph(["Runs of a world are compared up to the last evaluation of the shortest of them:"]),
            Table(["part", "world", "frames"], rows),
        ]
    for part in dict.fromkeys(p for p, _ in ends):
        mine = [end for (p, _), end in ends.items() if p == part]
        if min(mine) < 0.9 * max(mine):
            says = "over all worlds, frames to a level tell of the longer ones above all; success and area count worlds alike."
            out.append(Paragraph([Mark(f"{part}: its worlds have different budgets: {says}", "few")]))
    for (part, world), end in ends.items():
        longest = max(r.frames[-1] for r in runs if (r.part, r.world) == (part, world))
        if end < 0.9 * longest:
            out.append(Paragraph([Mark(f"{part}, {world}: other runs are longer, up to {longest:,.0f} frames.", "few")]))
    return out


def _comparisons(study: Study, verdicts: Sequence[Verdict]) -> list[Block]:
    lost = [c.name for c in study.comparisons if not any(v.of == c for v in verdicts)]
    unsaid = [Paragraph([f"Nothing can be said yet, for no seed has runs of both: {'; '.join(lost)}."])] if lost else []
    title = Heading("Comparisons: is one reward better than another?")
    if not verdicts:
        return [title, *unsaid] if lost else []
    head = ["comparison", "part", "number", "pairs", "difference", "probability of improvement", "pairs won", "p", "p, Holm"]
    rows: list[Sequence[Text]] = []
    first = sorted(verdicts, key=lambda v: not v.of.primary)
    for v in first:
        unit, digits = UNITS[v.of.metric]
        r = v.result
        few = [Mark(f" ({plural(r.pairs, 'pair')} can't give less than {r.least:.2g})", "few")] if r.least > 0.05 else []
        rows.append([
            [v.of.name, *([Mark(" (primary)", "strong")] if v.of.primary else [])],
            [": ".join([v.part, *([", ".join(v.of.worlds)] if v.of.worlds else [])])], [METRIC[v.of.metric]], [str(r.pairs)],
            [interval(r.difference, unit, digits)], [interval(r.improvement)], [interval(r.won)], [f"{r.p:.2g}", *few],
            [f"{v.corrected:.2g}"],
        ])  # fmt: skip
    note = (
        "Differences are first minus second, seed by seed, over all worlds and learners of a part; of frames, less is better. "
        "The probability of improvement (Agarwal et al. 2021) is that a run of the first is better than a run of the second, all "
        "seeds against all, in the mean over worlds and learners; pairs won are those of equal seeds alone; ties count half in "
        f"both. Intervals resample seeds, with the runs of both ({RESAMPLES:,} times). p is two-sided, from exchanging the two "
        f"of each pair at random, and then corrected by Holm over {plural(len(verdicts), 'comparison')}."
    )
    return [
        title,
        Table(head, rows, [i for i, v in enumerate(first) if v.of.primary]),
        Paragraph([note]),
        *unsaid,
    ]


def _lines(lines: Sequence[Line]) -> list[Block]:
    head = ["world", "learner", "reward", "seeds", "success at the end", "team return", "area under success"]
    head += [f"thousand frames to {level:.0%}" for level in LEVELS.values()] + [
        "thousand frames for pairs",
        "CPU-seconds",
        "tokens",
    ]
    rows: list[Sequence[Text]] = []
    for line in lines:
        _, world, algo, arm = line.key
        seeds: Inline = Mark(f"{line.seeds} of {line.planned}", "few") if line.seeds < line.planned else str(line.seeds)
        rows.append([
            [world or "all"], [algo or "all"], [arm], [seeds],
            *([interval(e)] for e in (line.success, line.team_return, line.area)),
            *([_censored(c, line.seeds)] for c in (line.to50, line.to80)),
            *([amount(x)] for x in (line.charged / 1000, line.cpu_seconds, line.tokens)),
        ])  # fmt: skip
    return [Table(head, rows)]


def _censored(c: Censored, runs: int) -> str:
    return interval(c.mean, 1000, None) + (f", {c.never} of {runs} never" if c.never else "")


def _critics(found: Sequence[Prediction]) -> list[Block]:
    if not found:
        return []
    rows = [
        [
            [f.part],
            [f.world],
            [f.algo],
            [SCORES[f.score]],
            [METRIC[f.metric]],
            [str(len(f.arms))],
            [interval(f.rho)],
            [f"{f.p:.2g}"],
        ]
        for f in found
    ]
    text = (
        "Over the rewards of a part whose rankers can be compared with exact credit; intervals resample rewards, p is two-sided, "
        "from exchanging the scores of the rewards at random, and not corrected."
    )
    return [
        Heading("Does the ranker's score tell how training goes?"),
        Paragraph([text]),
        Table(["part", "world", "learner", "score before training", "against", "rewards", "Spearman's ρ", "p"], rows),
    ]


def _tuning(study: Study) -> list[Block]:
    if not study.tuning:
        return []
    tried = ["; ".join(f"{k} {v}" for k, v in c.items()) or "the plan's own" for c in study.tried]
    rows: list[Sequence[Text]] = []
    for t in study.tuning:
        scores: list[Text] = [["–" if s is None else f"{s:.2f}" + (" ←" if i == t.best else "")] for i, s in enumerate(t.scores)]
        rows.append([*([k] for k in t.key), [amount(t.frames / 1000)], *scores, *[["–"]] * (len(tried) - len(scores))])
    text = (
        "These arms, and no others, were tuned: all with the same configurations and seeds, none of them a reported one. The "
        "number is the mean area under the curve of success, ← the best so far, – not complete. Frames of tuning are in no curve."
    )
    numbers = [str(i) for i in range(len(tried))]
    return [
        Heading("Tuning: what was tried"),
        Paragraph([text]),
        Table(["part", "world", "learner", "reward", "thousand frames", *numbers], rows),
        Paragraph(["The configurations:"]),
        Listing(tried),
    ]


def _failed(study: Study) -> list[Block]:
    if not study.failed:
        return []
    rows: list[Sequence[Text]] = []
    for f in failures(study.failed):
        folders: list[Inline] = []
        for folder in f.folders:
            folders += [*([", "] if folders else []), Mark(folder, "code")]
        rows.append([[f.why], [f"{f.times:,}"], [*folders, f.others]])
    return [Heading("Failed: left out of all numbers"), Table(["why", "times", "folders"], rows)]


def _not_run(study: Study) -> list[Block]:
    gaps = not_run(study)
    if not gaps:
        return []
    rows = [[*([w] for w in g.where), [g.seeds], [g.missing]] for g in gaps]
    text = f"{plural(sum(g.runs for g in gaps), 'planned run')} not begun or not finished; equal gaps are one row."
    head = ["part", "world", "learner", "reward", "seeds", "not run"]
    return [Heading("Not run"), Paragraph([text]), Table(head, rows)]


def _made(study: Study) -> list[Block]:
    rows = []
    for c in study.calls:
        versions = ", ".join(f"{k} {v}" for k, v in c["versions"].items())
        rows.append([[c["at"]], [Mark(c["command"], "code")], [f"{versions}; {c['revision']}"]])
    out: list[Block] = [Heading("How it was made"), Paragraph([_hours(study)])]
    return [*out, Table(["at", "call", "versions; git revision"], rows)] if rows else out


def _hours(study: Study) -> str:
    known = [r.cpu_seconds[-1] for r in study.runs if not isnan(r.cpu_seconds[-1])]
    if not known:
        return "CPU-seconds of the reported runs are unknown." if study.runs else "No run is reported."
    rest = len(study.runs) - len(known)
    hours, of = sum(known) / 3600, plural(len(known), "run") if rest else "the reported runs"
    lost = f" Those of {plural(rest, 'other')} are unknown." if rest else ""
    return f"{hours:.{max(2, places(hours))}f} CPU-hours for {of}, each with the whole cost of its votes and σ.{lost}"
