"""A session: copies of a world with one reward scheme, kept by a server."""

from __future__ import annotations

import contextlib
import copy
import functools
import os
import struct
import threading
import weakref
from typing import Any
from urllib.parse import quote

import msgspec
import numpy as np

from marlpit import _checks, _launcher
from marlpit._connection import Connection, Reply
from marlpit.errors import ConnectionLost, Invalid, MarlpitError, NotReset, SessionExpired, Timeout, from_reply

_decode = msgspec.msgpack.decode


def _plain(given: Any) -> Any:
    """Makes numpy's numbers and arrays Python's own."""
    if isinstance(given, np.generic | np.ndarray):
        return given.tolist()
    raise TypeError(f"objects of type {type(given).__name__} don't")


_encoder = msgspec.msgpack.Encoder(enc_hook=_plain)


def _encode(body: object, at: str = "") -> bytes:
    """Encodes a request.

    Raises:
        Invalid: It holds something that can't travel.
    """
    try:
        return _encoder.encode(body)
    except (TypeError, OverflowError, RecursionError) as e:
        raise Invalid(f"this can't travel as JSON does: {e}", "invalid", at) from None


class Client:
    """Requests outside of sessions, and those that make one."""

    def __init__(self, url: str | None, token: str | None, timeout: float = 60.0) -> None:
        """Finds or starts the server.

        Args:
            url: Where it is; None for this process's own.
            token: Its token; None for that of a server this process started, else `MARLPIT_TOKEN`.
            timeout: Seconds to wait for any part of a reply.

        Raises:
            MarlpitError: The server can't be reached or speaks another version of the wire.
        """
        self.server = _launcher.shared() if url is None else _launcher.find(url)
        address = self.server.url if self.server else str(url)
        if token is None:
            token = self.server.token if self.server else os.environ.get("MARLPIT_TOKEN")
        self.connection = Connection(address, token, timeout)
        if self.server is None:
            wire = self.call("GET", "/healthz").get("wire")
            if wire != _launcher.WIRE:
                self.connection.close()
                raise MarlpitError(f"{url} speaks version {wire} of the wire, this client version {_launcher.WIRE}")

    def call(self, method: str, path: str, body: object = None, *, again: bool = True) -> Any:
        """Makes a request and decodes the reply.

        Raises:
            MarlpitError: It was refused, or no answer came.
        """
        return _decode(self.raw(method, path, b"" if body is None else _encode(body), again=again).body or b"\xc0")

    def raw(self, method: str, path: str, body: bytes = b"", *, again: bool = True) -> Reply:
        """Makes a request; the reply's body stays as it is."""
        reply = self.exchange(self.connection.head(method, path, len(body)) + body, again=again)
        if reply.status >= 300:
            raise refusal(reply)
        return reply

    def exchange(self, request: bytes, *, again: bool = True) -> Reply:
        """Sends bytes and returns the reply, whatever its status."""
        try:
            return self.connection.request(request, again=again)
        except ConnectionLost:
            if self.server:
                self.server.check()
            raise
        except BaseException:
            self.connection.close()  # interrupted: the reply that is still to come belongs to nobody
            raise


def refusal(reply: Reply) -> MarlpitError:
    """Makes the exception for a reply that is an error."""
    try:
        e = _decode(reply.body)
        return from_reply(reply.status, str(e["code"]), str(e["message"]), str(e.get("at") or ""))
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError):
        return from_reply(reply.status, "", bytes(reply.body[:200]).decode("utf-8", "replace"), "")


