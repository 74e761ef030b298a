"""Fine-tuned Transformers: what they learn, keep and refuse."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sklearn.base import clone

from regressors.errors import RegressorError
from regressors.features.group import Array, FeatureGroup
from regressors.models import FeatureModel, TextNum, model_of
from regressors.models.fine_tuned import MEASURES, NETWORK, FineTuned
from regressors.models.pretrained import CONFIG, TOKENIZER
from regressors.rows import TrainingRows
from regressors.storage import load, save
from regressors.training import train
from scoring.model_folder import ModelFolderError, dump_tensors, load_tensors
from scoring.result import ScoringError
from tests.regressors.models import tiny

Scored = tuple[list[str], np.ndarray]


class Length(FeatureGroup):
    """A number that no token shows."""

    name, version = "length", "1"

    @property
    def names(self) -> tuple[str, ...]:
        return ("characters", "nothing")

    def compute(self, texts: Sequence[str]) -> Array:
        return np.array([[float(len(text)) ** 3, 0.0] for text in texts]).reshape(len(texts), 2)


def quick(base: str, groups: tuple[FeatureGroup, ...] = (), **options: Any) -> FineTuned:
    return FineTuned(base, groups, **({"tokens": 16, "most_epochs": 8, "rate": 1e-2, "batch": 4} | options))


@pytest.fixture(scope="module")
def fitted(tiny_bert: str, scored: Scored) -> FineTuned:
    return quick(tiny_bert).fit(*scored)


@pytest.mark.parametrize("kind", tiny.KINDS)
def test_each_kind_learns_and_stands_alone_afterwards(kind: str, scored: Scored, tmp_path: Path) -> None:
    texts, y = scored
    base = tiny.transformer(tmp_path / kind, kind)
    model = quick(base).fit(texts[:60], y[:60])
    predicted = model.predict(texts[60:])
    files, parameters = model.learned(), json.loads(json.dumps(model.parameters()))
    shutil.rmtree(base)
    loaded = model_of(parameters).restore(files)

    assert np.corrcoef(predicted, y[60:])[0, 1] > 0.65
    assert 1 <= predicted.min() < predicted.max() <= 5
    assert np.array_equal(loaded.predict(texts[60:]), predicted)
    assert np.array_equal(model.predict(texts[60:][::-1]), predicted[::-1])
    alone = np.concatenate([model.predict([text]) for text in texts[60:]])
    np.testing.assert_allclose(alone, predicted, atol=1e-4)
    assert loaded.parameters() == parameters
    assert (loaded.epochs_, loaded.development_r_) == (model.epochs_, model.development_r_)


def test_the_same_seed_gives_the_same_weights_and_another_one_others(tiny_bert: str, scored: Scored, fitted: FineTuned) -> None:
    own = torch.get_rng_state()
    torch.rand(3)
    again, other = quick(tiny_bert).fit(*scored), quick(tiny_bert, seed=1).fit(*scored)
    torch.set_rng_state(own)

    assert again.learned() == fitted.learned()
    assert other.learned()[NETWORK] != fitted.learned()[NETWORK]


def test_random_numbers_of_others_go_on_as_if_nothing_had_been_trained(tiny_bert: str, scored: Scored) -> None:
    before = torch.get_rng_state()
    quick(tiny_bert, most_epochs=1, smart_weight=1.0).fit(*scored)

    assert torch.equal(torch.get_rng_state(), before)


def test_texts_are_read_as_their_tokeniser_reads_them(tiny_bert: str) -> None:
    from transformers import AutoTokenizer

    texts = ["the river", "", "the odd film " * 40, "bridge \ud800"]
    represented = quick(tiny_bert).represent(texts)
    read = AutoTokenizer.from_pretrained(tiny_bert)([*texts[:3], "bridge \ufffd"], truncation=True, max_length=16)["input_ids"]

    assert represented.dtype == np.float64 and represented.shape == (4, 16)
    assert [[int(token) for token in row if token != -1] for row in represented] == read
    assert [len(row) for row in read] == [4, 2, 16, 4]
    assert np.array_equal(represented[:2], quick(tiny_bert).represent(texts[:2]))
    assert quick(tiny_bert).represent([]).shape == (0, 16)


def test_the_embedded_minilm_is_the_base_unless_another_is_given() -> None:
    represented = FineTuned().represent(["The bridge opened."])

    assert represented.shape == (1, 128)
    assert represented[0, :7].tolist() == [101, 1996, 2958, 2441, 1012, 102, -1]


def test_numbers_tell_what_the_tokens_do_not(tiny_bert: str, scored: Scored) -> None:
    """All words are unknown, so that texts of one number of words are alike but for their lengths in characters."""
    rng = np.random.default_rng(1)
    lengths = rng.integers(1, 30, size=80)
    texts, y = ["the film " + "x" * length for length in lengths], 1 + 4 * lengths / 30
    blind = quick(tiny_bert).fit(texts[:60], y[:60])
    model = quick(tiny_bert, (Length(),), most_epochs=10).fit(texts[:60], y[:60])
    loaded = model_of(model.parameters(), {"length": Length()}).restore(model.learned())

    assert np.ptp(blind.predict(texts[60:])) < 1e-4
    assert np.corrcoef(model.predict(texts[60:]), y[60:])[0, 1] > 0.9
    assert np.array_equal(loaded.predict(texts), model.predict(texts))
    assert model.represent(texts).shape == (80, model.width) == (80, 16 + 2)
    assert np.array_equal(
        model.tuned_.quantiles.quantiles_[[0, -1], 0], [(end + 9.0) ** 3 for end in (lengths[:60].min(), lengths[:60].max())]
    )


def test_judgements_behind_a_label_weigh(tiny_bert: str) -> None:
    """Each of two texts is called both 1 and 5, the one by few and by many, the other by many and by few."""
    texts, y = ["the film"] * 20 + ["revir maet"] * 20, np.tile([1.0, 5.0], 20)
    weight = np.r_[np.tile([9.0, 1.0], 10), np.tile([1.0, 9.0], 10)]

    def mean_of_seeds(*fitted_to: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far one training comes is a matter of the machine's rounding."""
        models = [quick(tiny_bert, seed=seed).fit(texts, *fitted_to) for seed in range(3)]
        return np.mean([model.predict(["the film", "revir maet"]) for model in models], axis=0)

    low, high = mean_of_seeds(y, weight)
    equal = mean_of_seeds(y)

    assert low < 2.7 and high > 3.3
    assert np.abs(equal - 3).max() < 0.6


