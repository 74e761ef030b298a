"""What every attacker of words keeps to."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from attacks.attackers import PWWS, Beam, Genetic, RandomWords, SememePSO, TextFooler
from attacks.attackers.bae import BAE
from attacks.attackers.bert_attack import BertAttack
from attacks.attackers.exhaustive import Exhaustive
from attacks.attackers.in_turn import MaskedShift
from attacks.attackers.words import WordAttacker
from attacks.engine import Example, run_attack
from attacks.substitutes.masked import MaskedWords
from attacks.text import Text
from tests.attacks.toys import Listed, MaskedToy, WordVictim

BUDGET = 400
WORDS = [f"word{letter}" for letter in "abcdefghijklmnop"]
TABLE = {word: [f"{word}{i}" for i in range(3)] for word in WORDS}
PREDICTOR = MaskedToy(TABLE)
MASKED = MaskedWords(PREDICTOR)


class OfMadeUpWords(BAE):
    """BAE where no dictionary has the words, so that none would be the same part of speech."""

    def own_substitutes(self) -> MaskedWords:
        return MASKED


SEARCHES: dict[str, WordAttacker] = {
    "bae": OfMadeUpWords(predictor=PREDICTOR, constraints=()),
    "beam": Beam(remove=False, substitutes=Listed(TABLE)),
    "bert-attack": BertAttack(share=1.0, substitutes=MASKED),
    "exhaustive": Exhaustive(substitutes=MASKED),
    "genetic": Genetic(population=8, share=1.0, substitutes=Listed(TABLE)),
    "masked-shift": MaskedShift(substitutes=MASKED, fallback=Listed({})),
    "pwws": PWWS(substitutes=Listed(TABLE)),
    "sememe-pso": SememePSO(particles=8, share=1.0, substitutes=Listed(TABLE)),
    "textfooler": TextFooler(substitutes=Listed(TABLE), constraints=()),
}
BASELINE = RandomWords(tries=1000, substitutes=Listed(TABLE))


@cache
def successes(attacker: WordAttacker) -> int:
    """Of 60 texts of 12 words against a victim that sums up weights, drawn for words and substitutes alike."""
    rng = np.random.default_rng(0)
    vocabulary = [*WORDS, *(other for others in TABLE.values() for other in others)]
    victim = WordVictim(dict(zip(vocabulary, rng.normal(0, 0.03, len(vocabulary)), strict=True)), base=0.2)
    examples = [Example(i, " ".join(rng.choice(WORDS, 12, replace=False)), 0) for i in range(60)]
    outcomes = run_attack(examples, victim, attacker, budget=BUDGET)
    assert max(outcome.queries.asked for outcome in outcomes) <= BUDGET
    return sum(outcome.succeeded for outcome in outcomes)


@pytest.mark.parametrize("name", SEARCHES)
def test_more_success_than_random_words_at_equal_budget(name: str) -> None:
    assert successes(SEARCHES[name]) > successes(BASELINE) + 5


@pytest.mark.parametrize("kind", [Beam, Genetic, PWWS, RandomWords, SememePSO, TextFooler])
def test_numbers_and_names_stay_on_request(kind: type[WordAttacker]) -> None:
    table = Listed({"bonn": ["Ulm"], "two": ["three"], "said": ["told"]})
    text = "He said that Bonn has two mayors"
    asked = {}
    for keep in ("", "numbers,names"):
        victim = WordVictim(dict.fromkeys(["He", "said", "that", "Bonn", "has", "two", "mayors"], -0.01))
        attacker = kind(keep=keep, substitutes=table)  # type: ignore[call-arg]
        attacker.constraints = ()
        run_attack([Example(0, text, 0)], victim, attacker)
        asked[keep] = {word for sent in victim.sent for word in Text(sent).words}
    assert {"told", "three", "Ulm"} <= asked[""]
    assert asked["numbers,names"] & {"told", "three", "Ulm"} == {"told"}
    described = kind(keep="names", substitutes=table).describe()  # type: ignore[call-arg]
    assert described["protected"]["names"] == "capitalised span"
