"""Questions to a service that fails, is slow, refuses, or sends elsewhere."""

from __future__ import annotations

import socket
import time
from typing import Any

import pytest

from regressors.errors import RegressorError
from regressors.features.service import Patience, Refused, Service, _connected, checked_address, is_public
from tests.regressors.features.server import Said, Server

YES = Said(b"Yes.")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def service(address: str, *, key: str | None = None, longest: int = 1_000, **patience: Any) -> Service:
    return Service(
        f"{address}/ask",
        if_down="Is it on?",
        if_refused="Ask something else.",
        headers={"Authorization": key} if key else {},
        longest=longest,
        patience=Patience(**({"first_wait": 0.01, "timeout": 5.0} | patience)),
    )


def test_a_question_is_posted_and_answered() -> None:
    with Server(YES) as server:
        assert service(server.address, key="sesame").ask(b"Is it?") == b"Yes."

    assert (server.paths, server.bodies, server.keys) == (["/ask"], [b"Is it?"], ["sesame"])


@pytest.mark.parametrize("failure", [Said(b"", 429), Said(b"", 500), Said(b"", 503), Said(b"Ye", cut=2)])
def test_a_passing_failure_is_tried_again(failure: Said) -> None:
    with Server(failure, failure, YES) as server:
        assert service(server.address).ask(b"Is it?") == b"Yes."

    assert server.bodies == [b"Is it?"] * 3


def test_an_attempt_is_told_the_problem_of_the_one_before() -> None:
    told: list[str] = []
    with Server(Said(b"busy", 503), Said(b"", 500), YES) as server:
        asked = service(server.address)
        asked.persistently(lambda problem: told.append(problem) or asked.post(b""))

    assert told == ["", "HTTP status 503, busy", "HTTP status 500"]


def test_waits_grow_and_the_service_may_ask_for_longer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("regressors.features.service.time.sleep", waits.append)
    asks_for = [Said(b"", 429, {"Retry-After": wait}) for wait in ("7", "999", "soon")]
    with Server(Said(b"", 500), *asks_for, YES) as server:
        service(server.address, first_wait=1.0).ask(b"")

    assert [wait for wait in waits if wait] == [1, 7, 120, 8]


def test_a_service_that_fails_for_ever_is_an_error() -> None:
    with Server(Said(b"out of\nmemory", 500)) as server, pytest.raises(RegressorError) as failed:
        service(server.address, attempts=3).ask(b"")

    assert len(server.bodies) == 3
    assert str(failed.value) == f"{server.address}/ask failed 3 times, at last: HTTP status 500, out of memory. Is it on?"


def test_a_slow_service_is_not_waited_for() -> None:
    with Server(Said(b"Yes.", wait=0.6)) as server:
        start = time.monotonic()
        with pytest.raises(RegressorError, match="failed 2 times, at last: no answer in time"):
            service(server.address, timeout=0.1, attempts=2).ask(b"")
        assert time.monotonic() - start < 0.6


def test_nor_is_one_that_sends_a_byte_now_and_then() -> None:
    dripping = Said(b"Yes." * 10, drip=0.05)
    with Server(dripping) as server, pytest.raises(RegressorError, match="at last: the answer took too long"):
        service(server.address, timeout=0.2, attempts=1).ask(b"")


def test_a_service_that_refuses_connections_is_an_error() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(RegressorError, match=r"failed 2 times, at last: Connection refused\. Is it on\?"):
        service(address, attempts=2).ask(b"")


@pytest.mark.parametrize("status", [400, 401, 404, 413])
def test_a_refused_request_is_not_tried_again(status: int) -> None:
    with Server(Said(b"no " * 200, status)) as server, pytest.raises(Refused) as refused:
        service(server.address, key="sesame").ask(b"")

    assert len(server.bodies) == 1
    told = f"refuses the request: HTTP status {status}, {'no ' * 100}…. Ask something else."
    assert str(refused.value) == f"{server.address}/ask {told}"
    assert (refused.value.status, refused.value.body) == (status, b"no " * 200)


def test_a_refusal_that_breaks_off_is_told_without_its_words() -> None:
    with Server(Said(b"because", 404, cut=9)) as server, pytest.raises(Refused, match=r"HTTP status 404\. Ask"):
        service(server.address).ask(b"")


def test_neither_question_nor_key_follows_to_another_address() -> None:
    with Server(YES) as other:
        elsewhere = Said(b"", 302, {"Location": f"{other.address}/ask"})
        with Server(elsewhere) as server, pytest.raises(Refused, match="HTTP status 302"):
            service(server.address, key="sesame").ask(b"")

    assert other.paths == []


def test_an_answer_without_end_is_not_read() -> None:
    with Server(Said(b" " * 1_001)) as server, pytest.raises(RegressorError, match="longer than 1,000 bytes"):
        service(server.address, attempts=1).ask(b"")
    with Server(Said(b" " * 1_000)) as server:
        assert len(service(server.address).ask(b"")) == 1_000


def test_an_address_has_no_slash_at_its_end() -> None:
    assert checked_address("https://a.b:81/c//", "http://a") == "https://a.b:81/c"


@pytest.mark.parametrize(
    "address",
    [
        "localhost:80",
        "ftp://a",
        "http://",
        "http://a b",
        "http://a?x",
        "http://a#x",
        "http://[",
        "http://a:x",
        "http://a:0",
        "",
        "http://\n",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(RegressorError, match="is no address of a server, such as http://a:1"):
        checked_address(address, "http://a:1")


def test_an_address_with_a_password_is_refused_without_telling_it() -> None:
    with pytest.raises(RegressorError, match="holds a name or password") as refused:
        checked_address("http://me:sesame@localhost", "http://a")
    assert "sesame" not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True), ("2606:2800:220:1::1", True), ("127.0.0.1", False),
        ("10.1.2.3", False), ("169.254.169.254", False),
        ("192.168.0.1", False), ("0.0.0.0", False), ("224.0.0.1", False), ("::1", False), ("fe80::1%eth0", False),
        ("fd00::1", False), ("::ffff:127.0.0.1", False), ("64:ff9b::7f00:1", False), ("2002:7f00:1::", False),
    ],
)  # fmt: skip
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_only_public_addresses_are_asked_where_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever name stands for them, and through no proxy."""
    with Server(Said(b"{}")) as server:
        monkeypatch.setenv("http_proxy", server.address)
        at = server.address.replace("127.0.0.1", "localhost")
        for url in (server.address, at, at.replace("http", "https")):
            with pytest.raises(RegressorError, match="at an address that is not public"):
                Service(url, if_down="", if_refused="", public_only=True).ask(b"{}")
        assert server.paths == []
        assert Service(at, if_down="", if_refused="").ask(b"{}") == b"{}"


def test_what_was_looked_up_is_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """One name may stand for several addresses, or for another the next time."""
    found: list[list[str]] = [["93.184.216.34", "10.0.0.1"], ["93.184.216.34"], ["127.0.0.1"]]
    asked: list[object] = []
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(0, 0, 0, "", (each, 80)) for each in found.pop(0)])
    monkeypatch.setattr("socket.create_connection", lambda place, *_: asked.append(place))
    with pytest.raises(RegressorError, match=r"10\.0\.0\.1"):
        _connected(("models.example.org", 80))
    _connected(("models.example.org", 80))
    assert asked == [("93.184.216.34", 80)]
