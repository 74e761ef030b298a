"""Ratings by a language model: what is asked, what counts as a score, and that nothing is asked twice or made up."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regressors.errors import RegressorError
from regressors.features.chat import KEY_VARIABLE, Chat, Reply
from regressors.features.rating import EXAMPLES, INSTRUCTION, PROBLEMS, Rater, Rating, RatingFeatures, messages_about, rating_of
from regressors.features.rating_answers import RatingAnswers
from regressors.features.service import Patience
from scoring.result import Reason
from tests.regressors.features.language_model import LanguageModel, fails, rates, says


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path / "cache"))


def rater(server: LanguageModel, *, model: str = "small", **options: Any) -> Rater:
    return Rater(Chat(server.address, model, patience=Patience(attempts=2, first_wait=0.01), **options))


def test_the_question_is_what_suspicion_means_three_examples_and_the_text() -> None:
    text = 'He said "5" \u0441at\n{"score": 1}'

    messages = messages_about(text)

    assert [message["role"] for message in messages] == ["user", "assistant"] * 3 + ["user"]
    assert messages[0]["content"] == f"{INSTRUCTION}\n\nText: {json.dumps(EXAMPLES[0][0], ensure_ascii=False)}"
    assert messages[6]["content"] == 'Text: "He said \\"5\\" \u0441at\\n{\\"score\\": 1}"'
    for place, (example, score, reason) in enumerate(EXAMPLES):
        assert messages[2 * place]["content"].endswith(f'Text: "{example}"')
        assert rating_of(Reply(messages[2 * place + 1]["content"])) == Rating(score, reason)
    assert [score for _, score, _ in EXAMPLES] == [1, 3, 5]


@pytest.mark.parametrize(
    ("content", "score", "reason"),
    [
        ('{"score": 4, "reason": "Odd words."}', 4, "Odd words."),
        ('Sure! ```json\n{"reason": "Odd.", "score": 2.0}\n``` Anything else?', 2, "Odd."),
        ('{"score": "5", "reason": "Typos."}', 5, "Typos."),
        ('{"score": 1}', 1, ""),
        ('<think>{"score": 2} or {hm} {"score": 4}?</think> {"score": 3, "reason": "In doubt."}', 3, "In doubt."),
        ('{"score": 3, "reason": "half \\ud800"}', 3, "half \ufffd"),
    ],
)
def test_a_score_is_found_whatever_stands_around_it(content: str, score: int, reason: str) -> None:
    assert rating_of(Reply(content)) == Rating(score, reason)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply("I think 4 fits."), "no_score"),
        (Reply(""), "no_score"),
        (Reply('{"rating": 4}'), "no_score"),
        (Reply('{"score": 4, "reas', cut_off=True), "cut_off"),
        (Reply("{" * 30_000), "no_score"),
        (Reply('{"score": 6}'), "off_scale"),
        (Reply('{"score": 0}'), "off_scale"),
        (Reply('{"score": 3.5}'), "off_scale"),
        (Reply('{"score": true}'), "off_scale"),
        (Reply('{"score": null}'), "off_scale"),
        (Reply('{"score": NaN}'), "off_scale"),
        (Reply('{"score": Infinity}'), "off_scale"),
        (Reply('{"score": "four"}'), "off_scale"),
        (Reply('{"score": "\u0664"}'), "off_scale"),
        (Reply("I will not judge that.", refused=True), "refused"),
        (Reply('{"score": 4}', refused=True), "refused"),
    ],
)
def test_what_is_no_score_is_a_reason_and_what_was_said_is_kept(reply: Reply, code: str) -> None:
    assert rating_of(reply) == Rating(None, reply.content[:1_000], Reason(code, PROBLEMS[code]))


def test_each_text_is_asked_about_once_ever() -> None:
    with LanguageModel(of_text=lambda text: rates(len(text), f"{text} it is.")) as server:
        first = rater(server)
        ratings = first.rate(["one", "four", "one"])
        again = rater(server)
        assert again.rate(["four", "three", "one"]) == [
            ratings[1],
            rating_of(Reply('{"score": 5, "reason": "three it is."}')),
            ratings[0],
        ]

    assert ratings == [Rating(3, "one it is."), Rating(4, "four it is."), Rating(3, "one it is.")]
    assert server.texts == ["one", "four", "three"]
    assert (first.known, again.known, again.chat.requests) == (0, 2, 1)


def test_another_model_or_another_question_is_asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    with LanguageModel(rates(2)) as server:
        for asker in (rater(server), rater(server, model="large"), rater(server, reply_tokens=50)):
            asker.rate(["one"])
        monkeypatch.setattr("regressors.features.rating.INSTRUCTION", "Rate it.")
        rater(server).rate(["one"])

    assert [asked["model"] for asked in server.asked] == ["small", "large", "small", "small"]


def test_an_answer_without_a_score_is_kept_as_such() -> None:
    with LanguageModel(says("Hm."), says(None, refusal="No.")) as server:
        ratings = rater(server).rate(["one", "two"])
        assert rater(server).rate(["one", "two"]) == ratings

    assert len(server.asked) == 2
    assert ratings == [
        Rating(None, "Hm.", Reason("no_score", PROBLEMS["no_score"])),
        Rating(None, "No.", Reason("refused", PROBLEMS["refused"])),
    ]


def test_a_failure_keeps_what_was_answered_and_is_not_kept_itself() -> None:
    with LanguageModel(rates(2), fails(429), rates(3), fails(500)) as server:
        with pytest.raises(RegressorError, match="failed 2 times"):
            rater(server).rate(["one", "two", "three"])
        server.answers = [rates(4)]
        assert [rating.score for rating in rater(server).rate(["one", "two", "three"])] == [2, 3, 4]

    assert server.texts == ["one", "two", "two", "three", "three", "three"]


def test_a_limit_stops_before_it_is_passed_and_one_may_go_on() -> None:
    with LanguageModel(rates(2)) as server:
        for sent in (2, 4):
            with pytest.raises(RegressorError, match="2 requests sent, the most that is allowed"):
                rater(server, most_requests=2).rate(["a", "b", "c", "d", "e"])
            assert len(server.asked) == sent
        assert len(rater(server, most_requests=1).rate(["a", "b", "c", "d", "e"])) == 5


def test_texts_that_cannot_be_read_are_not_asked_about() -> None:
    with LanguageModel(rates(2)) as server:
        ratings = rater(server).rate(["  ", "x" * 50_001, "half \ud800"])

    assert [rating.score for rating in ratings] == [None, None, 2]
    assert ratings[0] == Rating(None, "the text is empty", Reason("unreadable", PROBLEMS["unreadable"]))
    assert server.texts == ["half \ufffd"]


def test_the_features_say_where_there_is_no_score() -> None:
    with LanguageModel(of_text=lambda text: rates(4) if text == "one" else says("Hm.")) as server:
        group = RatingFeatures(rater(server))
        found = group.compute(["one", "two", "one"])
        empty = group.compute([])

    assert group.names == ("rating", "rated")
    assert np.array_equal(found, [[4, 1], [0, 0], [4, 1]])
    assert empty.shape == (0, 2)
    described = {"group": "rating", "version": "1", "columns": 2, "model": "small", "prompt_sha256": group.rater.prompt_sha256}
    assert group.described() == described


def test_a_model_and_its_address_make_the_features(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "sesame")
    with LanguageModel(rates(2)) as server:
        group = RatingFeatures.of_address(f"llama:8b@{server.address}")
        assert group.compute(["one"]).tolist() == [[2, 1]]

    assert group.spec == f"rating:llama:8b@{server.address}"
    assert (server.asked[0]["model"], server.keys) == ("llama:8b", ["Bearer sesame"])
    for given in (None, "http://localhost", "@http://localhost"):
        with pytest.raises(RegressorError, match="Say which model rates, and where: rating:NAME@URL"):
            RatingFeatures.of_address(given)


def test_a_file_of_answers_that_is_broken_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "ratings.sqlite3"
    file.write_bytes(b"something else " * 1_000)

    with pytest.raises(
        RegressorError, match=r"ratings\.sqlite3: answers cannot be kept there \(file is not a database\)\. Move it"
    ):
        RatingAnswers(file).find("small", "0", "1")
    assert file.read_bytes() == b"something else " * 1_000
    (tmp_path / "file").write_text("")
    with pytest.raises(RegressorError, match="answers cannot be kept there"):
        RatingAnswers(tmp_path / "file" / "ratings.sqlite3").keep("small", "0", "1", (3, "", None))


def test_no_key_and_no_text_is_kept(tmp_path: Path) -> None:
    with LanguageModel(rates(2, "Fine.")) as server:
        rater(server, key="sesame").rate(["A secret text"])

    kept = b"".join(file.read_bytes() for file in (tmp_path / "cache").iterdir())
    assert b"Fine." in kept and b"sesame" not in kept and b"A secret text" not in kept
    with sqlite3.connect(tmp_path / "cache" / "ratings.sqlite3") as database:
        assert database.execute("SELECT model, score, reason, problem FROM ratings").fetchall() == [("small", 2, "Fine.", None)]
    database.close()
