"""A question is rendered once for what it says; whatever it says differently is rendered anew."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.template import Context, Template

from annotation.models import Claim
from annotation.protocols import protocol_of
from annotation.services.claiming import claim_next
from annotation.templatetags import questions
from tests.annotation.conftest import MakeAnnotator, MakeCampaign

pytestmark = pytest.mark.django_db
PAGE = Template("{% load questions %}{% question %}")


@pytest.fixture
def claim(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> Claim:
    campaign = make_campaign(items=1)
    return claim_next(campaign=campaign, annotator=make_annotator(campaign, "ann"))


def shown(claim: Claim, **more: Any) -> str:
    campaign = claim.slot.item.campaign
    protocol = protocol_of(campaign)
    context = {"campaign": campaign, "protocol": protocol, "claim": claim, "options": protocol.options(claim.slot), **more}
    return PAGE.render(Context(context))


def chosen(page: str) -> list[str]:
    return re.findall(r'value="(\w+)"[^>]* checked', page)


def test_what_one_person_chose_shows_on_no_other_page(claim: Claim) -> None:
    fresh = shown(claim)
    claim.draft = {"label": "change", "confidence": "4"}
    assert chosen(shown(claim)) == ["change", "4"]
    claim.draft = {}
    assert (chosen(fresh), shown(claim)) == ([], fresh)


def test_new_wording_shows_at_once(claim: Claim) -> None:
    campaign = claim.slot.item.campaign
    before = shown(claim)
    campaign.settings["question"] = "Does it <still> mean the same?"
    after = shown(claim)
    assert "Does it &lt;still&gt; mean the same?" in after
    assert after != before


def test_a_problem_and_a_comment_are_part_of_it(claim: Claim) -> None:
    claim.slot.item.campaign.settings["comment"] = True
    claim.draft = {"comment": "a & b"}
    page = shown(claim, problem="Choose an answer.")
    assert "a &amp; b</textarea>" in page
    assert re.findall(r'role="alert" data-problem( hidden)?>([^<]*)<', page) == [("", "Choose an answer.")]
    assert re.findall(r'role="alert" data-problem( hidden)?>([^<]*)<', shown(claim)) == [(" hidden", "")]


def test_the_same_question_is_rendered_once(claim: Claim) -> None:
    questions._rendered.cache_clear()
    assert shown(claim) == shown(claim)
    assert (questions._rendered.cache_info().misses, questions._rendered.cache_info().hits) == (1, 1)
