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
                "constraint": constraints_said(header),
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


def _suspicion_said(rule: Mapping[str, Any]) -> str:
    if "margin" in rule:
        return f"suspicion at most {rule['margin']:g} above the original’s"
    return f"suspicion at most {rule['tau']:g}" if "tau" in rule else "suspicion observed"


def _kept_said(rule: Mapping[str, Any]) -> str:
    kept = [kind for kind in ("numbers", "names", "words") if rule[kind]]
    return f"{' and '.join(kept)} kept"


SAID: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "suspicion": _suspicion_said,
    "meaning": lambda rule: f"meaning kept at least {rule['tau']:g}",
    "bert_score": lambda rule: f"BERTScore at least {rule['threshold']:g}",
    "encoder_similarity": lambda rule: f"cosine at least {rule['threshold']:g}",
    "character": lambda rule: f"character score at least {rule['threshold']:g}",
    "words_changed": lambda rule: f"words changed at most {rule['share']:g}",
    "protected_words": _kept_said,
    "part_of_speech": lambda rule: "parts of speech kept",
}
"""Constraints in words. Any other belongs to an attacker."""


def constraints_said(header: Mapping[str, Any]) -> str:
    """What a run's candidates had to be, in words, the costliest last; without what the attacker brings by itself."""
    attacker = header["attacker"]
    own = attacker.get("made_of", attacker).get("parameters", {}).get("similarity")
    asked = (
        each for each in header["constraints"] if each["name"] != "encoder_similarity" or each["threshold"] != own
    )  # fmt: skip
    return ", ".join(SAID[each["name"]](each) for each in asked if each["name"] in SAID)


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


def record_predictions(*, row: AttackRun, run: Run, learned: LearnedModel) -> None:
    """Have the model say how suspicious the run's successes look, where the run does not know it, and store it."""
    from attacks.set_aside import suspicion_of
    from regressors.storage import load

    said = suspicion_of(run.outcomes, load(Path(learned.folder)), run.header)
    successes = run.successes
    texts = {(successes[id].original, successes[id].adversarial or ""): scores for id, scores in said.items()}
    record_suspicion(run=row, model=learned, scores=texts)


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
