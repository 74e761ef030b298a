"""Cards that come from elsewhere: those of models made here pass, and what no page, database or worker can take is refused."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from annotation.exchange.model_cards import LARGEST_NUMBER, MOST_ENTRIES, check_meaning, check_plain, check_suspicion
from scoring.model_folder import ModelFolderError
from scoring.texts.meaning.model import DecidedPairs
from scoring.texts.meaning.trained import train
from tests.annotation.models_made import trained
from tests.scoring.texts.meaning.conftest import SharedLetters, decided, scorer

__all__ = ["decided", "scorer"]

Card = dict[str, Any]


@pytest.fixture
def card() -> Card:
    return deepcopy(trained().card)


def estimate(value: float | None, low: float = 0.0, high: float = 1.0) -> Card:
    return {"value": value, "interval": {"low": low, "high": high}}


def test_the_card_of_a_model_made_here_passes(card: Card) -> None:
    check_plain(card)
    check_suspicion(card)


def test_what_is_just_small_enough_passes(card: Card) -> None:
    row = card["distribution"][0]
    card |= {"distribution": [row] * MOST_ENTRIES, "seed": LARGEST_NUMBER, "made by": "名\ufffd"}
    # No page shows the numbers of a long run one by one.
    card["evaluation"]["protocol"]["r_by_repeat"] = [0.5] * (MOST_ENTRIES + 1)
    card["medians"]["lexical"] = {str(number): 0.5 for number in range(MOST_ENTRIES + 1)}
    check_plain(card)
    check_suspicion(card)


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ({"model": "a\0b"}, "NUL or half of a surrogate pair at “model”"),
        ({"model": "\ud83d"}, "NUL or half of a surrogate pair at “model”"),
        ({"campaigns": [{"name": ["\udc00"]}]}, "surrogate pair at “name”"),
        ({"a\0b": 1}, "surrogate pair at “card”"),
        ({"libraries": {"\udc00": "1"}}, "surrogate pair at “libraries”"),
        ({"seed": LARGEST_NUMBER + 1}, "a number at “seed” that is beyond"),
        ({"seed": 1e300}, "a number at “seed” that is beyond"),
        ({"distribution": [{"low": -1e300}]}, "a number at “low” that is beyond"),
        ({"distribution": [{}] * 20_000}, "20,000 entries at “distribution”; at most 200"),
        ({"evaluation": {"by_variant": [{}] * 201}}, "201 entries at “by_variant”"),
        ({"libraries": {str(number): "1" for number in range(201)}}, "201 entries at “libraries”"),
        ({"preserved": ["a"] * 201}, "201 entries at “preserved”"),
    ],
)
def test_what_cannot_be_stored_or_shown_is_refused(part: Card, says: str, card: Card) -> None:
    with pytest.raises(ModelFolderError) as refused:
        check_plain(card | part)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    "scale", [None, "1 to 5", [], [1], [1, 2, 3], [5, 1], [1, 1], [1e308, -1e308], [1, 1e7], [-1e7, 1], [False, True], ["1", "5"]]
)
def test_a_scale_is_two_rising_numbers_of_sane_size(scale: Any, card: Card) -> None:
    card["data"]["scale"] = scale
    card["parameters"]["scale"] = scale
    with pytest.raises(ModelFolderError, match="lacks the scale of its scores: two rising numbers"):
        check_suspicion(card)


@pytest.mark.parametrize("data", [None, [], "x", {}])
def test_without_data_there_is_no_scale(data: Any, card: Card) -> None:
    with pytest.raises(ModelFolderError, match="lacks the scale of its scores"):
        check_suspicion(card | {"data": data})


@pytest.mark.parametrize("scale", [[1e308, -1e308], [0, 5], [1], None, "x"])
def test_every_scale_of_the_parameters_is_that_of_the_data(scale: Any, card: Card) -> None:
    inner = card["parameters"]
    for parameters in (inner | {"scale": scale}, {"text": inner, "numeric": inner | {"scale": scale}}, [{"scale": scale}]):
        with pytest.raises(ModelFolderError, match="another scale at “parameters” than at “data”"):
            check_suspicion(card | {"parameters": parameters})


@pytest.mark.parametrize(
    "medians",
    [None, [], "x", 7, {"lexical": None}, {"lexical": [1.0]}, {"lexical": {"words": None}}, {"lexical": {"words": "1"}},
     {"lexical": {"words": True}}],
)  # fmt: skip
def test_medians_are_numbers_by_name_and_group(medians: Any, card: Card) -> None:
    with pytest.raises(ModelFolderError, match="lacks “medians”"):
        check_suspicion(card | {"medians": medians})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("r", 1.01), ("r", -1e12), ("spearman", 1.1), ("noise_ceiling", 2), ("share_of_ceiling", 1e7), ("rmse", -0.1),
        ("rmse", 4.1), ("rmse_constant", 5), ("rmse_gain", -4.1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", ["whole", "variant"])
def test_a_figure_lies_where_it_can(name: str, value: float, where: str, card: Card) -> None:
    evaluation = card["evaluation"]
    change: Callable[[Card], Card] = {
        "whole": lambda figure: evaluation | {name: figure},
        "variant": lambda figure: evaluation | {"by_variant": [{"variant": "x", name: figure}]},
    }[where]
    check_suspicion(card | {"evaluation": change(estimate(0.5))})
    check_suspicion(card | {"evaluation": change(estimate(None))})
    with pytest.raises(ModelFolderError, match=f"says that “{name}” is "):
        check_suspicion(card | {"evaluation": change(estimate(value))})
    with pytest.raises(ModelFolderError, match=f"an interval of “{name}” far beyond"):
        check_suspicion(card | {"evaluation": change(estimate(0.5, high=1e12))})


def test_the_card_of_a_meaning_model_made_here_passes(decided: DecidedPairs, scorer: SharedLetters) -> None:
    card = train(decided, scorer=scorer, repeats=1, folds=2).card
    assert card["evaluation"]["auc"]["value"] > 0.5
    check_plain(card)
    check_meaning(card)


@pytest.mark.parametrize("name", ["auc", "auc_word_level", "auc_character_level", "brier"])
def test_so_do_those_of_a_meaning_model(name: str) -> None:
    check_meaning({"evaluation": {name: estimate(1.0), "automatic": {"similarity": {name: estimate(0.0)}}}})
    for evaluation in ({name: estimate(-0.1)}, {"automatic": {"similarity": {name: estimate(1.1)}}}):
        with pytest.raises(ModelFolderError, match=f"says that “{name}” is "):
            check_meaning({"evaluation": evaluation})
