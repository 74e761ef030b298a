"""What a series of rounds comes to, as tables that page, terminal and API share: versions on the test set, people's suspicion
from round to round, and what they say of the anchors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from annotation.models import Round, Series
from annotation.protocols.analysis import Table
from annotation.queries.rounds import measures_of, said_in
from annotation.queries.training_table import scale_of
from scoring.judgements.rounds import RoundMean, drift, from_round_to_round
from scoring.result import Estimate
from scoring.wording import counted, shown_interval, shown_value

SIMULATED_ROUNDS: Final = (
    "Simulated: simulated readers, drawn from a documented model, judged in these rounds. They show how the product works; "
    "they are no evidence about people."
)
MEASURES: Final = {
    "mean": ("How suspicious the attacks look", "mean suspicion", "number", "number"),
    "share": ("Attacks found suspicious", "above the middle of the scale", "share", "points"),
}
"""What is made of people's answers: title, column, its style, and that of changes."""


@dataclass(frozen=True, slots=True)
class Report:
    """The tables of a series, what they come to in sentences, and for each round how many answers there are and are wanted."""

    tables: Sequence[Table]
    findings: Sequence[str]
    answers: Sequence[tuple[int, int]]


def report_of(series: Series, rounds: Sequence[Round]) -> Report:
    """What the rounds come to, as far as people have answered."""
    campaign = rounds[0].places.all()[0].campaign
    measures, scale = measures_of(campaign), scale_of(campaign)
    ends = {"mean": scale, "share": (0.0, 1.0)}
    said = {str(each.number): said_in(each) for each in rounds}
    means = {
        key: from_round_to_round({name: each.observed(measures[key]) for name, each in said.items()}, scale=ends[key])
        for key in MEASURES
    }
    anchors = drift({name: each.anchored(measures["mean"]) for name, each in said.items()}, scale=scale)
    answers = {name: each.answers for name, each in said.items()}
    tables = [versions_table(series)] if series.measured else []
    tables += [suspicion_table(key, found) for key, found in means.items()]
    return Report([*tables, anchors_table(anchors)], list(findings(means["mean"], anchors, answers)), list(answers.values()))


def versions_table(series: Series) -> Table:
    """The versions on the test set, each against the one before."""
    columns = ["version", "r", "Spearman", "mean absolute error", "change of r", "change of error", "p"]
    keys = ("r", "spearman", "mae", "r_gain", "error_change", "p_corrected")
    rows = [[each["name"], *(_estimate(each[key]) for key in keys)] for each in series.measured["versions"]]
    data = series.measured["data"]
    note = (
        f"On {counted(data['texts'], 'text')} of {counted(data['originals'], 'original')} that no version learned from, drawn at "
        "random when the series began. Changes: from the version before. p: paired t-test of absolute errors against the version "
        "before, clustered by original, corrected by Holm’s method. Intervals of r: bootstrap over originals."
    )
    return Table("versions", "Versions on the same test set", columns, rows, note, styles={"p": "p"})


def suspicion_table(key: str, found: Sequence[RoundMean]) -> Table:
    """The attacks of each round against those of the round before."""
    title, column, style, of_change = MEASURES[key]
    change = "change from the round before"
    columns = ["round", "texts", column, change, "p"]
    rows = [[each.round, each.mean.n, each.mean, each.change, each.p_corrected] for each in found]
    note = (
        "Each text by the mean of its answers, weighted by one over the probability with which it was selected, so that it "
        "stands for all texts that could have been (Hájek 1971). p: t-test clustered by original, corrected by Holm’s method."
    ) + (" pp: percentage points." if of_change == "points" else "")
    return Table(key, title, columns, rows, note, styles={column: style, change: of_change, "p": "p"})


def anchors_table(found: Sequence[RoundMean]) -> Table:
    """The same texts in every round."""
    columns = ["round", "anchors", "mean", "change from round 1", "p"]
    rows = [[each.round, each.mean.n, each.mean, each.change, each.p_corrected] for each in found]
    note = (
        "The same texts in every round: a difference is one of the people, not of the texts. Paired by anchor, over those that "
        "both rounds have judged. p: paired t-test, corrected by Holm’s method."
    )
    return Table("anchors", "The anchors, a check for drift", columns, rows, note, styles={"p": "p"})


def findings(means: Sequence[RoundMean], anchors: Sequence[RoundMean], answers: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """In sentences: whether suspicion fell, whether people changed, and where answers are missing."""
    for each in means[1:]:
        if each.change is None or each.change.value is None:
            continue
        bounds = f" ({shown_interval(each.change)})" if each.change.interval else ""
        yield f"In round {each.round}, suspicion of the attacks {_moved(each.change)}: {shown_value(each.change)}{bounds}."
    for each in anchors[1:]:
        if each.change is not None and _moved(each.change) in ("fell", "rose"):
            yield (
                f"In round {each.round}, people’s suspicion of the same anchors {_moved(each.change)} by "
                f"{shown_value(each.change)}: they judge differently from round 1, and the rounds are not comparable as they are."
            )
    for name, (given, wanted) in answers.items():
        if given < wanted:
            yield f"Round {name} rests on {given:,} of {counted(wanted, 'planned answer')}."


def _moved(change: Estimate) -> str:
    if change.value is None or change.interval is None:
        return "cannot be told apart from before"
    if change.interval.low <= 0 <= change.interval.high:
        return "cannot be told apart from before"
    return "fell" if change.value < 0 else "rose"


def _estimate(stored: dict[str, Any] | None) -> Estimate | None:
    return None if stored is None else Estimate.from_dict(stored)
