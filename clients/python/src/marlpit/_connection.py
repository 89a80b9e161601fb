"""One keep-alive connection to a server."""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
from collections.abc import Mapping
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit

from marlpit import _http
from marlpit.errors import ConnectionLost, MarlpitError, Timeout

_CHUNK = 65_536  # bytes asked for at first; most replies are smaller


class Address(NamedTuple):
    """Where a server listens.

    Attributes:
        family: ``"unix"`` or ``"tcp"``.
        host: Host, or the socket's path.
        port: 0 for a Unix socket.
    """

    family: str
    host: str
    port: int

    @classmethod
    def parse(cls, url: str) -> Address:
        """Reads ``http://host:port`` or ``unix:/path``.

        Raises:
            MarlpitError: It is neither.
        """
        if url.startswith("unix:") and len(url) > 5:
            path = url[5:]
            return cls("unix", path[2:] if path.startswith("///") else path, 0)
        try:
            parts = urlsplit(url)
            port = parts.port or 80
        except ValueError as e:
            raise MarlpitError(f"url is http://host:port or unix:/path, got {url!r}: {e}") from None
        if parts.scheme != "http" or not parts.hostname or parts.path not in ("", "/") or parts.query:
            raise MarlpitError(f"url is http://host:port or unix:/path, got {url!r}")
        return cls("tcp", parts.hostname, port)

    @property
    def name(self) -> str:
        """For the Host header."""
        if self.family == "unix":
            return "localhost"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def open(self, timeout: float) -> socket.socket:
        """Connects."""
        if self.family == "unix":
            if not hasattr(socket, "AF_UNIX"):
                raise MarlpitError("this system has no Unix sockets; use a server on http://127.0.0.1:port")
            s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                s.settimeout(timeout)
                s.connect(self.host)
            except BaseException:
                s.close()
                raise
            return s
        s = socket.create_connection((self.host, self.port), timeout)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return s


