"""Reading a model's reply as an action, strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

# action_type → the keys it needs and those it may have, each with its kind. The set is AndroidWorld's.
ACTIONS: dict[str, tuple[dict[str, type], dict[str, type]]] = {
    "click": ({"index": int}, {}),
    "long_press": ({"index": int}, {}),
    "input_text": ({"index": int, "text": str}, {}),
    "keyboard_enter": ({}, {}),
    "navigate_home": ({}, {}),
    "navigate_back": ({}, {}),
    "scroll": ({"direction": str}, {"index": int}),
    "open_app": ({"app_name": str}, {}),
    "wait": ({}, {}),
    "answer": ({"text": str}, {}),
    "status": ({"goal_status": str}, {}),
}
WORDS = {"direction": ("up", "down", "left", "right"), "goal_status": ("complete", "infeasible")}
MOST_REASON = 2000  # bytes of an agent's words to its successors

_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*?)\n?```\Z", re.DOTALL)


class BadAction(ValueError):
    """A reply that is no action; the message is written for the model that gave it."""


def parse_action(reply: str, observation: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Reads one action: a JSON object and nothing else, or that in one Markdown fence.

    Args:
        reply: What the model said.
        observation: What it saw: an index has to be one of its elements'.

    Returns:
        The action, as `marlpit.ParallelEnv.propose` takes it; a ``reason`` that is too long is cut off.

    Raises:
        BadAction: It is something else: the message says what was expected and what came.
    """
    text = reply.strip()
    if fenced := _FENCE.match(text):
        text = fenced.group(1)
    if not text:
        raise BadAction("the reply is empty; one JSON object is expected")
    try:
        action = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except BadAction:
        raise
    except (ValueError, RecursionError) as e:
        raise BadAction(f"the reply is one JSON object and nothing else; it can't be read: {str(e)[:200]}") from None
    if not isinstance(action, dict):
        raise BadAction(f"the reply is a JSON object, got {_short(action)}")
    _check(action, observation)
    if "reason" in action:
        action["reason"] = action["reason"].encode()[:MOST_REASON].decode(errors="ignore")
    return action


def _check(action: dict[str, Any], observation: Mapping[str, Any] | None) -> None:
    kind = action.get("action_type")
    if not isinstance(kind, str) or kind not in ACTIONS:
        raise BadAction(f"action_type is one of {', '.join(ACTIONS)}, got {_short(kind)}")
    needed, allowed = ACTIONS[kind]
    known = {**needed, **allowed, "reason": str}
    for key in needed:
        if key not in action:
            raise BadAction(f"{kind} needs {key}")
    for key, value in action.items():
        if key == "action_type":
            continue
        if key not in known:
            raise BadAction(f"{kind} has no {_short(key)}; it has {', '.join(known)}")
        if type(value) is not known[key]:
            raise BadAction(f"{key} is {'a whole number' if known[key] is int else 'a text'}, got {_short(value)}")
        if key in WORDS and value not in WORDS[key]:
            raise BadAction(f"{key} is one of {', '.join(WORDS[key])}, got {_short(value)}")
    if observation is not None and "index" in action:
        there = [e["index"] for e in observation.get("elements", ())]
        if action["index"] not in there:
            span = f"an element from {min(there)} to {max(there)}" if there else "an element, and there is none"
            raise BadAction(f"index is {span}, got {_short(action['index'])}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise BadAction("a key is there twice")
    return out


def _no_number(word: str) -> Any:
    raise BadAction(f"{word} is no JSON")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "…"
