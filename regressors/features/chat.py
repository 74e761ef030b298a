"""Questions to a language model behind an OpenAI-compatible address: POST to `/v1/chat/completions`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from regressors.errors import RegressorError
from regressors.features.service import Passing, Patience, Refused, Service, checked_address, excerpt
from scoring.wording import counted

Message = dict[str, str]

KEY_VARIABLE: Final = "PASSABLE_RATING_KEY"
"""Of the environment; a name of our own, so that no key goes to a server that it is not for."""
_PATH: Final = "/chat/completions"
_FRAME: Final = 16
"""Tokens that a model's template may put around a message: the usual ones take 3 to 8."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said, whether it broke off for length, and whether it (or a filter before it) refused to answer."""

    content: str
    cut_off: bool = False
    refused: bool = False


class Chat:
    """A model of an address, asked at temperature 0, one question at a time.

    `address` is that of the server, with or without `/v1`. `most_requests` counts every attempt (see `Service`). `most_tokens`
    counts what the server reports, and where it reports nothing the most that there can have been. `key` is sent as a bearer
    token, and nowhere else. `seed` goes with every request, for servers that read it.
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
        seed: int | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.url = _url(address)
        self.model = model
        self.reply_tokens = reply_tokens
        self.seed = seed
        self.most_requests = most_requests
        self.most_tokens = most_tokens
        self.requests = 0
        self.tokens = 0
        self._service = Service(
            self.url,
            if_down="Try again later.",
            if_refused="Look at the address, the model's name and the key.",
            headers={"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {}),
            patience=patience,
        )
        for name, number in (("most requests", most_requests), ("most tokens", most_tokens), ("reply's tokens", reply_tokens)):
            if number is not None and number < 0:
                raise RegressorError(f"The {name} are {number}: give 0 or more.")

    def asked(self, messages: Sequence[Message]) -> dict[str, Any]:
        """The request's body."""
        asked = {"model": self.model, "messages": list(messages), "temperature": 0, "max_tokens": self.reply_tokens}
        return asked if self.seed is None else asked | {"seed": self.seed}

    def ask(self, messages: Sequence[Message]) -> Reply:
        """The model's reply. RegressorError before a request that could go past a limit, for an address that does not answer in
        the protocol, refuses the request, or fails at every attempt."""
        body = json.dumps(self.asked(messages)).encode("ascii")
        most = self._most_tokens_of(messages)
        return self._reply(self._service.persistently(lambda problem: self._attempt(body, most, problem)))

    def _attempt(self, body: bytes, most: int, problem: str) -> Any:
        """The answer's JSON; that of a filter, too, which refuses the request before the model sees it. `problem` is that of the
        attempt before, `most` the tokens that this one may take."""
        self._check_limits(most, problem)
        self.requests += 1
        try:
            answer = self._json(self._service.post(body))
        except Passing as failure:
            self.tokens += 0 if failure.answered else most
            raise
        except Refused as refused:
            if refused.status != 400 or b"content_filter" not in refused.body:
                raise
            answer = {"choices": [{"message": {"refusal": excerpt(refused.body)}, "finish_reason": "content_filter"}]}
        self.tokens += _tokens_of(answer, most)
        return answer

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
            f"{self.url} does not answer as /v1/chat/completions does: {excerpt(body)}. Give the address of such a server."
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
    base = checked_address(address, "http://localhost:8080")
    if base.endswith(_PATH):
        return base
    return f"{base}{_PATH}" if base.endswith("/v1") else f"{base}/v1{_PATH}"


def _tokens_of(answer: Any, most: int) -> int:
    usage = answer.get("usage") if isinstance(answer, dict) else None
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) and total >= 0 else most
