"""The constraint of "Suspiciousness of Adversarial Texts to Human" (Tonni, Faustini and Dras 2024, section 5): what follows from
the printed counts, and the same tables of a study of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from annotation.protocols.analysis import Table
from annotation.protocols.plots import paired, side_by_side
from attacks.set_aside import MARGIN
from attacks.study import intervals
from scoring.judgements.preference import preference_test
from scoring.judgements.shares import share

from .given import Given, ReproductionError
from .published import Part, Published, Row, Section, Status, beside_print

REPORT: Final = "study.json"
"""As `python -m attacks study` writes it."""
OWN = "The paper’s examples are not released; a folder of python -m attacks study, given as --study, gives the table of your own"

LOWERED = Part(
    "Table 14", "Examples by score without and with the constraint, and how many could be lowered", Status.CAMPAIGN, OWN
)
PREFERRED = Part(
    "Table 15", "Pairs with the votes of people: which one did a person write?", Status.CAMPAIGN,
    "The votes are not released. A preference campaign of the study’s pairs gives them; the test of the printed counts is here",
)  # fmt: skip
PATHS = Part("Figure 3", "Score of each example without and with the constraint", Status.CAMPAIGN, OWN)
PARTS = (LOWERED, PREFERRED, PATHS)

OVER, BELOW, KEPT = 61, 42, 23
"""Printed: examples over the limit, those that could be lowered, and those of them that people were asked about."""
PREFERRED_OF_KEPT = 18


def sections(given: Given) -> Iterator[Section]:
    """The three parts, with the tables of the study if one is given."""
    study = [] if given.study is None else read_study(given.study)
    lacks = "" if study else LOWERED.reason
    yield Section(LOWERED, [printed_flow(), *(table for limit in study for table in of_limit(limit))], lacks)
    yield Section(PREFERRED, [printed_votes()], PREFERRED.reason)
    yield Section(PATHS, [paths(limit) for limit in study], lacks)


def read_study(folder: Path) -> list[Mapping[str, Any]]:
    """The limits of a study. Raises ReproductionError if the folder holds none."""
    file = folder / REPORT
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return [{name: limit[name] for name in ("tau", "flow", "intervals", "scores")} for limit in found]
    except FileNotFoundError:
        raise ReproductionError(f"{folder}: there is no {REPORT} here; give the folder of `python -m attacks study`.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise ReproductionError(f"{file}: this is no report of a study ({problem}). Run the study again.") from None


def printed_flow() -> Table:
    """What follows from the counts in print."""
    wrong = "42 of 61 are 68.9 %; 20 of 27 = 74.07 % is right"
    lowered, other = (share([True] * yes + [False] * (of - yes)) for yes, of in ((BELOW, OVER), (20, 27)))
    return beside_print("table-14", "From the printed counts", [
        Row("lowered, 42 of 61", lowered, Published("80.32 %", "Table 14", wrong), "share"),
        Row("lowered, 20 of 27", other, Published("74.07 %", "Table 14"), "share"),
        Row("lowered and left after setting aside", None, Published(f"{KEPT}", "section 5.1")),
    ])  # fmt: skip


def printed_votes() -> Table:
    """The test of 18 of 23 pairs, each counted once by its majority."""
    chosen = {pair: ["bound" if pair < PREFERRED_OF_KEPT else "free"] for pair in range(KEPT)}
    found = preference_test(chosen, first="bound", second="free")
    return beside_print("table-15", "From the printed counts", [
        Row("pairs of which the constrained text was preferred", found.for_first, Published("18", "section 5.2", "of 23")),
        Row("share of them", found.share, style="share"),
        Row("p, exact two-sided binomial test", found.p_value, Published("0.0106", "section 5.2"), "p"),
    ])  # fmt: skip


def of_limit(limit: Mapping[str, Any]) -> list[Table]:
    """Table 14 of one limit of the study given."""
    tau, flow = limit["tau"], limit["flow"]
    over, lowered, kept = (flow[name] for name in ("over", "lowered", "kept"))
    title = f"Limit {tau:g} in the study given"
    rows = [
        Row("over the limit without the constraint", over, Published(f"{OVER}", "section 5.1", "of other texts")),
        Row("of these, lowered", lowered, Published(f"{BELOW}", "section 5.1", "of other texts")),
        Row(
            f"of these, not more than {MARGIN:g} below their original",
            kept,
            Published(f"{KEPT}", "section 5.1", "of other texts"),
        ),
        Row("share lowered", share([True] * lowered + [False] * (over - lowered)), style="share"),
    ]
    counts = [
        [interval, before, after]
        for interval, before, after in zip(intervals(), limit["intervals"]["before"], limit["intervals"]["after"], strict=True)
    ]
    columns = ["score", "without", "with"]
    drawn = side_by_side([(row[0], row[1:]) for row in counts], columns[1:], row="score", value="examples")
    return [
        beside_print(f"table-14-at-{tau:g}", title, rows),
        Table(f"table-14-scores-at-{tau:g}", f"{title}: successes by predicted suspicion", columns, counts, plot=drawn),
    ]


def paths(limit: Mapping[str, Any]) -> Table:
    """Figure 3 of one limit: both scores of each example that both runs attack with success."""
    tau = limit["tau"]
    rows = [[f"{id}", float(original), float(free), float(bound)] for id, original, free, bound in limit["scores"]]
    both = [(float(free), float(bound)) for _, _, free, bound in limit["scores"]]
    drawn = paired(both, ("without", "with"), value="predicted suspicion", against=tau)
    columns = ["example", "original", "without", "with"]
    return Table(f"figure-3-at-{tau:g}", f"Scores without and with the limit {tau:g}", columns, rows, plot=drawn)
