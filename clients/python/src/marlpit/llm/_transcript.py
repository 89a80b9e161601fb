"""Exchanges with models on disk."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import Any


class Transcript:
    """A file with one JSON object a line, each on disk before `add` returns: an answer that was paid for is never lost."""

    def __init__(self, path: Path | str) -> None:
        """Makes the file's folder; what the file holds stays."""
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)

    def add(self, **line: Any) -> None:
        """Writes a line."""
        at = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        with self.path.open("a", encoding="utf-8") as f:
            f.write(json.dumps({"at": at, **line}, ensure_ascii=False) + "\n")
            f.flush()
            os.fsync(f.fileno())
