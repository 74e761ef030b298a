from __future__ import annotations

from typing import Any

from attacks.attackers.base import NamedAttacker
from attacks.attackers.in_turn import ImportantSynonyms, MaskedShift
from attacks.engine import Example, Outcome, run_attack
from attacks.resources import Resources
from attacks.substitutes.masked import MaskedWords
from attacks.text import Text
from tests.attacks.toys import Listed, MaskedToy, WordVictim

TEXT = "The good movie ended"


def attack(attacker: NamedAttacker, victim: WordVictim) -> Outcome:
    return run_attack([Example(0, TEXT, 0)], victim, attacker)[0]


def test_the_synonyms_of_a_word_are_tried_where_the_model_brings_nothing() -> None:
    toy = MaskedToy({"good": ["fine", "nice"], "movie": ["story"], "ended": ["closed"]})
    synonyms = Listed({"good": ["great"], "movie": ["film", "picture"], "ended": ["stopped"]})
    attacker = MaskedShift(substitutes=MaskedWords(toy, filters=()), fallback=synonyms)
    victim = WordVictim({"good": -0.2, "movie": -0.1, "fine": -0.1, "story": -0.2, "picture": 0.02, "closed": -0.1}, base=0.5)
    outcome = attack(attacker, victim)
    assert victim.calls == [
        [TEXT],
        # P(1): 0.2, masked 0.2, 0.4, 0.3, 0.2
        ["[UNK] good movie ended", "The [UNK] movie ended", "The good [UNK] ended", "The good movie [UNK]"],
        # nice is nearest: great, to fall back on, is not asked about
        ["The fine movie ended", "The nice movie ended"],
        # story is worse than movie, so the synonyms have their turn
        ["The nice story ended"],
        ["The nice film ended", "The nice picture ended"],
        ["The nice picture ended"],
    ]
    assert (outcome.status, outcome.adversarial) == ("success", "The nice picture ended")
    assert outcome.queries.asked == 1 + 4 + 2 + 1 + 2 + 1
    # the mask is put into the text so far
    assert [(blank.text, blank.start) for blank in toy.asked] == [(TEXT, 4), ("The nice movie ended", 9)]


def test_synonyms_by_importance() -> None:
    attacker = ImportantSynonyms(substitutes=Listed({"good": ["great"], "movie": ["film", "picture"], "ended": ["stopped"]}))
    victim = WordVictim({"good": -0.1, "movie": -0.2, "picture": 0.25, "film": 0.1}, base=0.4)
    outcome = attack(attacker, victim)
    assert victim.calls[2:] == [["The good film ended", "The good picture ended"], ["The good picture ended"]]
    assert outcome.queries.asked == 1 + 4 + 2 + 1


def test_protected_words_stay() -> None:
    for made in (MaskedShift, ImportantSynonyms):
        options: dict[str, Any] = {"fallback": Listed({})} if made is MaskedShift else {}
        attacker = made(keep="numbers", substitutes=Listed({"12": ["thirteen"], "films": ["movies"]}), **options)
        victim = WordVictim({})
        run_attack([Example(0, "12 films", 0)], victim, attacker)
        assert {text for text in victim.sent if "[" not in text} == {"12 films", "12 movies"}


def test_by_a_trained_model(resources: Resources) -> None:
    attacker = MaskedShift.made_with(resources, count=4)
    text = "The new movie was good."
    victim = WordVictim({"good": -0.2, "nice": -0.1, "fine": -0.1, "great": -0.1, "movie": -0.1, "film": 0.3, "story": 0.3})
    outcome = run_attack([Example(0, text, 0)], victim, attacker)[0]
    assert outcome.adversarial in {f"The new {b} was {a}." for a in ("nice", "fine", "great") for b in ("film", "story")}
    assert outcome.queries.asked <= attacker.most_queries(Text(text))
    assert {"masked_lm", "lexicon"} <= attacker.describe()["substitutes"].keys() | attacker.describe()["fallback"].keys()
