"""Morris, "Second-Order NLP Adversarial Examples", BlackboxNLP 2020: its example curves, and curves and votes of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from annotation.exchange.robustness import plot_of
from annotation.protocols.analysis import Table
from annotation.protocols.binary import ALTERED
from annotation.protocols.plots import intervals
from attacks.robustness.curve import accs, curve_of
from attacks.robustness.measure import REPORT
from scoring.judgements.suspected import suspected, suspected_by_variant
from scoring.result import Estimate
from scoring.table import Table as File
from scoring.table import read_table

from .given import Given, ReproductionError
from .published import Part, Published, Row, Section, Status, beside_print, number, others

OWN = (
    "The paper’s curves are not released; from folders of python -m attacks robustness, whose encoder and BERTScore models are "
    "others than the paper’s"
)
EXAMPLES = Part("Figure 2", "Three curves and their ACCS", Status.COMPUTABLE, "from the curves: y = x to the power of 10, 1, 0.1")
CURVES = Part("Constraint robustness curves", "First-order over second-order rates of the constraints", Status.COMPUTABLE, OWN)
ACCS = Part("ACCS", "Robustness of each constraint in one number", Status.COMPUTABLE, OWN)
VOTES = Part(
    "Table 2", "Votes on a text: written by a person or altered by a computer", Status.CAMPAIGN,
    "The votes are not released. An exported binary campaign gives them (judgements.csv); the printed example is here",
)  # fmt: skip
OTHERS = others("Other tables and figures")
PARTS = (EXAMPLES, CURVES, ACCS, VOTES, OTHERS)

POINTS: Final = 1001
LOOSEST: Final = (0.7, 0.3)
"""Rates of first and second order at the loosest threshold in Figure 2."""
POWERS: Final = {10.0: "0.091", 1.0: "0.500", 0.1: "0.909"}
JUDGEMENTS: Final = "judgements.csv"
JUDGEMENT_COLUMNS: Final = ("item", "original", "second_kind", "first_kind", "label", "counted", "simulated")
SIMULATED: Final = "Some of these votes are simulated, which is no evidence about people."


def sections(given: Given) -> Iterator[Section]:
    """All parts: the printed examples, and what there is of curves and votes in and below the folder."""
    measured = [found for path in given.named(REPORT) for found in read_curves(path)]
    none = f"a {REPORT} of python -m attacks robustness; there is none in the data given"
    exported = [read_table(path, required=JUDGEMENT_COLUMNS, name=str(path)) for path in given.named(JUDGEMENTS)]
    files = [file for file in exported if _is_binary(file)]
    yield Section(EXAMPLES, [printed_curves()])
    yield Section(CURVES, [points(measured)] if measured else [], "" if measured else none)
    yield Section(ACCS, [robustness(measured)] if measured else [], "" if measured else none)
    lacks = "" if files else f"{JUDGEMENTS} of a binary campaign’s export; there is none in the data given"
    yield Section(VOTES, [printed_votes(), *(votes(files) if files else [])], lacks)
    yield Section(OTHERS, (), OTHERS.reason)


def printed_curves() -> Table:
    """ACCS of the curves of Figure 2, each on so many points, and of the area that the paper works out by hand."""
    x = np.linspace(0, 1, POINTS)
    first, second = LOOSEST
    curves = {
        power: curve_of(x.tolist(), (first * x**power).tolist(), (second * x).tolist(), loosest="highest") for power in POWERS
    }
    rows = [Row(f"y = x^{power:g}", accs(curves[power]), Published(printed, "Figure 2")) for power, printed in POWERS.items()]
    by_hand = number(0.105 / (first * second), 1, "area over the product of both rates at the loosest threshold")
    rows.append(Row("area 0.105 under a curve that ends at 0.7 and 0.3", by_hand, Published("0.5", "section 3")))
    return beside_print(
        "figure-2", "The curves of Figure 2", rows, f"By trapezoids on {POINTS:,} points; both rates rise from 0."
    )


def read_curves(path: Path) -> list[Mapping[str, Any]]:
    """The constraints of a measurement, with where it was read. Raises ReproductionError if the file is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["constraints"]
        names = ("name", "curve", "accs", "examples", "too_short")
        return [{name: each[name] for name in names} | {"folder": str(path.parent)} for each in found]
    except (OSError, ValueError, KeyError, TypeError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise ReproductionError(f"{path}: this is no report of a measurement ({problem}). Measure again.") from None


def points(measured: Sequence[Mapping[str, Any]]) -> Table:
    """Both rates at each threshold, the strictest first."""
    rows = [
        [each["name"], float(threshold), float(first), float(second), each["examples"]]
        for each in measured
        for threshold, first, second in zip(*(each["curve"][name] for name in ("threshold", "first", "second")), strict=True)
    ]
    columns = ["constraint", "threshold", "first order", "second order", "texts"]
    return Table("curves", "Constraint robustness curves", columns, rows, plot=plot_of(measured))


def robustness(measured: Sequence[Mapping[str, Any]]) -> Table:
    """ACCS of each constraint, with its interval or why there is none."""
    rows = [
        Row(each["name"], found, Published(source="results section", note=found.reason.message if found.reason else ""))
        for each in measured for found in [Estimate.from_dict(each["accs"])]
    ]  # fmt: skip
    estimates = [(row.name, row.here) for row in rows if isinstance(row.here, Estimate)]
    plot = intervals(estimates, row="constraint", value="ACCS", scale=(0, 1))
    note = "Intervals: bootstrap over texts. Constraints are comparable on the same texts, victim and attacker only."
    return beside_print("accs", "ACCS", rows, note, plot)


def printed_votes() -> Table:
    """The example of Table 2: of ten votes one suspects the text."""
    found = suspected({"text": [False] * 9 + [True]})
    note = "the text there says that 0 means that all think of a computer; the score is the share of “computer-altered”"
    rows = [Row("nine votes for a person, one for a computer", found, Published("0.1", "Table 2", note))]
    return beside_print("table-2", "The printed example", rows)


def _is_binary(file: File) -> bool:
    """Whether the answers are those of a binary campaign; other campaigns are exported under the same name."""
    return {row["label"] for row in file.rows} - {""} <= {"human", ALTERED}


def votes(files: Sequence[File]) -> list[Table]:
    """The share of votes that suspect a text, by variant, against the 50 % of guessing."""
    counted = [(file, row) for file in files for row in file.rows if file.boolean(row, "counted")]
    by_item: dict[tuple[str, str], list[bool]] = {}
    variant, original = {}, {}
    for file, row in counted:
        item = file.file, row["item"]
        by_item.setdefault(item, []).append(row["label"] == ALTERED)
        variant[item], original[item] = row["second_kind"] or row["first_kind"], f"{file.file} {row['original']}"
    simulated = any(file.boolean(row, "simulated") for file, row in counted)
    rows = [
        [each.variant, each.items, each.share, each.p_value, each.p_corrected]
        for each in suspected_by_variant(by_item, variant, cluster_of=original)
    ]
    rows.append(["all", len(by_item), suspected(by_item, cluster_of=original), None, None])
    columns = ["variant", "texts", "suspected", "p, against one half", "p, corrected"]
    styles = {"suspected": "share", columns[3]: "p", columns[4]: "p"}
    return [Table("votes", "Votes", columns, rows, SIMULATED if simulated else "", styles=styles)]
