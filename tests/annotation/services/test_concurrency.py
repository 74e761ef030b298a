"""Many people at once, each in a thread with a connection of its own."""

from __future__ import annotations

import threading
from collections import Counter

import pytest
from django.db import connection, connections

from annotation.errors import NothingToClaim
from annotation.models import Campaign, Claim, Original, Slot, User, Variant
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from tests.annotation.conftest import MakeAnnotator, MakeCampaign, variant


def work_until_nothing_is_left(campaign: Campaign, person: User, label: str, problems: list[BaseException]) -> None:
    try:
        while True:
            try:
                claim = claim_next(campaign=campaign, annotator=person)
            except NothingToClaim as nothing:
                if nothing.finished or not Claim.objects.filter(state=Claim.State.LIVE).exists():
                    return
                continue
            submit(claim_id=claim.pk, annotator=person, data={"label": label, "confidence": 3})
    except BaseException as problem:
        problems.append(problem)
    finally:
        connections.close_all()


def everybody(campaign: Campaign, people: list[User], label: str) -> None:
    problems: list[BaseException] = []
    threads = [threading.Thread(target=work_until_nothing_is_left, args=(campaign, person, label, problems)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert problems == []


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_twelve_people_fill_every_item_exactly_twice(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("twelve writers at once are for PostgreSQL: run with DATABASE_URL set to one")
    campaign = make_campaign(items=20)
    everybody(campaign, [make_annotator(campaign, f"p{n}") for n in range(12)], "preserve")
    filled = Counter(Slot.objects.filter(item__campaign=campaign, state="filled").values_list("item", flat=True))
    assert sorted(filled.values()) == [2] * 20
    assert Slot.objects.filter(item__campaign=campaign).count() == 40


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_no_two_variants_of_one_original_reach_one_person(organiser: User, make_annotator: MakeAnnotator) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("twelve writers at once are for PostgreSQL: run with DATABASE_URL set to one")
    campaign = create_campaign(name="s", title="s", protocol="suspicion", created_by=organiser)
    news = []
    for number in range(10):
        original = Original.objects.create(task="t", key=str(number))
        news += [NewItem(original, variant(original, kind, f"{kind} {number}")) for kind in (Variant.UNCHANGED, "bae")]
    add_items(campaign=campaign, items=news)
    open_campaign(campaign=campaign)
    everybody(campaign, [make_annotator(campaign, f"p{n}") for n in range(12)], "3")
    seen = Counter(Claim.objects.filter(state="answered").values_list("annotator", "original"))
    assert set(seen.values()) == {1}
    assert sorted(Counter(Slot.objects.filter(state="filled").values_list("item", flat=True)).values()) == [3] * 20
