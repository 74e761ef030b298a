"""What typed edits come to for the meaning: words exchanged, negations and numbers, and how much was only misspelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .edit_kinds import Edit, Kind
from .edits import edit_counts
from .word_kinds import is_negation, spelled

_OF_WORDS = ("word_replaced", "named_entity", "number")


@dataclass(frozen=True, slots=True)
class Changes:
    """One pair's edits, summed up. `replaced` holds (original word, new word), numbers and names among them; `removed` and
    `inserted` words that stand for none on the other side; `numbers` what numbers were before and after, either may be empty."""

    counts: Mapping[Kind, int]
    replaced: tuple[tuple[str, str], ...]
    inserted: tuple[str, ...]
    removed: tuple[str, ...]
    misspelled: tuple[tuple[str, str], ...]
    """Words with changed letters, before and after, each once."""
    numbers: tuple[tuple[str, str], ...]
    negations_added: int
    negations_removed: int


def changes(edits: Sequence[Edit]) -> Changes:
    """The sum of one pair's edits."""
    whole = [edit.words for edit in edits if edit.kind in _OF_WORDS or edit.kind in ("word_inserted", "word_removed")]
    letters = [edit.words for edit in edits if edit.kind in ("swap", "letter_inserted", "letter_deleted", "letter_substituted")]
    said_no = [(is_negation(spelled(before)), is_negation(spelled(after))) for before, after in whole]
    return Changes(
        counts=edit_counts(edits),
        replaced=tuple(words for words in whole if all(words)),
        inserted=tuple(after for before, after in whole if not before),
        removed=tuple(before for before, after in whole if not after),
        misspelled=tuple(dict.fromkeys(letters)),
        numbers=tuple(edit.words for edit in edits if edit.kind == "number"),
        negations_added=sum(after and not before for before, after in said_no),
        negations_removed=sum(before and not after for before, after in said_no),
    )
