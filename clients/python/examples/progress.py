"""Progress on the terminal, and workers that end with their parent."""

from __future__ import annotations

import os
import sys
import threading
import time


def bar(done: int, total: int, since: float, what: str, left: float | None = None) -> None:
    """Draws a progress bar on a terminal, and a line a step elsewhere.

    Args:
        done: steps done.
        total: steps there are.
        since: `time.monotonic()` when they began.
        what: what the last step was.
        left: seconds that remain; None takes what is done as the measure of what is not.
    """
    spent = time.monotonic() - since
    if left is None and done:
        left = spent / done * (total - done)
    text = f"[{'█' * (24 * done // max(total, 1)):<24}] {done}/{total}  {clock(spent)}"
    text += (f", about {clock(left)} left" if left is not None else "") + f"  {what}"
    if sys.stderr.isatty():
        print(f"\r{text:<100}", end="\n" if done == total else "", file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)


def clock(seconds: float) -> str:
    """Seconds for people: `48 s`, `12 min`, `3 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def end_with_parent(parent: int) -> None:
    """Ends this worker soon after its parent was ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
