"""Simulated readers' answers: the latent values are those of the known figures, and sides are not mixed up."""

from __future__ import annotations

from collections import Counter

import pytest

from annotation.demo.latent import JUDGE, known_ceiling, known_kappa, severity, words_changed
from annotation.demo.readers import SHOWN, readers_needed
from annotation.models import Campaign, Example, Original, Slot, Variant
from annotation.services.campaigns import NewItem, add_items, create_campaign
from annotation.services.recording import sha256_of
from annotation.services.sampling import pairs, single_texts
from scoring.judgements.agreement import cohen_kappa
from scoring.judgements.simulation import SimulatedReader

pytestmark = pytest.mark.django_db

SENTENCE = "The old bridge over the river will be closed to all traffic from Monday until the end of the year"
WORDS = SENTENCE.split()


def example(number: int, changed: int) -> Example:
    """An example with so many changed words."""
    original, _ = Original.objects.get_or_create(task="headlines", key=f"attack-{number}")
    before, after = " ".join(WORDS), " ".join([word[::-1] + "x" for word in WORDS[:changed]] + WORDS[changed:])
    first, second = (
        Variant.objects.create(original=original, kind=kind, text=text, sha256=sha256_of(text))
        for kind, text in (("original", before), ("bug", after))
    )
    scores = {"character_score": 1 - changed / 30, "semantic_score": 1 - changed / 20}
    return Example.objects.create(before=first, after=second, status="success", **scores)


def campaign_of(protocol: str, items: list[NewItem]) -> Campaign:
    campaign = create_campaign(name=protocol, title=protocol, protocol=protocol, simulated=True)
    add_items(campaign=campaign, items=items)
    return campaign


def slots_of(campaign: Campaign, position: int) -> list[Slot]:
    return list(SHOWN.filter(item__campaign=campaign, position=position).order_by("item__number"))


def test_words_changed_are_counted() -> None:
    assert [words_changed(example(number, changed)) for number, changed in enumerate([1, 4, 9])] == [1, 4, 9]


def test_an_original_is_less_severe_than_any_change_of_it() -> None:
    severities = [severity(None, " ".join(WORDS)), *(severity(e, e.after.text) for e in (example(0, 1), example(1, 6)))]
    assert severities == sorted(severities)
    assert severities[0] == 1.7


def test_the_known_kappa_is_that_of_the_answers() -> None:
    campaign = campaign_of("meaning", pairs([example(number, changed) for number, changed in enumerate([1, 2, 4, 5, 7, 9])]))
    first, second = [], []
    slots = slots_of(campaign, 1)
    for seed in range(0, 1600, 2):
        for slot in slots:
            for labels, reader in ((first, SimulatedReader(seed)), (second, SimulatedReader(seed + 1))):
                labels.append(JUDGE["meaning"](reader, slot)["label"])
    measured = cohen_kappa(first, second, ["preserve", "change", "no_sense"]).value
    assert measured == pytest.approx(known_kappa(campaign).value, abs=0.03)


def test_the_known_ceiling_is_between_its_bounds_and_rises_with_the_spread() -> None:
    near = campaign_of("suspicion", single_texts([example(0, 1), example(1, 1)]))
    narrow = known_ceiling(near).value
    add_items(campaign=near, items=single_texts([example(2, 12), example(3, 15)]))
    wide = known_ceiling(near).value
    assert narrow is not None and wide is not None
    assert 0 < narrow < wide < 1


@pytest.mark.parametrize("swapped", [False, True])
def test_the_original_is_preferred_on_either_side(swapped: bool) -> None:
    campaign = campaign_of("preference", pairs([example(0, 14)]))
    slot = slots_of(campaign, 1)[0]
    slot.swapped = swapped
    chosen = Counter(JUDGE["preference"](SimulatedReader(seed), slot)["label"] for seed in range(400))
    assert chosen["first"] > 360


def test_suspicion_is_a_point_of_the_scale() -> None:
    campaign = campaign_of("suspicion", single_texts([example(0, 14)]))
    chosen = {JUDGE["suspicion"](SimulatedReader(seed), slot)["label"] for seed in range(300) for slot in slots_of(campaign, 1)}
    assert chosen == {"1", "2", "3", "4", "5"}


def test_enough_readers_for_every_slot() -> None:
    one = [example(0, 3)]
    assert readers_needed(campaign_of("meaning", pairs([*one, example(1, 3)]))) == 2 + 1
    # An original and its variant, three slots each, and nobody may see both.
    assert readers_needed(campaign_of("suspicion", single_texts(one))) == 6 + 1
    assert readers_needed(campaign_of("preference", pairs(one))) == 5 + 1
