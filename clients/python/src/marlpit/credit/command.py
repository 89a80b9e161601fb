"""The marlpit program's road from transitions to a scoring model, as functions."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import IO, Any

import msgspec

from marlpit._launcher import _detached, server_binary
from marlpit.errors import Invalid, MarlpitError


class CommandFailed(MarlpitError):
    """The program could not do what it was asked.

    Attributes:
        result: What it printed before it failed, as JSON values; None where that was nothing.
    """

    def __init__(self, message: str, code: str = "client", at: str = "", result: Any = None) -> None:
        """Keeps the parts.

        Args:
            message: Of the program.
            code: Short word for programs.
            at: Unused.
            result: What it printed.
        """
        super().__init__(message, code, at)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles by its parts."""
        return type(self), (self.message, self.code, self.at, self.result)


def collect(**flags: Any) -> dict[str, Any]:
    """Collects transitions into a vote file: ``marlpit collect``.

    ```python
    marlpit.credit.collect(from_="spread.jsonl", db="votes.db")
    marlpit.credit.collect(env="two-switch-v1", param={"height": 5}, transitions=500, db="votes.db")
    ```

    Args:
        **flags: Those of the command, with ``_`` for ``-``; ``from_`` is ``--from``. True sets a flag, None and False leave it
            out, a list repeats it, and so does a mapping, as key=value.

    Returns:
        What the command prints with ``--json``.

    Raises:
        Invalid: A wrong call.
        CommandFailed: It failed.
    """
    return _run("collect", flags)


def label(**flags: Any) -> dict[str, Any]:
    """Has a critic vote: ``marlpit label``. What it reports meanwhile goes to standard error.

    An interrupt (Ctrl-C) finishes what is under way, so that nothing paid for is lost; a second one breaks off. The same
    call goes on with what remains. It likewise finishes and ends when this process is killed: nobody goes on spending.

    Args:
        **flags: As for `collect`, those of the command: ``db``, ``critic``, ``model``, ``queries``, ``viewpoint`` …

    Returns:
        What the command prints with ``--json``.

    Raises:
        Invalid: A wrong call.
        CommandFailed: It failed; `CommandFailed.result` says how far it came.
    """
    return _run("label", flags)


def fit(**flags: Any) -> dict[str, Any]:
    """Fits a scoring model to votes: ``marlpit fit``.

    Args:
        **flags: As for `collect`, those of the command: ``db``, ``out``, ``annotator``, ``shared``, ``seed`` …

    Returns:
        What the command prints with ``--json``.

    Raises:
        Invalid: A wrong call.
        CommandFailed: It failed: there are too few votes, for example.
    """
    return _run("fit", flags)


def judge(**flags: Any) -> dict[str, Any]:
    """Compares a critic, or a fitted model, with exact credit: ``marlpit judge``.

    Args:
        **flags: As for `collect`, those of the command: ``db`` or ``env``, ``critic`` or ``model`` …

    Returns:
        What the command prints with ``--json``.

    Raises:
        Invalid: A wrong call.
        CommandFailed: It failed: there is no exact credit to compare with, for example.
    """
    return _run("judge", flags)


def _run(command: str, flags: Mapping[str, Any]) -> dict[str, Any]:
    """Runs a command to its end and reads what it prints."""
    # They end with us, however we end, once what is under way and paid for is kept.
    argv = [server_binary(), command, *_arguments(flags), "--json", "--exit-with-stdin"]
    # A group of its own: a Ctrl-C in a terminal comes to us, and we pass on one for one.
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **_detached())
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    printed: list[bytes] = []
    said = _Log(process.stderr)
    reader = threading.Thread(target=_drain, args=(process.stdout, printed), daemon=True)
    reader.start()
    interrupted = _wait(process)
    reader.join()
    said.join()
    process.stdin.close()
    process.stdout.close()
    process.stderr.close()
    if interrupted:
        raise KeyboardInterrupt
    result = None
    with contextlib.suppress(msgspec.DecodeError):
        result = msgspec.json.decode(b"".join(printed))
    if process.returncode == 2:
        raise Invalid(said.error.removeprefix("wrong call: "), "invalid")
    if process.returncode != 0 or result is None:
        raise CommandFailed(said.error or f"`marlpit {command}` ended with code {process.returncode}", result=result)
    return dict(result)


def _arguments(flags: Mapping[str, Any]) -> list[str]:
    out = []
    for name, value in flags.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            out.append(flag)
        elif isinstance(value, Mapping):
            out += [f"{flag}={k}={_text(v)}" for k, v in value.items()]
        elif isinstance(value, (list, tuple)):
            out += [f"{flag}={_text(v)}" for v in value]
        else:
            out.append(f"{flag}={_text(value)}")
    return out


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _drain(pipe: IO[bytes], into: list[bytes]) -> None:
    into.append(pipe.read())


class _Log(threading.Thread):
    """Passes on what the program says on standard error, and keeps the line of its error."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._pipe, self._error = pipe, list[str]()
        self.start()

    def run(self) -> None:
        for raw in self._pipe:
            line = raw.decode(errors="replace")
            if self._error or line.startswith("marlpit: "):
                self._error.append(line)  # the rest belongs to it
            else:
                with contextlib.suppress(Exception):
                    sys.stderr.write(line)

    @property
    def error(self) -> str:
        """What it said last, after its name."""
        text = "".join(self._error).removeprefix("marlpit: ")
        return re.sub(r"`marlpit[^`]*` tells what there is\.\s*$", "", text).strip()


def _wait(process: subprocess.Popen[bytes]) -> bool:
    """Waits for the end; every interrupt is passed on. Says whether there was one."""
    times = 0
    while True:
        try:
            process.wait()
            return times > 0
        except KeyboardInterrupt:
            times += 1
            if times > 2:
                process.kill()
            else:
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(_INTERRUPT)


if sys.platform == "win32":
    _INTERRUPT = signal.CTRL_BREAK_EVENT
else:
    _INTERRUPT = signal.SIGINT
