"""A campaign's people in numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Campaign, EarlierAnswer, Entrance, Flag, Item, Judgement, Membership, Role, User
from annotation.queries.people import holdings_of, hourly_pay, invitations_of, members_of, pace_of, teams_of
from annotation.services.answering import save_draft
from annotation.services.claiming import claim_next
from annotation.services.people import invite, revoke
from annotation.services.revising import skip
from annotation.services.withdrawal import withdraw
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=6)


def timed(campaign: Campaign, person: User, answer: Answer, *times: tuple[float | None, float | None]) -> None:
    """One answer for each pair of (in front of the page, by the server's clock)."""
    for active, seconds in times:
        pk = answer(campaign, person, "preserve").judgement.pk
        Judgement.objects.filter(pk=pk).update(active_seconds=active, seconds=seconds)


def test_people_are_listed_with_what_they_did(
    campaign: Campaign, organiser: User, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    ada, _ = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    timed(campaign, ada, answer, (10, 99), (20, 99), (40, 99))
    rows = {row.user.username: row for row in members_of(campaign)}
    assert {name: (row.role, row.given) for name, row in rows.items()} == {
        "olga": (Role.ORGANISER, 0),
        "ada": (Role.ANNOTATOR, 3),
        "ben": (Role.ANNOTATOR, 0),
    }
    assert rows["ada"].last_at_work == Judgement.objects.latest("pk").submitted_at
    User.objects.filter(username="ben").update(last_login=timezone.now())
    assert {name: row.last_at_work for name, row in rows.items() if name != "ada"} == {"ben": None, "olga": None}
    held = claim_next(campaign=campaign, annotator=ada)
    assert members_of(campaign).get(user=ada).last_at_work == held.seen_at
    skip(claim_id=held.pk, annotator=ada)
    assert members_of(campaign).get(user=ada).last_at_work == held.seen_at
    pace = pace_of(rows["ada"].times)
    assert pace is not None and (pace.seconds, pace.answers) == (20, 3)
    assert pace_of(rows["ben"].times) is None


@pytest.mark.parametrize("count", [1, 3, 12])
def test_the_list_takes_as_many_queries_for_many_as_for_one(
    campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer, count: int
) -> None:
    for number in range(count):
        person = make_annotator(campaign, f"p{number}")
        if number < 12 // 2:
            answer(campaign, person, "preserve")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        rows = list(members_of(campaign))
        assert len([(row.user.username, row.team, row.group) for row in rows]) == count + 1
    assert len(queries) == 1


def test_hourly_pay_is_of_measured_time(campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    ada, ben, cem = (make_annotator(campaign, name) for name in ("ada", "ben", "cem"))
    assert hourly_pay(campaign) is None
    Entrance.objects.create(
        campaign=campaign, kind="crowd", pay_per_item=Decimal("0.10"), minimum_hourly_pay=Decimal("12"), currency="EUR"
    )
    assert hourly_pay(campaign) is None
    timed(campaign, ada, answer, (20, 500), (40, 500))  # 0.20 for 60 s: 12 an hour
    timed(campaign, ben, answer, (None, 36))  # 0.10 for 36 s: 10 an hour
    timed(campaign, cem, answer, (90, 90), (None, None))
    pay = hourly_pay(campaign)
    assert pay is not None
    assert (pay.median, pay.people, pay.answers, pay.left_out) == (Decimal(10), 3, 4, 1)
    assert pay.total == Decimal("0.10") * 4 * 3600 / 186
    assert (pay.too_little, pay.minimum, pay.currency) == (True, Decimal(12), "EUR")


def test_enough_pay_is_not_complained_about(campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    ada = make_annotator(campaign, "ada")
    timed(campaign, ada, answer, (30, 30))
    for least, too_little in ((None, False), (Decimal(12), False), (Decimal("12.01"), True)):
        Entrance.objects.update_or_create(
            campaign=campaign, defaults={"kind": "open", "pay_per_item": Decimal("0.1"), "minimum_hourly_pay": least}
        )
        pay = hourly_pay(campaign)
        assert pay is not None and (pay.median, pay.too_little) == (Decimal(12), too_little)


def test_links_that_no_longer_work_are_not_listed(campaign: Campaign, organiser: User) -> None:
    invite(campaign=campaign, by=organiser, uses=2)
    invite(campaign=campaign, by=organiser)
    assert invitations_of(campaign).count() == 2
    revoke(invitation=campaign.invitations.get(uses_left=2), by=organiser)
    assert list(invitations_of(campaign).values_list("uses_left", flat=True)) == [1]


def test_teams_with_their_people_and_texts(campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    team = campaign.teams.create(name="deepwordbug")
    campaign.teams.create(name="empty")
    make_annotator(campaign, "ada")
    Membership.objects.filter(user__username="ada").update(team=team)
    assert list(teams_of(campaign).values_list("name", "people", "texts")) == [("deepwordbug", 1, 6), ("empty", 0, 0)]


def test_what_a_campaign_holds_about_somebody(campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    for person in (ada, ben):
        judgement = answer(campaign, person, "preserve").judgement
        label = campaign.labels.get(key="change")
        EarlierAnswer.objects.create(judgement=judgement, number=1, label=label, submitted_at=judgement.submitted_at)
        held = claim_next(campaign=campaign, annotator=person)
        save_draft(claim_id=held.pk, annotator=person, data={"label": "change"})
        Flag.objects.create(item=held.item, user=person, text="?")
    about = holdings_of(campaign.memberships.get(user=ada))
    assert (about.judgements, about.earlier, about.drafts, about.claims, about.flags, about.crowd_ids) == (1, 1, 1, 2, 1, False)


def test_what_somebody_holds_counts_work_apart_from_training_and_test(
    campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    label = campaign.labels.get(key="preserve")
    for item, use in zip(campaign.items.order_by("number"), ("training", "test", "attention"), strict=False):
        Item.objects.filter(pk=item.pk).update(use=use, gold=label)
        item.slots.all().delete()
    ada = make_annotator(campaign, "ada")
    for _ in range(5):
        answer(campaign, ada, "preserve")
    member = campaign.memberships.get(user=ada)
    about = holdings_of(member)
    assert (about.judgements, about.practised, about.claims, member.tries) == (3, 2, 5, 1)
    withdrawn = withdraw(campaign=campaign, user=ada)
    assert (withdrawn.erased_judgements, withdrawn.tries, withdrawn.qualified_at) == (3, 0, None)
