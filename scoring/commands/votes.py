"""`python -m scoring preference | suspected | ranking`: votes and decisions."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from scoring.judgements.preference import preference_test
from scoring.judgements.ranking import rank
from scoring.judgements.suspected import item_score, suspected, suspected_by_variant
from scoring.table import Row, Table, TableError

from . import Add, filled, label, labels


def register(add: Add) -> None:
    chosen = add("preference", preference, "Which of two variants do people prefer? Exact two-sided binomial test over items.")
    chosen.add_argument("--item", required=True, metavar="COL")
    chosen.add_argument("--choice", required=True, metavar="COL", help="what was chosen: one of two names")
    chosen.add_argument("--choices", type=labels, metavar="FIRST,SECOND", help="the two names; default: those found, in order")
    chosen.add_argument("--side", metavar="COL", help="on which side the chosen one stood: left or right")
    chosen.add_argument("--cluster", metavar="COL", help="items that share this are resampled together, such as the original")

    votes = add(
        "suspected", suspected_, "Votes of yes or no: a score for each item, and each variant against the 50 % of guessing."
    )
    votes.add_argument("--item", required=True, metavar="COL")
    votes.add_argument("--vote", required=True, metavar="COL", help="true/false, yes/no or 1/0, unless --yes says otherwise")
    votes.add_argument("--yes", type=label, metavar="LABEL", help="the label that suspects; every other one does not")
    votes.add_argument("--group", metavar="COL", help="the variant; an item is then a pair of item and group")

    ranked = add(
        "ranking", ranking, "Attackers or teams by the share of their examples that were decided so, every two compared."
    )
    ranked.add_argument("--attacker", required=True, metavar="COL")
    ranked.add_argument("--label", required=True, metavar="COL", help="the decided label of the example; may be empty")
    ranked.add_argument("--preserved", required=True, type=labels, metavar="LABEL[,LABEL]", help="the labels that count")
    ranked.add_argument("--original", metavar="COL", help="rows that share this are not independent")
    ranked.add_argument("--automatic", metavar="COL", help="an automatic score of the example, higher is better")


def preference(options: Namespace) -> dict[str, Any]:
    """Each item counts once. An empty choice is no vote."""
    table = filled(options.file, options.item, options.choice, options.side, options.cluster)
    first, second = _choices(table, options)
    choices: dict[str, list[str]] = {}
    left: dict[str, list[bool]] = {}
    cluster_of: dict[str, str] = {}
    for row in table.rows:
        item = table.text(row, options.item)
        choice = table.choice(row, options.choice, (first, second), empty_ok=True)
        choices.setdefault(item, []).extend([] if choice is None else [choice])
        if options.side and choice is not None:
            left.setdefault(item, []).append(table.choice(row, options.side, ("left", "right")) == "left")
        if options.cluster:
            cluster = table.text(row, options.cluster)
            if cluster_of.setdefault(item, cluster) != cluster:
                raise table.error(row, options.cluster, "this item is in another cluster in a line before")
    report = preference_test(
        choices,
        first=first,
        second=second,
        left=left if options.side else None,
        cluster_of=cluster_of if options.cluster else None,
    )
    return {"first": first, "second": second, "items": len(choices), **report.as_dict()}


def _choices(table: Table, options: Namespace) -> tuple[str, str]:
    if options.choices:
        if len(set(options.choices)) != 2 or len(options.choices) != 2:
            raise TableError(table.file, "--choices takes two different names, such as --choices original,altered")
        return options.choices[0], options.choices[1]
    seen: dict[str, Row] = {}
    for row in table.rows:
        if choice := label(row[options.choice]):
            seen.setdefault(choice, row)
    found = sorted(seen)
    if len(found) == 2:
        return found[0], found[1]
    if len(found) < 2:
        problem = f"one choice was found, {found[0]!r}" if found else "no cell holds a choice"
        raise TableError(table.file, f"{problem}; name both with --choices", column=options.choice)
    third = max(found, key=lambda choice: list(seen).index(choice))
    raise table.error(seen[third], options.choice, f"{third!r} is a third choice; there are two, or name them with --choices")


def suspected_(options: Namespace) -> dict[str, Any]:
    """The score of an item is the share of its votes that say yes. An empty cell is no vote."""
    table = filled(options.file, options.item, options.vote, options.group)
    votes: dict[tuple[str, str], list[bool]] = {}
    for row in table.rows:
        item = table.text(row, options.item), table.text(row, options.group) if options.group else ""
        vote = _vote(table, row, options)
        votes.setdefault(item, []).extend([] if vote is None else [vote])
    if options.yes and not any(map(any, votes.values())):
        raise TableError(table.file, f"no cell says {options.yes!r}", column=options.vote)
    cluster_of = {item: item[0] for item in votes}
    variants = suspected_by_variant(votes, {item: item[1] for item in votes}, cluster_of=cluster_of) if options.group else []
    return {
        "overall": suspected(votes, cluster_of=cluster_of).as_dict(),
        "variants": [variant.as_dict() for variant in variants],
        "items": [
            {"item": text, **({"variant": variant} if options.group else {}), "votes": len(given), "score": item_score(given)}
            for (text, variant), given in votes.items()
        ],
    }


def _vote(table: Table, row: Row, options: Namespace) -> bool | None:
    if not options.yes:
        return table.boolean(row, options.vote, empty_ok=True)
    vote = label(row[options.vote])
    return vote == options.yes if vote else None


def ranking(options: Namespace) -> dict[str, Any]:
    """Examples without a label are left out and counted."""
    table = filled(options.file, options.attacker, options.label, options.original, options.automatic)
    preserved: dict[int, bool] = {}
    attacker_of: dict[int, str] = {}
    cluster_of: dict[int, str] = {}
    automatic: dict[int, float] = {}
    seen = set()
    for number, row in enumerate(table.rows):
        if not (decided := label(row[options.label])):
            continue
        seen.add(decided)
        preserved[number] = decided in options.preserved
        attacker_of[number] = table.text(row, options.attacker)
        if options.original:
            cluster_of[number] = table.text(row, options.original)
        if options.automatic:
            automatic[number] = table.number(row, options.automatic)
    _check_preserved(table, options, seen)
    found = rank(
        preserved,
        attacker_of,
        automatic=automatic if options.automatic else None,
        cluster_of=cluster_of if options.original else None,
    )
    return {"examples": len(table.rows), "without_a_label": len(table.rows) - len(preserved), **found.as_dict()}


def _check_preserved(table: Table, options: Namespace, seen: Sequence[str] | set[str]) -> None:
    if not seen:
        raise TableError(table.file, "no cell holds a label", column=options.label)
    unknown = [wanted for wanted in options.preserved if wanted not in seen]
    if len(unknown) == len(options.preserved):
        raise TableError(table.file, f"no row has the label {' or '.join(unknown)}; found {', '.join(sorted(seen)[:8])}")
