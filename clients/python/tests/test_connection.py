"""Lost replies, slow replies, several threads, and servers that are none."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import numpy as np
import pytest
from dropping import Dropping

import marlpit
from marlpit import errors

ZEROS = np.zeros((2, 2), np.int32)


@pytest.fixture
def proxy(tmp_path: Path, url: str) -> Iterator[Dropping]:
    with Dropping(str(tmp_path), url) as p:
        yield p


@pytest.mark.parametrize("after", [0, 5, 150])
def test_a_lost_reply_is_asked_for_again(proxy: Dropping, after: int) -> None:
    env = marlpit.vec_env("test-count-v0", 2, url=proxy.url, length=100, autoreset="disabled")
    env.reset()
    proxy.after = after
    for t in range(1, 5):
        before, proxy.lose = proxy.requests, 1
        assert (env.step(ZEROS).obs == t).all()  # once, not twice
        assert proxy.requests == before + 2
    proxy.lose = 1
    assert (env.reset().obs == 0).all()
    proxy.lose = 1
    env.send(ZEROS)
    assert (env.recv().obs == 1).all()
    env.close()


def test_two_lost_replies_are_an_error_and_reset_goes_on(proxy: Dropping) -> None:
    env = marlpit.vec_env("test-count-v0", 2, url=proxy.url, length=100)
    env.reset()
    proxy.lose = 2
    with pytest.raises(errors.ConnectionLost, match="closed before a reply came"):
        env.step(ZEROS)
    with pytest.raises(errors.NotReset, match="reset first"):
        env.step(ZEROS)  # what moved is not known
    assert (env.reset().obs == 0).all()
    assert (env.step(ZEROS).obs == 1).all()
    env.close()


def test_a_creation_is_not_repeated(proxy: Dropping) -> None:
    proxy.lose = 0
    before = proxy.requests
    marlpit.vec_env("test-count-v0", 2, url=proxy.url).close()
    used = proxy.requests - before
    assert used == 3  # healthz, creation, deletion
    proxy.lose = 3
    with pytest.raises(errors.ConnectionLost):
        marlpit.vec_env("test-count-v0", 2, url=proxy.url)


def test_a_slow_reply_times_out(proxy: Dropping) -> None:
    env = marlpit.vec_env("test-count-v0", 2, url=proxy.url, timeout=0.3)
    env.reset()
    proxy.hold = threading.Event()
    with pytest.raises(errors.Timeout, match=r"within 0\.3 s"):
        env.step(ZEROS)
    proxy.hold.set()
    proxy.hold = None
    env.reset()
    assert (env.step(ZEROS).obs == 1).all()
    env.close()


def test_interrupting_a_step_loses_its_reply(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = marlpit.vec_env("test-count-v0", 2, url=url)
    env.reset()
    connection = env._session.client.connection

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(connection, "receive", interrupted)
    with pytest.raises(KeyboardInterrupt):
        env.step(ZEROS)
    monkeypatch.undo()
    with pytest.raises(errors.NotReset):
        env.step(ZEROS)
    env.reset()
    assert (env.step(ZEROS).obs == 1).all()


def test_an_interrupted_look_leaves_no_reply_behind(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reply to a call that was interrupted isn't taken for that of the next."""
    env, same = (marlpit.vec_env("test-pixels-v0", 2, url=url, seed=1) for _ in range(2))
    env.reset()
    same.reset()
    connection = env._session.client.connection

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(connection, "receive", interrupted)
    with pytest.raises(KeyboardInterrupt):
        env.render()
    monkeypatch.undo()
    actions = np.zeros(env._session.actions_shape, np.float32)
    np.testing.assert_array_equal(env.step(actions).obs, same.step(actions).obs)
    np.testing.assert_array_equal(env.render(), same.render())
    env.close()
    same.close()


def test_threads_take_turns(url: str) -> None:
    env = marlpit.parallel_env("test-count-v0", url=url, length=1000)
    env.reset()
    with ThreadPoolExecutor(8) as pool:
        steps = list(pool.map(lambda _: env.step({"agent_0": 0, "agent_1": 1}), range(200)))
    assert sorted(int(s[0]["agent_0"][0]) for s in steps) == list(range(1, 201))
    env.close()


def serve_once(reply: bytes) -> tuple[str, threading.Thread]:
    """A server that gives the same bytes to anybody."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with listener:
            for _ in range(2):  # a lost reply is asked for again
                client, _ = listener.accept()
                with client:
                    client.recv(65536)
                    client.sendall(reply)
                    client.shutdown(socket.SHUT_WR)
                    while client.recv(65536):
                        pass
                if reply.startswith(b"HTTP/1.1 2"):
                    return

    t = threading.Thread(target=run, daemon=True)
    t.start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}", t


def test_another_wire_is_refused() -> None:
    body = msgspec.msgpack.encode({"status": "ok", "version": "9", "wire": 9})
    url, t = serve_once(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    with pytest.raises(marlpit.MarlpitError, match="speaks version 9 of the wire, this client version 1"):
        marlpit.list_envs(url)
    t.join(5)


def test_what_is_no_marlpit_is_an_error() -> None:
    url, t = serve_once(b"SSH-2.0-OpenSSH\r\n")
    with pytest.raises(errors.ConnectionLost, match=r"not an HTTP/1\.1 reply"):
        marlpit.list_envs(url)
    t.join(5)


def test_nobody_there(tmp_path: Path) -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}", f"unix:{tmp_path}/none"):
        with pytest.raises(errors.ConnectionLost, match="no answer from"):
            marlpit.parallel_env("two-switch-v1", url=url)


def test_codes_become_types() -> None:
    for status, code, kind in (
        (410, "session_expired", errors.SessionExpired),
        (503, "too_many_sessions", errors.Unavailable),
        (403, "read_only", errors.Unauthorized),
        (418, "teapot", errors.MarlpitError),
    ):
        e = errors.from_reply(status, code, "what", "/here")
        assert type(e) is kind
        assert (e.code, e.message, e.at, str(e)) == (code, "what", "/here", f"what (at /here) [{code}]")
    assert isinstance(errors.from_reply(422, "invalid", "", ""), ValueError)


def test_an_expired_session_says_so(url: str) -> None:
    env = marlpit.vec_env("test-count-v0", 2, url=url)
    env.reset()
    s = env._session
    s.client.call("DELETE", f"/v1/sessions/{s.id}")
    with pytest.raises(errors.SessionExpired):
        env.step(ZEROS)
    with pytest.raises(errors.SessionExpired):
        env.reset()
