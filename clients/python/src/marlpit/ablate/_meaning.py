"""Settings of rankers that say nothing to whom is asked: a plan that has one means something else than it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from marlpit.ablate._plan import ASKING
from marlpit.errors import Invalid

TO = {  # critics that come with the program, to the settings that the others don't know
    "oracle": {"error_rate", "noise"},
    "coin": set[str](),
    "rule": set[str](),
    "first": set[str](),
    "human": {"human_votes"},
    "openai": {"model", "base_url", "ask", "threshold", "samples", "max_tokens", *ASKING} - {"concurrency"},
}


def meaningful(plan: Mapping[str, Any], where: str) -> None:
    """Refuses a setting that says nothing to any critic of a plan, and settings of asking beside votes that are there.

    A table hands on to those below it, so that what stands in one may be meant for another's critic.

    Raises:
        Invalid: There is one.
    """
    tables = list(_tables(plan))
    above = [t for at, t in tables if at in ("", "part")]
    critics = {t["critic"] for _, t in tables if isinstance(t.get("critic"), str)}
    if not any("critic" in t for t in above):
        critics.add("oracle")
    for at, table in tables:
        # In a plan's table queries are the coin's as well.
        asks = sorted({"critic", *set().union(*TO.values()), *(["queries"] if at.startswith("arms") else [])} & set(table))
        if "votes" in table and asks:
            raise Invalid(f"{where}, {at or 'ranker'}: {asks[0]} says nothing beside votes, which are there already")
        if critics <= set(TO) and not any("critics" in t for _, t in tables):
            who = {table["critic"]} if at.startswith("arms") and "critic" in table else critics  # an arm hands nothing on
            if lost := sorted(set(table) & (set().union(*TO.values()) - set().union(*(TO[c] for c in who)))):
                raise Invalid(f"{where}, {at or 'ranker'}: {lost[0]} says nothing to {' or '.join(sorted(who))}")


def _tables(plan: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields all tables of rankers with where they stand; what is none is refused elsewhere."""
    places = [
        ("", plan),
        *(("part", p) for p in plan.get("part", [])),
        *((f"arms.{k}", a) for k, a in plan.get("arms", {}).items()),
    ]
    for at, place in places:
        found = place.get("ranker") if isinstance(place, Mapping) else None
        if isinstance(found, Mapping):
            yield at, found
