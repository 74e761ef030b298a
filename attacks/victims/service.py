"""A victim behind an HTTP address, as somebody else runs it.

It is asked by POST and answers in JSON, in one of two formats. ``probabilities``::

    {"texts": ["…", "…"]}                              →  {"probabilities": [[0.9, 0.1], [0.2, 0.8]]}

``huggingface``, as inference servers of Hugging Face's text-classification pipelines have it::

    {"inputs": ["…", "…"], "parameters": {"top_k": 2}}  →  [[{"label": "REAL", "score": 0.9}, {"label": "FAKE", "score": 0.1}], …]
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, get_args

import numpy as np

from attacks.errors import AttackError
from scoring.table import one_line
from scoring.texts.characters import encodable

Format = Literal["probabilities", "huggingface"]
DESCRIPTION: Final = "victim.json"
KEY_VARIABLE: Final = "PASSABLE_VICTIM_KEY"
"""Of the environment: the key that is sent, kept nowhere."""
AUTHORIZATION: Final = "Authorization"
_SUM_WITHIN = 1e-3  # services round their answers


class ServiceVictim:
    """The classifier at ``address``, whose model is called ``model`` by whoever runs it.

    ``labels`` are the names of labels 0 and 1 in the format ``huggingface``. At most ``batch`` texts go out in one request,
    and at most ``per_minute`` requests in a minute (0 for as many as possible). Too many requests (429, with the wait that
    ``Retry-After`` asks for), errors of the service (5xx), time-outs (``timeout``, in seconds) and broken connections are
    tried again, up to ``attempts`` times in all; after a request that failed every time, the next ones are tried once until
    one succeeds, so that a service that is down does not hold up a run for long. The key of the environment goes into the header
    ``key_header``, as a bearer token if that is Authorization; into none if it is empty. With ``public_only``, an address of this
    machine or a private network is not asked, whatever its name. ``sha256`` is that of address and model name:
    what runs there cannot be seen, so a new model should get a new name.
    """

    kind: ClassVar = "http"
    name: ClassVar = "http"

    def __init__(
        self,
        address: str,
        model: str,
        *,
        format: Format = "probabilities",
        labels: Sequence[str] = ("LABEL_0", "LABEL_1"),
        batch: int = 32,
        per_minute: int = 0,
        timeout: float = 60.0,
        attempts: int = 5,
        key_header: str = AUTHORIZATION,
        public_only: bool = False,
    ) -> None:
        from regressors.errors import RegressorError
        from regressors.features.service import Patience, Service, checked_address

        self.address, self.model, self.format, self.labels = address, model, format, tuple(labels)
        self.batch, self.per_minute = batch, per_minute
        self._check(timeout, attempts, key_header)
        try:
            url = checked_address(address, "http://localhost:8080/predict")
        except RegressorError as error:
            raise AttackError(str(error)) from None
        self.sha256 = hashlib.sha256(f"{url}\n{model}".encode()).hexdigest()
        key = os.environ.get(KEY_VARIABLE) if key_header else None
        sent = f"Bearer {key}" if key_header.lower() == AUTHORIZATION.lower() else key

        def service(attempts: int) -> Service:
            return Service(
                url,
                if_down="Run the attack again when the service is up: it goes on where it stopped.",
                if_refused="Look at the address, the format and the key.",
                headers={"Content-Type": "application/json"} | ({key_header: sent} if key and sent else {}),
                public_only=public_only,
                longest=10_000_000,
                patience=Patience(timeout=timeout, attempts=attempts),
            )

        self._patient, self._impatient = service(attempts), service(1)
        self._is_down = False
        self._next_request = 0.0  # by time.monotonic

    @classmethod
    def from_file(cls, path: Path) -> ServiceVictim:
        """The victim that a JSON file describes: ``{"kind": "http", "address": …, "model": …}`` and any other argument."""
        try:
            given = json.loads(path.read_bytes())
            if not isinstance(given, dict) or given.pop("kind", "http") != "http":
                raise ValueError("it is no JSON object of the kind “http”")
            return cls(**given)
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise AttackError(f"{path}: not the description of a victim behind an address ({error})") from None

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        """Probabilities [n, 2]. Raises `AttackError` where the service fails, or answers with anything else."""
        distinct = list(dict.fromkeys(map(encodable, texts)))
        answers: dict[str, list[float]] = {}
        for start in range(0, len(distinct), self.batch):
            some = distinct[start : start + self.batch]
            answers.update(zip(some, self._ask(some), strict=True))
        return np.array([answers[encodable(text)] for text in texts], dtype=np.float64).reshape(-1, 2)

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        from regressors.errors import RegressorError
        from regressors.features.service import Refused

        question, read = self._formats()[self.format]
        body = json.dumps(question(texts)).encode("ascii")
        service = self._impatient if self._is_down else self._patient
        try:
            answer = service.persistently(lambda _: self._in_turn(service.post, body))
        except RegressorError as error:
            self._is_down = not isinstance(error, Refused)
            raise AttackError(str(error)) from None
        self._is_down = False
        try:
            rows = np.array(read(json.loads(answer)), dtype=np.float64)
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
            raise self._strange(answer) from None
        if rows.shape != (len(texts), 2) or not (rows >= 0).all() or not (abs(rows.sum(axis=1) - 1) <= _SUM_WITHIN).all():
            raise self._strange(answer)
        return (rows / rows.sum(axis=1, keepdims=True)).tolist()

    def _in_turn(self, post: Callable[[bytes], bytes], body: bytes) -> bytes:
        """Posts when the limit of requests per minute allows it; attempts that fail count as well."""
        if self.per_minute:
            now = time.monotonic()
            time.sleep(max(0.0, self._next_request - now))
            self._next_request = max(now, self._next_request) + 60 / self.per_minute
        return post(body)

    def _formats(self) -> Mapping[Format, tuple[Callable[[Sequence[str]], Any], Callable[[Any], Any]]]:
        """For each format, the question and how its answer is read."""
        return {
            "probabilities": (lambda texts: {"texts": list(texts)}, lambda answer: answer["probabilities"]),
            "huggingface": (lambda texts: {"inputs": list(texts), "parameters": {"top_k": 2}}, self._scores),
        }

    def _scores(self, answer: Any) -> list[list[float]]:
        by_label = [{each["label"]: each["score"] for each in of_text} for of_text in answer]
        return [[scores[label] for label in self.labels] for scores in by_label]

    def _strange(self, answer: bytes) -> AttackError:
        from regressors.features.service import excerpt

        wanted = f", the labels {' and '.join(self.labels)} for each text" if self.format == "huggingface" else ""
        return AttackError(
            f"{one_line(self.address)} does not answer with two probabilities for each text in the format {self.format}{wanted}: "
            f"{excerpt(answer)}"
        )

    def _check(self, timeout: float, attempts: int, key_header: str) -> None:
        if not isinstance(self.address, str):
            raise AttackError(f"the address is {self.address!r}; give one such as http://localhost:8080/predict")
        if not isinstance(self.model, str) or not self.model:
            raise AttackError("the victim's model has no name; give one, which tells results of different models apart")
        if self.format not in get_args(Format):
            raise AttackError(f"unknown format {self.format!r}; there are {', '.join(get_args(Format))}")
        if len(self.labels) != 2 or self.labels[0] == self.labels[1]:
            raise AttackError(f"the labels must be two different names, not {list(self.labels)}")
        for what, number, least in (("batch", self.batch, 1), ("attempts", attempts, 1), ("per_minute", self.per_minute, 0)):
            if not isinstance(number, int) or number < least:
                raise AttackError(f"{what} is {number!r}; give a whole number of at least {least}")
        if not isinstance(key_header, str) or not re.fullmatch(r"([A-Za-z][A-Za-z0-9-]*)?", key_header):
            raise AttackError(f"{key_header!r} is no name of a header; give one such as X-Api-Key, or none")
        if not isinstance(timeout, int | float) or not 0 < timeout < 86_400:
            raise AttackError(f"timeout is {timeout!r}; give a number of seconds")
