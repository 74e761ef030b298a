"""Words by a masked language model: a tiny BERT that was trained here, and a hand-made one."""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from attacks import AttackError
from attacks.resources import Resources
from attacks.substitutes import masked_model, model_folder
from attacks.substitutes.masked import MaskedWords
from attacks.substitutes.masked_model import Blank, MaskedModel, Prediction
from attacks.substitutes.words import FunctionWords, NoAntonyms
from attacks.text import Text
from scoring.result import ScoringError
from tests.attacks.toys import MaskedToy, Opposites
from tests.random_models import saved

TEXT = "The new movie was good."


@pytest.fixture(scope="module")
def folder(resources: Resources) -> Path:
    return Path(str(resources.masked_lm))


@pytest.fixture(scope="module")
def model(folder: Path) -> MaskedModel:
    return MaskedModel(str(folder))


def words(model: MaskedModel, blanks: Sequence[Blank], count: int = 3) -> list[set[str]]:
    return [{found.word for found in of} for of in model.predictions(blanks, count)]


def test_a_trained_model_says_what_stands_in_such_places(model: MaskedModel) -> None:
    assert words(model, [Blank(TEXT, 8, 13), Blank("the vaccine", 4, 4)], 3)[0] == {"movie", "film", "story"}
    assert words(model, [Blank(TEXT, 18, 22)], 4) == [{"good", "fine", "nice", "great"}]
    # seen, the word itself comes first
    assert model.predictions([Blank(TEXT, 8, 13, masked=False)], 3)[0][0].word == "movie"
    # nothing stands between "new" and "was", so a word of that kind is put in
    assert words(model, [Blank("the new was good .", 8, 8)], 3) == [{"movie", "film", "story"}]


