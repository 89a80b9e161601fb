"""A proxy between a client and a server's Unix socket that loses replies when told to."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from typing import Any


class Dropping:
    """Forwards bytes. With `lose` above 0 it swallows that many replies and hangs up on the client instead.

    Attributes:
        url: Where it listens.
        lose: Replies still to be lost.
        after: Bytes of a lost reply that get through.
        hold: Seconds to hold back a reply.
        requests: Messages that came from the client.
    """

    def __init__(self, folder: str, server: str) -> None:
        self.url = f"unix:{os.path.join(folder, 'p')}"
        self._server = server.removeprefix("unix:")
        self.lose = 0
        self.after = 0
        self.hold: threading.Event | None = None
        self.requests = 0
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.url.removeprefix("unix:"))
        self._listener.listen()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                t = threading.Thread(target=self._serve, args=(client,), daemon=True)
                self._threads.append(t)
                t.start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server, contextlib.suppress(OSError):
            server.connect(self._server)
            while data := client.recv(1 << 20):
                self.requests += 1
                server.sendall(data)
                reply = server.recv(1 << 20)
                if self.hold is not None:
                    self.hold.wait(10)
                if self.lose > 0:
                    self.lose -= 1
                    client.sendall(reply[: self.after])
                    return
                client.sendall(reply)

    def __enter__(self) -> Dropping:
        return self

    def __exit__(self, *exc: Any) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for t in self._threads:
            t.join(2)