def test_predictions_are_cut_to_the_scale(fitted: FineTuned, scored: Scored) -> None:
    narrow = model_of(fitted.parameters() | {"scale": [2.0, 3.0]}).restore(fitted.learned())

    assert fitted.predict(scored[0]).min() < 2 < 3 < fitted.predict(scored[0]).max()
    assert np.array_equal(narrow.predict(scored[0]), np.clip(fitted.predict(scored[0]), 2, 3))


def test_a_saved_folder_needs_no_base(scored: Scored, tmp_path: Path) -> None:
    texts, y = scored
    base = tiny.transformer(tmp_path / "base")
    model = TextNum(quick(base, most_epochs=1), FeatureModel((Length(),), "linear"))
    trained = train(TrainingRows(texts, y.tolist(), texts), model=model, repeats=1, folds=2)
    save(trained, tmp_path / "saved")
    shutil.rmtree(base)
    loaded = load(tmp_path / "saved", groups={"length": Length()})

    assert np.array_equal(loaded.predict(texts), trained.predict(texts))
    assert loaded.card["parameters"]["text"]["base_sha256"] == trained.model.text_.base_sha256_  # type: ignore[attr-defined]
    assert str(tmp_path).encode() not in b"".join(trained.model.learned().values())


def test_clones_are_unfitted_and_equal(fitted: FineTuned, scored: Scored) -> None:
    twin = clone(fitted)

    assert twin.get_params() == fitted.get_params() and not hasattr(twin, "tuned_")
    assert np.array_equal(twin.represent(scored[0]), fitted.represent(scored[0]))


def test_progress_is_told_and_may_end_it(tiny_bert: str, scored: Scored) -> None:
    told: list[tuple[int, int, str]] = []
    model = quick(tiny_bert, most_epochs=2, progress=lambda *step: told.append(step)).fit(*scored)
    choosing, training = "Choosing the number of epochs", "Training on all texts"
    expected = [(step, 32, choosing) for step in range(32)]

    assert told == expected + [(step, 20 * model.epochs_, training) for step in range(20 * model.epochs_)]

    def stop(done: int, total: int, message: str) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        quick(tiny_bert, progress=stop).fit(*scored)


