"""The published Likert judgements of "Suspiciousness of Adversarial Texts to Human" (Tonni, Faustini, Dras 2024).

One row per judgement of one text of one variant. Texts that were judged three times have a group ending in `_common`; the column
`ind` does not identify texts. The originals are movie review sentences, and the file does not link them to their variants.
"""

from __future__ import annotations

from annotation.protocols import PROTOCOLS
from annotation.protocols.labels import LabelSpec
from annotation.services.examples import ExampleRecord
from annotation.services.recording import RecordedAnswer, RecordedItem, RecordedText
from scoring.table import Row, Table

from .originals import SIMILARITY, keys_of_originals
from .study import UNCHANGED, Study

TEXT, LABEL, SCORE, GROUP = "Input.text", "Answer.judgement.label", "Answer.judgement.score", "group"
COLUMNS = (TEXT, LABEL, SCORE, GROUP)

VARIANTS = {"orig": UNCHANGED} | {name: name for name in ("pruthi", "alzantot", "textfooler", "bae")}
GROUPS = VARIANTS | {f"{name}_common": variant for name, variant in VARIANTS.items()} | {"textf_common": "textfooler"}

SCORES = {label.value: label.key for label in PROTOCOLS["suspicion"].preset().labels}
STATED = {
    "Very confident that written by a human with no computer alteration": 1,
    "Probably written by a human with no computer alteration": 2,
    "Uncertain whether original or altered by a computer": 3,
    "Probably altered by a computer": 4,
    "Very confident that it is altered by a computer": 5,
}

TASK = "rt-polarity"


def example(table: Table, row: Row) -> ExampleRecord:
    """The text alone, to be judged anew; which original it is a variant of, the file does not say."""
    variant = GROUPS[table.choice(row, GROUP, tuple(GROUPS))]
    return ExampleRecord(table.text(row, TEXT), task=TASK, attacker=variant, line=row.line)


def read(table: Table) -> Study:
    """A suspicion campaign: an item is a text of one variant. Raises TableError at the first cell that is not as published."""
    answers: dict[tuple[str, str], list[str]] = {}
    for row in table.rows:
        item = table.text(row, TEXT), GROUPS[table.choice(row, GROUP, tuple(GROUPS))]
        answers.setdefault(item, []).append(SCORES[_score(table, row)])
    originals = keys_of_originals([text for text, _ in answers])
    return Study(
        protocol="suspicion",
        task=TASK,
        settings={},
        items=[
            RecordedItem(
                original_key=originals[text],
                first=RecordedText(variant, text),
                answers=tuple(RecordedAnswer(position, score) for position, score in enumerate(scores, start=1)),
            )
            for (text, variant), scores in answers.items()
        ],
        labels=[LabelSpec(value, SCORES[value], name) for name, value in STATED.items()],
        annotators=tuple(f"judgement {number}" for number in range(1, max(map(len, answers.values())) + 1)),
        rows=len(table.rows),
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
