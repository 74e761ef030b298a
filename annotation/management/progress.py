"""Long commands tell how far they are."""

from __future__ import annotations

import re
import sys
from typing import Any


class ProgressLines:
    """Progress on standard error: on a terminal one line that changes, elsewhere a line whenever the words change."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._shown = ""
        self._terminal = sys.stderr.isatty()

    def __call__(self, done: int, total: int, message: str) -> None:
        share = f"{done / total:4.0%}" if total else "    "
        if self._terminal:
            self._stream.write(f"\r\033[K{share}  {message}", ending="\n" if done >= total else "")
        elif (words := re.sub(r"\d+", "", message)) != self._shown:
            self._shown = words
            self._stream.write(f"{share}  {message}")
