"""Keeping attack runs: from a run's folder to rows that pages list and campaigns draw from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import AttackRun, Example, LearnedModel, Original, Variant

from .recording import key_of, sha256_of

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
    """Store a finished run and its successful examples under `name`, by default the folder's.

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
            _record_examples(row, run)
        elif row.summary != run.summary:
            raise DomainError(f"There is already another attack run named “{row.name}”. Choose another name.")
    return row


LEARNED = {"suspicion": "suspicion at most {tau:g}", "meaning": "meaning kept at least {tau:g}"}
"""Constraints that a learned model sets, in words."""


def _learned_constraint(header: Mapping[str, Any]) -> str:
    constraints = header["constraints"]
    return ", ".join(LEARNED[each["name"]].format(tau=each["tau"]) for each in constraints if each["name"] in LEARNED)


def _record_examples(row: AttackRun, run: Run) -> None:
    scorer = run.summary["semantic_scorer"]
    semantic_model = f"{scorer['name']} {scorer['version']}" if scorer else ""
    for outcome, score in zip(run.outcomes, run.scores, strict=True):
        if not outcome.succeeded:
            continue
        assert outcome.adversarial is not None and score is not None
        original, _ = Original.objects.get_or_create(task=row.task, key=key_of(outcome.original))
        Example.objects.create(
            run=row,
            before=_variant(original, Variant.UNCHANGED, outcome.original),
            after=_variant(original, row.attacker, outcome.adversarial),
            status=outcome.status,
            label=outcome.label,
            label_before=outcome.predicted_before,
            label_after=outcome.predicted_after,
            queries=outcome.queries.asked,
            character_score=score.character,
            semantic_score=score.semantic,
            bodega_score=score.bodega,
            semantic_model=semantic_model,
        )


def _variant(original: Original, kind: str, text: str) -> Variant:
    variant, _ = Variant.objects.get_or_create(original=original, kind=kind, sha256=sha256_of(text), defaults={"text": text})
    return variant
