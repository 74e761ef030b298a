"""Questions to a language model: answers, what they cost, limits, and servers that speak otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest

from regressors.errors import RegressorError
from regressors.features.chat import Chat, Reply
from regressors.features.service import Patience
from tests.regressors.features.language_model import LanguageModel, fails, says
from tests.regressors.features.server import Said

ASK = [{"role": "user", "content": 'Text: "Is it?"'}]
MOST = len('Text: "Is it?"') + 16 + 300
"""Tokens that asking this may take."""


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def chat(server: LanguageModel, *, attempts: int = 5, timeout: float = 5.0, **options: Any) -> Chat:
    return Chat(server.address, "small", patience=Patience(timeout, attempts, first_wait=0.01), **options)


def test_asks_in_the_protocol_and_gives_what_was_said() -> None:
    with LanguageModel(says("Yes.", tokens=120), says("Ye", ended="length", tokens=30)) as server:
        asker = chat(server, key="sesame")
        replies = [asker.ask(ASK), asker.ask(ASK)]

    assert replies == [Reply("Yes."), Reply("Ye", cut_off=True)]
    assert server.paths == ["/v1/chat/completions"] * 2
    assert server.asked[0] == {"model": "small", "messages": ASK, "temperature": 0, "max_tokens": 300}
    assert server.keys == ["Bearer sesame"] * 2
    assert (asker.requests, asker.tokens) == (2, 150)


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
def test_the_address_may_name_the_path_or_not(ending: str) -> None:
    with LanguageModel(says("Yes.")) as server:
        Chat(server.address + ending, "small").ask(ASK)

    assert server.paths == ["/v1/chat/completions"]
    assert server.keys == [None]


@pytest.mark.parametrize("address", ["localhost:8080", "http://a?x=1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(RegressorError, match="is no address of a server, such as http://localhost:8080"):
        Chat(address, "small")


@pytest.mark.parametrize("failure", [fails(429), fails(500), fails(503), Said(b"{", cut=5)])
def test_a_passing_failure_is_tried_again(failure: Said) -> None:
    with LanguageModel(failure, failure, says("Yes.")) as server:
        asker = chat(server)

        assert asker.ask(ASK) == Reply("Yes.")
        assert asker.requests == len(server.asked) == 3


def test_a_server_that_fails_for_ever_is_an_error() -> None:
    with LanguageModel(fails(500, "out of memory")) as server:
        asker = chat(server, attempts=3)
        with pytest.raises(RegressorError) as failed:
            asker.ask(ASK)

    assert len(server.asked) == 3
    told = 'failed 3 times, at last: HTTP status 500, {"error": {"message": "out of memory"}}. Try again later.'
    assert str(failed.value) == f"{server.address}/v1/chat/completions {told}"
    assert asker.tokens == 0


def test_a_server_that_did_not_answer_may_charge_for_it() -> None:
    with LanguageModel(Said(says("Yes.").body, wait=0.6)) as server:
        asker = chat(server, timeout=0.1, attempts=2)
        with pytest.raises(RegressorError, match="failed 2 times, at last: no answer in time"):
            asker.ask(ASK)

    assert (asker.requests, asker.tokens) == (2, 2 * MOST)


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refused_request_is_not_tried_again(status: int) -> None:
    with LanguageModel(fails(status, "no such model")) as server, pytest.raises(RegressorError) as refused:
        chat(server, key="sesame").ask(ASK)

    assert len(server.asked) == 1
    assert f"refuses the request: HTTP status {status}" in str(refused.value)
    assert "no such model" in str(refused.value) and "sesame" not in str(refused.value)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>Hello",
        b"",
        b"[]",
        b'{"choices": []}',
        b'{"choices": [{"message": "Yes."}]}',
        b'{"choices": [{"message": {"content": 4}}]}',
        b'{"error": "no"}',
        b'{"a":' * 100_000,
        b"\xff",
    ],
)
def test_what_is_not_the_protocol_is_an_error(body: bytes) -> None:
    with LanguageModel(Said(body)) as server, pytest.raises(RegressorError) as strange:
        chat(server).ask(ASK)

    assert "does not answer as /v1/chat/completions does" in str(strange.value)
    assert len(str(strange.value)) < 600


def test_an_answer_without_end_is_not_read() -> None:
    with LanguageModel(Said(b" " * 1_000_001)) as server, pytest.raises(RegressorError, match="longer than 1,000,000 bytes"):
        chat(server, attempts=1).ask(ASK)


@pytest.mark.parametrize(
    "said",
    [
        says(None, refusal="I would rather not."),
        says("I would rather not.", ended="content_filter"),
    ],
)
def test_a_refusal_is_told_as_such(said: Said) -> None:
    with LanguageModel(said) as server:
        assert chat(server).ask(ASK) == Reply("I would rather not.", refused=True)


def test_a_filter_before_the_model_refuses_too() -> None:
    error = {"error": {"code": "content_filter", "message": "filtered"}}
    with LanguageModel(Said(json.dumps(error).encode(), 400)) as server:
        reply = chat(server).ask(ASK)

    assert reply.refused and "filtered" in reply.content


def test_no_more_requests_than_allowed_retries_counted() -> None:
    with LanguageModel(says("Yes."), fails(500)) as server:
        asker = chat(server, most_requests=3)
        asker.ask(ASK)
        with pytest.raises(
            RegressorError, match=r"3 requests sent, the most that is allowed\. The last request failed: HTTP status 500"
        ):
            asker.ask(ASK)
        with pytest.raises(RegressorError, match=r"3 requests sent, the most that is allowed\. Answers so far are kept"):
            asker.ask(ASK)

    assert len(server.asked) == 3


def test_no_request_that_could_go_past_the_most_tokens() -> None:
    with LanguageModel(says("Yes.", tokens=100)) as server:
        asker = chat(server, most_tokens=MOST + 150)
        asker.ask(ASK)
        asker.ask(ASK)
        with pytest.raises(
            RegressorError, match=f"200 tokens are used, and the next request may take up to {MOST}: that could go past"
        ):
            asker.ask(ASK)

    assert len(server.asked) == 2


def test_tokens_that_are_not_reported_count_as_the_most_there_can_be() -> None:
    with LanguageModel(says("Yes.", tokens=None)) as server:
        asker = chat(server)
        asker.ask(ASK)

    assert asker.tokens == MOST


def test_a_limit_below_nothing_is_refused() -> None:
    with pytest.raises(RegressorError, match="The most tokens are -1: give 0 or more"):
        Chat("http://localhost", "small", most_tokens=-1)
