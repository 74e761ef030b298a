"""Keeping attack runs: from a run's folder to rows that pages list and campaigns draw from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import AttackRun, Example, LearnedModel, Outcome, Suspicion, Variant

from .holding import keep_texts
from .recording import AT_ONCE, RecordedText, key_of, originals_of, sha256_of, variants_of

if TYPE_CHECKING:
    from attacks.results import Run


def record_run(
    folder: Path,
    *,
    name: str = "",
    model: LearnedModel | None = None,
    baseline: AttackRun | None = None,
    comparison: Mapping[str, Any] | None = None,
) -> AttackRun:
    """Store a finished run, how each of its texts ended, and its successful examples under `name`, by default the folder's.

    `model` is the one that its suspicion constraint used; `comparison` sets it beside its `baseline`. Recording the same run
    again gives the first row. Raises DomainError when the folder holds no finished run, or the name is another run's.
    """
    from attacks.errors import AttackError
    from attacks.results import read_run

    try:
        run = read_run(folder)
    except AttackError as unreadable:
        raise DomainError(str(unreadable)) from unreadable
    header = run.header
    with transaction.atomic():
        row, made = AttackRun.objects.get_or_create(
            name=name or folder.name,
            defaults={
                "task": header["task"]["name"],
                "victim": header["victim"]["name"],
                "attacker": header["attacker"]["name"],
                "constraint": _learned_constraint(header),
                "folder": str(folder.resolve()),
                "summary": run.summary,
                "model": model,
                "baseline": baseline,
                "comparison": dict(comparison or {}),
            },
        )
        if made:
            _record_outcomes(row, run)
        elif row.summary != run.summary:
            raise DomainError(f"There is already another attack run named “{row.name}”. Choose another name.")
    return row


LEARNED = {"suspicion": "suspicion at most {tau:g}", "meaning": "meaning kept at least {tau:g}"}
"""Constraints that a learned model sets, in words."""


def _learned_constraint(header: Mapping[str, Any]) -> str:
    constraints = header["constraints"]
    return ", ".join(LEARNED[each["name"]].format(tau=each["tau"]) for each in constraints if each["name"] in LEARNED)


def record_suspicion(*, run: AttackRun, model: LearnedModel, scores: Mapping[tuple[str, str], tuple[float, float]]) -> None:
    """Store what the model says of successes: original and altered text → of the one, and of the other. What is there stays."""
    outcomes = run.outcomes.filter(example__isnull=False).select_related("example__before", "example__after")
    texts = ((outcome, (outcome.example.before.text, outcome.example.after.text)) for outcome in outcomes if outcome.example)
    Suspicion.objects.bulk_create(
        (
            Suspicion(outcome=outcome, model=model, before=scores[pair][0], after=scores[pair][1])
            for outcome, pair in texts
            if pair in scores
        ),
        batch_size=AT_ONCE,
        ignore_conflicts=True,
    )


def _record_outcomes(row: AttackRun, run: Run) -> None:
    """A row for every text, and an example for every success; two equal ones are one example."""
    scorer = run.summary["semantic_scorer"]
    semantic_model = f"{scorer['name']} {scorer['version']}" if scorer else ""
    variant = _variants(row, run)
    examples = {
        (outcome.original, outcome.adversarial): Example(
            run=row,
            before=variant(Variant.UNCHANGED, outcome.original, outcome.original),
            after=variant(row.attacker, outcome.original, outcome.adversarial),
            status=outcome.status,
            scenario=run.header.get("scenario", ""),
            label=outcome.label,
            label_before=outcome.predicted_before,
            label_after=outcome.predicted_after,
            score_before=_probability(outcome.scores_before),
            score_after=_probability(outcome.scores_after),
            queries=outcome.queries.asked,
            character_score=score.character,
            semantic_score=score.semantic,
            bodega_score=score.bodega,
            semantic_model=semantic_model,
        )
        for outcome, score in zip(run.outcomes, run.scores, strict=True)
        if outcome.adversarial is not None and score is not None
    }
    Example.objects.bulk_create(examples.values(), batch_size=AT_ONCE)
    Outcome.objects.bulk_create(
        (
            Outcome(
                run=row,
                number=outcome.id + 1,
                before=variant(Variant.UNCHANGED, outcome.original, outcome.original),
                example=examples.get((outcome.original, outcome.adversarial or "")),
                status=outcome.status,
                message=outcome.message,
                label=outcome.label,
                label_before=outcome.predicted_before,
                score_before=_probability(outcome.scores_before),
                asked=outcome.queries.asked,
                unique=outcome.queries.unique,
                sent=outcome.queries.sent,
            )
            for outcome in run.outcomes
        ),
        batch_size=AT_ONCE,
    )


def _variants(row: AttackRun, run: Run) -> Callable[[str, str, str], Variant]:
    """Finds the stored text of a kind that an original has."""
    keep_texts()
    keys = {outcome.original: key_of(outcome.original) for outcome in run.outcomes}
    originals = originals_of((row.task, key) for key in keys.values())
    texts = [
        (originals[row.task, keys[outcome.original]], RecordedText(kind, text))
        for outcome in run.outcomes
        for kind, text in ((Variant.UNCHANGED, outcome.original), (row.attacker, outcome.adversarial))
        if text is not None
    ]
    stored = variants_of(texts)
    return lambda kind, original, text: stored[originals[row.task, keys[original]].pk, kind, sha256_of(text)]


def _probability(scores: Sequence[float] | None) -> float | None:
    """The victim's probability of label 1."""
    return None if scores is None else scores[1]
