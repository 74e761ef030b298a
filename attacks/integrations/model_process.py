"""A suspicion model that runs in another environment: a process that answers lines of JSON.

``python -m attacks.integrations.model_process FOLDER`` is that process. It says the model's hash, then answers each list of
texts with a list of scores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from attacks.errors import AttackError


class ModelProcess:
    """The model of a folder, loaded by the interpreter ``python``. The process ends with this object."""

    def __init__(self, folder: str | Path, python: str | Path) -> None:
        self._process = subprocess.Popen(
            [str(python), "-m", "attacks.integrations.model_process", str(Path(folder).resolve())],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="ascii",
        )
        weakref.finalize(self, _end, self._process)
        said = self._answer()
        self.sha256: str | None = said["sha256"]
        self.card: Mapping[str, Any] = said["card"]

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        """Predicted suspicion, float64 [n]. Raises `AttackError` if the process has ended."""
        if self._process.stdin is None or self._process.poll() is not None:
            raise AttackError(f"the suspicion model's process has ended, with exit code {self._process.returncode}")
        self._process.stdin.write(json.dumps(list(texts)) + "\n")
        self._process.stdin.flush()
        return np.array(self._answer(), dtype=np.float64)

    def _answer(self) -> Any:
        line = self._process.stdout.readline() if self._process.stdout is not None else ""
        if not line:
            raise AttackError("the suspicion model's process gave no answer; what it said of that stands on standard error")
        return json.loads(line)


def _end(process: subprocess.Popen[str]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
    process.wait()


def main(folder: str) -> None:
    from regressors.storage import load

    model = load(Path(folder))
    print(json.dumps({"sha256": model.sha256, "card": model.card}), flush=True)
    for line in sys.stdin:
        texts = json.loads(line)
        print(json.dumps(model.predict(texts).tolist()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
