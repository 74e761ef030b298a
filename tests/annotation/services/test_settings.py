"""Changing settings: checked, logged, and frozen where answers depend on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from annotation.errors import DomainError, SettingsProblem
from annotation.models import Campaign, Judgement, Label, Slot, Team
from annotation.protocols.settings import SETTINGS
from annotation.services.claiming import claim_next
from annotation.services.settings import FROZEN, change_settings, specs_of
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

OTHER: dict[str, Any] = {
    "question": "Another?",
    "guidelines": "Other ones.",
    "examples": [{"before": "a", "after": "b", "label": "change", "why": ""}],
    "prevalence": "Half of them.",
    "differences": False,
    "confidence": False,
    "confidence_levels": list("abcde"),
    "comment": True,
    "slots": 3,
    "conflicts": "adjudicate",
    "third_from": "hosts",
    "conflict_distance": 2,
    "tie": "first",
    "weights": "linear",
    "kept": [],
    "long_only": ["change"],
    "long_from": 9,
    "claim_minutes": 30,
    "quota": 7,
    "attention_every": 4,
    "pass_mark": 0.5,
    "tries": 1,
    "idle_seconds": 30,
}
"""Another value for each setting that a meaning campaign offers."""
OPEN = {
    "guidelines", "examples", "comment", "third_from", "claim_minutes", "quota", "attention_every", "pass_mark", "tries",
}  # fmt: skip
"""What can be changed at any time."""


def test_other_values_are_known_for_every_setting_that_is_offered() -> None:
    assert set(OTHER) == set(SETTINGS) - {"threshold"}


@pytest.mark.parametrize("name", sorted(OTHER))
def test_answers_freeze_a_setting_exactly_when_it_gives_them_their_meaning(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, name: str
) -> None:
    campaign = make_campaign()
    assert campaign.created_by is not None
    before = campaign.settings[name]
    assert before != OTHER[name]
    Team.objects.create(campaign=campaign, name=OTHER["third_from"])
    change_settings(campaign=campaign, by=campaign.created_by, changes={name: OTHER[name]})
    campaign.refresh_from_db()
    assert campaign.settings[name] == OTHER[name]
    change_settings(campaign=campaign, by=campaign.created_by, changes={name: before})
    answer(campaign, make_annotator(campaign, "ada"), "preserve")
    if name in OPEN:
        change_settings(campaign=campaign, by=campaign.created_by, changes={name: OTHER[name]})
    else:
        with pytest.raises(SettingsProblem) as refused:
            change_settings(campaign=campaign, by=campaign.created_by, changes={name: OTHER[name], "quota": 99})
        assert refused.value.problems == {name: FROZEN}
    campaign.refresh_from_db()
    assert campaign.settings[name] == (OTHER[name] if name in OPEN else before)
    assert campaign.settings["quota"] == (OTHER["quota"] if name == "quota" else 0)


def test_labels_are_frozen_and_sending_them_unchanged_is_none(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign()
    assert campaign.created_by is not None
    answer(campaign, make_annotator(campaign, "ada"), "preserve")
    specs = specs_of(campaign)
    change_settings(campaign=campaign, by=campaign.created_by, changes={"title": "Mended"}, labels=specs)
    for labels in (
        specs[:2],
        [replace(specs[0], definition="Another."), *specs[1:]],
        [replace(specs[0], hotkey="x"), *specs[1:]],
    ):
        with pytest.raises(SettingsProblem) as refused:
            change_settings(campaign=campaign, by=campaign.created_by, changes={"examples": []}, labels=labels)
        assert "labels" in refused.value.problems
    assert specs_of(campaign) == specs
    assert Judgement.objects.get().label == campaign.labels.get(key="preserve")
    assert Campaign.objects.get().title == "Mended"


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ([{"value": 1, "key": "a", "name": "A"}], "from 2 to 20"),
        ([{"value": 1, "key": "a", "name": "A"}, {"value": 1, "key": "b", "name": "B"}], "same number"),
        ([{"value": 1, "key": "a", "name": "A"}, {"value": 2, "key": "A", "name": "B"}], "same name in files"),
        ([{"value": 1, "key": "a", "name": "A"}, {"value": 2, "key": "b", "name": "a"}], "same button"),
        ([{"value": 1, "key": "a", "name": "A", "hotkey": "2"}, {"value": 2, "key": "b", "name": "B"}], "same key"),
        ([{"value": 1, "key": "a", "name": "A", "hotkey": "u"}, {"value": 2, "key": "b", "name": "B"}], "does something else"),
        ([{"value": 1, "key": "a b", "name": "A"}, {"value": 2, "key": "b", "name": "B"}], "letters, digits"),
        ([{"value": 1, "key": "a", "name": ""}, {"value": 2, "key": "b", "name": "B"}], "from 1 to 80"),
        ([{"value": "x", "key": "a", "name": "A"}, {"value": 2, "key": "b", "name": "B"}], "whole one"),
    ],
)
def test_wrong_labels_are_refused(make_campaign: MakeCampaign, labels: list[dict[str, Any]], says: str) -> None:
    campaign = make_campaign("question", items=1)
    assert campaign.created_by is not None
    before = specs_of(campaign)
    with pytest.raises(SettingsProblem, match=says):
        change_settings(campaign=campaign, by=campaign.created_by, changes={}, labels=labels)
    assert specs_of(campaign) == before


def test_two_labels_can_swap_numbers_keys_of_the_keyboard_and_places(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign("question", items=1)
    assert campaign.created_by is not None
    first, second, third = specs_of(campaign)
    rows = {label.key: label.pk for label in campaign.labels.all()}
    swapped = [replace(first, value=second.value, hotkey="2"), replace(second, value=first.value, hotkey="1"), third]
    change_settings(campaign=campaign, by=campaign.created_by, changes={}, labels=swapped)
    assert [(label.key, label.value) for label in campaign.labels.order_by("value")] == [
        (second.key, first.value), (first.key, second.value), (third.key, third.value),
    ]  # fmt: skip
    assert {label.key: label.pk for label in campaign.labels.all()} == rows


@pytest.mark.parametrize(
    ("protocol", "changes", "field"),
    [
        ("suspicion", {"differences": True}, "differences"),
        ("binary", {"differences": "yes"}, "differences"),
        ("preference", {"differences": True}, "differences"),
        ("preference", {"slots": 4}, "slots"),
        ("meaning", {"slots": 1}, "slots"),
        ("meaning", {"kept": ["nothing"]}, "kept"),
        ("meaning", {"threshold": 0.7}, "threshold"),
        ("binary", {"threshold": 0}, "threshold"),
        ("binary", {"threshold": "nan"}, "threshold"),
        ("meaning", {"weights": "cubic"}, "weights"),
        ("meaning", {"question": "  "}, "question"),
        ("meaning", {"confidence_levels": ["one"]}, "confidence_levels"),
        ("meaning", {"examples": [{"after": "x", "label": "none"}]}, "examples"),
        ("meaning", {"examples": "x"}, "examples"),
        ("meaning", {"quota": True}, "quota"),
        ("meaning", {"nothing": 1}, "nothing"),
        ("meaning", {"title": ""}, "title"),
        ("meaning", {"title": [1]}, "title"),
        ("meaning", {"question": [1]}, "question"),
        ("meaning", {"guidelines": None}, "guidelines"),
        ("meaning", {"confidence_levels": [{}, "b", "c", "d", "e"]}, "confidence_levels"),
        ("meaning", {"kept": [["change"]]}, "kept"),
        ("meaning", {"examples": [{"after": ["x"], "label": "change"}]}, "examples"),
        ("meaning", {"third_from": "nobody's"}, "third_from"),
    ],
)
def test_what_cannot_be_names_its_field_and_changes_nothing(
    make_campaign: MakeCampaign, protocol: str, changes: dict[str, Any], field: str
) -> None:
    campaign = make_campaign(protocol, items=1)
    assert campaign.created_by is not None
    before = dict(campaign.settings)
    with pytest.raises(SettingsProblem) as refused:
        change_settings(campaign=campaign, by=campaign.created_by, changes={"claim_minutes": 30, **changes})
    assert set(refused.value.problems) == {field}
    campaign.refresh_from_db()
    assert (campaign.settings, campaign.title) == (before, "About harbour")


def test_another_number_of_answers_gives_items_as_many_slots(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign("suspicion", items=4)
    assert campaign.created_by is not None
    often = campaign.items.order_by("number")[0]
    Slot.objects.create(item=often, campaign=campaign, position=4, rank=0.1)
    campaign.items.filter(pk=often.pk).update(wanted=4)
    ranks = {slot.item_id: slot.rank for slot in Slot.objects.filter(position=1)}

    def counts() -> list[int]:
        return [item.slots.count() for item in campaign.items.order_by("number")]

    for wanted in (5, 1):
        change_settings(campaign=campaign, by=campaign.created_by, changes={"slots": wanted})
        assert counts() == [4, wanted, wanted, wanted]
        assert list(campaign.items.order_by("number").values_list("wanted", flat=True)) == counts()
    change_settings(campaign=campaign, by=campaign.created_by, changes={"slots": 3})
    assert {slot.rank for slot in Slot.objects.exclude(item=often)} == {ranks[pk] for pk in ranks if pk != often.pk}


def test_slots_that_somebody_holds_are_not_taken_away(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign("suspicion", items=1)
    assert campaign.created_by is not None
    for name in ("ada", "ben"):
        claim_next(campaign=campaign, annotator=make_annotator(campaign, name))
    with pytest.raises(DomainError, match="Somebody is answering"):
        change_settings(campaign=campaign, by=campaign.created_by, changes={"slots": 1})
    campaign.refresh_from_db()
    assert (campaign.settings["slots"], Slot.objects.count()) == (3, 3)


def test_a_change_is_logged_once_with_how_many_answers_there_were(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign()
    assert campaign.created_by is not None
    answer(campaign, make_annotator(campaign, "ada"), "preserve")
    for _ in range(2):
        change_settings(campaign=campaign, by=campaign.created_by, changes={"guidelines": "Read twice.", "quota": "5"})
    event = campaign.events.get(verb="settings")
    assert event.detail == {"what": "“guidelines”, “most answers per person”", "answers": 1}


def test_a_label_that_is_a_known_answer_stays(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign("question", items=1)
    assert campaign.created_by is not None
    campaign.items.update(use="training", gold=Label.objects.get(key="faulty"))
    labels = [spec for spec in specs_of(campaign) if spec.key != "faulty"]
    with pytest.raises(SettingsProblem, match="known answer"):
        change_settings(campaign=campaign, by=campaign.created_by, changes={}, labels=labels)
    assert campaign.labels.count() == 3
