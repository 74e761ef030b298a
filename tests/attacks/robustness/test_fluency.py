"""The limit on fluency, by a tiny random language model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attacks.robustness.fluency import FluentEnough
from attacks.robustness.kinds import Examined
from attacks.robustness.second_order import Search, SecondOrder, spoil_all
from regressors.features.fluency import FluencyFeatures
from tests.regressors.features import tiny

TEXTS = ["The ferry leaves at nine.", "The ferry arrives at nine.", "Council says the bridge opens."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.causal(tmp_path_factory.mktemp("models") / "tiny", kind="gpt2")


def test_the_limit_is_a_multiple_of_the_originals_perplexity(folder: Path) -> None:
    group = FluencyFeatures(str(folder))
    column = group.names.index("perplexity")
    first, *others = group.compute(TEXTS)[:, column].tolist()
    for other, text in zip(others, TEXTS[1:], strict=True):
        for shift, enough in ((1e-3, True), (-1e-3, False)):
            assert FluentEnough(str(folder), other / first + shift)([TEXTS[0]], [text]).tolist() == [enough]
    assert FluentEnough(str(folder), 1.0)([TEXTS[0]], [TEXTS[0]]).tolist() == [True]


def test_it_says_which_model_and_which_limit(folder: Path) -> None:
    limit = Search(language_model=str(folder), times=1.5).limit_for(Examined.of("character"))
    assert limit is not None
    assert limit.describe() == {
        "times": 1.5, "model": FluencyFeatures(str(folder)).described(), "sha256": FluencyFeatures(str(folder)).sha256,
    }  # fmt: skip
    assert Search(language_model=str(folder)).limit_for(Examined.of("suspicion:m")) is None
    assert Search().limit_for(Examined.of("character")) is None


def test_spoiled_texts_keep_to_the_limit(folder: Path, tmp_path: Path) -> None:
    examples = list(
        enumerate(["The good old ferry opens late.", "A big bridge closes early and goes up.", "Few people come in."])
    )

    def spoiled(times: float) -> SecondOrder:
        search = Search(wanted=1, beam=2, language_model=str(folder), times=times)
        return spoil_all(examples, Examined.of("character"), tmp_path / f"{times:g}", search)

    column = FluencyFeatures(str(folder)).names.index("perplexity")

    def ratios(found: SecondOrder) -> list[float]:
        pairs = [(each.original, each.text) for each in found.spoiled if each.text is not None]
        before, after = (FluencyFeatures(str(folder)).compute(texts)[:, column] for texts in zip(*pairs, strict=True))
        return (after / before).tolist()

    free, held = spoiled(1e9), spoiled(1.0)
    assert free.fluency == json.loads((tmp_path / "1e+09" / "second-order.json").read_text())["fluency"]
    assert free.fluency is not None and free.fluency["times"] == 1e9
    assert max(ratios(free)) > 1
    assert all(ratio <= 1 + 1e-6 for ratio in ratios(held))
