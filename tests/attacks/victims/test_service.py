"""A victim behind an address: a server in the test that answers, fails, refuses, is slow, or talks nonsense."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attacks import AttackError
from attacks.engine import Example, run_attack
from attacks.victims import ServiceVictim, load_victim
from tests.attacks.toys import Scripted
from tests.regressors.features.server import Said, Server


def said(rows: Any, status: int = 200, **more: Any) -> Said:
    return Said(json.dumps({"probabilities": rows}).encode(), status, **more)


def by_length(body: bytes) -> Said:
    """P(1) is a tenth of the characters."""
    return said([[1 - len(text) / 10, len(text) / 10] for text in json.loads(body)["texts"]])


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited, without waiting."""
    found: list[float] = []
    monkeypatch.setattr("regressors.features.service.time.sleep", found.append)
    return found


def test_what_is_sent_and_what_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSABLE_VICTIM_KEY", "sesame")
    with Server(of_body=by_length) as server:
        victim = ServiceVictim(f"{server.address}/ask/", "lengths", batch=2)
        answers = victim.predict_proba(["a", "bb", "a", "c\ud800c", "bb"])
    assert [json.loads(body) for body in server.bodies] == [{"texts": ["a", "bb"]}, {"texts": ["c\ufffdc"]}]
    assert (server.paths, server.keys) == (["/ask"] * 2, ["Bearer sesame"] * 2)
    np.testing.assert_allclose(answers[:, 1], [0.1, 0.2, 0.1, 0.3, 0.2])


def test_the_key_goes_into_the_header_that_is_named_or_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSABLE_VICTIM_KEY", "sesame")
    with Server(of_body=by_length) as server:
        for header in ("X-Api-Key", ""):
            ServiceVictim(server.address, "lengths", key_header=header).predict_proba(["a"])
    assert server.keys == [None, None]
    assert [headers.get("X-Api-Key") for headers in server.headers] == ["sesame", None]
    with pytest.raises(AttackError, match="is no name of a header"):
        ServiceVictim("http://localhost:1", "m", key_header="X: y")


def test_the_format_of_hugging_face() -> None:
    def answer(body: bytes) -> Said:
        given = json.loads(body)
        assert given["parameters"] == {"top_k": 2}
        scores = [[{"label": "FAKE", "score": 0.75}, {"label": "REAL", "score": 0.25}] for _ in given["inputs"]]
        scores[0].reverse()
        return Said(json.dumps(scores).encode())

    with Server(of_body=answer) as server:
        victim = ServiceVictim(server.address, "m", format="huggingface", labels=("REAL", "FAKE"))
        assert victim.predict_proba(["a", "b"]).tolist() == [[0.25, 0.75]] * 2
        other = ServiceVictim(server.address, "m", format="huggingface")
        with pytest.raises(AttackError, match="in the format huggingface, the labels LABEL_0 and LABEL_1 for each text"):
            other.predict_proba(["a"])


def test_what_services_round_is_put_right() -> None:
    with Server(said([[0.3333, 0.6666]])) as server:
        answers = ServiceVictim(server.address, "m").predict_proba(["a"])
    assert answers.sum() == pytest.approx(1, abs=1e-12)


def test_too_many_requests_and_errors_are_waited_out(waits: list[float]) -> None:
    failures = [Said(b"", 429, {"Retry-After": "7"}), Said(b"", 500)]
    with Server(*failures, said([[0.9, 0.1]])) as server:
        assert ServiceVictim(server.address, "m").predict_proba(["a"]).tolist() == [[0.9, 0.1]]
    assert [wait for wait in waits if wait] == [7, 2]


def test_a_service_that_is_down_is_waited_for_once_only(waits: list[float]) -> None:
    with Server(*[Said(b"", 503)] * 4, said([[0.9, 0.1]]), Said(b"", 503)) as server:
        victim = ServiceVictim(server.address, "m", attempts=3)
        for attempts in (3, 4):  # patiently; then once
            with pytest.raises(AttackError, match=r"HTTP status 503\. Run the attack again when the service is up"):
                victim.predict_proba(["a"])
            assert len(server.bodies) == attempts
        victim.predict_proba(["a"])
        with pytest.raises(AttackError, match="failed 3 times"):  # it had answered, so there is patience again
            victim.predict_proba(["b"])
    assert len(server.bodies) == 8


def test_a_slow_service_is_not_waited_for() -> None:
    with Server(said([[0.9, 0.1]], wait=0.5)) as server, pytest.raises(AttackError, match="no answer in time"):
        ServiceVictim(server.address, "m", timeout=0.1, attempts=1).predict_proba(["a"])


