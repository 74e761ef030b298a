"""Paraphrases by a language model behind an address: a server in the test that answers, fails, refuses, or talks nonsense."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attacks import AttackError
from attacks.attackers.paraphrase import Paraphrase
from attacks.engine import Example, run_attack
from attacks.resources import Resources
from attacks.substitutes.chat_paraphrases import PROMPT, ChatParaphrases
from attacks.substitutes.source import Passage
from tests.attacks.toys import WordVictim
from tests.regressors.features.server import Said, Server

PASSAGE = "A good movie."


def said(content: Any, **message: Any) -> Said:
    text = content if isinstance(content, str) else json.dumps(content)
    return Said(json.dumps({"choices": [{"message": {"content": text} | message, "finish_reason": "stop"}]}).encode())


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited, without waiting."""
    found: list[float] = []
    monkeypatch.setattr("regressors.features.service.time.sleep", found.append)
    return found


def answered(*answers: Said, count: int = 3) -> list[str]:
    with Server(*answers) as server:
        return ChatParaphrases(server.address, "small", count).answer([Passage(PASSAGE)])[0]


def test_what_is_sent_and_what_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSABLE_RATING_KEY", "sesame")
    with Server(said(["A fine film.", "A nice film."]), said(["Nice."])) as server:
        source = ChatParaphrases(server.address, "small", 2, seed=7)
        fine = ["A fine film.", "A nice film."]
        assert source.answer([Passage(PASSAGE), Passage("Good \ud800!"), Passage(PASSAGE, 5)]) == [fine, ["Nice."], fine]
        assert source.answer([Passage(PASSAGE)]) == [fine]
        described = source.describe()
    assert [json.loads(body) for body in server.bodies] == [
        {
            "model": "small",
            "messages": [{"role": "user", "content": PROMPT.format(count=2, text=json.dumps(text, ensure_ascii=False))}],
            "temperature": 0,
            "max_tokens": 4000,
            "seed": 7,
        }
        for text in (PASSAGE, "Good \ufffd!")
    ]
    assert (server.paths, server.keys) == (["/v1/chat/completions"] * 2, ["Bearer sesame"] * 2)
    assert described == {
        "chat": {
            "address": f"{server.address}/v1/chat/completions",
            "model": "small",
            "prompt_sha256": source.prompt_sha256,
        },
        "search": "temperature 0, seed 7, 2 asked for",
    }
    assert ChatParaphrases(server.address, "other", 2, seed=7).prompt_sha256 == source.prompt_sha256
    assert ChatParaphrases(server.address, "small", 3, seed=7).prompt_sha256 != source.prompt_sha256


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (said('Of course [as asked]:\n```json\n["A fine\\n film."]\n```'), ["A fine film."]),
        (said(["One.", PASSAGE, "One.", " ", "Two.", "Three.", "Four."]), ["One.", "Two.", "Three."]),
        (said(["x" * (3 * len(PASSAGE)), "x" * (3 * len(PASSAGE) + 1)]), ["x" * (3 * len(PASSAGE))]),
        (said('["A fine film.", "A ni'), []),
        (said("A fine film."), []),
        (said([1, 2]), []),
        (said([]), []),
        (said(""), []),
        (said(["A fine film."], refusal='I do not write ["this"].'), []),
    ],
)
def test_what_is_no_paraphrase_is_left_out(answer: Said, expected: list[str]) -> None:
    assert answered(answer) == expected


def test_too_many_requests_and_errors_are_waited_out(waits: list[float]) -> None:
    assert answered(Said(b"", 429, {"Retry-After": "7"}), Said(b"", 500), said(["Fine."])) == ["Fine."]
    assert [wait for wait in waits if wait] == [7, 2]


def test_a_service_that_is_down_is_waited_for_once_only(waits: list[float]) -> None:
    with Server(*[Said(b"", 503)] * 6, said(["Fine."])) as server:
        source = ChatParaphrases(server.address, "small")
        for asked in (5, 6):  # patiently; then once
            with pytest.raises(AttackError, match="HTTP status 503"):
                source.answer([Passage(PASSAGE)])
            assert len(server.bodies) == asked
        assert source.answer([Passage(PASSAGE)]) == [["Fine."]]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Said(b"{"), "does not answer as /v1/chat/completions does"),
        (Said(b"{}"), "does not answer as /v1/chat/completions does"),
        (Said(b"no such model", 404), "HTTP status 404, no such model"),
    ],
)
def test_what_is_no_such_service_is_told(answer: Said, message: str) -> None:
    with pytest.raises(AttackError, match=message):
        answered(answer)


def test_an_attack_by_an_address() -> None:
    with Server(said(["A bad movie.", "A fine film."])) as server:
        attacker = Paraphrase.made_with(Resources(paraphraser=f"small@{server.address}"), count=2)
        attacker.constraints = ()
        outcome = run_attack([Example(0, PASSAGE, 0)], WordVictim({"fine": 0.4}), attacker)[0]
    assert (outcome.status, outcome.adversarial, outcome.queries.asked) == ("success", "A fine film.", 1 + 2 + 1)
