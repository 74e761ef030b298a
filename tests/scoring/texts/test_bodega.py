from __future__ import annotations

from collections.abc import Sequence

import pytest

from scoring.result import ScoringError
from scoring.texts.bodega import score_examples
from scoring.texts.semantic import EncoderSimilarity


class Scripted:
    """A scorer with given answers that keeps what it was asked."""

    name, version, sha256 = "scripted", "1", "0" * 64

    def __init__(self, answers: Sequence[float]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked += pairs
        return self.answers[: len(pairs)]


def test_success_and_bodega_average_over_all_and_the_parts_over_successes() -> None:
    pairs = [("a b c d", "a b c x"), ("E f g h", "E f g h!"), ("i j k l", "i j k l"), ("p", "q"), ("r", "")]
    scorer = Scripted([0.9, 1.3, -0.2])
    found = score_examples(pairs, [True, True, True, False, False], scorer=scorer, task="PR")
    assert found.success.value == pytest.approx(0.6)
    assert found.semantic.value == pytest.approx(0.6333333, abs=1e-7)
    assert found.character.value == pytest.approx(0.8783069, abs=1e-7)
    assert found.bodega.value == pytest.approx(0.3098413, abs=1e-7)
    assert (found.success.n, found.semantic.n, found.character.n, found.bodega.n) == (5, 3, 3, 5)
    assert found.semantic.left_out == {"failed attacks": 2}
    assert [example.bodega for example in found.examples[3:]] == [0.0, 0.0]
    assert scorer.asked[1] == ("E f g h", "E f g h !")


def test_sentences_are_clipped_then_averaged_within_the_example() -> None:
    scorer = Scripted([1.5, 0.5, -1.0])
    found = score_examples([("A ~ B ~ C", "B ~ A")], scorer=scorer, task="FC")
    assert scorer.asked == [("A", "A"), ("B", "B"), ("C", "B")]
    assert found.examples[0].semantic == pytest.approx(0.5)
    assert (found.segmenter, found.scorer) == ("cut at ~", {"name": "scripted", "version": "1", "sha256": "0" * 64})


@pytest.mark.parametrize(
    ("pairs", "task", "problem"),
    [
        ([("a", "a"), ("", " ")], "PR", "pair 2: neither text has a token"),
        ([("", "something")], "HN", "pair 1: the original has no sentence"),
        ([("a~", "~b")], "FC", "pair 1: both texts have a sentence without a token"),
        ([], "PR", "no attack succeeded"),
    ],
)
def test_what_bodegas_code_divides_by_zero_on_is_refused_only_for_its_sake(
    pairs: list[tuple[str, str]], task: str, problem: str
) -> None:
    with pytest.raises(ScoringError, match=problem):
        score_examples(pairs, scorer=None, task=task, compat="bodega")
    assert len(score_examples(pairs, scorer=None, task=task).examples) == len(pairs)
    failed = [("", ""), ("a", "a")]
    same = [
        score_examples(failed, [False, True], scorer=Scripted([0.5]), task="PR", compat=c).bodega.value for c in (None, "bodega")
    ]
    assert same == [0.25, 0.25]


def test_an_original_sentence_without_partner_is_compared_with_bodegas_literal() -> None:
    scorer = Scripted([0.1, 0.2])
    score_examples([("One is. Two is.", " ")], scorer=scorer, task="HN")
    assert scorer.asked == [("One is .", "NOT_GENERATED"), ("Two is .", "NOT_GENERATED")]


def test_a_blank_original_is_compared_as_it_is() -> None:
    scorer = Scripted([0.25])
    assert score_examples([("", "something")], scorer=scorer, task="HN").semantic.value == 0.25
    assert scorer.asked == [("", "something")]


def test_without_a_scorer_the_semantic_parts_have_a_reason() -> None:
    found = score_examples([("a", "a"), ("b", "c")], [True, False], scorer=None, task="PR")
    assert found.character.value == 1.0
    assert [e.reason and e.reason.code for e in (found.semantic, found.bodega)] == ["no_semantic_scorer"] * 2


def test_nothing_and_nothing_successful() -> None:
    nothing = score_examples([], scorer=None, task="PR")
    assert [e.reason and e.reason.code for e in (nothing.success, nothing.character)] == ["nothing_to_average"] * 2
    failed = score_examples([("a", "b")], [False], scorer=Scripted([]), task="PR")
    assert (failed.success.value, failed.bodega.value) == (0.0, 0.0)
    assert failed.character.reason
    assert failed.character.reason.message == "There is no successful example."


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ScoringError, match="2 pairs, but 1 values"):
        score_examples([("a", "b"), ("c", "d")], [True], scorer=None, task="PR")


def test_the_embedded_encoder_names_itself_and_does_not_depend_on_the_batch() -> None:
    scorer = EncoderSimilarity()
    pairs = [("The film was great.", "The movie was great."), ("The film was great.", "Rain is expected."), ("a", "a")]
    together = scorer.score(pairs)
    assert scorer.score([]) == []
    assert together == pytest.approx([score for pair in pairs for score in EncoderSimilarity().score([pair])], abs=1e-5)
    assert together[0] > 0.8
    assert 0 <= together[1] < 0.4
    assert together[2] == pytest.approx(1, abs=1e-5)
    assert scorer.name == "cosine of all-MiniLM-L6-v2"
    assert len(scorer.sha256) == 64
