"""What a pair of texts shows of its meaning having been kept: numbers made of typed edits, words and similarities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from scoring.texts.character import character_score, similarity
from scoring.texts.edit_kinds import Kind
from scoring.texts.edits import edit_counts, typed_edits
from scoring.texts.frequency import zipf
from scoring.texts.semantic import SemanticScorer
from scoring.texts.tokens import is_word, pieces
from scoring.texts.word_kinds import is_negation, is_number, spelled

Pair = tuple[str, str]
Level = Literal["word", "character"]

VERSION: Final = "2"
SEPARATOR: Final = " ~ "
"""Between evidence and claim, as BODEGA joins the two texts of a pair."""

_OF_WORDS: Final = frozenset({"word_replaced", "word_inserted", "word_removed", "named_entity", "number"})
_COUNTED: Final[tuple[Kind, ...]] = (
    "homoglyph",
    "split",
    "punctuation",
    "word_inserted",
    "word_removed",
)
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_COMMONER_THAN_ALL, _RARER_THAN_ALL = 9.0, -1.0
"""Zipf frequencies that stand for "no such word"."""
_DECIMALS: Final = 4
"""An encoder's similarity is exact to about 1e-5 over batches; rounded, it is the same in each."""


def edit_level(original: str, adversarial: str) -> Level:
    """How the texts differ: "word" if at least one whole word was replaced, inserted or removed, else "character" (letters,
    look-alikes, white space, marks, or nothing).

    A word with characters that are neither ASCII nor anywhere in the original is a look-alike of the one that it stands
    for, so it does not count as another word. The two texts alone decide.
    """
    known = frozenset(original)
    words = (edit for edit in typed_edits(original, adversarial) if edit.kind in _OF_WORDS)
    return "word" if any(all(char.isascii() or char in known for char in edit.modified) for edit in words) else "character"


def features(pairs: Sequence[Pair], scorer: SemanticScorer) -> NDArray[np.float64]:
    """One row for each pair, a column for each of `NAMES`; a row depends on its own pair only. NaN where words that could be
    compared are missing."""
    changed = [_Changed(*pair) for pair in pairs]
    seen = [pair.seen for pair in changed]
    words = [(" ".join(pair.gone), " ".join(pair.come)) for pair in changed]
    similarities = (
        scorer.score(seen),
        scorer.score([(_claim(old), _claim(new)) for old, new in seen]),
        [score if all(pair) else np.nan for score, pair in zip(scorer.score(words), words, strict=True)],
    )
    described = [list(_described(pair).values()) for pair in changed]
    counted = np.array(described, dtype=np.float64).reshape(len(pairs), len(NAMES) - len(_SIMILARITIES))
    return np.column_stack([counted, *(np.round(np.asarray(column, dtype=np.float64), _DECIMALS) for column in similarities)])


class _Changed:
    """A pair with its edits. `gone` and `come` are words that only one side has, where words were changed as a whole."""

    def __init__(self, original: str, adversarial: str) -> None:
        self.texts = original, adversarial
        self.seen = _seen(original), _seen(adversarial)
        self.edits = typed_edits(original, adversarial)
        self.of_words = [edit for edit in self.edits if edit.kind in _OF_WORDS]
        old, new = (Counter(word for edit in self.of_words for word in _words(_seen(edit.words[side]))) for side in (0, 1))
        self.gone, self.come = sorted((old - new).elements()), sorted((new - old).elements())


def _described(pair: _Changed) -> dict[str, float]:
    counts = edit_counts(pair.edits)
    return {
        **{kind: counts[kind] for kind in _COUNTED},
        "word_edits": len(pair.of_words),
        "words_gone": len(pair.gone),
        "words_come": len(pair.come),
        "rarest_gone": min(map(zipf, pair.gone), default=_COMMONER_THAN_ALL),
        "commonest_gone": max(map(zipf, pair.gone), default=_RARER_THAN_ALL),
        "rarest_come": min(map(zipf, pair.come), default=_COMMONER_THAN_ALL),
        "commonest_come": max(map(zipf, pair.come), default=_RARER_THAN_ALL),
        "negations_gone": sum(map(is_negation, pair.gone)),
        "negations_come": sum(map(is_negation, pair.come)),
        "numbers_gone": sum(map(is_number, pair.gone)),
        "numbers_come": sum(map(is_number, pair.come)),
        "least_alike_words": min((similarity(*map(_joined, edit.words)) for edit in pair.of_words), default=1.0),
        "words": sum(map(is_word, pieces(pair.texts[0]))),
        "character_score": character_score(*pair.texts),
        "character_score_as_seen": similarity(*map(_joined, pair.texts)),
    }


def _words(seen: str) -> list[str]:
    return _WORD.findall(seen)


def _seen(text: str) -> str:
    """The text as a reader sees it: in lower case, without invisible characters, look-alikes as what they look like."""
    return " ".join(map(spelled, text.split()))


def _joined(words: str) -> str:
    return _seen(words).replace(" ", "")


def _claim(text: str) -> str:
    """The last part of a pair's text; the whole text where there is one part only."""
    return text.rsplit(SEPARATOR, 1)[-1]


_SIMILARITIES: Final = ("similarity_as_seen", "similarity_of_claims", "similarity_of_words")
NAMES: Final = (*_described(_Changed("", "")), *_SIMILARITIES)
