"""Questions to a language model behind an OpenAI-compatible address: POST to `/v1/chat/completions`."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from regressors.errors import RegressorError
from scoring.table import one_line
from scoring.wording import counted

Message = dict[str, str]

KEY_VARIABLE: Final = "PASSABLE_RATING_KEY"
"""Of the environment; a name of our own, so that no key goes to a server that it is not for."""
_PATH: Final = "/chat/completions"
_LONGEST_BODY: Final = 1_000_000  # bytes
_LONGEST_WAIT: Final = 120.0  # seconds
_LONGEST_COMPLAINT: Final = 300  # characters
_FRAME: Final = 16
"""Tokens that a model's template may put around a message: the usual ones take 3 to 8."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said, whether it broke off for length, and whether it (or a filter before it) refused to answer."""

    content: str
    cut_off: bool = False
    refused: bool = False


class _Passing(Exception):
    """A failure that may be gone at the next attempt. `wait` is what the server asks for, in seconds."""

    def __init__(self, problem: str, *, wait: float = 0.0, answered: bool = True) -> None:
        super().__init__(problem)
        self.wait = wait
        self.answered = answered


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key is for the address that was given, and for no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Chat:
    """A model of an address, asked at temperature 0, one question at a time.

    `address` is that of the server, with or without `/v1`. Too many requests (429), errors of the server (5xx), timeouts and
    broken connections are tried again, up to `attempts` times, after `first_wait` seconds, twice that, and so on, or what the
    server asks for, up to two minutes. `most_requests` counts every attempt. `most_tokens` counts what the server reports, and
    where it reports nothing the most that there can have been. `key` is sent as a bearer token, and nowhere else.
    """

    def __init__(
        self,
        address: str,
        model: str,
        *,
        key: str | None = None,
        most_requests: int | None = None,
        most_tokens: int | None = None,
        reply_tokens: int = 300,
        timeout: float = 60.0,
        attempts: int = 5,
        first_wait: float = 1.0,
    ) -> None:
        self.url = _url(address)
        self.model = model
        self.reply_tokens = reply_tokens
        self.most_requests = most_requests
        self.most_tokens = most_tokens
        self.requests = 0
        self.tokens = 0
        self._timeout, self._attempts, self._first_wait = timeout, attempts, first_wait
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._opener = urllib.request.build_opener(_NoRedirect)
        for name, number in (("most requests", most_requests), ("most tokens", most_tokens), ("reply's tokens", reply_tokens)):
            if number is not None and number < 0:
                raise RegressorError(f"The {name} are {number}: give 0 or more.")

    def asked(self, messages: Sequence[Message]) -> dict[str, Any]:
        """The request's body."""
        return {"model": self.model, "messages": list(messages), "temperature": 0, "max_tokens": self.reply_tokens}

    def ask(self, messages: Sequence[Message]) -> Reply:
        """The model's reply. RegressorError before a request that could go past a limit, for an address that does not answer in
        the protocol, refuses the request, or fails at every attempt."""
        body = json.dumps(self.asked(messages)).encode("ascii")
        most = self._most_tokens_of(messages)
        problem = ""
        for attempt in range(self._attempts):
            self._check_limits(most, problem)
            self.requests += 1
            try:
                answer = self._sent(body)
            except _Passing as failure:
                self.tokens += 0 if failure.answered else most
                problem, wait = str(failure), max(failure.wait, self._first_wait * 2**attempt)
                if attempt + 1 < self._attempts:
                    time.sleep(min(wait, _LONGEST_WAIT))
                continue
            self.tokens += _tokens_of(answer, most)
            return self._reply(answer)
        raise RegressorError(f"{self.url} failed {self._attempts} times, at last: {problem}. Try again later.")

    def _sent(self, body: bytes) -> Any:
        """The answer's JSON; that of an error of status 400, too, which tells of filters."""
        request = urllib.request.Request(self.url, data=body, headers=self._headers, method="POST")
        until = time.monotonic() + self._timeout
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return self._json(_read(response, until))
        except urllib.error.HTTPError as error:
            with error:
                return self._failed(error, until)
        except (OSError, http.client.HTTPException) as error:
            raise _Passing(_told(error), answered=False) from None

    def _failed(self, error: urllib.error.HTTPError, until: float) -> Any:
        try:
            complaint = _read(error, until)
        except (OSError, http.client.HTTPException):
            complaint = b""
        told = f"HTTP status {error.code}, {_excerpt(complaint)}" if complaint.strip() else f"HTTP status {error.code}"
        if error.code == 429 or error.code >= 500:
            asked_for = error.headers.get("Retry-After", "")
            raise _Passing(told, wait=float(asked_for) if asked_for.isascii() and asked_for.isdigit() else 0.0)
        if error.code == 400 and b"content_filter" in complaint:
            return {"choices": [{"message": {"refusal": _excerpt(complaint)}, "finish_reason": "content_filter"}]}
        raise RegressorError(f"{self.url} refuses the request: {told}. Look at the address, the model's name and the key.")

    def _json(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise self._strange(body) from None

    def _reply(self, answer: Any) -> Reply:
        try:
            choice = answer["choices"][0]
            message, ended = choice["message"], choice.get("finish_reason")
            content, refusal = message.get("content") or "", message.get("refusal")
            if not isinstance(content, str):
                raise TypeError
        except (LookupError, TypeError, AttributeError):
            raise self._strange(json.dumps(answer).encode("ascii")) from None
        refused = bool(refusal) or ended == "content_filter"
        return Reply(str(refusal) if refusal else content, cut_off=ended == "length", refused=refused)

    def _strange(self, body: bytes) -> RegressorError:
        return RegressorError(
            f"{self.url} does not answer as /v1/chat/completions does: {_excerpt(body)}. Give the address of such a server."
        )

    def _most_tokens_of(self, messages: Sequence[Message]) -> int:
        """A token stands for one byte or more."""
        return sum(len(message["content"].encode()) + _FRAME for message in messages) + self.reply_tokens

    def _check_limits(self, most: int, problem: str) -> None:
        """`problem` is that of the attempt before."""
        so_far = f"{f'The last request failed: {problem}. ' if problem else ''}Answers so far are kept; raise the limit to go on."
        if self.most_requests is not None and self.requests >= self.most_requests:
            raise RegressorError(f"{counted(self.requests, 'request')} sent, the most that is allowed. {so_far}")
        if self.most_tokens is not None and self.tokens + most > self.most_tokens:
            raise RegressorError(
                f"{self.tokens:,} tokens are used, and the next request may take up to {most:,}: that could go past the limit of "
                f"{self.most_tokens:,}. {so_far}"
            )


def key_of_environment() -> str | None:
    """What `PASSABLE_RATING_KEY` holds, if anything."""
    return os.environ.get(KEY_VARIABLE) or None


def _url(address: str) -> str:
    """Where requests go. RegressorError for what is no http address."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
        usable = usable and (parts.port is None or parts.port > 0) and address.isascii() and address.isprintable()
    except ValueError:
        usable = False
    if not usable or " " in address:
        raise RegressorError(f"{one_line(address)!r} is no address of a server, such as http://localhost:8080.")
    if "@" in parts.netloc:
        raise RegressorError("The address holds a name or password: leave them out, and give a key if the server asks for one.")
    base = address.rstrip("/")
    if base.endswith(_PATH):
        return base
    return f"{base}{_PATH}" if base.endswith("/v1") else f"{base}/v1{_PATH}"


def _read(response: Any, until: float) -> bytes:
    """The body, within the time: a server that sends a byte now and then does not hold everything up."""
    body = b""
    while part := response.read1(65_536):
        body += part
        if len(body) > _LONGEST_BODY:
            raise http.client.HTTPException(f"the answer is longer than {_LONGEST_BODY:,} bytes")
        if time.monotonic() > until:
            raise http.client.HTTPException("the answer took too long")
    if missing := getattr(response, "length", None):
        raise http.client.IncompleteRead(body, missing)
    return body


def _told(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    return one_line(getattr(reason, "strerror", None) or str(reason) or type(reason).__name__)


def _tokens_of(answer: Any, most: int) -> int:
    usage = answer.get("usage") if isinstance(answer, dict) else None
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) and total >= 0 else most


def _excerpt(body: bytes) -> str:
    text = one_line(" ".join(body.decode("utf-8", "replace").split()))
    return text if len(text) <= _LONGEST_COMPLAINT else f"{text[:_LONGEST_COMPLAINT]}…"
