"""A server on this machine that says what the test tells it to, and keeps what it was asked."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


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


class Server:
    """Answers each request with the next of `answers`, and then by `of_body`; without that, with the last of them for ever.

    `paths`, `bodies` and `headers` are those of the requests, `keys` their Authorization headers.
    """

    def __init__(self, *answers: Said, of_body: Callable[[bytes], Said] | None = None) -> None:
        self.answers = list(answers)
        self.of_body = of_body
        self.paths: list[str] = []
        self.bodies: list[bytes] = []
        self.keys: list[str | None] = []
        self.headers: list[Message] = []

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _next(self, body: bytes) -> Said:
        if self.of_body and not self.answers:
            return self.of_body(body)
        return self.answers.pop(0) if self.of_body or len(self.answers) > 1 else self.answers[0]

    def _handler(server) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                server.paths.append(self.path)
                server.bodies.append(body)
                server.keys.append(self.headers["Authorization"])
                server.headers.append(self.headers)
                said = server._next(body)
                time.sleep(said.wait)
                with contextlib.suppress(ConnectionError):  # the asker may have gone away
                    self._send(said)

            def do_GET(self) -> None:
                server.paths.append(f"GET {self.path}")
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
