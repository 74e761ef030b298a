"""What a masked language model would put at a place of a text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from attacks.substitutes.model_folder import folder_of
from scoring.texts.characters import encodable
from scoring.texts.model_files import ModelFiles

_KIND: Final = "a masked language model"
_TOKENS_AT_ONCE: Final = 2_048  # of a batch: its scores of a whole vocabulary, 250 MB for 30,000 words, must fit into memory


@dataclass(frozen=True, slots=True)
class Blank:
    """Characters ``start`` to ``end`` of a text: what could stand there instead? None of them if something is to be put in.

    ``masked``: the model does not see what stands there; otherwise it does, and says what it would read there.
    """

    text: str
    start: int
    end: int
    masked: bool = True


class Prediction(NamedTuple):
    """A whole word and its log-probability."""

    word: str
    score: float


class _Sequence(NamedTuple):
    tokens: tuple[int, ...]
    place: int


class MaskedModel:
    """Any model for transformers' AutoModelForMaskedLM (BERT, RoBERTa, …), by its folder or its name on the model hub.

    What it says of a place does not depend on the other places asked about: sequences are batched with others of their
    length, so that nothing is filled up, scores are rounded to 0.001, and of equal ones the first in the vocabulary leads.
    Of a text that is longer than the model reads, it sees as much as it can around the place.
    """

    def __init__(self, path: str) -> None:
        self.files = ModelFiles(folder_of(path), _KIND)

    def describe(self) -> dict[str, Any]:
        return {"name": self.files.folder.name, "sha256": self.files.sha256, "tokenizer_sha256": self.files.fingerprint}

    def predictions(self, blanks: Sequence[Blank], count: int) -> list[list[Prediction]]:
        """For each blank the words among the ``count`` likeliest tokens, the likeliest first.

        Parts of words are left out, as are numbers and marks: a word is a token of letters that is read as that token when it
        stands alone. So is, of a place that is not masked, all that the model says where several tokens stand.
        """
        with self.files.told("it cannot read texts"):
            asked = self._sequences(blanks)
            found = self._likeliest([sequence for sequence in asked if sequence is not None], count)
            words = iter([(self._word(token), score) for token, score in of] for of in found)
            return [
                [] if sequence is None else [Prediction(word, score) for word, score in next(words) if word is not None]
                for sequence in asked
            ]

    def _sequences(self, blanks: Sequence[Blank]) -> list[_Sequence | None]:
        """What the model reads for each blank; None where there is nothing to ask."""
        texts = list(dict.fromkeys(blank.text for blank in blanks))
        if not texts:
            return []
        encoded = self._tokenizer(
            [encodable(text) for text in texts], add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        spans = [np.array(offsets, dtype=np.int64).reshape(-1, 2) for offsets in encoded["offset_mapping"]]
        pieces = dict(zip(texts, zip(encoded["input_ids"], spans, strict=True), strict=True))
        return [self._sequence(blank, *pieces[blank.text]) for blank in blanks]

    def _sequence(self, blank: Blank, tokens: list[int], spans: np.ndarray) -> _Sequence | None:
        """``spans``: where in the text each token stands, [tokens, 2]."""
        first = int(np.searchsorted(spans[:, 1], blank.start, side="right"))
        last = max(first, int(np.searchsorted(spans[:, 0], blank.end, side="left"))) if blank.end > blank.start else first
        if not blank.masked and last - first != 1:
            return None
        middle = [self._tokenizer.mask_token_id] if blank.masked else tokens[first:last]
        room = self._longest - 1
        # Half of it for either side, and what one side leaves for the other.
        left = min(first, max(room // 2, room - (len(tokens) - last)))
        around = [*tokens[first - left : first], *middle, *tokens[last : last + room - left]]
        whole = self._tokenizer.build_inputs_with_special_tokens(around)
        return _Sequence(tuple(whole), self._opening + left)

    def _likeliest(self, asked: Sequence[_Sequence], count: int) -> list[list[tuple[int, float]]]:
        """The likeliest tokens at the place of each sequence. Sequences of which several places are asked are read once."""
        places: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for sequence in asked:
            places[sequence.tokens].append(sequence.place)
        found: dict[_Sequence, list[tuple[int, float]]] = {}
        for batch in _of_equal_length(list(places)):
            for tokens, scores in zip(batch, self._scores(batch, [places[tokens] for tokens in batch]), strict=True):
                order = np.argsort(-scores, axis=1, kind="stable")[:, :count]
                for place, row, best in zip(places[tokens], scores, order, strict=True):
                    found[_Sequence(tokens, place)] = [(int(token), float(row[token])) for token in best]
        return [found[sequence] for sequence in asked]

    def _scores(self, batch: Sequence[tuple[int, ...]], places: Sequence[Sequence[int]]) -> Iterator[np.ndarray]:
        """Rounded log-probabilities of all tokens at the places of each sequence, float64 [places, vocabulary]."""
        import torch

        tokens = torch.tensor(batch)
        with torch.inference_mode():
            logits = self._model(input_ids=tokens, attention_mask=torch.ones_like(tokens)).logits
            for of, row in zip(places, logits, strict=True):
                scores = row[list(of)].double().log_softmax(dim=-1).numpy().round(3)
                if not np.isfinite(scores).all():
                    raise self.files.error("it gives a score that is no number: its weights are broken")
                yield scores

    def _word(self, token: int) -> str | None:
        if token not in self._words:
            word = self._tokenizer.decode([token]).strip()
            whole = word.isalpha() and self._tokenizer(f" {word}", add_special_tokens=False)["input_ids"] == [token]
            self._words[token] = word if whole else None
        return self._words[token]

    @cached_property
    def _words(self) -> dict[int, str | None]:
        return {}

    @property
    def _tokenizer(self) -> Any:
        return self._loaded[0]

    @property
    def _model(self) -> Any:
        return self._loaded[1]

    @cached_property
    def _opening(self) -> int:
        """How many tokens the model wants before a text."""
        mask = self._tokenizer.mask_token_id
        place: int = self._tokenizer.build_inputs_with_special_tokens([mask]).index(mask)
        return place

    @cached_property
    def _longest(self) -> int:
        """How many tokens of a text the model reads."""
        config = self._model.config
        positions = getattr(config, "max_position_embeddings", None) or self._tokenizer.model_max_length
        if "roberta" in config.model_type:
            positions -= config.pad_token_id + 1  # positions are counted from there
        framing = len(self._tokenizer.build_inputs_with_special_tokens([]))
        return int(min(positions, self._tokenizer.model_max_length)) - framing

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The tokeniser and the model, loaded when a text is first read."""
        from transformers import AutoModelForMaskedLM, AutoTokenizer

        folder = self.files.folder
        # The folder and its config.json are looked for first: transformers would ask for them on its own terms.
        if self.files.config.get("is_encoder_decoder"):
            raise self.files.error("its config.json describes a model that turns sequences into sequences")

        def load() -> tuple[tuple[Any, Any], dict[str, Any]]:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            loaded: Any = AutoModelForMaskedLM.from_pretrained(folder, local_files_only=True, output_loading_info=True)
            model, information = loaded
            return (tokenizer, model.eval()), information

        tokenizer, model = self.files.load(load)
        if not tokenizer.is_fast or tokenizer.mask_token_id is None:
            raise self.files.error("its tokeniser knows no mask, or not where in a text its tokens stand")
        return tokenizer, model


def _of_equal_length(sequences: Sequence[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    by_length: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for sequence in sequences:
        by_length[len(sequence)].append(sequence)
    for length, alike in by_length.items():
        size = max(1, _TOKENS_AT_ONCE // length)
        for start in range(0, len(alike), size):
            yield alike[start : start + size]
