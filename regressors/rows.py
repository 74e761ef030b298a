"""From judgements to labelled texts: repeated rows of one text are repeated judgements of it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from regressors.errors import RegressorError
from regressors.targets import Targets

Label = Literal["median", "mean"]
LABELS: Final[dict[Label, Callable[[Sequence[float]], float]]] = {"median": median, "mean": fmean}
SIMILARITY: Final = 0.7
"""Normalised Levenshtein from which texts count as variants of one original, where originals are not named."""
LONGEST_TEXT: Final = 50_000  # characters; the encoder reads the first 256 word pieces


@dataclass(frozen=True, slots=True)
class TrainingRows:
    """One row per judgement. `originals` says which original a text is a variant of, `annotators` who judged, and `variants`
    what made the text ("original", or an attacker's name); None where nobody knows."""

    texts: Sequence[str]
    scores: Sequence[float]
    originals: Sequence[str] | None = None
    annotators: Sequence[str] | None = None
    variants: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Distinct texts in the order of the strings, so that the order of the rows cannot matter.

    `labels` and `counts` (judgements per text) are float64 [n]; `groups` int64 [n]: variants of one original share
    theirs. `grouping` says how they were found: "original" (as given) or "near duplicates" (by similarity). `annotators` are
    those of the judgements, in their order; `variants` all that made the text, since two attackers may make the same one.
    """

    texts: list[str]
    judgements: list[tuple[float, ...]]
    groups: NDArray[np.int64]
    label: Label
    grouping: str
    scale: tuple[float, float]
    annotators: list[tuple[str, ...]] | None = None
    variants: list[frozenset[str]] | None = None

    @property
    def labels(self) -> NDArray[np.float64]:
        return np.array([LABELS[self.label](scores) for scores in self.judgements], dtype=np.float64)

    @property
    def counts(self) -> NDArray[np.float64]:
        return np.array([len(scores) for scores in self.judgements], dtype=np.float64)

    @property
    def targets(self) -> Targets:
        return Targets(self.labels, self.counts, self.groups, self.judgements, self.annotators)

    @property
    def originals(self) -> int:
        """How many originals there are."""
        return len(set(self.groups.tolist()))

    def sha256(self) -> str:
        """Of the texts, their scores, who gave them, and their groups; the same for the same data in any order."""
        digest = hashlib.sha256()
        known = self.annotators or [()] * len(self.texts)
        for text, scores, people, group in zip(self.texts, self.judgements, known, self.groups.tolist(), strict=True):
            digest.update(json.dumps([text, scores, people, group]).encode("ascii") + b"\n")
        return digest.hexdigest()


def label_texts(rows: TrainingRows, *, label: Label = "median", scale: tuple[float, float] = (1.0, 5.0)) -> LabelledTexts:
    """Gathers the judgements of each text. RegressorError names the row of anything that cannot be used.

    Without originals, texts more alike than SIMILARITY count as variants of one. A text that stands under two originals joins
    these to one group.
    """
    _check(rows, label, scale)
    answers: dict[str, list[tuple[float, str]]] = {}
    for text, score, annotator in zip(rows.texts, rows.scores, rows.annotators or [""] * len(rows.texts), strict=True):
        answers.setdefault(text, []).append((float(score), annotator))
    texts = sorted(answers)
    told = [tuple(sorted(answers[text])) for text in texts]
    if rows.originals is None:
        from scoring.texts.near_duplicates import group_near_duplicates

        groups, grouping = group_near_duplicates(texts, SIMILARITY), "near duplicates"
    else:
        groups, grouping = _joined_originals(texts, rows.texts, rows.originals), "original"
    return LabelledTexts(
        texts=texts,
        judgements=[tuple(score for score, _ in answer) for answer in told],
        groups=np.array(groups, dtype=np.int64),
        label=label,
        grouping=grouping,
        scale=(float(scale[0]), float(scale[1])),
        annotators=[tuple(annotator for _, annotator in answer) for answer in told] if rows.annotators else None,
        variants=_variants(texts, rows.texts, rows.variants) if rows.variants else None,
    )


def check_scale(low: float, high: float) -> None:
    """RegressorError unless both are finite and the second is higher."""
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise RegressorError(f"The scale {low:g} to {high:g} does not rise: give its lowest and its highest score.")


def check_text(text: str) -> str | None:
    """What keeps a text from being scored, or None."""
    if not text.strip():
        return "the text is empty"
    if len(text) > LONGEST_TEXT:
        return f"the text has {len(text):,} characters; {LONGEST_TEXT:,} are the most that is read"
    return None


def _check(rows: TrainingRows, label: str, scale: tuple[float, float]) -> None:
    if label not in LABELS:
        raise RegressorError(f"There is no label {label!r}: choose one of {', '.join(LABELS)}.")
    check_scale(*scale)
    low, high = scale
    if not rows.texts:
        raise RegressorError("There are no rows: at least one text with a score is needed.")
    columns = {"scores": rows.scores, "originals": rows.originals, "annotators": rows.annotators, "variants": rows.variants}
    for name, column in columns.items():
        if column is not None and len(column) != len(rows.texts):
            raise RegressorError(f"There are {len(rows.texts)} texts but {len(column)} {name}.")
    for number, (text, score) in enumerate(zip(rows.texts, rows.scores, strict=True), start=1):
        if problem := check_text(text):
            raise RegressorError(f"Row {number}: {problem}.")
        if not low <= score <= high:  # also true for NaN
            raise RegressorError(f"Row {number}: the score {score:g} is outside the scale {low:g} to {high:g}.")
    for number, original in enumerate(rows.originals or (), start=1):
        if not original.strip():
            raise RegressorError(f"Row {number} names no original. Name it in every row, or in none.")


def _variants(texts: list[str], row_texts: Sequence[str], row_variants: Sequence[str]) -> list[frozenset[str]]:
    made: dict[str, set[str]] = {}
    for text, variant in zip(row_texts, row_variants, strict=True):
        made.setdefault(text, set()).add(variant)
    return [frozenset(made[text]) for text in texts]


def _joined_originals(texts: list[str], row_texts: Sequence[str], row_originals: Sequence[str]) -> list[int]:
    """Numbers the originals of `texts` in order of appearance, those that share a text as one (union-find)."""
    parent = {original: original for original in row_originals}

    def root(original: str) -> str:
        while parent[original] != original:
            parent[original] = parent[parent[original]]
            original = parent[original]
        return original

    first: dict[str, str] = {}
    for text, original in zip(row_texts, row_originals, strict=True):
        parent[root(original)] = root(first.setdefault(text, original))
    numbers: dict[str, int] = {}
    return [numbers.setdefault(root(first[text]), len(numbers)) for text in texts]
