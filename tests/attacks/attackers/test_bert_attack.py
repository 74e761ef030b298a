from __future__ import annotations

from typing import Any

import pytest

from attacks import AttackError
from attacks.attackers.bert_attack import BertAttack
from attacks.engine import Example, Outcome, Queries, run_attack
from attacks.resources import Resources
from attacks.substitutes.masked import MaskedWords
from attacks.substitutes.words import FunctionWords, NoAntonyms
from attacks.text import Text
from tests.attacks.toys import Forbids, MaskedToy, Opposites, WordVictim

LIKELY = {
    "Good": ["good", "bad", "fine", "##er", "nice"],
    "old": ["new", "grey", "dull"],
    "movie": ["movie", "film", "story"],
    "ended": ["finished"],
}


def bert_attack(**options: Any) -> tuple[BertAttack, MaskedToy]:
    toy = MaskedToy({word: [other for other in others if other.isalpha()] for word, others in LIKELY.items()})
    filters = (FunctionWords(), NoAntonyms(lambda: Opposites(("good", "bad"))))  # type: ignore[arg-type, return-value]
    return BertAttack(substitutes=MaskedWords(toy, "seen", filters=filters), **options), toy


def attack(attacker: BertAttack, victim: WordVictim, text: str = "The Good old movie ended.", **options: Any) -> Outcome:
    return run_attack([Example(0, text, 0)], victim, attacker, **options)[0]


def test_trace_by_hand() -> None:
    victim = WordVictim({"Good": -0.3, "old": -0.1, "movie": 0.05, "grey": -0.2, "dull": -0.05, "Fine": -0.25, "Nice": -0.1})
    attacker, toy = bert_attack(share=1.0)
    outcome = attack(attacker, victim)
    # all places at once, in the original, each in sight; "The" is a function word
    assert [(blank.start, blank.end, blank.masked) for blank in toy.asked] == [
        (4, 8, False), (9, 12, False), (13, 18, False), (19, 24, False),
    ]  # fmt: skip
    assert victim.calls == [
        ["The Good old movie ended."],
        # P(1) = 0.15; masked: 0.15, 0.45, 0.25, 0.1, 0.15, so Good, old, then The and ended, at last movie
        [f"{a} {b} {c} {d} {e}." for a, b, c, d, e in [
            ("[UNK]", "Good", "old", "movie", "ended"), ("The", "[UNK]", "old", "movie", "ended"),
            ("The", "Good", "[UNK]", "movie", "ended"), ("The", "Good", "old", "[UNK]", "ended"),
            ("The", "Good", "old", "movie", "[UNK]"),
        ]],
        # bad is an antonym; Nice comes nearer (0.35)
        ["The Fine old movie ended.", "The Nice old movie ended."],
        # new reaches 0.45, grey 0.25, dull 0.4: none changes the answer, new is kept
        ["The Nice new movie ended.", "The Nice grey movie ended.", "The Nice dull movie ended."],
        # finished and the rest change nothing, and stay out
        ["The Nice new movie finished."],
        ["The Nice new film ended.", "The Nice new story ended."],
    ]  # fmt: skip
    assert (outcome.status, outcome.queries.asked) == ("failed", 1 + 5 + 2 + 3 + 1 + 2)


def test_the_first_substitute_that_changes_the_answer_is_taken_not_the_nearest() -> None:
    victim = WordVictim({"Good": -0.3, "Fine": 0.1, "Nice": 0.4})
    outcome = attack(bert_attack()[0], victim)
    assert outcome.adversarial == "The Fine old movie ended."
    assert outcome.queries == Queries(1 + 5 + 2 + 1, 8, 9)


@pytest.mark.parametrize(("share", "replaced"), [(0.1, 1), (0.4, 2), (0.79, 3), (1.0, 4)])
def test_a_share_of_the_words_is_replaced_and_at_least_one(share: float, replaced: int) -> None:
    victim = WordVictim({"Fine": 0.01, "new": 0.01, "film": 0.01, "finished": 0.01}, base=0.4)
    attack(bert_attack(share=share)[0], victim)
    words = Text("The Good old movie ended.").words
    assert max(sum(a != b for a, b in zip(Text(text).words, words, strict=True)) for text in victim.sent) == replaced


def test_what_the_constraints_refuse_is_not_asked() -> None:
    victim = WordVictim({"Good": -0.3, "Fine": 0.1, "Nice": 0.4})
    outcome = attack(bert_attack()[0], victim, constraints=[Forbids("Fine")])
    assert outcome.adversarial == "The Nice old movie ended."
    assert not [text for text in victim.sent if "Fine" in text]


def test_by_a_trained_model(resources: Resources) -> None:
    attacker = BertAttack.made_with(resources, count=4, share=1.0)
    victim = WordVictim({"good": -0.2, "nice": -0.1, "fine": -0.1, "great": -0.1, "movie": -0.1, "film": 0.3, "story": 0.3})
    outcome = attack(attacker, victim, "The new movie was good.")
    # by importance good comes first: what is likely there brings the text nearer; then movie
    assert outcome.adversarial in {f"The new {b} was {a}." for a in ("nice", "fine", "great") for b in ("film", "story")}
    assert outcome.queries.asked <= attacker.most_queries(Text("The new movie was good."))
    described = attacker.describe()
    assert described["parameters"] == {"count": 4, "least": 0.0, "share": 1.0, "mask": "[UNK]", "keep": ""}
    assert described["substitutes"]["masked_lm"]["name"] == "tiny-bert"


def test_what_cannot_be_is_refused() -> None:
    for share in (0.0, 1.1):
        with pytest.raises(AttackError, match="the share of words that may be replaced is above 0 and up to 1, not"):
            BertAttack(share=share)
    with pytest.raises(AttackError, match="no masked language model was given"):
        BertAttack().describe()
