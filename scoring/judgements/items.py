"""Judgements on a scale, gathered by item: checking, and grouping items by variant."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from numbers import Integral
from typing import TypeVar

from scoring.result import ScoringError

Item = TypeVar("Item", bound=Hashable)
Scores = Mapping[Item, Sequence[int]]


def check_scores(scores_by_item: Scores[Item], scale: tuple[int, int] | None = None) -> None:
    """ScoringError naming the item if a score is no whole number, or is outside the scale (low, high)."""
    for item, scores in scores_by_item.items():
        for score in scores:
            if not isinstance(score, Integral) or isinstance(score, bool):
                raise ScoringError(f"Item {item!r} has the score {score!r}, which is not a whole number.")
            if scale and not scale[0] <= score <= scale[1]:
                raise ScoringError(f"Item {item!r} has the score {score}, outside {scale[0]} to {scale[1]}.")


def items_by_variant(items: Sequence[Item], variant_of: Mapping[Item, str] | None) -> dict[str, list[Item]]:
    """The items of each variant, variants in alphabetical order; empty where no variants are known."""
    if variant_of is None:
        return {}
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(named(variant_of, item, "variant"), []).append(item)
    return dict(sorted(groups.items()))


Value = TypeVar("Value")


def named(mapping: Mapping[Item, Value], item: Item, what: str) -> Value:
    """The item's variant or cluster; ScoringError if it has none."""
    if item not in mapping:
        raise ScoringError(f"Item {item!r} has no {what}.")
    return mapping[item]


def clusters_of(items: Sequence[Item], cluster_of: Mapping[Item, Hashable] | None) -> list[Hashable]:
    """One cluster per item: its original where known, else the item itself."""
    return [item if cluster_of is None else named(cluster_of, item, "cluster") for item in items]
