"""Texts in words: as readers see them, and as BODEGA normalises them (Przybyła, Shvets and Saggion, "Verifying the Robustness
of Automatic Credibility Assessment", Natural Language Processing 2024)."""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(r"\w+|[^\w\s]+")
"""Words, or runs of what is neither word nor space. Other engines draw the line elsewhere, which changes scores."""
_END_IN_A_RUN: Final = re.compile(r"""[.?!][]!"')*:;?@[}{(‘’“”«»]|["')\]}’”«»]--""")
"""Marks between which Punkt may end a sentence though no space is there; every other end lies at a space."""


_EDGE: Final = r""".,;:!?()\[\]{}"'“”‘’«»…"""
_PIECE: Final = re.compile(rf"\s+|[{_EDGE}]|[^\s{_EDGE}](?:\S*[^\s{_EDGE}])?")
"""Spaces; a mark at a word's edge; else a word, which runs to the next space. So an invisible character or a look-alike
letter inside or at the end of a word belongs to that word and marks all of it."""
_NO_WORD: Final = re.compile(rf"\s+|[{_EDGE}]")


def pieces(text: str) -> list[str]:
    """The words of the text as readers see them, and the spaces and marks between; joined, they are the text again."""
    return _PIECE.findall(text)


def is_word(piece: str) -> bool:
    """Whether a piece is a word, rather than space or a mark at a word's edge."""
    return not _NO_WORD.fullmatch(piece)


def sentences(text: str) -> list[str]:
    """The sentences of an English text by Punkt (Kiss and Strunk, "Unsupervised Multilingual Sentence Boundary
    Detection", Computational Linguistics 2006) with its standard English parameters."""
    import punkt

    return punkt.sent_tokenize(text)


def normalise(text: str, *, lower: bool = True) -> str:
    """Lower-cased (unless told not to), newlines as spaces, split into tokens that are joined by one space.

    Tokens never cross the end of a sentence. Lengths of normalised texts are in code points.
    """
    if lower:
        text = text.lower()
    text = text.replace("\n", " ")
    # Only there do sentences change the tokens, and to find them takes most of the time.
    parts = sentences(text) if _END_IN_A_RUN.search(text) else [text]
    return " ".join(token for part in parts for token in _TOKEN.findall(part))
