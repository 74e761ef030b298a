"""What every constraint keeps to."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from math import inf

import numpy as np
import pytest

from attacks import constraints
from attacks.constraints import (
    BertScoreAtLeast,
    CharacterScoreAtLeast,
    Constraint,
    EditDistanceAtMost,
    EncoderSimilarityAtLeast,
    MeaningAtLeast,
    PartOfSpeechKept,
    ProtectedWordsKept,
    SuspicionAtMost,
    WordsChangedAtMost,
)
from attacks.engine.lockstep import in_order_of_cost
from attacks.substitutes.protected import Protected
from tests.attacks.toys import Scripted, SuspicionByLength


class Letters:
    """An encoder by the counts of letters."""

    name, version, sha256 = "letters", "1", "letters"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        counts = np.array([[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]) + 0.1
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


class SharedLetters:
    """A meaning model: the share of letters in common."""

    sha256 = "shared-letters"

    def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        return np.array([len({*old} & {*new}) / max(len({*old} | {*new}), 1) for old, new in pairs])


class SharedWords:
    """A semantic scorer: the share of words in common."""

    name, version, sha256 = "shared words", "1", "shared-words"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [len({*old.split()} & {*new.split()}) / max(len({*old.split()} | {*new.split()}), 1) for old, new in pairs]


IN_ORDER_OF_COST: list[Constraint] = [
    WordsChangedAtMost(0.5),
    EditDistanceAtMost(8),
    CharacterScoreAtLeast(0.7),
    ProtectedWordsKept(Protected(numbers=True, names=True)),
    PartOfSpeechKept(),
    EncoderSimilarityAtLeast(0.9, Letters()),
    BertScoreAtLeast(SharedWords(), 0.7),
    SuspicionAtMost(SuspicionByLength()),
    MeaningAtLeast(SharedLetters(), 0.7),
]
OTHER_RULES: list[Constraint] = [SuspicionAtMost(SuspicionByLength(), margin=0.2), SuspicionAtMost(SuspicionByLength(), inf)]
ORIGINAL = "The council opened 2 old bridges, said Anna Berg ~ yesterday"
CANDIDATES = [
    ORIGINAL,
    "The council opened 2 old spans, said Anna Berg ~ yesterday",
    "The counicl opened 2 old bridges, said Anna Berg ~ yesterday",
    "The council opened 3 older bridges, said anna ~ yesterday and quickly went home again",
    "Quickly",
    "",
    " ",
    "?! ~ 🤯",
    "\ud800 lone",
    "a" * 100_000,
    "b " * 50_000,
]


def _id(constraint: Constraint) -> str:
    return f"{constraint.name} {constraint.describe().get('rule', '')}".strip()


@pytest.fixture(params=[*IN_ORDER_OF_COST, *OTHER_RULES], ids=_id)
def constraint(request: pytest.FixtureRequest) -> Constraint:
    return request.param


def test_this_suite_is_over_all_constraints() -> None:
    classes = [getattr(constraints, name) for name in constraints.__all__]
    whole = {each for each in classes if inspect.isclass(each) and hasattr(each, "cost") and not inspect.isabstract(each)}
    assert {type(each) for each in IN_ORDER_OF_COST} == whole - {Constraint}


def test_cheap_ones_come_first_whatever_the_order_given() -> None:
    assert in_order_of_cost(Scripted(), IN_ORDER_OF_COST[::-1]) == IN_ORDER_OF_COST


def test_it_describes_itself(constraint: Constraint) -> None:
    assert isinstance(constraint, Constraint)
    described = constraint.describe()
    assert json.loads(json.dumps(described, allow_nan=False)) == described
    assert described["name"] == constraint.name


def test_one_score_and_verdict_for_each_candidate(constraint: Constraint) -> None:
    scores, verdicts = constraint.check(ORIGINAL, CANDIDATES)
    assert (scores.dtype, verdicts.dtype) == (np.float64, np.bool_)
    assert scores.shape == verdicts.shape == (len(CANDIDATES),)
    assert np.isfinite(scores).all()
    scores, verdicts = constraint.check(ORIGINAL, [])
    assert (scores.shape, verdicts.shape) == ((0,), (0,))


def test_an_answer_depends_on_its_own_pair_only(constraint: Constraint) -> None:
    scores, verdicts = constraint.check(ORIGINAL, CANDIDATES)
    for i, candidate in enumerate(CANDIDATES):
        score, verdict = constraint.check(ORIGINAL, [candidate])
        assert (score[0], verdict[0]) == (scores[i], verdicts[i])
    strangers = ["", "An other text", *CANDIDATES[:3]]
    beside = constraint.check_pairs([*strangers, *[ORIGINAL] * len(CANDIDATES)], [*strangers[::-1], *CANDIDATES])
    assert beside[0][len(strangers) :].tolist() == scores.tolist()
    assert beside[1][len(strangers) :].tolist() == verdicts.tolist()


def test_the_verdict_is_a_limit_on_the_score(constraint: Constraint) -> None:
    scores, verdicts = constraint.check(ORIGINAL, CANDIDATES)
    admitted, refused = scores[verdicts], scores[~verdicts]
    if len(refused):
        assert admitted.max() < refused.min() or admitted.min() > refused.max()
    else:
        assert constraint.describe()["rule"] == "observed: every candidate passes"


@pytest.mark.parametrize("text", CANDIDATES, ids=lambda text: repr(text[:10]))
def test_the_original_itself_passes(constraint: Constraint, text: str) -> None:
    assert constraint.check(text, [text])[1].tolist() == [True]
