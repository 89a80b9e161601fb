"""Asking a model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from marlpit.errors import Invalid, MarlpitError

_OPTIONAL = ("seed", "temperature", "max_tokens")  # left out where an endpoint refuses them by name


class EndpointFailed(MarlpitError):
    """An endpoint gave no answer: it can't be reached, refused, or broke off, also when asked again."""

    def __init__(self, message: str, code: str = "endpoint_failed", at: str = "") -> None:
        """Keeps the message."""
        super().__init__(message, code, at)


@dataclass(frozen=True)
class Model:
    """Where a model is and how it is asked.

    Attributes:
        model: Its name there.
        base_url: Of the endpoint, with or without ``/v1``; None for OpenAI's own.
        api_key: Its key; None for that in ``OPENAI_API_KEY``. It is written nowhere.
        temperature: Of sampling. At 0 all agents of a team without roles say the same in the first round.
        seed: Of sampling, where the endpoint knows it; each call adds its own number. None: not sent.
        max_tokens: Of a reply.
        timeout: Seconds to wait for a reply.
        retries: Further tries after a connection that failed, a 429 or a 5xx; they wait as the endpoint asks.
    """

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    temperature: float = 0.7
    seed: int | None = 0
    max_tokens: int = 400
    timeout: float = 60.0
    retries: int = 2

    def __post_init__(self) -> None:
        """Refuses what can't be asked."""
        if not self.model:
            raise Invalid("a model has a name", "invalid")
        for name, low in (("temperature", 0), ("max_tokens", 1), ("timeout", 0.001), ("retries", 0)):
            if not getattr(self, name) >= low:
                raise Invalid(f"{name} is at least {low}, got {getattr(self, name)!r}", "invalid")
        if self.base_url is not None and urlsplit(self.base_url).scheme not in ("http", "https"):
            raise Invalid(f"base_url is http://… or https://…, got {self.base_url!r}", "invalid")

    @property
    def where(self) -> str:
        """Name and address, for messages."""
        return f"{self.model} at {self.base_url or 'OpenAI'}"


@dataclass(frozen=True)
class Answer:
    """What came back.

    Attributes:
        text: Of the reply; empty where there was none.
        finish: Why it ended, such as ``"stop"`` or ``"length"``.
        prompt_tokens: That were read, by the endpoint's count.
        completion_tokens: That were written.
        seconds: It took.
    """

    text: str
    finish: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float


class Endpoint:
    """Connections to a model's endpoint, for one event loop."""

    def __init__(self, model: Model) -> None:
        """Opens nothing yet.

        Raises:
            MarlpitError: The package `openai` isn't there.
        """
        try:
            import openai
        except ImportError as e:
            raise MarlpitError("asking models needs the package openai: pip install 'marlpit[llm]'", "client") from e
        self._openai = openai
        self.model = model
        self._left_out: set[str] = set()
        key = model.api_key or os.environ.get("OPENAI_API_KEY") or "none"  # an endpoint of one's own has no key
        self._client = openai.AsyncOpenAI(
            base_url=_address(model.base_url), api_key=key, timeout=model.timeout, max_retries=model.retries
        )

    async def ask(self, messages: Sequence[dict[str, str]], number: int) -> Answer:
        """Asks once; the endpoint's faults are tried again as `Model.retries` says.

        Args:
            messages: Of the conversation.
            number: Of the call, added to the seed.

        Raises:
            EndpointFailed: No answer came.
        """
        m, start = self.model, time.monotonic()
        options: dict[str, Any] = {"temperature": m.temperature, "max_tokens": m.max_tokens}
        if m.seed is not None:
            options["seed"] = m.seed + number
        while True:
            asked = {k: v for k, v in options.items() if k not in self._left_out}
            try:
                reply = await self._client.chat.completions.create(model=m.model, messages=list(messages), **asked)  # type: ignore[arg-type]
                break
            except self._openai.BadRequestError as e:
                named = next((k for k in _OPTIONAL if k in asked and k in str(e)), None)
                if named is None:
                    raise EndpointFailed(f"{m.where}: {e}") from None
                self._left_out.add(named)
                if named == "max_tokens" and "max_completion_tokens" in str(e):
                    options["max_completion_tokens"] = m.max_tokens
            except self._openai.OpenAIError as e:
                raise EndpointFailed(f"{m.where}: {type(e).__name__}: {e}") from None
        return self._read(reply, time.monotonic() - start)

    def _read(self, reply: Any, seconds: float) -> Answer:
        choices: Any = getattr(reply, "choices", None) or [None]
        message = getattr(choices[0], "message", None)
        if message is None:  # status 200 with an error for a body, too
            raise EndpointFailed(f"{self.model.where}: a reply without choices: {str(reply)[:200]}")
        usage = getattr(reply, "usage", None)
        return Answer(
            message.content or "", str(choices[0].finish_reason or ""), int(getattr(usage, "prompt_tokens", 0) or 0),
            int(getattr(usage, "completion_tokens", 0) or 0), seconds,
        )  # fmt: skip

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()


def _address(base_url: str | None) -> str | None:
    """A base URL without slash at the end, and with ``/v1`` where it has no path."""
    if base_url is None:
        return None
    base = base_url.rstrip("/").removesuffix("/chat/completions")
    return base if urlsplit(base).path else base + "/v1"
