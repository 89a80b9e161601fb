"""Starting and stopping servers of our own."""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing.util
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import msgspec

from marlpit.errors import MarlpitError, ServerDied

WIRE = 1  # version of docs/wire.md that this client speaks
_OURS = (
    "TOKEN", "LISTEN", "UNIX", "CREDIT", "SCORES", "PROCESS", "SHIPPED", "CRITICS", "STATE_DIR", "READY_FILE", "RECORD_DIR",
    "EXIT_WITH_STDIN", "EXIT_WHEN_IDLE", "TEST_WORLDS",
)  # fmt: skip
_MAX_SOCKET_PATH = 100  # bytes; Linux takes 107, macOS 103
_START = 30.0  # seconds a server may take to start
_STOP = 10.0  # seconds it may take to end


class _Ready(msgspec.Struct):
    """The line a server prints when it is ready."""

    unix: str
    tcp: str
    version: str
    wire: int


def server_binary() -> str:
    """Finds the marlpit program: the one `MARLPIT_SERVER` names, else the one inside this package.

    Returns:
        Its path.

    Raises:
        MarlpitError: There is none.
    """
    named = os.environ.get("MARLPIT_SERVER")
    if named:
        path = shutil.which(named)
        if path is None:
            raise MarlpitError(f"MARLPIT_SERVER names {named!r}, which is no program")
        return path
    path = str(Path(__file__).parent / "bin" / ("marlpit.exe" if os.name == "nt" else "marlpit"))
    if not os.path.isfile(path):
        raise MarlpitError(f"the server is not in this package ({path}): install a wheel, or name a binary in MARLPIT_SERVER")
    return path


