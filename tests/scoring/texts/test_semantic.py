"""What all semantic scorers share: nothing is computed twice, nothing depends on the company, and each says what it is."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from scoring.result import ScoringError
from scoring.texts.bert_score import BertScore
from scoring.texts.encoder import embedded_encoder
from scoring.texts.pair_models import PairModel
from scoring.texts.remembered import Pair, RememberedScorer, batches
from scoring.texts.score_cache import ScoreCache, Values
from scoring.texts.semantic import EncoderSimilarity, semantic_scorer
from tests.scoring.texts import tiny


class Counted(RememberedScorer):
    """The length of both texts, and how often it was asked for what."""

    name, version = "counted", "1"

    def __init__(self, sha256: str = "0" * 64) -> None:
        super().__init__()
        self.weights = sha256
        self.asked: list[Pair] = []

    @property
    def sha256(self) -> str:
        return self.weights

    def compute(self, pairs: Sequence[Pair]) -> list[Values]:
        self.asked += pairs
        return [(float(len(original) + 2 * len(modified)),) for original, modified in pairs]


def test_each_pair_is_computed_once_and_never_again() -> None:
    scorer = Counted()
    assert scorer.score([("aaaa", "b"), ("a", "b"), ("aaaa", "b"), ("b", "a")]) == [6, 3, 6, 3]
    assert scorer.asked == [("a", "b"), ("b", "a"), ("aaaa", "b")]
    again = Counted()
    assert again.score([("b", "a"), ("ab", "")]) == [3, 2]
    assert again.asked == [("ab", "")]
    assert again.score([]) == []


def test_other_weights_are_another_model() -> None:
    Counted().score([("a", "b")])
    other = Counted("1" * 64)
    other.score([("a", "b")])
    assert other.asked == [("a", "b")]


def test_what_was_scored_before_a_failure_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.texts.remembered._KEPT_AT_ONCE", 2)
    scorer = Counted()
    compute = scorer.compute

    def failing(pairs: Sequence[Pair]) -> list[Values]:
        if ("aaa", "") in pairs:
            raise KeyboardInterrupt
        return compute(pairs)

    monkeypatch.setattr(scorer, "compute", failing)
    with pytest.raises(KeyboardInterrupt):
        scorer.score([("aaaa", ""), ("aaa", ""), ("a", ""), ("aa", "")])
    again = Counted()
    again.score([("aaa", ""), ("a", ""), ("aa", "")])
    assert again.asked == [("aaa", "")]


def test_a_score_that_is_no_number_is_refused_and_not_kept(score_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = Counted()
    monkeypatch.setattr(scorer, "compute", lambda pairs: [(float("nan"),)])
    with pytest.raises(ScoringError, match="counted gives a score that is no number"):
        scorer.score([("a", "b")])
    assert Counted().score([("a", "b")]) == [3]


def test_batches_are_of_like_lengths() -> None:
    assert list(batches([5, 1, 9, 1, 7], 2)) == [[1, 3], [0, 4], [2]]
    assert list(batches([], 2)) == []


def test_the_embedded_encoder_one_by_one(tmp_path: Path) -> None:
    together = EncoderSimilarity().score(tiny.PAIRS)
    alone = []
    for number, pair in enumerate(tiny.PAIRS):
        embedded_encoder()._cache.clear()
        alone += EncoderSimilarity(cache=ScoreCache(tmp_path / f"{number}.sqlite3")).score([pair])
    assert together == pytest.approx(alone, abs=1e-5)
    assert all(0 <= score <= 1 for score in together)


def test_threads_may_share_a_scorer() -> None:
    scorer, found = Counted(), []
    pairs = [("a" * n, "b") for n in range(50)]
    threads = [threading.Thread(target=lambda: found.append(scorer.score(pairs))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[n + 2 for n in range(50)]] * 4


def test_scorers_by_name(tmp_path: Path) -> None:
    assert semantic_scorer("none") is None
    assert isinstance(semantic_scorer("encoder"), EncoderSimilarity)
    assert isinstance(semantic_scorer(f"bleurt:{tiny.bleurt(tmp_path / 'a')}"), PairModel)
    assert isinstance(semantic_scorer(f"bertscore:{tiny.bert(tmp_path / 'b:c')}"), BertScore)


@pytest.mark.parametrize("choice", ["", "bleurt", "bleurt:", "meaningbert:x", "glove:x", "encoder:x"])
def test_a_scorer_that_is_none_is_told(choice: str) -> None:
    with pytest.raises(ScoringError, match="is one of none, encoder, bleurt:PATH, bertscore:PATH"):
        semantic_scorer(choice)
