"""`edits`: what was changed between two columns of texts, counted by kind."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from typing import Any

from scoring.texts.edit_kinds import KINDS, Edit
from scoring.texts.edits import edit_counts, typed_edits
from scoring.texts.entities import CAPITALISED

from . import Add, filled


def register(add: Add) -> None:
    texts = add("edits", edits, "What was changed in each text, edit by edit, counted by kind and by attacker.")
    texts.add_argument("--original", required=True, metavar="COL")
    texts.add_argument("--adversarial", required=True, metavar="COL")
    texts.add_argument("--by", metavar="COL", help="also counts per value of this column, such as the attacker")


def edits(options: Namespace) -> dict[str, Any]:
    """Counts over the file's pairs; as JSON also every pair's own counts and edits. An empty cell is an empty text."""
    table = filled(options.file, options.original, options.adversarial, options.by)
    found = [typed_edits(row[options.original], row[options.adversarial]) for row in table.rows]
    result: dict[str, Any] = {"named_entities_by": CAPITALISED.name, "all": _summed(found)}
    if options.by:
        groups: dict[str, list[tuple[Edit, ...]]] = {}
        for row, own in zip(table.rows, found, strict=True):
            groups.setdefault(row[options.by], []).append(own)
        result["by"] = {value: _summed(groups[value]) for value in sorted(groups)}
    if options.json:
        result["pairs"] = [
            {"line": row.line, "counts": edit_counts(own), "edits": [edit._asdict() for edit in own]}
            for row, own in zip(table.rows, found, strict=True)
        ]
    return result


def _summed(found: list[tuple[Edit, ...]]) -> dict[str, Any]:
    """Of several pairs: how many there are, how many differ, and how many edits of each kind they have together."""
    counts = Counter(edit.kind for own in found for edit in own)
    return {"pairs": len(found), "changed": sum(map(bool, found)), "edits": {kind: counts[kind] for kind in KINDS}}
