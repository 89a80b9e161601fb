"""What a model file says of itself, checked as the Go program checks it."""

from __future__ import annotations

import math
import sys
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
MAX_INT, MAX_SEED = (1 << 63) - 1, (1 << 64) - 1
MAX_MEMBERS = 32  # of an ensemble
BINS = 10  # of calibration
WEIGHINGS = ("", "equal", "votes", "confidence")


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


class _Calibration(msgspec.Struct, frozen=True):
    bins: list[dict[str, Any]] | None = None


class _NetReport(msgspec.Struct, frozen=True):
    epochs: list[int] | None = None
    calibration: _Calibration = _Calibration()


class _Report(msgspec.Struct, frozen=True):
    """What of a report is checked; the rest is for readers only."""

    members: int
    nets: list[_NetReport]
    weighing: str = ""
    asked: list[dict[str, Any]] | None = None


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
        why = _wrong(header)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as e:
        raise BadModel(f"header: {e}") from None
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
    if max(h.pairs, h.frames, votes.asked, votes.valid, votes.tie, votes.invalid, abs(h.world.obs_version)) > MAX_INT:
        return f"a number is above {MAX_INT}"
    if any(not 0 <= s <= MAX_SEED for s in h.seeds or ()):
        return f"a seed is out of range, want 0 to {MAX_SEED}"
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
    if not why and h.report is not None:
        why = _wrong_report(h.report, len(h.world.agents), want)
    return why


def _wrong_report(raw: dict[str, Any], agents: int, nets: int) -> str:
    try:
        r = msgspec.convert(raw, _Report)
    except msgspec.ValidationError as e:
        return f"report: {e}"
    if not 1 <= r.members <= MAX_MEMBERS:
        return f"report: {r.members} members, want 1 to {MAX_MEMBERS}"
    if r.weighing not in WEIGHINGS:
        return f"report: weighing {r.weighing[:40]!r}"
    if len(r.asked or ()) > agents:
        return f"report: votes on {len(r.asked or ())} agents, want at most {agents}"
    if len(r.nets) != nets:
        return f"report: {len(r.nets)} nets, want {nets}"
    for i, n in enumerate(r.nets):
        if len(n.calibration.bins or ()) > BINS or len(n.epochs or ()) > MAX_MEMBERS:
            return f"report: net {i} has more than {BINS} bins of calibration or {MAX_MEMBERS} members"
    return ""


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
        if isinstance(v, int) and abs(v) > sys.float_info.max:
            return f"parameter {name[:40]!r} is a number that no float64 holds"
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
    if not -MAX_INT <= a.n <= MAX_INT or a.ties > MAX_INT:
        return f"net {i}: a number is above {MAX_INT}"
    if (n.sd != 0 and not MIN_SD <= n.sd <= MAX_SD) or math.copysign(1, n.sd) < 0:
        return f"net {i}: sd {n.sd}, want 0 or {MIN_SD} to {MAX_SD}"
    if not (0 <= a.right <= a.n and a.ties >= 0 and 0 <= a.low <= a.high <= 1):
        return f"net {i}: held-out accuracy {a}"
    return ""
