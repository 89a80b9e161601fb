"""Reading HTTP/1.1 replies: the little of it that our server speaks."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

MAX_HEAD = 65_536  # bytes


class BadReply(ValueError):
    """The bytes are no HTTP reply that can be read here."""


class Head(NamedTuple):
    """The head of a reply.

    Attributes:
        status: Such as 200.
        size: Bytes of the head, the empty line included; the body starts there.
        length: Bytes of the body.
        close: The server closes the connection after this reply.
        headers: Names in lower case.
    """

    status: int
    size: int
    length: int
    close: bool
    headers: Mapping[bytes, bytes]


def parse_head(data: bytes) -> Head | None:
    """Reads a reply's head.

    Args:
        data: What was received so far.

    Returns:
        The head, or None where it is not complete yet.

    Raises:
        BadReply: These bytes can't become a reply.
    """
    end = data.find(b"\r\n\r\n")
    if end >= 0:
        return _parse(data[:end])
    if len(data) > MAX_HEAD:
        raise BadReply(f"the head of a reply is longer than {MAX_HEAD} bytes")
    if not data.startswith(b"HTTP/1.1 ") and not b"HTTP/1.1 ".startswith(data):
        raise BadReply(f"not an HTTP/1.1 reply: {data[:40]!r}")
    return None


# The heads of a session's replies are the same until the second of their date changes.
@functools.lru_cache(maxsize=64)
def _parse(head: bytes) -> Head:
    first, *lines = head.split(b"\r\n")
    code = first[9:12]
    if not (first.startswith(b"HTTP/1.1 ") and len(code) == 3 and code.isdigit() and first[12:13] in (b"", b" ")):
        raise BadReply(f"not an HTTP/1.1 reply: {first[:40]!r}")
    headers: dict[bytes, bytes] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not colon or not name or name != name.strip():
            raise BadReply(f"not a header: {line[:40]!r}")
        name, value = name.lower(), value.strip()
        if name == b"content-length" and headers.get(name, value) != value:
            raise BadReply("two lengths that differ")
        headers[name] = value
    status = int(code)
    if b"transfer-encoding" in headers:
        raise BadReply("a reply in chunks")
    if status < 200:
        raise BadReply(f"an interim reply, {status}")
    length = headers.get(b"content-length", b"0" if status in (204, 304) else b"")
    if not (length.isdigit() and len(length) < 16):
        raise BadReply(f"no usable Content-Length: {length[:40]!r}")
    close = headers.get(b"connection", b"").lower() == b"close"
    return Head(status, len(head) + 4, int(length), close, MappingProxyType(headers))