@pytest.mark.parametrize(
    ("file", "changed", "message"),
    [
        (NETWORK, lambda held: held | {"head.1.weight": np.zeros((1, 17), np.float32)}, "no weights of the network that its"),
        (
            NETWORK,
            lambda held: {name: of for name, of in held.items() if name != "head.1.bias"},
            "no weights of the network that",
        ),
        (NETWORK, lambda held: held | {"head.1.bias": np.array([np.nan], np.float32)}, "weights that are not finite"),
        (MEASURES, lambda held: held | {"mean": np.array([np.inf])}, "no finite mean"),
    ],
)
def test_unsound_numbers_are_refused(fitted: FineTuned, file: str, changed: Any, message: str) -> None:
    files = fitted.learned()
    files[file] = dump_tensors(changed(load_tensors(files[file])))

    with pytest.raises(RegressorError, match=message):
        model_of(fitted.parameters()).restore(files)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (CONFIG, b"{}", "cannot be read"),
        (CONFIG, b'{"model_type": "no such"}', "cannot be read"),
        (CONFIG, b'{"model_type": "bert", "hidden_size": 800000, "num_attention_heads": 8}', "no weights of the network"),
        (CONFIG, b'{"model_type": "bert", "num_hidden_layers": 1000000000}', "no weights of 1000000000 layers"),
        (TOKENIZER, b'{"version": "1.0"}', "cannot be read"),
        (TOKENIZER, b"\xff", "cannot be read"),
        (NETWORK, b"no tensors", "Not a readable safetensors file"),
    ],
)
def test_unsound_files_are_refused(fitted: FineTuned, file: str, content: bytes, message: str) -> None:
    with pytest.raises((RegressorError, ModelFolderError), match=message):
        model_of(fitted.parameters()).restore(fitted.learned() | {file: content})


def test_a_card_cannot_ask_for_endless_texts(fitted: FineTuned) -> None:
    with pytest.raises(RegressorError, match="reads 1000000000 tokens of a text; 1 to 4,096 are possible"):
        model_of(fitted.parameters() | {"tokens": 10**9}).restore(fitted.learned())


@pytest.mark.parametrize("quantiles", [np.zeros((5, 3)), np.zeros(5), np.zeros((0, 2)), np.full((5, 2), np.nan)])
def test_unsound_quantiles_are_refused(tiny_bert: str, scored: Scored, quantiles: Any) -> None:
    model = quick(tiny_bert, (Length(),), most_epochs=1).fit(*scored)
    files = model.learned()
    files[MEASURES] = dump_tensors(load_tensors(files[MEASURES]) | {"quantiles": quantiles})

    with pytest.raises(RegressorError, match="no quantiles of 2 columns"):
        model_of(model.parameters(), {"length": Length()}).restore(files)


def test_a_base_that_cannot_be_had_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScoringError, match="there is no such folder"):
        FineTuned(str(tmp_path / "nowhere")).represent(["a"])
    folder = Path(tiny.transformer(tmp_path / "seq"))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"is_encoder_decoder": True}))
    with pytest.raises(ScoringError, match="an encoder with a decoder"):
        FineTuned(str(folder)).represent(["a"])


def test_a_base_that_lacks_weights_is_told(tmp_path: Path, scored: Scored) -> None:
    folder = Path(tiny.transformer(tmp_path / "part"))
    weights = load_tensors((folder / "model.safetensors").read_bytes())
    del weights["embeddings.word_embeddings.weight"]
    (folder / "model.safetensors").write_bytes(dump_tensors(weights))

    with pytest.raises(ScoringError, match=r"its weights lack 'embeddings\.word_embeddings\.weight'"):
        quick(str(folder)).fit(*scored)


def test_the_web_process_need_not_load_torch() -> None:
    code = "import sys, regressors.models.fine_tuned; sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"

    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_training_of_it_is_evaluated_once_and_can_be_stopped_within_a_fit(tiny_bert: str, scored: Scored) -> None:
    rows = TrainingRows(scored[0], scored[1].tolist(), [f"original {number // 2}" for number in range(80)])
    model = quick(tiny_bert, most_epochs=1)
    told: list[str] = []
    trained = train(rows, model=model, folds=2, progress=lambda done, total, message: told.append(message))
    assert trained.card["evaluation"]["protocol"]["repeats"] == TextNum(model, model).repeats == 1
    assert told.count("Cross-validation 1 of 1") > 2 + 2

    class Cancelled(Exception):
        pass

    def cancel(done: int, total: int, message: str) -> None:
        said.append(message)
        if said.count("Cross-validation 1 of 1") == 2:
            raise Cancelled

    said: list[str] = []
    with pytest.raises(Cancelled):
        train(rows, model=model, folds=2, progress=cancel)
