"""The kinds of edits, and one edit as a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

from scoring.wording import counted

Kind = Literal[
    "homoglyph",
    "invisible",
    "split",
    "join",
    "spacing",
    "swap",
    "letter_inserted",
    "letter_deleted",
    "letter_substituted",
    "case",
    "punctuation",
    "number",
    "named_entity",
    "word_replaced",
    "word_inserted",
    "word_removed",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

MEANINGS: Final[Mapping[Kind, str]] = {
    "homoglyph": "a character became one that looks like it, or got or lost an accent",
    "invisible": "characters that nobody sees were inserted or deleted",
    "split": "white space was inserted into a word",
    "join": "white space between two words was deleted",
    "spacing": "other white space changed",
    "swap": "two letters next to each other changed places",
    "letter_inserted": "a letter was inserted into a word",
    "letter_deleted": "a letter was deleted from a word",
    "letter_substituted": "a letter of a word became another one",
    "case": "small letters became capitals, or the reverse",
    "punctuation": "marks or symbols were inserted, deleted or replaced",
    "number": "a number was inserted, removed, or became something else",
    "named_entity": "a word of a name was inserted, removed, or became another word",
    "word_replaced": "a word became another word",
    "word_inserted": "a word was inserted",
    "word_removed": "a word was removed",
}

SAID: Final[Mapping[Kind, tuple[str, str]]] = {
    "homoglyph": ("homoglyph", "homoglyphs"),
    "invisible": ("change of invisible characters", "changes of invisible characters"),
    "split": ("word split", "words split"),
    "join": ("join of two words", "joins of two words"),
    "spacing": ("change of spacing", "changes of spacing"),
    "swap": ("swap of letters", "swaps of letters"),
    "letter_inserted": ("letter inserted", "letters inserted"),
    "letter_deleted": ("letter deleted", "letters deleted"),
    "letter_substituted": ("letter substituted", "letters substituted"),
    "case": ("change of case", "changes of case"),
    "punctuation": ("change of punctuation", "changes of punctuation"),
    "number": ("number changed", "numbers changed"),
    "named_entity": ("name changed", "names changed"),
    "word_replaced": ("word replaced", "words replaced"),
    "word_inserted": ("word inserted", "words inserted"),
    "word_removed": ("word removed", "words removed"),
}
"""One edit of each kind, and several, in the words that follow a number."""


def in_words(counts: Mapping[Kind, int]) -> str:
    """So many edits of each kind: "1 word split, 2 homoglyphs", in the order of the kinds."""
    return ", ".join(counted(counts[kind], *SAID[kind]) for kind in KINDS if counts.get(kind)) or "no difference"


Span = tuple[int, int]


class Edit(NamedTuple):
    """One change. Spans are in code points, from the first to before the last; an empty one is a place.

    `words` are the words around it before and after: those of a change within a word, or the changed words themselves; empty
    where there are none. `method` says how the kind was found where that is a guess: for named entities.
    """

    kind: Kind
    original_span: Span
    modified_span: Span
    original: str
    modified: str
    words: tuple[str, str] = ("", "")
    method: str = ""
