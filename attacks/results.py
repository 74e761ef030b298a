"""The results of a run: scored examples, a summary with intervals, and the files that hold them."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from attacks.engine.outcome import STATUSES, Outcome
from attacks.errors import AttackError
from attacks.set_aside import MARGIN, model_sha256, set_aside, suspicion_known
from scoring.judgements.bootstrap import bootstrap_interval
from scoring.result import Estimate, Reason
from scoring.texts.bodega import BodegaScore, score_examples
from scoring.texts.semantic import SemanticScorer

HEADER, RESULTS, SUMMARY = "run.json", "results.jsonl", "summary.json"
_LIBRARIES = ("numpy", "scikit-learn", "torch", "tokenizers", "transformers", "Levenshtein", "lemminflect")


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run. ``header`` says what was run (attacker, victim, constraints with hashes, seed, budget, scenario);
    ``scores`` stand beside ``outcomes``, None for examples that the scenario skips; ``summary`` is as in summary.json.

    With a suspicion constraint the summary holds ``suspicion`` (mean over successes), ``set_aside`` (the successes that look
    as if they fooled the model, see `attacks.set_aside`: count and ids; ``unscored`` ones could not be checked) and
    ``success_kept``, the share of attacked examples that succeed and are not set aside. ``success`` and BODEGA's score still
    count them.
    """

    header: dict[str, Any]
    outcomes: list[Outcome]
    scores: list[BodegaScore | None]
    summary: dict[str, Any]

    @property
    def successes(self) -> dict[int, Outcome]:
        return {outcome.id: outcome for outcome in self.outcomes if outcome.succeeded}

    @property
    def attacked(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.status != "skipped"]


def score_run(
    header: Mapping[str, Any],
    outcomes: Sequence[Outcome],
    *,
    scorer: SemanticScorer | None,
    segmentation: str,
) -> Run:
    """Score the outcomes as BODEGA does: over all attacked examples, every status but success counting as a failure.

    ``segmentation`` is the BODEGA task whose way of cutting sentences applies (`scoring.texts.alignment`).
    """
    attacked = [outcome for outcome in outcomes if outcome.status != "skipped"]
    pairs = [(outcome.original, outcome.adversarial or "") for outcome in attacked]
    scored = score_examples(pairs, [outcome.succeeded for outcome in attacked], scorer=scorer, task=segmentation)
    by_id = {outcome.id: score for outcome, score in zip(attacked, scored.examples, strict=True)}
    seed = int(header["seed"])
    originals = [outcome.original for outcome in attacked]
    means = scored.means()
    means["segmentation"] = means.pop("task")
    for name in ("success", "semantic", "character", "bodega"):
        values = [None if (value := getattr(score, _field_of(name))) is None else float(value) for score in scored.examples]
        means[name] = _with_interval(getattr(scored, name), values, originals, seed).as_dict()
    summary = {
        "examples": len(outcomes),
        "attacked": len(attacked),
        "statuses": _counts(outcomes),
        **means,
        "queries": {
            kind: mean_of([getattr(outcome.queries, kind) for outcome in attacked], originals, seed).as_dict()
            for kind in ("asked", "unique", "sent")
        },
        "constraint_checks": {
            name: mean_of([outcome.constraint_checks.get(name, 0) for outcome in attacked], originals, seed).as_dict()
            for name in sorted({name for outcome in attacked for name in outcome.constraint_checks})
        },
        **_set_aside(header, attacked, seed),
        "errors": dict(Counter(outcome.message for outcome in outcomes if outcome.status == "error").most_common(5)),
        "run": dict(header),
        "versions": _versions(),
    }
    return Run(dict(header), list(outcomes), [by_id.get(outcome.id) for outcome in outcomes], summary)