def roberta(folder: Path, positions: int) -> Path:
    """A random RoBERTa with the byte-level tokeniser of the real ones, whose first two positions stand for no token."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaForMaskedLM, RobertaTokenizerFast

    folder.mkdir()
    pieces = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces.train_from_iterator([f" {TEXT}"] * 9, vocab_size=400, min_frequency=1, special_tokens=special, show_progress=False)
    pieces.save_model(str(folder))
    tokenizer = RobertaTokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"), model_max_length=512)
    tokenizer.save_pretrained(folder)
    config = RobertaConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        initializer_range=0.5, max_position_embeddings=positions, pad_token_id=1, bos_token_id=0, eos_token_id=2,
    )  # fmt: skip
    return saved(folder, lambda: RobertaForMaskedLM(config))


def test_a_roberta_reads_as_much_as_its_positions_allow(tmp_path: Path) -> None:
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    folder = roberta(tmp_path / "tiny-roberta", positions=2 + 12)
    found = MaskedModel(str(folder)).predictions([Blank(" movie" * 30, 90 + 1, 90 + 6)], 500)[0]
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForMaskedLM.from_pretrained(folder)
    (movie,) = tokenizer(" movie", add_special_tokens=False)["input_ids"]
    # ten tokens between <s> and </s>: of those left of the mask half of the other nine
    window = [0, *[movie] * 4, tokenizer.mask_token_id, *[movie] * 5, 2]
    with torch.inference_mode():
        scores = model(torch.tensor([window])).logits[0, 5].double().log_softmax(dim=-1)
    expected = {"new": " new", "movie": " movie", "was": " was", "good": " good"}
    by_word = {word: tokenizer(text, add_special_tokens=False)["input_ids"] for word, text in expected.items()}
    assert {each.word: each.score for each in found if each.word in expected} == {
        word: pytest.approx(float(scores[token]), abs=6e-4) for word, (token,) in by_word.items()
    }


def test_scores_are_log_probabilities_of_the_mask_alone(folder: Path, model: MaskedModel) -> None:
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    tokenizer, bert = AutoTokenizer.from_pretrained(folder), AutoModelForMaskedLM.from_pretrained(folder)
    encoded = tokenizer("the new [MASK] was good.", return_tensors="pt")
    with torch.inference_mode():
        logits = bert(**encoded).logits[0, 3].double().log_softmax(dim=-1)
    found = model.predictions([Blank(TEXT, 8, 13)], 1)[0][0]
    assert found == (tokenizer.convert_ids_to_tokens(int(logits.argmax())), round(float(logits.max()), 3))


def test_answers_do_not_depend_on_the_company(model: MaskedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        Text(text) for text in (TEXT, "doctors say the old cure helps people!", "film", "people say that the story was great")
    ]
    places = [(text, i) for text in texts for i in range(len(text.words))]
    for way in ("masked", "seen", "before", "after"):
        source = MaskedWords(model, way, 20)
        together = source.answer(places)
        assert any(together)
        assert source.answer(places[::-1]) == together[::-1]
        assert [source.answer([place])[0] for place in places] == together
        monkeypatch.setattr(masked_model, "_TOKENS_AT_ONCE", 20)
        assert source.answer(places) == together
        monkeypatch.undo()


def test_a_word_of_several_tokens_is_masked_as_one_and_has_no_substitutes_when_seen(model: MaskedModel) -> None:
    blanks = [Blank("The new movies was good.", 8, 14, masked) for masked in (True, False)]
    assert model.predictions(blanks, 3) == [model.predictions([Blank(TEXT, 8, 13)], 3)[0], []]


def test_of_long_texts_what_is_around_the_place_is_seen(model: MaskedModel) -> None:
    # 32 positions: 30 tokens of the text, the mask and 29 others
    def mask_at(text: str, word: int) -> list[Prediction]:
        place = Text(text)
        return model.predictions([Blank(text, *place.spans[word])], 5)[0]

    sentence = "the new movie was good "
    far = "people " * 200
    assert mask_at(far + sentence + far, 202) == mask_at("people " * 12 + sentence + "people " * 13, 14)
    assert mask_at(sentence + far, 2) == mask_at(sentence + "people " * 25, 2)
    assert mask_at(far + sentence, 202) == mask_at("people " * 25 + sentence, 27)
    assert mask_at(far + sentence, 202) != mask_at(sentence, 2)


def test_only_whole_words_of_letters_come_back(model: MaskedModel) -> None:
    vocabulary = len(model._tokenizer)
    found = {prediction.word for prediction in model.predictions([Blank(TEXT, 8, 13)], vocabulary)[0]}
    assert {"the", "movie", "a", "z"} <= found
    assert not found & {"##a", "[MASK]", "[UNK]", ".", "~", "'"}
    assert all(word.isalpha() for word in found)


def test_equal_scores_are_in_the_order_of_the_vocabulary(model: MaskedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = [word for word in model._tokenizer.convert_ids_to_tokens(range(len(model._tokenizer))) if word.isalpha()]
    real = model._model

    class Even:
        config = real.config

        def __call__(self, **batch: Any) -> Any:
            out = real(**batch)
            out.logits = out.logits * 0 + torch.arange(len(model._tokenizer)) * -1e-6
            return out

    monkeypatch.setattr(MaskedModel, "_model", Even())
    found = model.predictions([Blank(TEXT, 8, 13)], len(model._tokenizer))[0]
    assert [prediction.word for prediction in found] == vocabulary


def test_sources_ask_for_the_place_that_their_way_means() -> None:
    text = Text("The Movie ended")
    asked = {way: MaskedToy({}) for way in ("masked", "seen", "before", "after")}
    for way, toy in asked.items():
        MaskedWords(toy, way).answer([(text, 1), (text, 0)])  # type: ignore[arg-type]
    movie = {"masked": Blank(str(text), 4, 9), "seen": Blank(str(text), 4, 9, masked=False)}
    # function words are not replaced; beside them something may be put in
    beside = {"before": [(4, 4), (0, 0)], "after": [(9, 9), (3, 3)]}
    assert {way: toy.asked for way, toy in asked.items()} == {
        **{way: [blank] for way, blank in movie.items()},
        **{way: [Blank(str(text), *span) for span in spans] for way, spans in beside.items()},
    }


def test_candidates_are_filtered_and_in_the_case_of_the_word() -> None:
    toy = MaskedToy({"Good": ["good", "GOOD", "nice", "bad", "not", "Nice", "quickly", "Paris"]})
    text = Text("Good Good")
    kept = MaskedWords(toy, filters=(FunctionWords(), NoAntonyms(lambda: Opposites(("good", "bad"))))).answer([(text, 1)])
    assert kept == [["Nice", "Quickly", "Paris"]]
    assert MaskedWords(toy, filters=(FunctionWords(),)).answer([(Text("good"), 0)]) == [[]]
    put_in = MaskedToy({"": ["very", "not", "nice", "Nice"]})
    assert MaskedWords(put_in, "before").answer([(text, 0)]) == [["nice", "Nice"]]


def test_unlikely_words_are_left_out() -> None:
    toy = MaskedToy({"good": ["nice", "fine", "great"]})  # with probabilities 1/2, 1/4, 1/8
    for least, kept in ((0.0, 3), (0.125, 3), (0.2, 2), (0.5, 1), (0.6, 0)):
        assert MaskedWords(toy, least=least).answer([(Text("good"), 0)]) == [["nice", "fine", "great"][:kept]]
    for bad in (-0.1, 1.0, math.nan):
        with pytest.raises(AttackError, match="between 0 and 1"):
            MaskedWords(toy, least=bad)
    with pytest.raises(AttackError, match="can be asked masked, seen, before, after, not 'above'"):
        MaskedWords(toy, "above")  # type: ignore[arg-type]
    with pytest.raises(AttackError, match="at least one token"):
        MaskedWords(toy, count=0)


def test_says_which_model_it_is(folder: Path, model: MaskedModel) -> None:
    described = MaskedWords(model, "seen", 48).describe()
    assert described["masked_lm"] == {
        "name": folder.name, "sha256": model.files.sha256, "tokenizer_sha256": model.files.fingerprint,
    }  # fmt: skip
    assert described["way"] == "the word left in sight (Li et al. 2020)"
    assert described["function_words"].startswith("kept, and never put in")


def test_what_is_no_text_or_no_model_is_told(folder: Path, model: MaskedModel, tmp_path: Path) -> None:
    assert words(model, [Blank("\ud800 movie", 2, 7)]) == words(model, [Blank("\ufffd movie", 2, 7)])
    assert model.predictions([], 3) == []
    with pytest.raises(ScoringError, match="there is no such folder"):
        MaskedModel(str(tmp_path / "no model")).predictions([Blank("a", 0, 1)], 1)
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "config.json").write_text("{}")
    with pytest.raises(ScoringError, match="it cannot be loaded"):
        MaskedModel(str(broken)).predictions([Blank("a", 0, 1)], 1)


def test_weights_that_give_no_numbers_are_told(folder: Path) -> None:
    broken = MaskedModel(str(folder))
    with torch.no_grad():
        broken._model.cls.predictions.bias.fill_(math.nan)
    with pytest.raises(ScoringError, match="its weights are broken"):
        broken.predictions([Blank(TEXT, 8, 13)], 1)


def test_names_of_the_hub_are_fetched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def fetched(name: str, allow_patterns: list[str]) -> str:
        asked.append((name, allow_patterns[-1]))
        if name == "nobody/nothing":
            raise OSError("no\nnetwork")
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", fetched)
    assert model_folder.folder_of("somebody/bert") == folder
    assert asked == [("somebody/bert", "*.safetensors")]
    assert model_folder.folder_of(str(folder)) == folder
    with pytest.raises(AttackError, match=r"nobody/nothing: there is no such folder, .* of that name \(no network\); give"):
        model_folder.folder_of("nobody/nothing")


def test_older_models_of_the_hub_have_weights_of_another_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patterns: list[str] = []
    monkeypatch.setattr(
        "huggingface_hub.snapshot_download", lambda _, allow_patterns: patterns.append(allow_patterns[-1]) or tmp_path
    )
    assert model_folder.folder_of("old") == tmp_path
    assert patterns == ["*.safetensors", "pytorch_model*.bin"]
