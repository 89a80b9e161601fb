"""Reading replies, whatever the bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marlpit._connection import Address
from marlpit._http import MAX_HEAD, BadReply, Head, parse_head
from marlpit.errors import MarlpitError

TOKEN = st.text("abcdefghijklmnopqrstuvwxyzABCXYZ-0123456789", min_size=1, max_size=20)
VALUE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40).map(str.strip)
MEANT = {"content-length", "transfer-encoding", "connection"}


@given(
    st.integers(200, 599),
    st.integers(0, 10**15 - 1),
    st.lists(st.tuples(TOKEN, VALUE).filter(lambda h: h[0].lower() not in MEANT), max_size=6),
    st.booleans(),
    st.binary(max_size=30),
)
def test_a_reply_comes_back(status: int, length: int, others: list[tuple[str, str]], close: bool, body: bytes) -> None:
    lines = [f"HTTP/1.1 {status} Whatever", *(f"{k}: {v}" for k, v in others), f"Content-LENGTH:  {length} "]
    if close:
        lines.append("Connection: Close")
    head = ("\r\n".join(lines) + "\r\n\r\n").encode()
    got = parse_head(head + body)
    assert got is not None
    assert (got.status, got.size, got.length, got.close) == (status, len(head), length, close)
    for k, v in {k.lower(): v for k, v in others}.items():
        assert got.headers[k.encode()] == v.encode()
    for cut in range(0, len(head), 7):
        assert parse_head(head[:cut]) is None  # not complete yet


@given(st.binary(max_size=200))
def test_any_bytes_give_a_head_nothing_or_a_bad_reply(data: bytes) -> None:
    for start in (b"", b"HTTP/1.1 ", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: "):
        try:
            got = parse_head(start + data + b"\r\n\r\n")
        except BadReply:
            continue
        assert isinstance(got, Head)
        assert got.length >= 0
        assert got.size <= len(start + data) + 4


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.0 200 OK\r\nContent-Length: 0",
        b"SSH-2.0-x",
        b"HTTP/1.1 20 OK\r\nContent-Length: 0",
        b"HTTP/1.1 2000\r\nContent-Length: 0",
        b"HTTP/1.1 100 Continue",
        b"HTTP/1.1 200 OK",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1e3",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
        b"HTTP/1.1 200 OK\r\nContent-Length : 1",
        b"HTTP/1.1 200 OK\r\nnothing\r\nContent-Length: 1",
    ],
)
def test_what_is_no_reply(head: bytes) -> None:
    with pytest.raises(BadReply):
        parse_head(head + b"\r\n\r\n")


def test_a_head_has_an_end() -> None:
    assert parse_head(b"HTTP/1.1 204 No Content\r\n\r\n") == (204, 27, 0, False, {})
    with pytest.raises(BadReply, match="longer"):
        parse_head(b"HTTP/1.1 200 OK\r\nA: " + b"x" * MAX_HEAD)
    with pytest.raises(BadReply, match="not an HTTP"):
        parse_head(b"220 mail")


@pytest.mark.parametrize(
    ("url", "want"),
    [
        ("http://127.0.0.1:8321", ("tcp", "127.0.0.1", 8321)),
        ("http://example/", ("tcp", "example", 80)),
        ("http://[::1]:5", ("tcp", "::1", 5)),
        ("unix:/a b/s", ("unix", "/a b/s", 0)),
        ("unix:///a/s", ("unix", "/a/s", 0)),
    ],
)
def test_addresses(url: str, want: tuple[str, str, int]) -> None:
    assert Address.parse(url) == want


@pytest.mark.parametrize(
    "url", ["", "unix:", "https://a:1", "localhost:80", "http://", "http://a:b", "http://a/v1", "http://a:99999"]
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(MarlpitError, match="url is http://host:port or unix:/path"):
        Address.parse(url)
