"""The feature group of a corrector, by tiny random models, against asking for one sentence after another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from regressors.errors import RegressorError
from regressors.features import corrector, group_of
from regressors.features.corrector import CorrectorFeatures
from scoring.result import ScoringError
from tests.regressors.features import tiny

PARTS = ["The council opened the bridge.", "Rain", "a long winter, after a long winter", "Rain is expected on Monday"]
MOST_TOKENS = 20
"""Random models never come to an end."""


@pytest.fixture(autouse=True)
def _few_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrector, "_MOST_TOKENS", MOST_TOKENS)


@pytest.fixture(scope="module", params=["t5", "bart"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.seq2seq(tmp_path_factory.mktemp("models") / f"tiny-{request.param}", kind=request.param)


def alone(folder: Path, part: str) -> str:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    ids = torch.tensor([tokenizer(part)["input_ids"]])
    made = model.generate(ids, attention_mask=torch.ones_like(ids), num_beams=1, do_sample=False, max_new_tokens=MOST_TOKENS)
    return str(tokenizer.decode(made[0], skip_special_tokens=True))


def test_corrections_are_those_of_one_sentence_after_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [alone(folder, part) for part in PARTS]
    assert len(set(expected)) > 1

    for size in (8, 2):
        monkeypatch.setattr(corrector, "_BATCH_SIZE", size)
        assert CorrectorFeatures(str(folder)).corrected(PARTS) == expected


class Correcting(CorrectorFeatures):
    """A corrector that knows what it does."""

    def __init__(self) -> None:
        super().__init__("nowhere")
        self.asked: list[list[str]] = []

    def corrected(self, parts: Sequence[str]) -> list[str]:
        self.asked.append(list(parts))
        return [part.replace("teh", "the").replace("is is", "is").replace("in end", "in the end") for part in parts]


def test_edits_are_counted_for_each_word() -> None:
    group = Correcting()
    texts = ["It is is teh end.  Fine in end, teh\nend. It is is is is.", "", "Fine.", " \u200b \ud800", "Fine."]

    rows = group.compute(texts)

    assert group.names == ("edits", "replaced_words", "inserted_words", "deleted_words")
    assert rows.tolist() == [[6 / 15, 2 / 15, 1 / 15, 3 / 15], *[[0, 0, 0, 0]] * 4]
    assert group.asked == [["It is is teh end.", "Fine in end, teh end.", "It is is is is.", "Fine.", "\u200b \ufffd"]]
    assert group.compute([]).shape == (0, 4)
    assert np.array_equal(rows, np.vstack([group.compute([text]) for text in texts]))


def test_a_long_sentence_is_corrected_in_parts() -> None:
    group = Correcting()

    row = group.compute([" ".join(["teh end"] * 50)])[0]

    assert [len(part.split()) for part in group.asked[0]] == [40, 20]
    assert row.tolist() == [0.5, 0.5, 0, 0]


def test_a_long_text_is_read_whole(folder: Path) -> None:
    assert CorrectorFeatures(str(folder)).compute(["x" * 5_000, "The bridge. " * 100]).shape == (2, 4)


def test_what_a_model_wants_before_a_text_is_in_its_config(tmp_path: Path) -> None:
    folder = tiny.seq2seq(tmp_path / "tiny-prefixed", prefix="opened: ")

    assert (
        CorrectorFeatures(str(folder)).corrected(["Rain is"]) == [alone(folder, "opened: Rain is")] != [alone(folder, "Rain is")]
    )


def test_it_says_which_model_it_is(folder: Path) -> None:
    group = group_of(f"corrector:{folder}")
    described = group.described()

    assert described.pop("tokenizer_sha256") == CorrectorFeatures(str(folder)).files.fingerprint
    assert described == {
        "group": "corrector",
        "version": "1",
        "columns": 4,
        "sha256": hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest(),
        "name": folder.name,
    }
    assert np.array_equal(group.compute(PARTS), CorrectorFeatures(str(folder)).compute(PARTS))


def another_kind(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"is_encoder_decoder": False}))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "model.safetensors").write_bytes(b"{"), "it cannot be loaded"),
        (lambda folder: (folder / "config.json").unlink(), "no config.json there"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "it cannot be loaded"),
        (another_kind, "its config.json describes no model that turns sequences into sequences"),
    ],
)
def test_a_broken_model_is_told_with_its_folder(tmp_path: Path, damage: Any, message: str) -> None:
    folder = tiny.seq2seq(tmp_path / "tiny-broken")
    damage(folder)
    with pytest.raises(ScoringError, match=rf"tiny-broken: {message}.* \(a sequence-to-sequence model that corrects grammar\)"):
        CorrectorFeatures(str(folder)).compute(["a bridge"])


def test_a_folder_has_to_be_given_and_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(RegressorError, match="Say where a corrector's folder is: corrector:PATH"):
        group_of("corrector")
    with pytest.raises(ScoringError, match="none: there is no such folder"):
        CorrectorFeatures(str(tmp_path / "none")).compute(["a bridge"])
