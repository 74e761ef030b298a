"""Pools: more than two annotators, of whom each judged some of the items. Cohen's kappa is about two fixed people, so a pool gets
Krippendorff's alpha and a matrix of its pairs, each with the number of items that both judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from annotation.models import Campaign, Label, Membership, Pseudonym
from annotation.protocols.votes import ItemVotes
from scoring.judgements.agreement import Weights
from scoring.judgements.annotators import Bias, bias_by_annotator
from scoring.judgements.pools import Level, PairAgreement, fleiss_kappa, krippendorff_alpha, pairwise, pool_ac1
from scoring.judgements.two_pools import AT_LEAST, compare_pools
from scoring.result import Estimate, Reason
from scoring.wording import counted, digits, shown_value

from .analysis import Figure, Table
from .plots import matrix

MATRIX_UP_TO = 10
"""Annotators whose pairs fit into a matrix; of more, the pairs with most items in common are listed."""
PAIRS_LISTED = 40
WITHIN = {
    "kappa": "Cohen's kappa",
    "alpha": "Krippendorff's alpha",
    "deviation": "deviation from the median",
}
FIRST = "Of the first answers, which everybody is asked for."
"""What a table is about whose protocol asks further people where the first ones differ."""
METHOD = "share of equal answers to items in common, each pair of answers counting"


def is_pool(items: Sequence[ItemVotes]) -> bool:
    """Whether more than two people answered."""
    return len({vote.annotator_id for item in items for vote in item.votes}) > 2


def pool_figures(items: Sequence[ItemVotes], labels: Sequence[Label], *, level: Level, first: int | None = None) -> list[Figure]:
    """Krippendorff's alpha, Fleiss' kappa and Gwet's AC1, of the `first` answers to each item where those after them were asked
    for because these differed. Nothing where there is no pool."""
    if not is_pool(items):
        return []
    units, keys, originals = _units(items, first), [label.key for label in labels], [item.original_id for item in items]
    whose = "all annotators" if first is None else "first answers"
    alpha = krippendorff_alpha(units, keys, level=level, values=[label.value for label in labels], clusters=originals)
    ac1 = pool_ac1(units, keys, clusters=originals)
    fleiss = fleiss_kappa(units, keys, clusters=originals)
    return [
        Figure("alpha", "Krippendorff's alpha", alpha, detail=f"{whose}, {level}", scale=(0, 1)),
        Figure("fleiss", "Fleiss' kappa", fleiss, detail=f"{whose}, nominal", scale=(0, 1)),
        Figure("pool_ac1", f"Gwet's AC1, {whose}", ac1, detail="less moved by uneven labels", scale=(0, 1)),
    ]


def pool_tables(
    campaign: Campaign, items: Sequence[ItemVotes], labels: Sequence[Label], *, level: Level, first: int | None = None
) -> list[Table]:
    """How each annotator leans, where there are two or more, and the matrix of the pairs, where there are more than two."""
    weights: Weights = None if level == "nominal" else "quadratic"
    units, keys, names = _units(items, first), [label.key for label in labels], _names(campaign, items)
    values, originals = [label.value for label in labels], [item.original_id for item in items]
    tables = []
    if is_pool(items):
        tables.append(_pairs(pairwise(units, keys, weights=weights), names, weights))
        tables += _teams(campaign, units, labels, originals, level)
    bias = bias_by_annotator(units, keys, values=values, clusters=originals)
    if len(bias) > 1:
        tables.append(_bias(bias, names, labels, ordered=level != "nominal"))
    return (
        tables if first is None else [replace(table, note=f"{FIRST} {table.note}") if table.rows else table for table in tables]
    )


def level_of(weights: str) -> Level:
    """At which level answers are compared whose kappa has these weights."""
    return "nominal" if weights == "none" else "ordinal"


def pooled(title: str, campaign: Campaign, items: Sequence[ItemVotes]) -> str:
    """The title of a figure about the first and the second answer to each item: it says so where these are not always by the
    same two people. Behind the columns of an imported file there may have been several."""
    return f"{title}, pooled" if several_pairs(campaign, items) else title


def several_pairs(campaign: Campaign, items: Sequence[ItemVotes]) -> bool:
    """Whether the first two answers to the items may be by more than one pair of people."""
    firsts = (item.first_answers(campaign.settings["slots"])[:2] for item in items)
    return campaign.imported or len({tuple(vote.annotator_id for vote in first) for first in firsts if len(first) == 2}) > 1


def _pairs(found: Mapping[tuple[int, int], PairAgreement], names: Mapping[int, str], weights: Weights) -> Table:
    """Cohen's kappa of every two annotators, with n: a matrix, or of a large pool the pairs with most items in common."""
    people = sorted({person for pair in found for person in pair}, key=lambda person: int(names[person][1:]))
    title = "Cohen's kappa of every two annotators" + ("" if weights is None else f", {weights} weights")
    if len(people) > MATRIX_UP_TO:
        most = sorted(found.items(), key=lambda pair: (-pair[1].n, pair[0]))[:PAIRS_LISTED]
        rows = [[f"{names[one]} and {names[other]}", each.n, each.raw, each.kappa.value] for (one, other), each in most]
        note = "Items: those that both judged."
        if len(rows) < len(found):
            note += f" The {len(rows)} of {len(found)} pairs with most items in common."
        return Table("pairs", title, ["pair", "items", "equal", "kappa"], rows, note, styles={"equal": "share"})

    both = {**found, **{(other, one): each for (one, other), each in found.items()}}

    def cell(one: int, other: int) -> str | None:
        each = both.get((one, other))
        return f"{shown_value(each.kappa)} (n = {each.n:,})" if each else None

    rows = [[names[one], *(cell(one, other) if one != other else None for other in people)] for one in people]
    squares = [
        (names[one], names[other], each.kappa.value, digits(each.kappa.value, ".2f"))
        for (one, other), each in both.items()
        if each.kappa.value is not None
    ]
    shown = [names[person] for person in people]
    return Table("pairs", title, ["", *shown], rows, "n: items that both judged.", plot=matrix(squares, shown, value="kappa"))


