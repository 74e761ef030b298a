from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.attackers import TextFooler
from attacks.attackers.importance import by_deletion
from attacks.constraints import PairConstraint
from attacks.engine import Admit, Example, Goal, Queries, Query, Search, run_attack
from attacks.text import Text
from tests.attacks.toys import WordVictim

NEAR = {
    "good": ["fine", "nice", "bad", "quickly"],
    "movie": ["films", "film", "cinema"],
    "ended": ["finished", "closed", "end"],
    "great": ["big", "grand", "vast", "large"],
    "old": ["ancient", "young"],
}


class Near:
    def near(self, word: str, count: int, threshold: float) -> list[str]:
        return NEAR.get(word, [])[:count]

    def describe(self) -> dict[str, Any]:
        return {"name": "toy"}


class Opposites:
    def __call__(self, first: str, second: str) -> bool:
        return {first, second} in ({"good", "bad"}, {"old", "young"})

    def __len__(self) -> int:
        return 2


class Similarity(PairConstraint):
    """1 less a loss for every word that is in the candidate."""

    name = "encoder_similarity"
    cost = 100.0

    def __init__(self, losses: dict[str, float], threshold: float = 0.8) -> None:
        self.losses, self.threshold = losses, threshold

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        scores = np.array([1 - sum(self.losses.get(word, 0.0) for word in Text(text).words) for text in candidates])
        return scores, scores >= self.threshold

    def describe(self) -> dict[str, Any]:
        return {"name": self.name}


def textfooler_of(kind: type[TextFooler], losses: dict[str, float] | None = None, **options: Any) -> TextFooler:
    return kind(words=Near(), antonyms=Opposites(), constraints=(Similarity(losses or {}),), **options)  # type: ignore[arg-type]


def textfooler(losses: dict[str, float] | None = None, **options: Any) -> TextFooler:
    return textfooler_of(TextFooler, losses, **options)


@pytest.mark.parametrize(("first", "tried"), [("constraints", ["fine"]), ("victim", ["fine", "nice"])])
def test_trace_by_hand(first: Any, tried: list[str]) -> None:
    weights = {"good": -0.2, "movie": -0.1, "ended": -0.1, "fine": -0.15, "nice": -0.14, "film": 0.4, "cinema": 0.3}
    victim = WordVictim(weights)
    attacker = textfooler({"nice": 0.5, "film": 0.1, "cinema": 0.05}, first=first)
    outcome = run_attack([Example(0, "The Good-ish! good MOVIE ended.", 0)], victim, attacker)[0]
    assert victim.calls == [
        ["The Good-ish! good MOVIE ended."],
        # P(1) = 0.2 (MOVIE is unknown to the victim); deletions give 0.2, 0.2, 0.4, 0.2, 0.3: good, ended, The, Good-ish, MOVIE
        ["Good-ish! good MOVIE ended.", "The! good MOVIE ended.", "The Good-ish! MOVIE ended.", "The Good-ish! good ended.",
         "The Good-ish! good MOVIE."],
        # bad is an antonym, quickly no adjective; nice would be nearer to the goal but is too unlike
        [f"The Good-ish! {word} MOVIE ended." for word in tried],
        ["The Good-ish! fine MOVIE finished.", "The Good-ish! fine MOVIE closed."],
        ["The Good-ish! fine FILM finished.", "The Good-ish! fine CINEMA finished."],
    ]  # fmt: skip
    assert (outcome.status, outcome.adversarial) == ("failed", None)
    assert outcome.queries.asked == 1 + 5 + len(tried) + 2 + 2


@pytest.mark.parametrize("first", ["constraints", "victim"])
def test_of_several_successes_the_most_similar_wins(first: Any) -> None:
    victim = WordVictim({"good": -0.2, "film": 0.4, "cinema": 0.3})
    outcome = run_attack([Example(0, "good movie", 0)], victim, textfooler({"film": 0.1, "cinema": 0.05}, first=first))[0]
    assert outcome.adversarial == "fine cinema"
    assert outcome.queries == Queries(1 + 2 + 2 + 2 + 1, 7, 8)
    # the path: similarity of the original, then of the two steps
    assert outcome.constraint_scores["encoder_similarity"] == [1.0, 1.0, 0.95]


