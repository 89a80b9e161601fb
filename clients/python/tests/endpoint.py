"""A scripted OpenAI-compatible endpoint, as a model of one's own would be served."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[dict[str, Any]], Any]


class Status(Exception):
    """Answers with an HTTP error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def completion(text: str | None, finish: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "x", "object": "chat.completion", "created": 0, "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    }  # fmt: skip


@contextmanager
def serving(script: Script) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serves a script: it gets each request and returns a text, or a whole reply, or raises a `Status`.

    Yields:
        The address, and the requests so far.
    """
    asked: list[dict[str, Any]] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                asked.append({**body, "path": self.path})
            try:
                said = script(body)
                status, reply = 200, said if isinstance(said, dict) else completion(said)
            except Status as e:
                status, reply = e.status, {"error": {"message": str(e), "type": "scripted"}}
            raw = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


BUTTONS = ("red", "green", "blue")


def seen(body: dict[str, Any]) -> str:
    """What the model read of the situation."""
    return str(body["messages"][1]["content"])


def player(body: dict[str, Any]) -> str:
    """A model that understands test-rounds-v0: it presses what the goal names next."""
    lines = seen(body).splitlines()
    goal = [BUTTONS.index(w.strip('.," ')) for w in lines[0].split() if w.strip('.," ') in BUTTONS]
    done = lines[3].count('"click ')
    return json.dumps({"action_type": "click", "index": goal[min(done, len(goal) - 1)], "reason": f"{done} done"})