def _processors() -> int:
    """Counts those that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


# Waking a sleeping process takes longer than a step: after a quick reply the next is looked for again and again for so many
# seconds before this process goes to sleep. Not where the server would need the same processor.
_EAGERNESS = 200e-6
_NOW = getattr(socket, "MSG_DONTWAIT", 0) if sys.platform != "win32" and _processors() > 1 else 0


def _limit(s: socket.socket, timeout: float) -> None:
    """Bounds each send and receive.

    Where the system can do that itself the socket stays a blocking one, as `_NOW` needs it; running out of time is a
    `BlockingIOError` there, a `TimeoutError` elsewhere.
    """
    if sys.platform == "win32":
        s.settimeout(timeout)
        return
    s.settimeout(None)
    whole, part = divmod(max(1e-6, min(timeout, 1e8)), 1)
    bound = struct.pack("@ll", int(whole), int(part * 1e6))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, bound)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, bound)


class Reply(NamedTuple):
    """What came back.

    Attributes:
        status: HTTP status.
        headers: Names in lower case.
        body: The bytes, nobody else's.
    """

    status: int
    headers: Mapping[bytes, bytes]
    body: bytes | bytearray


class Connection:
    """A connection that is opened when needed and kept. One request at a time: calls from several threads wait.

    After a fork, the child's copy opens a connection of its own.
    """

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        """Remembers where to; does not connect.

        Args:
            url: ``http://host:port`` or ``unix:/path``.
            token: Sent as bearer token.
            timeout: Seconds to wait for any part of a reply.
        """
        self.url = url
        self.address = Address.parse(url)
        self.timeout = timeout
        if token and not (token.isascii() and token.isprintable()):
            raise MarlpitError("a token has printable ASCII characters only")
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self._fixed = f" HTTP/1.1\r\nHost: {self.address.name}\r\n{bearer}".encode()
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._quick = _NOW != 0  # the last reply came at once

    def head(self, method: str, path: str, length: int, kind: str = "application/msgpack") -> bytes:
        """Assembles the head of a request; one with the same length can be used again."""
        body = f"Content-Type: {kind}\r\nContent-Length: {length}\r\n" if length or method != "GET" else ""
        return f"{method} {path}".encode() + self._fixed + body.encode() + b"Accept: application/msgpack\r\n\r\n"

    def send(self, request: bytes, *, again: bool) -> None:
        """Sends a request without waiting for its reply; `receive` has to follow.

        Args:
            request: Head and body.
            again: Whether it may be sent twice, where the connection had been closed.

        Raises:
            ConnectionLost: The server can't be reached.
        """
        self._after_fork()
        try:
            if self._socket is not None:
                try:
                    self._socket.sendall(request)
                    return
                except OSError:
                    self.close()
                    if not again:
                        raise
            self._socket = self.address.open(min(self.timeout, 10.0))
            _limit(self._socket, self.timeout)
            self._socket.sendall(request)
        except OSError as e:
            self.close()
            raise self._lost(e) from e

    def receive(self) -> Reply:
        """Waits for the reply to the request sent last.

        Raises:
            ConnectionLost: It did not come, or can't be read.
        """
        try:
            head, data = self._read_head()
            got = len(data) - head.size
            if got == head.length:
                body: bytes | bytearray = data[head.size :]
            elif got > head.length:
                raise _http.BadReply("more bytes than the reply has")
            else:
                body = self._read_body(data, head)
        except (OSError, _http.BadReply) as e:
            self.close()
            raise self._lost(e) from e
        if head.close:
            self.close()
        return Reply(head.status, head.headers, body)

    def _read_head(self) -> tuple[_http.Head, bytes]:
        if self._socket is None:
            raise ConnectionResetError("no request was sent")
        data = b""
        while True:
            part = self._socket.recv(_CHUNK) if data else self._first(self._socket)
            if not part:
                raise ConnectionResetError("the connection was closed before a reply came")
            data = data + part if data else part
            head = _http.parse_head(data)
            if head is not None:
                return head, data

    def _first(self, s: socket.socket) -> bytes:
        """Receives the first bytes of a reply."""
        start = perf_counter()
        if self._quick:
            until = start + _EAGERNESS
            while True:
                try:
                    return s.recv(_CHUNK, _NOW)
                except BlockingIOError:
                    if perf_counter() > until:
                        break
        part = s.recv(_CHUNK)
        self._quick = _NOW != 0 and perf_counter() - start < 5 * _EAGERNESS
        return part

    def _read_body(self, data: bytes, head: _http.Head) -> bytearray:
        """Receives the rest straight into a buffer of the right size."""
        assert self._socket is not None
        body = bytearray(head.length)
        view = memoryview(body)
        at = len(data) - head.size
        view[:at] = data[head.size :]
        while at < head.length:
            n = self._socket.recv_into(view[at:])
            if n == 0:
                raise ConnectionResetError("the connection was closed within a reply")
            at += n
        return body

    def request(self, request: bytes, *, again: bool) -> Reply:
        """Sends a request and waits for the reply.

        Args:
            request: Head and body.
            again: Whether it may be sent twice: once more after a lost reply.

        Raises:
            ConnectionLost: No reply came.
        """
        self._after_fork()
        with self._lock:
            try:
                self.send(request, again=again)
                return self.receive()
            except Timeout:
                raise
            except ConnectionLost:
                if not again:
                    raise
            self.send(request, again=False)
            return self.receive()

    def close(self) -> None:
        """Closes the socket; the next request opens another."""
        s, self._socket = self._socket, None
        if s is not None:
            s.close()

    def _after_fork(self) -> None:
        if self._pid != os.getpid():
            self._pid = os.getpid()
            self._lock = threading.Lock()
            self.close()  # only this process's copy of the descriptor

    def _lost(self, why: Exception) -> ConnectionLost:
        if isinstance(why, TimeoutError | BlockingIOError):
            return Timeout(f"no answer from {self.url} within {self.timeout:g} s")
        return ConnectionLost(f"no answer from {self.url}: {why}")
