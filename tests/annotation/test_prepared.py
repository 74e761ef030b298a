"""Queries put into SQL once: they give what the query built anew would give, for the values of this call and no other."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery

from annotation.models import Claim, Item, Slot, User
from annotation.prepared import prepared
from annotation.services.claiming import claim_next
from tests.annotation.conftest import MakeAnnotator, MakeCampaign

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def open_slots(*, campaign: int, annotator: int, maker: str | None) -> QuerySet[Slot]:
    met = Claim.objects.filter(annotator=annotator, item=OuterRef("item"))
    slots = Slot.objects.filter(~Exists(met), campaign=campaign).select_related("item__second").order_by("rank", "position")
    return slots if maker is None else slots.filter(item__made_by=maker)


def test_it_gives_the_rows_of_the_query_for_each_call(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    one, other = make_campaign(name="one"), make_campaign(name="other", items=2)
    asked = prepared()(open_slots)
    for campaign in (one, other):
        for person in (make_annotator(campaign, f"{campaign.name} first"), make_annotator(campaign, f"{campaign.name} second")):
            claim_next(campaign=campaign, annotator=person)
            for maker in (None, "deepwordbug", "nobody"):
                values: dict[str, Any] = {"campaign": campaign.pk, "annotator": person.pk, "maker": maker}
                plain, quick = list(open_slots(**values)), asked(**values)
                assert [(slot.pk, slot.item.second.text) for slot in quick] == [(s.pk, s.item.second.text) for s in plain]
                assert bool(quick) == (maker != "nobody")


def test_related_rows_and_annotations_come_along(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, django_assert_num_queries: Any
) -> None:
    campaign = make_campaign(items=1)
    make_annotator(campaign, "ann")
    counted = Slot.objects.filter(item=OuterRef("pk")).order_by().values("item").annotate(n=Count("pk")).values("n")

    @prepared()
    def items(*, campaign: int) -> QuerySet[Item]:
        return (
            Item.objects.filter(campaign=campaign).select_related("campaign", "second").annotate(slots_wanted=Subquery(counted))
        )

    with django_assert_num_queries(1):
        [item] = items(campaign=campaign.pk)
        assert (item.campaign.settings, item.slots_wanted) == (campaign.settings, 2)  # type: ignore[attr-defined]
        assert item.second is not None and item.second.kind == "deepwordbug"


def test_values_instead_of_objects(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2)

    @prepared()
    def numbers(*, campaign: int) -> QuerySet[Item, Any]:
        return Item.objects.filter(campaign=campaign).order_by("-number").values_list("number", "made_by")

    assert numbers(campaign=campaign.pk) == [(2, "deepwordbug"), (1, "deepwordbug")]


def test_the_query_is_built_once_for_each_shape(organiser: User) -> None:
    built = []

    @prepared()
    def people(*, name: str | None, staff: bool) -> QuerySet[User]:
        built.append((name is None, staff))
        users = User.objects.filter(is_staff=staff)
        return users if name is None else users.filter(username=name)

    for name in ("olga", "nobody", None):
        for staff in (False, True, False):
            assert people(name=name, staff=staff) == ([organiser] if name != "nobody" and not staff else [])
    assert sorted(built) == [(False, False), (False, True), (True, False), (True, True)]


def test_a_value_that_would_be_built_in_is_refused(organiser: User) -> None:
    @prepared()
    def some(*, most: int) -> QuerySet[User]:
        return User.objects.all()[:most]

    @prepared()
    def containing(*, part: str) -> QuerySet[User]:
        return User.objects.filter(username__contains=part)

    with pytest.raises(TypeError, match=r"^some does more with most than hand it to a lookup\.$"):
        some(most=1)
    with pytest.raises(TypeError, match=r"^containing does more with part than hand it to a lookup\.$"):
        containing(part="ol")


def test_hostile_values_stay_values(organiser: User) -> None:
    @prepared()
    def named(*, name: str) -> QuerySet[User]:
        return User.objects.filter(username=name)

    for name in ("' OR 1=1 --", "%s", "%", "stand-in 0", "olga"):
        assert named(name=name) == ([organiser] if name == "olga" else [])
