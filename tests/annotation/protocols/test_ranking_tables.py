"""The order of the attackers by people, beside that by the character score."""

from __future__ import annotations

from dataclasses import replace

from annotation.protocols.ranking_tables import ranking_tables
from annotation.protocols.votes import ItemVotes
from scoring.judgements.ranking import rank

KEPT = {"careful": (1, 1, 1, 0), "middling": (1, 1, 0, 0), "crude": (1, 0, 0, 0)}
SCORES = {"careful": 0.9, "middling": 0.95, "crude": 0.5}
QUERIES = {"careful": 10, "middling": None, "crude": 30}


def items() -> list[ItemVotes]:
    """Four decided examples of each of three attackers, from as many originals."""
    return [
        ItemVotes(
            10 * place + number, number, number, attacker, "", decided_label="preserve" if kept else "change",
            character_score=SCORES[attacker] + number / 100, queries=QUERIES[attacker],
        )
        for place, (attacker, answers) in enumerate(KEPT.items())
        for number, kept in enumerate(answers)
    ]  # fmt: skip


def test_both_orders_stand_side_by_side_with_their_correlation() -> None:
    given = items()
    tables = {table.key: table for table in ranking_tables(given, ["preserve"])}
    assert list(tables) == ["kept_by_variant", "rankings", "kept_compared"]
    table = tables["rankings"]
    assert list(table.columns) == ["attacker", "place by people", "by character score", "character score", "queries"]
    assert [[*row[:3], round(row[3], 6), row[4]] for row in table.rows] == [
        ["careful", 1, 2, 0.915, 10],
        ["middling", 2, 1, 0.965, None],
        ["crude", 3, 3, 0.515, 30],
    ]
    expected = rank(
        {item.item_id: item.decided_label == "preserve" for item in given},
        {item.item_id: item.variant for item in given},
        automatic={item.item_id: item.character_score or 0 for item in given},
        cluster_of={item.item_id: item.original_id for item in given},
    )
    assert expected.spearman is not None and expected.spearman.value == 0.5
    assert table.note.startswith("The two orders: Spearman’s ρ = 0.500")
    assert "Kendall’s τ = 0.333" in table.note


def test_two_attackers_have_places_but_no_correlation() -> None:
    given = [item for item in items() if item.variant != "crude"]
    table = next(table for table in ranking_tables(given, ["preserve"]) if table.key == "rankings")
    assert [row[:3] for row in table.rows] == [["careful", 1, 2], ["middling", 2, 1]]
    assert "Two or fewer are always in the same or in opposite order." in table.note


def test_without_a_score_of_every_example_there_is_only_the_order_by_people() -> None:
    first, *others = items()
    tables = ranking_tables([replace(first, character_score=None), *others], ["preserve"])
    assert [table.key for table in tables] == ["kept_by_variant", "kept_compared"]
