"""A server on this machine that speaks the protocol of `/v1/chat/completions` and says what the test tells it to."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Said:
    """One answer: after `wait` seconds the status, headers and body; `cut` bytes of the body are promised but never sent. With
    `drip`, that many seconds lie between one byte of the body and the next."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: int = 0
    drip: float = 0.0


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


class LanguageModel:
    """Answers each request with the next of `answers`, the last for ever, or by the text that is asked about.

    `asked` holds the requests' bodies, `texts` what they asked about, `keys` their Authorization headers.
    """

    def __init__(self, *answers: Said, of_text: Callable[[str], Said] | None = None) -> None:
        self.answers = list(answers)
        self.of_text = of_text
        self.paths: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def texts(self) -> list[str]:
        return [_text(asked) for asked in self.asked]

    def __enter__(self) -> LanguageModel:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(model) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                model.paths.append(self.path)
                model.asked.append(asked)
                model.keys.append(self.headers["Authorization"])
                if model.of_text:
                    said = model.of_text(_text(asked))
                else:
                    said = model.answers.pop(0) if len(model.answers) > 1 else model.answers[0]
                time.sleep(said.wait)
                with contextlib.suppress(ConnectionError):  # the asker may have gone away
                    self._send(said)

            def do_GET(self) -> None:
                model.paths.append(f"GET {self.path}")
                self._send(Said(b"{}"))

            def _send(self, said: Said) -> None:
                self.send_response(said.status)
                for name, value in said.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(said.body) + said.cut))
                self.end_headers()
                for part in [said.body[place : place + 1] for place in range(len(said.body))] if said.drip else [said.body]:
                    self.wfile.write(part)
                    time.sleep(said.drip)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _text(asked: dict[str, Any]) -> str:
    text: str = json.loads(asked["messages"][-1]["content"].rpartition("Text: ")[2])
    return text
