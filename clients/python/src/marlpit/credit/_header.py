"""What a model file says of itself, checked as the Go program checks it."""

from __future__ import annotations

import math
from typing import Any

import msgspec

MAGIC = b"marlpit\x01"
FORMAT = 2  # files of format 1, which have no report, are read, too
HIDDEN = 32  # tanh units of every net
KINDS = ("agents", "shared", "coin", "shared-labels")

MAX_HEADER = 1 << 18  # bytes
MAX_TEXT = 4096  # bytes of one text
MAX_AGENTS = 256
MAX_SIZE = 1 << 16  # features of one net
MAX_WEIGHTS = 1 << 22  # of all nets together
MAX_WEIGHT = 1e4  # absolute value of one
MIN_SD, MAX_SD = 1e-6, 1e6


class BadModel(Exception):
    """The bytes are no model file; the message says why."""


class Accuracy(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How often a net agrees with held-out votes that aren't ties.

    Attributes:
        right: Votes it agrees with.
        n: Votes that aren't ties.
        ties: Votes that say nothing; not in `n`.
        low: Of the 95 % interval of right / n.
        high: Likewise.
    """

    right: int
    n: int
    ties: int
    low: float
    high: float


class Net(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One scoring net.

    Attributes:
        agent: Whose; empty for the one of a shared model.
        input: ``"state"`` or ``"focus"``.
        features: It reads.
        hidden: Its units.
        sd: Standard deviation of Δσ over the training transitions; 0: σ is flat.
        mean: Of σ over the training states, already taken off.
        held_out: Agreement with held-out votes.
    """

    agent: str
    input: str
    features: int
    hidden: int
    sd: float
    mean: float
    held_out: Accuracy


class World(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The world a model belongs to.

    Attributes:
        env: Its id.
        params: Its parameters.
        agents: Their names.
        obs_version: Of the observation and state layout.
        state_size: Elements of the state.
        focus_sizes: Features of each agent's own view; empty where there are none.
    """

    env: str
    params: dict[str, Any] | None
    agents: list[str]
    obs_version: int
    state_size: int
    focus_sizes: list[int] | None


class Votes(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a critic was asked and said.

    Attributes:
        asked: Votes asked for.
        valid: That could be read.
        tie: Of the valid.
        invalid: That could not be read.
    """

    asked: int
    valid: int
    tie: int
    invalid: int


class Header(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a model is and where it comes from.

    Attributes:
        format: Of the file.
        version: Of the model.
        name: Of the model.
        kind: ``"agents"``, ``"shared"``, ``"coin"`` or ``"shared-labels"``.
        world: It belongs to.
        nets: One for each agent, or one.
        pairs: Fitted and held out.
        frames: Of collection, to be charged to whatever is learnt from the model.
        seeds: Of collection, then of fitting.
        critic: Who voted.
        prompt: Hash of the prompt's template; empty where nothing was prompted.
        votes: What the critic said.
        created_by: Program and version.
        report: What `fit` printed.
    """

    format: int
    version: int
    name: str
    kind: str
    world: World
    nets: list[Net]
    pairs: int
    frames: int
    seeds: list[int] | None
    critic: str
    prompt: str
    votes: Votes
    created_by: str
    report: dict[str, Any] | None = None


def read_header(raw: bytes) -> Header:
    """Reads and checks the JSON part of a file.

    Args:
        raw: It.

    Returns:
        The header.

    Raises:
        BadModel: Something is missing, unknown, or out of range.
    """
    try:
        header = msgspec.json.decode(raw, type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as e:
        raise BadModel(f"header: {e}") from None
    why = _wrong(header)
    if why:
        raise BadModel(f"header: {why}")
    return header


def _wrong(h: Header) -> str:
    """Says what is wrong with a header; nothing where all is well."""
    votes = h.votes
    if not 1 <= h.format <= FORMAT:
        return f"format {h.format}, this version reads 1 to {FORMAT}"
    if h.format == 1 and (h.report is not None or h.kind == "shared-labels"):
        return "format 1 has no report and no kind shared-labels"
    if not 1 <= h.version <= 1 << 24:
        return f"version {h.version}, want 1 to {1 << 24}"
    if h.kind not in KINDS:
        return f"kind {h.kind[:40]!r}, want one of {', '.join(KINDS)}"
    if min(h.pairs, h.frames, votes.asked, votes.valid, votes.tie, votes.invalid) < 0:
        return "a count is negative"
    for text in (h.name, h.critic, h.prompt, h.created_by, h.world.env):
        if len(text.encode()) > MAX_TEXT:
            return f"a text of {len(text.encode())} bytes, want at most {MAX_TEXT}"
    want = 1 if h.kind == "shared" else len(h.world.agents)
    why = _wrong_world(h.world)
    if not why and len(h.nets) != want:
        why = f"{len(h.nets)} nets, want {want}"
    for i in range(0 if why else want):
        why = why or _wrong_net(h, i)
    total = sum(n.features * HIDDEN + 2 * HIDDEN + 1 for n in h.nets)
    if not why and total > MAX_WEIGHTS:
        why = f"{total} weights, want at most {MAX_WEIGHTS}"
    if not why and h.report is not None and len(h.report.get("nets") or ()) != want:
        why = f"report: {len(h.report.get('nets') or ())} nets, want {want}"  # the rest of it is for readers only
    return why


def _wrong_world(w: World) -> str:
    if not w.env:
        return "the world has no id"
    if not 1 <= len(w.agents) <= MAX_AGENTS:
        return f"{len(w.agents)} agents, want 1 to {MAX_AGENTS}"
    if not 1 <= w.state_size <= MAX_SIZE:
        return f"state of {w.state_size} elements, want 1 to {MAX_SIZE}"
    sizes = w.focus_sizes or []
    if sizes and len(sizes) != len(w.agents):
        return f"{len(sizes)} focus sizes for {len(w.agents)} agents"
    for n in sizes:
        if not 1 <= n <= MAX_SIZE:
            return f"{n} focus features, want 1 to {MAX_SIZE}"
    for name, v in (w.params or {}).items():
        if not isinstance(v, (str, bool, int, float)) or (isinstance(v, str) and len(v.encode()) > MAX_TEXT):
            return f"parameter {name[:40]!r} is {type(v).__name__}, want a string, boolean or number"
    return ""


def _wrong_net(h: Header, i: int) -> str:
    n, w = h.nets[i], h.world
    name, size = "" if h.kind == "shared" else w.agents[i], w.state_size
    if n.input == "focus":
        if h.kind == "shared":
            return "a shared net reads the state"
        if not w.focus_sizes:
            return f"net {i} reads focus features of a world without any"
        size = w.focus_sizes[i]
    elif n.input == "state" and h.kind == "shared-labels":
        return f"net {i}: one of shared-labels reads the agent's own view"
    elif n.input != "state":
        return f"net {i}: input {n.input[:40]!r}, want state or focus"
    a = n.held_out
    if n.agent != name:
        return f"net {i} is of agent {n.agent[:40]!r}, want {name!r}"
    if n.hidden != HIDDEN or n.features != size:
        return f"net {i}: {n.features} features and {n.hidden} units, want {size} and {HIDDEN}"
    if (n.sd != 0 and not MIN_SD <= n.sd <= MAX_SD) or math.copysign(1, n.sd) < 0:
        return f"net {i}: sd {n.sd}, want 0 or {MIN_SD} to {MAX_SD}"
    if not (0 <= a.right <= a.n and a.ties >= 0 and 0 <= a.low <= a.high <= 1):
        return f"net {i}: held-out accuracy {a}"
    return ""
