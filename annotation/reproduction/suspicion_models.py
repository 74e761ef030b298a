"""The regressors of "Suspiciousness of Adversarial Texts to Human" (Tonni, Faustini and Dras 2024, Tables 11 to 13), by the
comparison that `python -m regressors compare` makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from annotation.protocols.analysis import Table
from scoring.result import Estimate

from .given import Given, ReproductionError
from .published import Part, Published, Row, Section, Status, beside_print

if TYPE_CHECKING:
    from .suspiciousness import Judged

ANEW = (
    "from the released judgements, in grouped cross-validation: the paper’s split is not released, and was made by row, so that "
    "variants of one original stand on both sides"
)
MODELS = Part("Table 11", "Regressors of suspicion compared, Pearson’s r", Status.COMPUTABLE, ANEW)
ABLATION = Part("Table 12", "Feature groups left out and alone", Status.COMPUTABLE, ANEW)
TRANSFER = Part("Table 13", "Trained on one attacker, tested on each", Status.COMPUTABLE, ANEW)
PARTS = (MODELS, ABLATION, TRANSFER)

QUICK: Mapping[str, Any] = {
    "models": ("boosting", "linear"), "groups": ("lexical", "grammar"), "learner": "boosting", "transfer": "linear",
    "repeats": 1, "folds": 3,
}  # fmt: skip
"""Settings that take a minute; the others are those of the comparison."""
BEST = Published("0.515", "Table 11, the best", "chosen on the test set; two people agree with r = 0.135 on the complete file")


def sections(given: Given, judged: Judged) -> Iterator[Section]:
    """Tables 11 to 13, or nothing of them where no models are wanted."""
    if given.regressors == "none":
        yield from (Section(part, (), "not wanted (--regressors none)") for part in PARTS)
        return
    report = compared(given, judged)
    note = _note(given, report)
    yield Section(MODELS, [models(report, note)])
    yield Section(ABLATION, [ablation(report["ablation"], note)])
    yield Section(TRANSFER, [transfer(report["transfer"], note)])


def compared(given: Given, judged: Judged) -> Mapping[str, Any]:
    """The comparison's report. What is finished is kept, so that it goes on when it is asked for again."""
    from regressors.comparison.report import compare
    from regressors.comparison.settings import Settings
    from regressors.rows import TrainingRows

    if given.kept is None:
        raise ReproductionError("Comparing regressors needs a folder for what is finished.")
    rows = [(item, score) for item, scores in judged.scores.items() for score in scores]
    return compare(
        TrainingRows(
            texts=[judged.text_of[item] for item, _ in rows],
            scores=[float(score) for _, score in rows],
            originals=[judged.original_of[item] for item, _ in rows],
            variants=[judged.variant_of[item] for item, _ in rows],
        ),
        given.kept,
        Settings(**QUICK) if given.regressors == "quick" else Settings(),
        progress=given.progress,
    )


def models(report: Mapping[str, Any], note: str) -> Table:
    """r of each model, the ceiling above it, and the best one that is printed."""
    best = report["selected"]
    rows = [
        Row(f"r, {entry['model']}", _estimate(entry["r"]), BEST if entry["model"] == best else Published(source="Table 11"))
        for entry in report["models"]
    ]
    ceiling = Row("noise ceiling", _estimate(report["models"][0]["noise_ceiling"]), Published(note="of labels judged as often"))
    return beside_print("table-11", "Table 11", [*rows, ceiling], note)


def ablation(entries: Sequence[Mapping[str, Any]], note: str) -> Table:
    rows = [Row(f"r, {entry['set']}", _estimate(entry["r"]), Published(source="Table 12")) for entry in entries]
    return beside_print("table-12", "Table 12", rows, note)


def transfer(entries: Sequence[Mapping[str, Any]], note: str) -> Table:
    rows = [
        Row(f"r, {entry['trained_on']} to {entry['tested_on']}", _estimate(entry["r"]), Published(source="Table 13"))
        for entry in entries
    ]
    return beside_print("table-13", "Table 13", rows, note)


def _note(given: Given, report: Mapping[str, Any]) -> str:
    asked = report["settings"]
    return (
        f"{given.regressors.capitalize()} settings: {asked['repeats']} times {asked['folds']} folds grouped by original, seed "
        f"{asked['seed']}; feature groups {', '.join(asked['groups'])}, learner {asked['learner']}, "
        f"transfer by {asked['transfer']}."
    )


def _estimate(told: Mapping[str, Any]) -> Estimate:
    return Estimate.from_dict(told)
