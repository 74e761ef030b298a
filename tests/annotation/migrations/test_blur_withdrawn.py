"""People who had withdrawn before times were blurred are no easier to find than those who withdraw now."""

from __future__ import annotations

from datetime import UTC, datetime, time
from importlib import import_module

from django.apps import apps
from django.utils import timezone

from annotation.models import Campaign, Claim, Event, Judgement, Membership, Pseudonym, User
from annotation.services.activity import log
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

AT = datetime(2026, 3, 4, 15, 16, 17, 181_920, tzinfo=UTC)


def test_old_withdrawals_are_blurred_too(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign: Campaign = make_campaign(items=2)
    ada, bob = make_annotator(campaign, "ada"), make_annotator(campaign, "bob")
    nobody = User.objects.create(username="pseudonym-1", kind=User.Kind.PSEUDONYM)
    Pseudonym.objects.create(campaign=campaign, user=nobody, number=1)
    for person in (ada, bob):
        answer(campaign, person, "preserve")
    Claim.objects.filter(annotator=ada).update(annotator=nobody)
    Claim.objects.update(claimed_at=AT)
    Judgement.objects.update(submitted_at=AT)
    Membership.objects.filter(user=ada).update(state="withdrawn", joined_at=AT, withdrawn_at=timezone.now())
    log(campaign=campaign, by=None, verb="withdrew", outcome="1 answer stays without any link to the person")

    import_module("annotation.migrations.0024_blur_withdrawn").blur(apps, None)

    moved = User.objects.get(kind=User.Kind.PSEUDONYM)
    assert (moved.pk < 0, moved.username) == (True, "pseudonym-1")
    assert Pseudonym.objects.get().user == moved
    blurred, other = Judgement.objects.get(claim__annotator=moved), Judgement.objects.get(claim__annotator=bob)
    day = datetime(2026, 3, 4, tzinfo=UTC)
    assert (blurred.submitted_at, blurred.claim.claimed_at) == (day, day)
    assert (other.submitted_at, other.claim.claimed_at) == (AT, AT)
    member = Membership.objects.get(user=ada)
    assert member.withdrawn_at is not None
    assert (member.joined_at, member.withdrawn_at.time()) == (day, time(0))
    assert Event.objects.get(verb="withdrew").detail == {"outcome": "their answers stay without any link to the person"}
