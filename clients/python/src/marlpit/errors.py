"""What can go wrong, as types."""

from __future__ import annotations


class MarlpitError(Exception):
    """Anything the server refused or the client could not do.

    Attributes:
        code: Short word for programs, as docs/wire.md lists them; ``"client"`` for what never reached a server.
        message: What was expected and what came instead.
        at: Where in the request, as a JSON pointer such as ``/actions``; empty when it has no place.
    """

    def __init__(self, message: str, code: str = "client", at: str = "") -> None:
        """Keeps the parts.

        Args:
            message: What was expected and what came instead.
            code: Short word for programs.
            at: Where in the request.
        """
        super().__init__(message, code, at)
        self.message = message
        self.code = code
        self.at = at

    def __str__(self) -> str:
        """Returns the message, where it belongs and the code, in one line."""
        where = f" (at {self.at})" if self.at else ""
        return self.message + where + (f" [{self.code}]" if self.code != "client" else "")


class BadRequest(MarlpitError):
    """The server could not read the request."""


class Unauthorized(MarlpitError):
    """The token is missing or wrong, or the session's id is a read-only view."""


class NotFound(MarlpitError):
    """No such environment, session or model."""


class Conflict(MarlpitError):
    """The request does not fit the session's state: a step before the first reset, or a sequence number out of turn."""


class NotReset(Conflict):
    """A step, or a look at an environment, before its first reset."""


class SessionExpired(MarlpitError):
    """The session is gone: idle for too long, or deleted."""


class TooLarge(MarlpitError):
    """The request, or the session it asks for, is beyond the server's limits."""


class Invalid(MarlpitError, ValueError):
    """A value is unknown, out of range or impossible: a parameter, a reward scheme, an action."""


class EnvFailed(MarlpitError):
    """The environment itself failed. Its session is lost; others go on."""


class NoAbility(MarlpitError):
    """The world can't do this: draw, describe, copy …"""


class Unavailable(MarlpitError):
    """The server has too many sessions, or is shutting down."""


class ConnectionLost(MarlpitError):
    """No server answered, or its answer was cut off or unreadable."""


class Timeout(ConnectionLost):
    """The server took longer than the time-out."""


class ServerDied(ConnectionLost):
    """The server that this process started has ended.

    Attributes:
        log: Path of the file with what it wrote to standard error.
    """

    def __init__(self, message: str, log: str = "") -> None:
        """Keeps the parts.

        Args:
            message: What happened.
            log: Path of the server's log.
        """
        super().__init__(message)
        self.log = log

    def __reduce__(self) -> tuple[type[ServerDied], tuple[str, str]]:
        """Pickles by message and log."""
        return type(self), (self.message, self.log)


_BY_CODE: dict[str, type[MarlpitError]] = {
    "bad_request": BadRequest,
    "unsupported": BadRequest,
    "method_not_allowed": BadRequest,
    "unauthorized": Unauthorized,
    "forbidden_host": Unauthorized,
    "read_only": Unauthorized,
    "not_found": NotFound,
    "bad_seq": Conflict,
    "exists": Conflict,
    "not_reset": NotReset,
    "session_expired": SessionExpired,
    "too_large": TooLarge,
    "invalid": Invalid,
    "env_failed": EnvFailed,
    "no_ability": NoAbility,
    "too_many_sessions": Unavailable,
    "too_many_labelings": Unavailable,
    "shutting_down": Unavailable,
}


def from_reply(status: int, code: str, message: str, at: str) -> MarlpitError:
    """Makes the exception for an error reply.

    Args:
        status: HTTP status.
        code: The reply's code; an unknown one gives a plain ``MarlpitError``.
        message: The reply's message.
        at: The reply's place.

    Returns:
        The exception, to be raised.
    """
    kind = _BY_CODE.get(code, MarlpitError)
    return kind(message or f"the server replied with status {status}", code or str(status), at)