@pytest.mark.parametrize("first", ["constraints", "victim"])
def test_a_word_whose_neighbours_bring_no_gain_stays(first: Any) -> None:
    victim = WordVictim({"good": -0.1, "fine": -0.2, "nice": -0.2, "film": 0.35}, base=0.4)
    outcome = run_attack([Example(0, "good movie", 0)], victim, textfooler(first=first))[0]
    assert outcome.adversarial == "good film"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["good", "movie", "ended", "great", "old", "the"]), min_size=1, max_size=6), st.integers(0, 10**6)
)
def test_both_orders_choose_the_same(words: list[str], seed: int) -> None:
    rng = np.random.default_rng(seed)
    vocabulary = sorted({*NEAR, *(other for near in NEAR.values() for other in near)})
    victim = WordVictim(dict(zip(vocabulary, rng.normal(0, 0.15, len(vocabulary)).round(2), strict=True)))
    losses = dict(zip(vocabulary, rng.uniform(0, 0.15, len(vocabulary)), strict=True))
    a, b = (
        run_attack([Example(0, " ".join(words), 0)], victim, textfooler(losses, first=first))[0]
        for first in ("constraints", "victim")
    )
    assert (a.status, a.adversarial, a.scores_after) == (b.status, b.adversarial, b.scores_after)
    assert a.queries.asked <= b.queries.asked
    assert a.constraint_checks["encoder_similarity"] >= b.constraint_checks["encoder_similarity"]


def test_importance_is_the_gain_by_deletion_and_ties_keep_the_order_of_the_text() -> None:
    search = by_deletion(Text("a b c d"), Goal.away_from(np.array([0.4, 0.6])))
    assert list(next(search).texts) == [Text("b c d"), Text("a c d"), Text("a b d"), Text("a b c")]
    with pytest.raises(StopIteration) as end:
        search.send(np.array([[0.3, 0.7], [0.7, 0.3], [0.3, 0.7], [0.4, 0.6]]))
    assert end.value.value == [1, 3, 0, 2]


def test_function_words_and_unknown_words_stay() -> None:
    attacker = textfooler()
    assert attacker.substitutes("The") == attacker.substitutes("Don’t") == attacker.substitutes("Zyxia") == []
    assert attacker.substitutes("Good") == ["Fine", "Nice"]
    assert attacker.substitutes("OLD") == ["ANCIENT"]


def test_says_whether_antonyms_were_filtered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert textfooler().describe()["antonyms"] == "filtered by WordNet (2 pairs)"
    monkeypatch.setattr("attacks.attackers.textfooler.find_wordnet", lambda: None)
    without = TextFooler(words=Near())
    assert without.describe()["antonyms"] == "none filtered: WordNet is not installed; encoder similarity only"
    assert without.substitutes("good") == ["fine", "nice", "bad"]


class RandomReplacements(TextFooler):
    """The same replacements at random words, without looking at the victim's scores."""

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        current = text
        for _ in range(200):
            i = int(rng.integers(len(text.words)))
            options = self.substitutes(text.words[i])
            if options:
                changed = current.replace(i, options[int(rng.integers(len(options)))])
                admitted = yield Admit([changed])
                current = changed if admitted else current
                if goal.reached((yield Query([current])))[0]:
                    return current
        return None


def test_more_success_than_random_replacements_at_equal_budget() -> None:
    rng = np.random.default_rng(0)
    vocabulary = sorted({*NEAR, *(other for near in NEAR.values() for other in near)})
    examples = [Example(i, " ".join(rng.choice(sorted(NEAR), 12)), 0) for i in range(60)]
    victim = WordVictim(dict(zip(vocabulary, rng.normal(0, 0.03, len(vocabulary)), strict=True)), base=0.4)
    success = {
        kind: sum(outcome.succeeded for outcome in run_attack(examples, victim, textfooler_of(kind), budget=32))
        for kind in (TextFooler, RandomReplacements)
    }
    assert success[TextFooler] > success[RandomReplacements] + 5
