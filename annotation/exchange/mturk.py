"""The published Likert judgements of "Suspiciousness of Adversarial Texts to Human" (Tonni, Faustini, Dras 2024).

One row per judgement of one text of one variant. Texts that were judged three times have a group ending in `_common`; the column
`ind` does not identify texts. The originals are movie review sentences, and the file does not link them to their variants.
"""

from __future__ import annotations

from annotation.protocols import PROTOCOLS
from annotation.services.recording import RecordedAnswer, RecordedItem, RecordedText, key_of
from scoring.table import Row, Table
from scoring.texts.near_duplicates import group_near_duplicates

from .study import UNCHANGED, Study

TEXT, LABEL, SCORE, GROUP = "Input.text", "Answer.judgement.label", "Answer.judgement.score", "group"
COLUMNS = (TEXT, LABEL, SCORE, GROUP)

VARIANTS = {"orig": UNCHANGED} | {name: name for name in ("pruthi", "alzantot", "textfooler", "bae")}
GROUPS = VARIANTS | {f"{name}_common": variant for name, variant in VARIANTS.items()} | {"textf_common": "textfooler"}

SCORES = {label.value: label.key for label in PROTOCOLS["suspicion"].preset.labels}
STATED = {
    "Very confident that written by a human with no computer alteration": 1,
    "Probably written by a human with no computer alteration": 2,
    "Uncertain whether original or altered by a computer": 3,
    "Probably altered by a computer": 4,
    "Very confident that it is altered by a computer": 5,
}

SIMILARITY = 0.7
"""Normalised Levenshtein similarity from which on two texts count as variants of one original."""


def read(table: Table) -> Study:
    """A suspicion campaign: an item is a text of one variant. Raises TableError at the first cell that is not as published."""
    answers: dict[tuple[str, str], list[str]] = {}
    for row in table.rows:
        item = table.text(row, TEXT), GROUPS[table.choice(row, GROUP, tuple(GROUPS))]
        answers.setdefault(item, []).append(SCORES[_score(table, row)])
    originals = _originals([text for text, _ in answers])
    return Study(
        protocol="suspicion",
        task="rt-polarity",
        settings={},
        items=[
            RecordedItem(
                original_key=originals[text],
                first=RecordedText(variant, text),
                answers=tuple(RecordedAnswer(position, score) for position, score in enumerate(scores, start=1)),
            )
            for (text, variant), scores in answers.items()
        ],
        annotators=tuple(f"judgement {number}" for number in range(1, max(map(len, answers.values())) + 1)),
        notes={
            "originals": f"not in the file; texts alike by {SIMILARITY} or more (normalised Levenshtein) count as variants of one"
        },
    )


def _score(table: Table, row: Row) -> int:
    score = table.integer(row, SCORE, min(SCORES), max(SCORES))
    stated = STATED[table.choice(row, LABEL, tuple(STATED))]
    if stated != score:
        raise table.error(row, LABEL, f"this answer stands for {stated}, but the column {SCORE} says {score}")
    return score


def _originals(texts: list[str]) -> dict[str, str]:
    """Text → key of its original, made from the group's first text in the order of the strings."""
    distinct = sorted(set(texts))
    groups = group_near_duplicates(distinct, SIMILARITY)
    keys: dict[int, str] = {}
    return {text: keys.setdefault(group, key_of(text)) for text, group in zip(distinct, groups, strict=True)}
