"""What was trained on is recognised: the text, its original, another variant of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from regressors.errors import RegressorError
from regressors.overlap import check_apart, seen_of, sketches
from regressors.rows import TrainingRows

Check = Callable[[TrainingRows, TrainingRows], None]

OPENED = "the council of the city opened a new bridge over the river"
ALTERED = "the council of the city opened a nwe bridge over the brook"
OTHER = "an actor forgot the first line of a play that nobody had read"
TRAINED = TrainingRows([OPENED, OTHER], [1, 2], ["bridge", "play"])


def as_a_model(train: TrainingRows, test: TrainingRows) -> None:
    seen_of(train, sorted(set(train.texts))).check(test)


@pytest.fixture(params=[as_a_model, check_apart])
def check(request: pytest.FixtureRequest) -> Check:
    checked: Check = request.param
    return checked


def test_the_same_text_is_refused_whatever_its_original_is_called(check: Check) -> None:
    with pytest.raises(RegressorError, match="1 of the 2 texts are among those that the model was trained on, such as 'an actor"):
        check(TRAINED, TrainingRows([OTHER, "a text that nobody knows"], [1, 2], ["another", "third"]))


def test_the_same_original_is_refused_by_its_name(check: Check) -> None:
    with pytest.raises(RegressorError, match="1 of the originals are in the training data too, such as 'bridge'"):
        check(TRAINED, TrainingRows(["a text that nobody knows", "nor this"], [1, 2], ["bridge", "third"]))


def test_names_on_both_sides_count_more_than_likeness(check: Check) -> None:
    check(TRAINED, TrainingRows([ALTERED], [1], ["third"]))


@pytest.mark.parametrize("named", ["neither", "the training data", "the test data"])
def test_without_names_on_both_sides_a_near_duplicate_is_refused(check: Check, named: str) -> None:
    train = TRAINED if named == "the training data" else replace(TRAINED, originals=None)
    test = TrainingRows(["a text that nobody knows", ALTERED], [1, 2], ["x", "y"] if named == "the test data" else None)

    with pytest.raises(RegressorError, match="'the council of the city opened a nwe bridge over the brook' is nearly the same"):
        check(train, test)
    check(train, TrainingRows(["a text that nobody knows"], [1], test.originals and ["x"]))


def test_the_pair_is_named_where_both_tables_are_at_hand() -> None:
    with pytest.raises(RegressorError, match=f"'{ALTERED}' is nearly the same text as '{OPENED}' of the training data"):
        check_apart(replace(TRAINED, originals=None), TrainingRows([ALTERED], [1]))


def test_of_several_near_duplicates_the_most_alike_are_named() -> None:
    further = OPENED.replace("bridge", "garden")

    with pytest.raises(RegressorError, match=f"'{ALTERED}' is nearly the same text as '{OPENED}' of the training data"):
        check_apart(TrainingRows([further, OPENED], [1, 2]), TrainingRows([ALTERED], [1]))


def test_sketches_tell_how_many_runs_two_texts_share() -> None:
    """Of MinHashes as many are equal as the texts share runs of four characters; case does not count."""
    long = " ".join(f"{number:04d}" for number in range(400))
    half = " ".join(f"{number:04d}" for number in range(200, 600))
    whole, part, capital, short = sketches([long, half, "ABC", "abc"])

    assert (whole == part).mean() == pytest.approx(1 / 3, abs=0.2)
    assert (capital == short).all()
    assert sketches([]).shape == (0, 64)
