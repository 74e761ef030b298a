"""The BODEGA score and its parts (Przybyła, Shvets and Saggion, "Verifying the Robustness of Automatic Credibility
Assessment", Natural Language Processing 2024): success × semantic × character, per example.

"Success" is what the paper calls the confusion score: 1 where the victim changed its decision, else 0. BODEGA's own code
divides by zero where texts or sentences have no token: `compat="bodega"` refuses what it cannot score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from scoring.result import Estimate, Reason, ScoringError

from .alignment import Segmenter, align, segmenter_for
from .character import character_score
from .semantic import SemanticScorer, identity
from .tokens import normalise


@dataclass(frozen=True, slots=True)
class BodegaScore:
    """One attacked example. `semantic` and `character` are None for a failure, `semantic` and `bodega` also where no
    semantic scorer was given (unless the attack failed: then the product is 0 without it)."""

    succeeded: bool
    semantic: float | None
    character: float | None
    bodega: float | None


@dataclass(frozen=True, slots=True)
class BodegaScores:
    """All examples in the order given, and their means: success and BODEGA score over all attacked examples, semantic
    and character score over successes only. So the mean BODEGA score is not the product of the other means."""

    examples: tuple[BodegaScore, ...]
    success: Estimate
    semantic: Estimate
    character: Estimate
    bodega: Estimate
    task: str
    segmenter: str
    scorer: dict[str, str] | None

    def means(self) -> dict[str, Any]:
        """Everything but the examples, ready for JSON."""
        parts = {name: getattr(self, name).as_dict() for name in ("success", "semantic", "character", "bodega")}
        return {"task": self.task, "segmenter": self.segmenter, "semantic_scorer": self.scorer, **parts}

    def as_dict(self) -> dict[str, Any]:
        return self.means() | {"examples": [asdict(example) for example in self.examples]}


def score_examples(
    pairs: Sequence[tuple[str, str]],
    succeeded: Sequence[bool] | None = None,
    *,
    scorer: SemanticScorer | None,
    task: str,
    compat: Literal["bodega"] | None = None,
) -> BodegaScores:
    """Scores (original, adversarial) pairs; without `succeeded` every one counts as a success.

    A failure's adversarial text is not looked at. Each sentence's semantic score is cut to 0–1, then averaged within
    the example. ScoringError if the lengths differ or the task is unknown; with `compat="bodega"` also where BODEGA fails.
    """
    successes = [True] * len(pairs) if succeeded is None else [bool(value) for value in succeeded]
    if len(successes) != len(pairs):
        raise ScoringError(f"{len(pairs)} pairs, but {len(successes)} values say which of them succeeded.")
    segmenter = segmenter_for(task)
    hits = [pair for pair, success in zip(pairs, successes, strict=True) if success]
    if compat == "bodega":
        _refuse_what_bodega_cannot(hits, segmenter)
    semantic = iter(_semantic_scores(hits, scorer, task) if scorer else [None] * len(hits))
    examples = []
    for (original, adversarial), success in zip(pairs, successes, strict=True):
        if success:
            examples.append(_success(next(semantic), character_score(original, adversarial)))
        else:
            examples.append(BodegaScore(False, None, None, 0.0))
    return BodegaScores(tuple(examples), *_means(examples), task, segmenter.name, identity(scorer) if scorer else None)


def _success(semantic: float | None, character: float) -> BodegaScore:
    return BodegaScore(True, semantic, character, None if semantic is None else semantic * character)


def _refuse_what_bodega_cannot(hits: Sequence[tuple[str, str]], segmenter: Segmenter) -> None:
    """BODEGA divides by the longer length of two texts and of every two sentences that it compares, by the number
    of the original's sentences, and by the number of successes."""
    for number, (original, modified) in enumerate(hits, 1):
        old, new = ([normalise(sentence) for sentence in segmenter.cut(text)] for text in (original, modified))
        if not old:
            problem = "the original has no sentence"
        elif not (normalise(original) or normalise(modified)):
            problem = "neither text has a token"
        elif "" in old and "" in new:
            problem = "both texts have a sentence without a token"
        else:
            continue
        raise ScoringError(
            f"BODEGA divides by zero on successful pair {number}: {problem}. Without its compatibility it has a score."
        )
    if not hits:
        raise ScoringError(
            "BODEGA gives no number where no attack succeeded. Without its compatibility there is a reason instead."
        )


def _semantic_scores(pairs: Sequence[tuple[str, str]], scorer: SemanticScorer, task: str) -> list[float]:
    """One score per pair; all sentences of all pairs reach the scorer in one call."""
    cut = segmenter_for(task).cut
    # A blank original has no sentence of its own; it is compared as it is, so that what was added to it counts.
    aligned = [align(cut(original) or [original], cut(modified)) for original, modified in pairs]
    scores = iter(scorer.score([(_cased(old), _cased(new)) for sentences in aligned for old, new in sentences]))
    return [float(np.mean(np.clip([next(scores) for _ in sentences], 0.0, 1.0))) for sentences in aligned]


def _cased(sentence: str) -> str:
    return normalise(sentence, lower=False)


def _means(examples: Sequence[BodegaScore]) -> tuple[Estimate, Estimate, Estimate, Estimate]:
    failed = sum(not example.succeeded for example in examples)
    over_successes = {"failed attacks": failed} if failed else {}
    return (
        _mean([float(example.succeeded) for example in examples], "mean over all attacked examples", {}),
        _mean([e.semantic for e in examples if e.succeeded], "mean over successes", over_successes),
        _mean([e.character for e in examples if e.succeeded], "mean over successes", over_successes),
        _mean([example.bodega for example in examples], "mean over all attacked examples", {}),
    )


def _mean(values: Sequence[float | None], method: str, left_out: dict[str, int]) -> Estimate:
    if not values:
        reason = Reason("nothing_to_average", "There is no successful example." if left_out else "There is no example.")
        return Estimate(None, reason, 0, method, left_out)
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        reason = Reason("no_semantic_scorer", "No semantic scorer was chosen, so this score was not computed.")
        return Estimate(None, reason, 0, method, {**left_out, "without a semantic score": len(values) - len(known)})
    return Estimate(float(np.mean(known)), None, len(known), method, left_out)
