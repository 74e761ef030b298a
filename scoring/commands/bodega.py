"""`python -m scoring bodega`: the BODEGA score of pairs of texts."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from scoring.texts.alignment import SEGMENTERS
from scoring.texts.bodega import score_examples
from scoring.texts.semantic import EncoderSimilarity

from . import Add, filled


def register(add: Add) -> None:
    texts = add("bodega", bodega, "BODEGA score and its parts over pairs of texts.")
    texts.add_argument("--original", required=True, metavar="COL")
    texts.add_argument("--adversarial", required=True, metavar="COL")
    texts.add_argument("--succeeded", metavar="COL", help="true/false or 1/0; without it every attack counts as a success")
    texts.add_argument("--task", choices=list(SEGMENTERS), default="PR", help="how texts are cut into sentences (PR: not at all)")
    texts.add_argument("--semantic", choices=["none", "encoder"], default="none", help="encoder: the embedded one")


def bodega(options: Namespace) -> dict[str, Any]:
    """The mean scores over the file's pairs. An empty cell is an empty text."""
    table = filled(options.file, options.original, options.adversarial, options.succeeded)
    pairs = [(row[options.original], row[options.adversarial]) for row in table.rows]
    succeeded = [table.boolean(row, options.succeeded) for row in table.rows] if options.succeeded else None
    scorer = EncoderSimilarity() if options.semantic == "encoder" else None
    return {"pairs": len(pairs), **score_examples(pairs, succeeded, scorer=scorer, task=options.task).means()}
