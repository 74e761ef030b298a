"""What simulated readers perceive: from an item's texts to latent values, and from those to answers.

The maps from texts to latent values and the model of readers are those of `scoring.judgements.simulation`; both are inventions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from annotation.models import Campaign, Example, Item, Slot, Variant
from scoring.judgements.simulation import SimulatedReader, damage_of, expected_kappa, noise_ceiling, severity_of
from scoring.result import Estimate
from scoring.texts.character import character_score
from scoring.texts.diff import word_diff

Answers = Callable[[SimulatedReader, Slot], dict[str, Any]]


def damage(example: Example) -> float:
    """Latent damage to the meaning of a successful, scored example."""
    assert example.character_score is not None and example.semantic_score is not None
    return damage_of(example.character_score, example.semantic_score, words_changed(example))


def severity(example: Example | None, text: str) -> float:
    """Latent severity of what looks odd in a text: of an example's adversarial text, or of an original (no example)."""
    words = len(re.findall(r"\S+", text))
    if example is None:
        return severity_of(1.0, 0, words)
    assert example.character_score is not None
    return severity_of(example.character_score, words_changed(example), words)


def words_changed(example: Example) -> int:
    """How many words of the original the attack touched, plus those that it added."""
    diff = word_diff(example.before.text, example.after.text)
    return diff.replaced + diff.deleted + diff.inserted


def judge_meaning(reader: SimulatedReader, slot: Slot) -> dict[str, Any]:
    """A label and how sure the reader is."""
    vote = reader.meaning(name_of(slot.item), damage(_example(slot.item)))
    return {"label": vote.label, "confidence": vote.confidence}


def judge_suspicion(reader: SimulatedReader, slot: Slot) -> dict[str, Any]:
    """A point of the scale."""
    return {"label": str(reader.suspicion(name_of(slot.item), severity(slot.item.example, slot.item.first.text)))}


def judge_preference(reader: SimulatedReader, slot: Slot) -> dict[str, Any]:
    """The text on the side that the reader takes for a person's."""
    item = slot.item
    assert item.second is not None
    latent = _severity_of(item, item.first), _severity_of(item, item.second)
    left, right = latent[::-1] if slot.swapped else latent
    on_the_left = reader.preference(name_of(item), left, right) == "left"
    return {"label": "first" if on_the_left != slot.swapped else "second"}


def _severity_of(item: Item, shown: Variant) -> float:
    """Of one of an item's texts; where it is not that of the item's example, its differences are counted here."""
    if shown.kind == Variant.UNCHANGED:
        return severity(None, shown.text)
    example = item.example
    if example is not None and example.after_id == shown.pk:
        return severity(example, shown.text)
    before = item.first if example is None else example.before
    scored = Example(before=before, after=shown, character_score=character_score(before.text, shown.text))
    return severity(scored, shown.text)


JUDGE: dict[str, Answers] = {"meaning": judge_meaning, "suspicion": judge_suspicion, "preference": judge_preference}
"""How a simulated reader answers, by protocol."""


def known_kappa(campaign: Campaign) -> Estimate:
    """Cohen's kappa that the model implies for the items of a meaning campaign."""
    return expected_kappa([damage(_example(item)) for item in _items(campaign)])


def known_ceiling(campaign: Campaign) -> Estimate:
    """The noise ceiling that the model implies for the medians of a suspicion campaign."""
    severities = [severity(item.example, item.first.text) for item in _items(campaign)]
    return noise_ceiling(severities, judgements=campaign.settings["slots"], label="median")


def name_of(item: Item) -> str:
    """Names the item by its texts, so that a reader's answer is the same in every database."""
    texts = [item.first.sha256] if item.second is None else [item.first.sha256, item.second.sha256]
    return " ".join([str(item.original), *texts])


def _items(campaign: Campaign) -> Sequence[Item]:
    return list(campaign.items.select_related("first", "example__before", "example__after"))


def _example(item: Item) -> Example:
    assert item.example is not None, "the sample study draws every pair from an attack run"
    return item.example