def _teams(
    campaign: Campaign, units: Sequence[Mapping[int, str]], labels: Sequence[Label], originals: Sequence[int], level: Level
) -> list[Table]:
    """Two teams as two pools: how each agrees within itself, and by how much they differ. Nothing where nobody is in a team."""
    members = Membership.objects.filter(campaign=campaign, team__isnull=False)
    team_of = dict(members.values_list("user", "team__name"))
    if not team_of:
        return []
    title, here = "Two teams compared", sorted({team_of[person] for unit in units for person in unit if person in team_of})
    if len(here) != 2:
        said = ", ".join(here) or "none"
        note = f"Two teams are compared; of those that have answered there are: {said}."
        return [Table("teams", title, ["agreement within"], [], note)]
    own = [{person: label for person, label in unit.items() if person in team_of} for unit in units]
    found = compare_pools(
        own,
        [label.key for label in labels],
        team_of,
        level=level,
        values=[label.value for label in labels],
        weights=None if level == "nominal" else "quadratic",
        clusters=originals,
    )
    told = WITHIN if level != "nominal" else {key: title for key, title in WITHIN.items() if key != "deviation"}
    rows = [[name, *(found[key].pools[team] for team in here), found[key].difference] for key, name in told.items()]
    left = sum(len(unit) - len(within) for unit, within in zip(units, own, strict=True))
    note = (
        "Kappa: a team's first against its second answer to an item. n: items that a team judged often enough. "
        f"Difference: {here[0]} less {here[1]}; n: items that either judged often enough."
    )
    if "deviation" in told:
        note += f" Deviation: of items that a team judged at least {AT_LEAST} times."
    if left:
        note += f" Left out: {counted(left, 'answer')} of people who are in no team."
    columns = ["agreement within", *here, "difference"]
    return [Table("teams", title, columns, rows, note, styles=dict.fromkeys(columns[1:], "n"))]


def _bias(found: Mapping[int, Bias], names: Mapping[int, str], labels: Sequence[Label], *, ordered: bool) -> Table:
    """Who leans where, against the others on the same items; of a large pool those with most items. Numbers of labels without an
    order say nothing, and of two labels the one says what the other does."""
    people = sorted(found, key=lambda person: int(names[person][1:]))
    if len(people) > PAIRS_LISTED:
        people = sorted(people, key=lambda person: -found[person].n)[:PAIRS_LISTED]
    shown = labels[1:] if len(labels) == 2 else labels
    rows = [
        [names[person], each.n, *([each.value] if ordered else []), *(each.labels.get(label.key) for label in shown)]
        for person in people
        for each in [found[person]]
    ]
    columns = ["annotator", "items", *(["lean"] if ordered else []), *(label.name for label in shown)]
    note = "Against the mean of the others on the same items. A label: how much more often it was given, as a part of the items."
    if ordered:
        note += " Lean: by how many points the answers are higher."
    if len(people) < len(found):
        note += f" The {len(people)} of {len(found)} people with most items."
    return Table("bias", "How each annotator leans", columns, rows, note)


def agreement_by_person(items: Sequence[ItemVotes]) -> dict[int, Estimate]:
    """Annotator id → how often they say what the others say of the same item."""
    equal: dict[int, list[int]] = {}
    for item in items:
        for vote in item.votes:
            others = [other for other in item.votes if other is not vote]
            mine = equal.setdefault(vote.annotator_id, [0, 0, 0])
            mine[0] += sum((other.label, other.words) == (vote.label, vote.words) for other in others)
            mine[1] += len(others)
            mine[2] += bool(others)
    return {person: _share(*counts) for person, counts in equal.items()}


def _names(campaign: Campaign, items: Sequence[ItemVotes]) -> dict[int, str]:
    """Annotator id → the number that stands for them in files. Who has none yet gets here the one that the next file gives."""
    given = dict(Pseudonym.objects.filter(campaign=campaign).values_list("user_id", "number"))
    last = max(given.values(), default=0)
    votes = sorted((vote for item in items for vote in item.votes), key=lambda vote: vote.judgement_id)
    for person in dict.fromkeys(vote.annotator_id for vote in votes):
        if person not in given:
            last += 1
            given[person] = last
    return {person: f"A{number}" for person, number in given.items()}


def _share(equal: int, pairs: int, items: int) -> Estimate:
    if not pairs:
        return Estimate(None, Reason("no_common_item", "Nobody else has judged the same items yet."), 0, METHOD)
    return Estimate(float(np.divide(equal, pairs)), None, items, METHOD)


def _units(items: Sequence[ItemVotes], first: int | None) -> list[dict[int, str]]:
    given = (item.votes if first is None else item.first_answers(first) for item in items)
    return [{vote.annotator_id: vote.label for vote in votes} for votes in given]