def test_a_refusal_is_told_at_once() -> None:
    with Server(Said(b"who are you", 401)) as server:
        victim = ServiceVictim(server.address, "m")
        with pytest.raises(AttackError, match=r"HTTP status 401, who are you\. Look at the address, the format and the key"):
            victim.predict_proba(["a"])
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Said(b"{"),
        Said(b"<html>"),
        Said(b"[]"),
        Said(b"null"),
        Said(b'{"probabilities": null}'),
        Said(b'{"probabilities": [[NaN, NaN]]}'),
        Said(b'{"probabilities": [[null, 1]]}'),
        Said(b'{"probabilities": [["x", "y"]]}'),
        said([]),
        said([0.5, 0.5]),
        said([[0.5, 0.5], [0.5, 0.5]]),
        said([[0.2, 0.3, 0.5]]),
        said([[0.5, 0.6]]),
        said([[-0.5, 1.5]]),
        said([[10**400, 0]]),
        Said(b"[" * 100_000),
    ],
)
def test_any_other_answer_is_refused(answer: Said) -> None:
    with Server(answer) as server, pytest.raises(AttackError, match="does not answer with two probabilities for each text in"):
        ServiceVictim(server.address, "m").predict_proba(["a"])


def test_no_more_requests_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    now, waits = [100.0], []

    def sleep(seconds: float) -> None:
        waits.append(round(seconds, 6))
        now[0] += seconds

    monkeypatch.setattr("attacks.victims.service.time.monotonic", lambda: now[0])
    monkeypatch.setattr("attacks.victims.service.time.sleep", sleep)
    with Server(of_body=by_length) as server:
        victim = ServiceVictim(server.address, "m", per_minute=20, batch=1)
        victim.predict_proba(["a", "b", "c"])
        now[0] += 2
        victim.predict_proba(["d"])
    assert [wait for wait in waits if wait] == [3, 3, 1]


def test_a_failing_service_costs_no_run() -> None:
    with Server(*[said([[0.9, 0.1]])] * 3, Said(b"busy", 500)) as server:
        victim = ServiceVictim(server.address, "m", attempts=1)
        examples = [Example(id, f"text {id}", 0) for id in range(3)]
        found = run_attack(examples, victim, Scripted("other", admit=False), window=1)
    assert [outcome.status for outcome in found] == ["failed", "error", "error"]
    assert "HTTP status 500, busy" in found[1].message


def test_a_file_describes_it(tmp_path: Path) -> None:
    described = {"kind": "http", "address": "http://localhost:1/x", "model": "m 1.2", "batch": 8, "labels": ["a", "b"]}
    (tmp_path / "victim.json").write_text(json.dumps(described))
    victim = load_victim(tmp_path)
    assert isinstance(victim, ServiceVictim)
    assert (victim.address, victim.model, victim.batch, victim.labels) == ("http://localhost:1/x", "m 1.2", 8, ("a", "b"))
    assert load_victim(tmp_path / "victim.json").sha256 == victim.sha256
    assert ServiceVictim("http://localhost:1/x/", "m 1.2").sha256 == victim.sha256
    assert ServiceVictim("http://localhost:1/x", "m 1.3").sha256 != victim.sha256
    assert ServiceVictim("http://localhost:2/x", "m 1.2").sha256 != victim.sha256


GOOD = {"address": "http://localhost:1", "model": "m"}


@pytest.mark.parametrize(
    ("described", "message"),
    [
        ("{", "not the description of a victim behind an address"),
        ("[]", "no JSON object"),
        (GOOD | {"kind": "linear"}, "no JSON object of the kind “http”"),
        ({"address": "http://localhost:1"}, "model"),
        (GOOD | {"colour": "red"}, "colour"),
        (GOOD | {"address": "localhost"}, "'localhost' is no address of a server"),
        (GOOD | {"address": "http://me:sesame@localhost"}, "leave them out"),
        (GOOD | {"address": 5}, "the address is 5"),
        (GOOD | {"model": ""}, "the victim's model has no name"),
        (GOOD | {"format": "xml"}, "unknown format 'xml'; there are probabilities, huggingface"),
        (GOOD | {"labels": ["a", "a"]}, "two different names"),
        (GOOD | {"batch": 0}, "batch is 0; give a whole number of at least 1"),
        (GOOD | {"attempts": 0}, "attempts is 0; give a whole number of at least 1"),
        (GOOD | {"per_minute": "x"}, "per_minute is 'x'"),
        (GOOD | {"timeout": 0}, "timeout is 0; give a number of seconds"),
    ],
)
def test_a_faulty_description_is_refused(described: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "victim.json"
    path.write_text(described if isinstance(described, str) else json.dumps(described))
    with pytest.raises(AttackError, match=message) as refused:
        load_victim(path)
    assert "sesame" not in str(refused.value)
