"""The feature group of a LanguageTool server, against a local one that speaks its protocol."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest

from regressors.errors import RegressorError
from regressors.features import group_of
from regressors.features.languagetool import CATEGORIES, LanguageToolFeatures

SOFTWARE = {"name": "LanguageTool", "version": "6.4", "buildDate": "2024-03-28 14:05:28 +0100", "apiVersion": 1, "premium": False}
RULES = {"teh": "TYPOS", "is is": "GRAMMAR", "  ": "TYPOGRAPHY", "whilst": "BRITISH_ENGLISH"}
"""What the server finds, and of which category it says that is."""


class Server(ThreadingHTTPServer):
    """Finds `RULES`; `replies` are given first: (status, body) each."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[tuple[int, bytes]] = []
        self.asked: list[tuple[str, dict[str, list[str]]]] = []
        self.software: dict[str, Any] = SOFTWARE

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode("ascii"), keep_blank_values=True)
        self.server.asked.append((self.path, form))
        status, body = self.server.replies.pop(0) if self.server.replies else (200, self.found(form["text"][0]))
        if self.path != "/v2/check":
            status, body = 404, b"Error: Unsupported action"
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def found(self, text: str) -> bytes:
        matches = [
            {"message": "…", "offset": 0, "length": len(part), "rule": {"id": "X", "category": {"id": category, "name": "…"}}}
            for part, category in RULES.items()
            for _ in range(text.count(part))
        ]
        return json.dumps({"software": self.server.software, "language": {"code": "en-US"}, "matches": matches}).encode()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def quick(server: Server, **options: Any) -> LanguageToolFeatures:
    return LanguageToolFeatures(server.address, first_wait=0, **options)


def test_matches_are_counted_by_category_for_each_word(server: Server) -> None:
    group = quick(server)

    rows = group.compute(["It is is  teh end, whilst teh rain", "", "Fine.", " \n"])

    named = dict(zip(group.names, rows[0].tolist(), strict=True))
    assert {name: share for name, share in named.items() if share} == {
        "matches": 5 / 8,
        "typos": 2 / 8,
        "grammar": 1 / 8,
        "typography": 1 / 8,
        "other": 1 / 8,
    }
    assert len(named) == len(CATEGORIES) + 2 == 14
    assert not rows[1:].any()
    assert server.asked == [
        ("/v2/check", {"language": ["en-US"], "text": ["It is is  teh end, whilst teh rain"]}),
        ("/v2/check", {"language": ["en-US"], "text": ["Fine."]}),
    ]
    assert group.compute([]).shape == (0, 14)


def test_any_string_reaches_the_server(server: Server) -> None:
    quick(server).compute(["сat & \ud800=\x00?"])

    assert server.asked[0][1]["text"] == ["сat & \ufffd=\x00?"]


@pytest.mark.parametrize("ending", ["", "/", "/v2", "/v2/check"])
def test_the_address_is_understood_with_and_without_its_ending(server: Server, ending: str) -> None:
    assert LanguageToolFeatures(server.address + ending).compute(["teh"])[0, 0] == 1


def test_the_version_of_the_server_is_part_of_what_it_says_of_itself(server: Server) -> None:
    described = {"group": "languagetool", "version": "1", "columns": 14, "name": "LanguageTool 6.4 2024-03-28 14:05:28 +0100"}
    assert quick(server).described() == described

    group = group_of(f"languagetool:{server.address}")
    for _ in range(2):
        assert group.compute(["teh end"])[0, 0] == 1 / 2
    assert [form["text"] for _, form in server.asked] == [["a"], ["a"], ["teh end"]]
    server.software = SOFTWARE | {"version": "6.5"}
    group_of(f"languagetool:{server.address}").compute(["teh end"])
    assert len(server.asked) == 5


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_may_pass_is_tried_again(server: Server, status: int) -> None:
    server.replies = [(status, b"busy")] * 3

    assert quick(server).compute(["teh"])[0, 0] == 1
    assert len(server.asked) == 4

    server.replies = [(status, b"busy")] * 9
    with pytest.raises(RegressorError, match=rf"failed 2 times, at last: HTTP status {status}: busy\. Is LanguageTool's server"):
        quick(server, attempts=2).compute(["teh"])


def test_a_refused_text_is_told_at_once(server: Server) -> None:
    server.replies = [(413, b"Error: Your text exceeds the limit of 20000 characters")]

    with pytest.raises(RegressorError, match=r"refuses a text \(HTTP status 413: Error: Your text exceeds the limit"):
        quick(server).compute(["teh"])
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<html>welcome</html>",
        b"[]",
        b"{}",
        b'{"software": {}, "matches": []}',
        b'{"software": {"name": "x"}, "matches": [{"rule": {}}]}',
        b'{"software": {"name": "x"}, "matches": {}}',
        b"\xff",
    ],
)
def test_another_server_is_told_apart(server: Server, body: bytes) -> None:
    server.replies = [(200, body)]
    with pytest.raises(RegressorError, match=r"does not answer as LanguageTool does: '.*Give its server's address"):
        quick(server).compute(["teh"])


def test_no_server_is_told_with_how_to_start_one(server: Server) -> None:
    with pytest.raises(RegressorError, match=r"failed 2 times, at last: .*refused.*java -cp languagetool-server\.jar"):
        LanguageToolFeatures("http://127.0.0.1:9", attempts=2, first_wait=0).described()


def test_a_server_that_says_nothing_is_not_waited_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(Handler, "found", lambda self, text: released.wait(5) and b"")
    try:
        with pytest.raises(RegressorError, match="failed 2 times, at last: timed out"):
            quick(server, timeout=0.05, attempts=2).compute(["teh"])
    finally:
        released.set()


@pytest.mark.parametrize("given", ["localhost:8081", "ftp://localhost", "http://", "http://a b", "http://a:x", "http://a?b"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(RegressorError, match=r"is no address of a server, such as http://localhost:8081"):
        group_of(f"languagetool:{given}")


def test_without_an_address_it_is_asked_for() -> None:
    with pytest.raises(RegressorError, match="Say where LanguageTool's server is: languagetool:URL"):
        group_of("languagetool")


def test_a_text_does_not_depend_on_the_others(server: Server) -> None:
    texts = ["teh end", "is is", "teh end", "a"]
    group = quick(server)
    assert np.array_equal(group.compute(texts), np.vstack([group.compute([text]) for text in texts]))
