"""Tables of comparisons: do variants differ, each from each, and do people who are surer agree more?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.protocols.votes import ItemVotes
from scoring.judgements.annotators import confidence_and_correctness
from scoring.judgements.clustered import Comparison
from scoring.judgements.instructions import compare_instructions
from scoring.judgements.items import Scores
from scoring.judgements.variance import FTest
from scoring.result import ScoringError
from scoring.wording import digits

from .analysis import Table
from .plots import intervals


def compared_table(
    key: str, title: str, comparisons: Sequence[Comparison], note: str = "", *, style: str = "number"
) -> list[Table]:
    """Every two variants; nothing where there are not two. A p that is corrected as it stands is shown once. `style` is that of
    the differences."""
    if not comparisons:
        return []
    twice = any(each.p_value != each.p_corrected for each in comparisons)
    rows = [
        [f"{each.first} and {each.second}", each.difference, each.p_value, *([each.p_corrected] if twice else [])]
        for each in comparisons
    ]
    columns = ["first and second", "difference", "p", *(["p, corrected"] if twice else [])]
    return [Table(key, title, columns, rows, note, styles={"difference": style, **dict.fromkeys(columns[2:], "p")})]


def variance_table(tests: Sequence[tuple[str, FTest]]) -> Table:
    """One F-test a row."""
    rows = [
        [
            name,
            test.statistic,
            f"{test.degrees[0]}, {test.degrees[1]}" if test.statistic.value is not None else None,
            test.p_value,
        ]
        for name, test in tests
    ]
    return Table("variance", "Do variants differ?", ["test", "F", "degrees of freedom", "p"], rows, styles={"p": "p"})


def instruction_tables(
    first: Scores[int], second: Scores[int], *, variant_of: Mapping[int, str], cluster_of: Mapping[int, int]
) -> list[Table]:
    """Two instructions: by how much the answers shift, and whether all variants shift alike. What keeps them from being compared
    is told in place of the rows."""
    title, columns = "Answers there, less answers here", ["variant", "difference"]
    try:
        report = compare_instructions(first, second, variant_of=variant_of, cluster_of=cluster_of)
    except ScoringError as problem:
        return [Table("shift", title, columns, [], str(problem))]
    rows = [*report.variants.items(), ("all variants, each counting alike", report.shift)]
    tests = [("the level is the same", report.shift_p), ("all variants shift alike", report.interaction_p)]
    order = report.order
    note = (
        f"Rank correlation of the variants’ means here and there: {digits(order.value, '.2f')} (n = {order.n} variants)."
        if order.value is not None
        else ""
    )
    return [
        Table("shift", title, columns, rows, note),
        Table("shift_tests", "Would that be so by chance?", ["if", "p"], tests, styles={"p": "p"}),
    ]


def confidence_table(items: Sequence[ItemVotes]) -> list[Table]:
    """How often the others agree, by how sure somebody was; nothing where nobody was asked."""
    report = confidence_and_correctness(
        {item.item_id: [(vote.label, vote.confidence) for vote in item.votes] for item in items},
        cluster_of={item.item_id: item.original_id for item in items},
    )
    if not report.levels:
        return []
    rows = [[level, found.n, found] for level, found in report.levels.items()]
    told = report.discrimination
    note = (
        "Of two answers, one as most others say and one not, the first was given with more confidence in "
        f"{100 * told.value:.0f} % of cases; 50 % would mean that confidence tells nothing."
        if told.value is not None
        else ""
    )
    columns = ["how sure", "answers", "as most others say"]
    levels = [(f"{level}", found) for level, found in report.levels.items()]
    plot = intervals(levels, row="how sure", value="as most others say", style="share", scale=(0, 1))
    return [
        Table("confidence", "Confidence and agreement", columns, rows, note, styles={"as most others say": "share"}, plot=plot)
    ]