def mean_of(
    values: Sequence[float], originals: Sequence[str], seed: int, method: str = "mean over attacked examples"
) -> Estimate:
    """A mean with its bootstrap interval; examples of one original are drawn together."""
    if not len(values):
        return Estimate(None, Reason("nothing_to_average", "There is no such example."), 0, method)
    estimate = Estimate(float(np.mean(values)), None, len(values), method)
    return _with_interval(estimate, list(values), originals, seed)


def write_run(run: Run, folder: Path) -> None:
    """Write summary.json and results.jsonl, each whole or not at all; the latter last, as it marks the run as finished."""
    write_atomically(folder / SUMMARY, json.dumps(run.summary, indent=2) + "\n")
    names = {"attacker": run.header["attacker"]["name"], "victim": run.header["victim"]["name"]}
    lines = [
        json.dumps(outcome.as_dict() | names | {"scores": None if score is None else asdict(score)}) + "\n"
        for outcome, score in zip(run.outcomes, run.scores, strict=True)
    ]
    write_atomically(folder / RESULTS, "".join(lines))


def read_run(folder: str | os.PathLike[str]) -> Run:
    """Read a finished run. Raises `AttackError` if it is not finished or its files cannot be read."""
    folder = Path(folder)
    if not (folder / RESULTS).is_file():
        raise AttackError(f"{folder}: no finished run here ({RESULTS} is missing); run it again to finish it")
    try:
        header, summary = (json.loads((folder / name).read_text("utf-8")) for name in (HEADER, SUMMARY))
        rows = [json.loads(line) for line in (folder / RESULTS).read_text("utf-8").splitlines()]
        outcomes = [Outcome.from_dict(row) for row in rows]
        scores = [None if row["scores"] is None else BodegaScore(**row["scores"]) for row in rows]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AttackError(f"{folder}: the run's files cannot be read ({type(error).__name__}: {error})") from None
    return Run(header, outcomes, scores, summary)


def write_atomically(path: Path, content: str) -> None:
    staged = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with staged.open("w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)


def _set_aside(header: Mapping[str, Any], attacked: Sequence[Outcome], seed: int) -> dict[str, Any]:
    """The check for successes that fool the suspicion model, by the scores that the run's own constraint left; empty without."""
    model = model_sha256(header)
    if model is None:
        return {}
    known = suspicion_known(attacked)
    found = set_aside(attacked, known)
    kept = {outcome.id for outcome in found.kept}
    originals = {outcome.id: outcome.original for outcome in attacked}
    after = [after for _, after in known.values()]
    return {
        "suspicion": mean_of(after, [originals[id] for id in known], seed, "mean over successes").as_dict(),
        "success_kept": mean_of([float(id in kept) for id in originals], list(originals.values()), seed).as_dict(),
        "set_aside": {
            "count": len(found.set_aside),
            "ids": [outcome.id for outcome in found.set_aside],
            "margin": MARGIN,
            "unscored": sum(outcome.succeeded for outcome in attacked) - len(known),
            "model_sha256": model,
        },
    }


def _field_of(mean: str) -> str:
    """The field of a `BodegaScore` that a mean is over."""
    return "succeeded" if mean == "success" else mean


def _with_interval(estimate: Estimate, values: Sequence[float | None], originals: Sequence[str], seed: int) -> Estimate:
    if estimate.value is None:
        return estimate
    used = [(value, original) for value, original in zip(values, originals, strict=True) if value is not None]
    sums = np.array([[value, 1.0] for value, _ in used])
    clusters = [original for _, original in used]
    interval, missing = bootstrap_interval(sums, lambda s: s[:, 0] / s[:, 1], clusters=clusters, seed=seed)
    return replace(estimate, interval=interval, no_interval=missing)


def _counts(outcomes: Sequence[Outcome]) -> dict[str, int]:
    found = Counter(outcome.status for outcome in outcomes)
    return {status: found[status] for status in STATUSES}


def _versions() -> dict[str, str]:
    return {name: version(name) for name in _LIBRARIES}