class Session:
    """One session, opened when made.

    In a forked child, and when copied by pickle, it opens one of its own: the same world and reward scheme, with
    a random stream of its own, before its first reset.

    Attributes:
        request: What was asked for at the creation.
        spec: The world's spec, as docs/wire.md has it.
        layout: Of the arrays.
        reward: The reward scheme with all its options.
        num_envs: Copies.
    """

    def __init__(self, request: dict[str, Any], url: str | None, token: str | None, timeout: float) -> None:
        """Opens it.

        Args:
            request: Of ``POST /v1/sessions``.
            url: Of the server; None for this process's own.
            token: Of the server.
            timeout: Seconds to wait for any part of a reply.

        Raises:
            Invalid: The seed or the time-out is out of range, or something in the request can't travel.
            MarlpitError: It was refused, or the server can't be reached.
        """
        self.request = request if request.get("seed") is None else {**request, "seed": _checks.seed(request["seed"])}
        self.url = url
        self.token = token
        self.timeout = _checks.timeout(timeout)
        self._open(None)

    def _open(self, twin_of: str | None, client: Client | None = None) -> None:
        self.client = client or Client(self.url, self.token, self.timeout)
        path = "/v1/sessions" if twin_of is None else f"/v1/sessions/{twin_of}/fork"
        try:
            created = self.client.call("POST", path, self.request if twin_of is None else None, again=False)
        except BaseException:
            self.client.connection.close()
            raise
        self._adopt(created)

    def _adopt(self, created: dict[str, Any]) -> None:
        self.pid = os.getpid()
        self.lock = threading.Lock()
        self.id: str = created["id"]
        self.view: str = created["view"]
        self.seed: int = created["seed"]
        self.seq: int = created["seq"]
        self.lost = b""  # a request whose reply is missing, so that nobody knows what moved
        self.spec: dict[str, Any] = created["spec"]
        self.reward: dict[str, Any] = created["reward"]
        self.layout: dict[str, Any] = created["layout"]
        self.num_envs: int = created["num_envs"]
        self.text: bool = created["text"]
        self.tells = self.text and "rounds" in self.spec["abilities"]  # steps are asked for the round, too
        self.decoder = _decoder(tuple(a["name"] for a in self.layout["arrays"]), tuple(a["name"] for a in self.layout["final"]))
        actions = self.layout["actions"]
        self.actions_dtype = np.dtype(actions["dtype"])
        self.actions_shape: tuple[int, ...] = tuple(actions["shape"])
        size = self.actions_dtype.itemsize * int(np.prod(self.actions_shape))
        # {seq: uint64, actions: bin}; only the number and the bytes change from step to step.
        self._middle = b"\xa7actions\xc6" + struct.pack(">I", size)
        head = self.client.connection.head("POST", f"/v1/sessions/{self.id}/step", 14 + len(self._middle) + size)
        self._start = head + b"\x82\xa3seq\xcf"
        self._finalizer = weakref.finalize(self, _forget, self.client, self.id, self.pid)
        self._finalizer.atexit = False  # the server ends, or reaps it

    def ensure(self) -> None:
        """Opens a session of its own in a forked child; refuses where this one was closed."""
        if not self._finalizer.alive:
            raise SessionExpired("the environment was closed", "session_expired")
        if self.pid != os.getpid():
            self._finalizer.detach()
            self.client.connection.close()
            self.request = {k: v for k, v in self.request.items() if k not in ("seed", "record")}
            self._open(None)

    def step_request(self, actions: bytes) -> bytes:
        """Assembles the request of the next step."""
        if self.lost:
            raise NotReset("an earlier reply was lost, and with it what moved: reset first", "not_reset")
        return self._start + struct.pack(">Q", self.seq + 1) + self._middle + actions

    def step(self, actions: bytes) -> Any:
        """Steps; returns the reply's arrays as views.

        Args:
            actions: Raw bytes as the layout says.
        """
        if self.pid != os.getpid() or not self._finalizer.alive:
            self.ensure()
        with self.lock:
            return self._move(self.step_request(actions))

    def reset(self, seed: int | None, mask: bytes | None = None) -> Any:
        """Resets; returns the reply's arrays as views."""
        self.ensure()
        with self.lock:
            if self.lost:
                self._settle()
            body: dict[str, Any] = {"seq": self.seq + 1}
            if seed is not None:
                body["seed"] = _checks.seed(seed)
            if mask is not None:
                body["mask"] = mask
            b = _encode(body)
            return self._move(self.client.connection.head("POST", f"/v1/sessions/{self.id}/reset", len(b)) + b)

    def move(self, method: str, what: str, body: dict[str, Any]) -> Any:
        """Makes a request of any form that moves the session, such as a step of proposals; returns the reply's arrays as views.

        Raises:
            Invalid: The body holds something that can't travel.
        """
        self.ensure()
        if self.lost:
            raise NotReset("an earlier reply was lost, and with it what moved: reset first", "not_reset")
        with self.lock:
            b = _encode({"seq": self.seq + 1, **body}, f"/{what}")
            return self._move(self.client.connection.head(method, f"/v1/sessions/{self.id}/{what}", len(b)) + b)

    def _move(self, request: bytes) -> Any:
        """Makes a request that moves the session; the same seq makes it safe to repeat."""
        try:
            reply = self.client.exchange(request)
        except BaseException:
            self.lost = request
            self.client.connection.close()
            raise
        return self.moved(reply)

    def _settle(self) -> None:
        """Asks again for the reply that was lost: the server may still be at it, and its seq must not be taken for another's."""
        try:
            self._move(self.lost)
        except ConnectionLost:
            raise
        except MarlpitError:
            pass  # refused: nothing moved
        self.lost = b""

    def finish(self, request: bytes) -> Any:
        """Waits for the reply to a request that was sent already, asking again once where it was lost."""
        with self.lock:
            try:
                reply = self.client.connection.receive()
            except ConnectionLost as e:
                if isinstance(e, Timeout):
                    self.lost = request
                    raise
                return self._move(request)
            except BaseException:
                self.lost = request
                self.client.connection.close()
                raise
            return self.moved(reply)

    def moved(self, reply: Reply) -> Any:
        """Takes the reply to a reset or step."""
        if reply.status != 200:
            raise refusal(reply)
        arrays = self.decoder.decode(reply.body)
        self.seq = arrays.seq
        return arrays

    def get(self, what: str, **query: object) -> Reply:
        """Asks for something of the session, such as ``render``."""
        self.ensure()
        text = "&".join(f"{k}={quote(str(v))}" for k, v in query.items() if v is not None)
        with self.lock:
            return self.client.raw("GET", f"/v1/sessions/{self.id}/{what}?{text}")

    def told(self, what: str, row: int) -> dict[str, Any]:
        """Asks for what the server says of a row in JSON values: ``observation``, ``solution`` or ``state``."""
        return dict(_decode(self.get(what, row=row).body))

    def words(self, agent: str, view: str) -> str:
        """Asks for the words of row 0's last transition."""
        reply = self.get("words", row=0, agent=agent, view=view)
        return str(msgspec.msgpack.decode(reply.body)["words"])

    def fork(self) -> Session:
        """Makes a twin on the server that plays on identically.

        Raises:
            NoAbility: The world can't be copied.
        """
        self.ensure()
        twin: Session = object.__new__(Session)
        twin.request, twin.url, twin.token, twin.timeout = copy.deepcopy(self.request), self.url, self.token, self.timeout
        with self.lock:
            twin._open(self.id)
        return twin

    def close(self) -> None:
        """Deletes it on the server. Calling it again does nothing."""
        self._finalizer()

    def __getstate__(self) -> dict[str, Any]:
        """Pickles what is needed to open another."""
        return {"request": self.request, "url": self.url, "token": self.token, "timeout": self.timeout}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Opens a session of its own, with a random stream of its own."""
        self.__dict__.update(state)
        self.request = {k: v for k, v in self.request.items() if k not in ("seed", "record")}
        self._open(None)


@functools.cache
def _decoder(arrays: tuple[str, ...], final: tuple[str, ...]) -> msgspec.msgpack.Decoder[Any]:
    """Decodes replies to views into their buffers: no copies until somebody wants an array."""
    fields: list[Any] = [("seq", int), *((n, memoryview) for n in arrays), *((n, memoryview | None, None) for n in final)]
    fields += [("notes", list[dict[str, Any]], []), ("rounds", list[str | None], [])]
    return msgspec.msgpack.Decoder(msgspec.defstruct("Arrays", fields))


def _forget(client: Client, session: str, pid: int) -> None:
    """Deletes a session that nobody holds any more."""
    if pid == os.getpid() and not (client.server and not client.server.alive):
        client.connection.timeout = min(client.connection.timeout, 5.0)
        with contextlib.suppress(MarlpitError, OSError):
            client.call("DELETE", f"/v1/sessions/{session}")
    client.connection.close()