class Server:
    """A server process that belongs to this one; `serve` starts it.

    It ends with `stop`, at the end of a `with` block, and with this process, however that ends.

    Attributes:
        url: What to give to `parallel_env`, `vec_env` … as `url`.
        token: What they need as `token` in other processes; None where none is needed.
        log: Path of the file with what the server writes to standard error.
        version: Of the server.
    """

    def __init__(self, arguments: list[str]) -> None:
        """Starts it and waits until it is ready."""
        self._pid = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        binary = server_binary()
        self._folder, unix = _private_folder()
        self.token: str | None = None
        self.log = os.path.join(self._folder, "server.log")
        environment = {k: v for k, v in os.environ.items() if k not in {f"MARLPIT_{name}" for name in _OURS}}
        command = [binary, "serve", "--exit-with-stdin"]
        if unix:
            command += ["--listen", "", "--unix", unix]
        else:
            self.token = environment["MARLPIT_TOKEN"] = secrets.token_urlsafe(24)
            command += ["--listen", "127.0.0.1:0"]
        with open(self.log, "wb") as log:
            try:
                self._process = subprocess.Popen(
                    [*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment,
                    **_detached(),
                )  # fmt: skip
            except OSError as e:
                raise ServerDied(f"the server {binary} can't be started: {e}", self.log) from e
        _servers.add(self)
        line = self._first_line()
        try:
            ready = msgspec.json.decode(line, type=_Ready)
        except msgspec.DecodeError:
            self._end()
            raise self._died("did not start") from None
        if ready.wire != WIRE:
            self.stop()
            raise MarlpitError(f"{binary} speaks version {ready.wire} of the wire, this client version {WIRE}")
        self.version = ready.version
        self.url = f"unix:{ready.unix}" if unix else f"http://{ready.tcp}"

    def _first_line(self) -> bytes:
        """Reads the line that says where it listens; empty when the server ended or took too long."""
        assert self._process is not None
        assert self._process.stdout is not None
        out: IO[bytes] = self._process.stdout
        got: list[bytes] = []
        reader = threading.Thread(target=lambda: got.append(out.readline()), daemon=True)
        reader.start()
        reader.join(_START)
        return got[0] if got else b""

    @property
    def alive(self) -> bool:
        """Whether it runs and belongs to this process."""
        return self._pid == os.getpid() and self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Ends the server: running requests finish. Its folder goes too. Calling it again does nothing."""
        if self._pid == os.getpid() and self._process is not None:
            self._end()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self) -> None:
        p = self._process
        _servers.discard(self)
        if p is None:
            return
        if p.stdin:
            with contextlib.suppress(OSError):
                p.stdin.close()
        try:
            p.wait(_STOP)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
        if p.stdout:
            p.stdout.close()
        self._process = None

    def check(self) -> None:
        """Raises ServerDied where the server has ended by itself; to be called once it did not answer."""
        if self._pid != os.getpid() or self._process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(0.5)  # its connections close a moment before it has ended
            raise self._died(f"ended with exit code {code}")

    def _died(self, how: str) -> ServerDied:
        try:
            with open(self.log, encoding="utf-8", errors="replace") as f:
                tail = f.read()[-1000:].strip()
        except OSError:
            tail = ""
        return ServerDied(f"the server {how}; its log is {self.log}" + (f", which ends with:\n{tail}" if tail else ""), self.log)

    def __enter__(self) -> Server:
        """Returns itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Stops it."""
        self.stop()


_servers: set[Server] = set()
_shared: Server | None = None
_shared_lock = threading.Lock()


def serve(
    credit: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    *,
    shipped: bool = True,
    critics: str | os.PathLike[str] | None = None,
    scores: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    process: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    state_dir: str | os.PathLike[str] | None = None,
    record_dir: str | os.PathLike[str] | None = None,
    log_level: str = "warn",
    test_worlds: bool = False,
) -> Server:
    """Starts a server of its own, for instance one that has scoring models.

    ```python
    with marlpit.serve(credit="two-switch.credit") as server:
        env = marlpit.parallel_env("two-switch-v1", reward="credit", url=server.url)
    ```

    Args:
        credit: Files of fitted models to load, or one.
        shipped: Load the models that come with the program as well.
        critics: TOML file of the critics that live credit and process credit may name, see docs/serving.md.
        scores: Files of recorded scores of rounds that process credit may name, or one; ``FILE=CRITIC`` names whose are meant.
        process: Files of fitted scorers of rounds that process credit may name, or one.
        state_dir: Where votes and models of live credit are kept, and found again; None: nowhere once the server has ended.
        record_dir: Where sessions may record episodes.
        log_level: ``debug``, ``info``, ``warn``, ``error`` or ``off``; the log is the file `Server.log`.
        test_worlds: Serve the worlds made for tests as well.

    Returns:
        The server, ready. Leaving its `with` block, `stop` and the end of this process end it.

    Raises:
        ServerDied: It did not start; the error names its log.
    """
    arguments = ["--log-level", log_level]
    for flag, paths in (("--credit", credit), ("--scores", scores), ("--process", process)):
        for file in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
            arguments += [flag, os.fspath(file)]
    if not shipped:
        arguments.append("--no-shipped")
    for flag, path in (("--critics", critics), ("--state-dir", state_dir), ("--record-dir", record_dir)):
        if path is not None:
            arguments += [flag, os.fspath(path)]
    if test_worlds:
        arguments.append("--test-worlds")
    return Server(arguments)


def shared() -> Server:
    """Returns the server that this process starts for `url=None`; the first call starts it."""
    global _shared
    with _shared_lock:
        if _shared is None or not _shared.alive:
            # A session lives as long as the process: a pause over lunch must not end it.
            _shared = Server(["--log-level", "warn", "--idle-timeout", "720h"])
        return _shared


def find(url: str) -> Server | None:
    """Returns this process's server at the address, if there is one."""
    return next((s for s in list(_servers) if getattr(s, "url", None) == url), None)


def _private_folder() -> tuple[str, str]:
    """Makes a folder only we may enter; gives it and a path for a socket in it, empty where there are no Unix sockets."""
    folder = tempfile.mkdtemp(prefix="marlpit-")  # mode 0700
    unix = os.path.join(folder, "s")
    if not hasattr(socket, "AF_UNIX") or sys.platform == "win32":
        return folder, ""
    if len(os.fsencode(unix)) > _MAX_SOCKET_PATH:
        os.rmdir(folder)
        folder = tempfile.mkdtemp(prefix="marlpit-", dir="/tmp")
        unix = os.path.join(folder, "s")
    return folder, unix


def _detached() -> dict[str, Any]:
    """Options that keep Ctrl-C in a terminal from reaching the server before us."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _stop_all() -> None:
    for server in list(_servers):
        server.stop()


def _after_fork_in_child() -> None:
    """Lets go of the parent's servers: their pipes must not be held open here."""
    global _shared, _shared_lock
    _shared, _shared_lock = None, threading.Lock()
    for server in list(_servers):
        p, server._process = server._process, None
        if p is not None:
            p.returncode = 0  # it is no child of ours
            if p.stdin:
                p.stdin.close()
    _servers.clear()


atexit.register(_stop_all)
multiprocessing.util.Finalize(None, _stop_all, exitpriority=0)  # children of multiprocessing skip atexit
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
