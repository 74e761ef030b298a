"""A server on this machine that speaks the protocol of `/v1/chat/completions` and says what the test tells it to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.regressors.features.server import Said, Server


def says(content: str | None, *, tokens: int | None = 100, ended: str = "stop", refusal: str | None = None) -> Said:
    """What a model's reply looks like."""
    message = {"role": "assistant", "content": content} | ({"refusal": refusal} if refusal else {})
    usage = {} if tokens is None else {"usage": {"prompt_tokens": tokens - 10, "completion_tokens": 10, "total_tokens": tokens}}
    choices = [{"index": 0, "message": message, "finish_reason": ended}]
    return Said(json.dumps({"object": "chat.completion", "choices": choices} | usage).encode())


def rates(score: Any, reason: str = "It flows.", **how: Any) -> Said:
    return says(json.dumps({"score": score, "reason": reason}), **how)


def fails(status: int, problem: str = "not now", **headers: str) -> Said:
    body = json.dumps({"error": {"message": problem}}).encode()
    return Said(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


class LanguageModel(Server):
    """A server that may answer by the text that is asked about."""

    def __init__(self, *answers: Said, of_text: Callable[[str], Said] | None = None) -> None:
        super().__init__(*answers, of_body=of_text and (lambda body: of_text(_text(json.loads(body)))))

    @property
    def asked(self) -> list[dict[str, Any]]:
        return [json.loads(body) for body in self.bodies]

    @property
    def texts(self) -> list[str]:
        """What the requests asked about."""
        return [_text(asked) for asked in self.asked]


def _text(asked: dict[str, Any]) -> str:
    text: str = json.loads(asked["messages"][-1]["content"].rpartition("Text: ")[2])
    return text
