"""What is kept of how an item's judged text differs from its original, so that pages count it over all items at once."""

from __future__ import annotations

from typing import Any

from scoring.texts.character import character_score
from scoring.texts.edits import edit_counts, typed_edits


def compared(before: str, after: str) -> dict[str, Any]:
    """The item's columns: how many edits there are of each kind that occurs, and BODEGA's character score."""
    counts = edit_counts(typed_edits(before, after))
    return {"edits": {kind: n for kind, n in counts.items() if n}, "character_score": character_score(before, after)}
