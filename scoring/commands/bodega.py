"""`python -m scoring bodega`: the BODEGA score of pairs of texts."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from scoring.texts.alignment import TASKS
from scoring.texts.bodega import score_examples
from scoring.texts.semantic import semantic_scorer

from . import Add, filled


def register(add: Add) -> None:
    texts = add("bodega", bodega, "BODEGA score and its parts over pairs of texts.")
    texts.add_argument("--original", required=True, metavar="COL")
    texts.add_argument("--adversarial", required=True, metavar="COL")
    texts.add_argument(
        "--succeeded",
        metavar="COL",
        help="true/false or 1/0 (BODEGA's confusion score); without it every attack counts as a success",
    )
    texts.add_argument("--task", choices=TASKS, default="PR", help="how texts are cut into sentences (PR: not at all)")
    texts.add_argument(
        "--semantic",
        default="none",
        metavar="none|encoder|bleurt:PATH|bertscore:PATH",
        help="the semantic scorer: none (default), the embedded encoder, or a model's folder",
    )
    texts.add_argument("--compat", choices=["bodega"], help="refuse what BODEGA's own code cannot score")


def bodega(options: Namespace) -> dict[str, Any]:
    """The mean scores over the file's pairs. An empty cell is an empty text."""
    table = filled(options.file, options.original, options.adversarial, options.succeeded)
    pairs = [(row[options.original], row[options.adversarial]) for row in table.rows]
    succeeded = [table.boolean(row, options.succeeded) for row in table.rows] if options.succeeded else None
    scores = score_examples(pairs, succeeded, scorer=semantic_scorer(options.semantic), task=options.task, compat=options.compat)
    return {"pairs": len(pairs), **scores.means()}
