"""The dashboard: how far each item is, what is stuck, how people do; and from every figure a link to the items behind it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db.models import F
from django.test import Client
from django.utils import timezone

from annotation.models import Campaign, Claim, Flag, Item, Judgement, User
from annotation.services.claiming import claim_next
from annotation.services.practice import set_gold
from annotation.views import figures

from .conftest import SameQueries

SignIn = Callable[[User], Client]
Answer = Callable[..., object]


@pytest.fixture
def judged(campaign: Campaign, annotator: User, make_annotator: Callable[..., User], answer: Answer) -> Campaign:
    """Three items: two agreed, one on which people differ and which waits for a third."""
    second = make_annotator(campaign, "boris")
    for person, labels in ((annotator, ("preserve", "change", "preserve")), (second, ("preserve", "change", "no_sense"))):
        for label in labels:
            answer(campaign, person, label)
    return campaign


def completeness(page: str) -> list[tuple[str, ...]]:
    row = r'<tr data-answers="(\d+)">.*?</a></th><td>([\d,]+)</td><td>([\d,]+)</td>'
    return re.findall(row, page, re.S)


def people(page: str) -> dict[str, list[str]]:
    rows = re.findall(r'<th scope="row"><a href="[^"]*annotator=\d+">([\w-]+)</a>(.*?)</tr>', page, re.S)
    return {name: [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", rest)] for name, rest in rows}


def test_completeness_is_per_item_and_never_by_totals(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    page = sign_in(organiser).get("/campaigns/harbour/").text
    # Six of seven wanted answers are there, but one item still waits for its third.
    assert completeness(page) == [("2", "3", "2")]
    assert re.findall(r'<p class="figure"><a [^>]*>([\d,]+)<', page)[:2] == ["2", "6"]


def test_items_that_are_only_claimed_are_not_done(campaign: Campaign, annotator: User, organiser: User, sign_in: SignIn) -> None:
    claim_next(campaign=campaign, annotator=annotator)
    page = sign_in(organiser).get("/campaigns/harbour/").text
    assert completeness(page) == [("0", "3", "0")]
    assert "1 item is with somebody" in page


def test_every_figure_leads_to_the_items_behind_it(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    page = client.get("/campaigns/harbour/").text
    links = set(re.findall(r'href="(/campaigns/harbour/items/\?[^"]+)"', page))
    shown = {
        link.split("?")[1].replace("&amp;", "&"): len(re.findall("data-item", client.get(link.replace("&amp;", "&")).text))
        for link in links
    }
    members = {member.user.username: member.pk for member in judged.memberships.select_related("user")}
    assert shown == {
        "show=open": 1,
        "show=complete": 2,
        "show=disagreed": 1,
        "show=flagged": 0,
        "show=skipped": 0,
        "answers=2&use=work": 3,
        f"annotator={members['anna']}": 3,
        f"annotator={members['boris']}": 3,
    }


def test_people_have_pace_gold_score_and_agreement(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    Judgement.objects.filter(claim__annotator__username="anna").update(active_seconds=40)
    page = sign_in(organiser).get("/campaigns/harbour/").text
    assert people(page)["anna"] == ["3", "40", "–", "66.7 % n = 3"]
    known = Judgement.objects.filter(claim__annotator__username="anna").order_by("pk")
    for judgement, key in zip(known, ("preserve", "preserve"), strict=False):
        item = judgement.claim.item
        item.use, item.gold = "attention", judged.labels.get(key=key)
        item.save()
        Claim.objects.filter(item=item).update(use="attention")
    assert people(sign_in(organiser).get("/campaigns/harbour/").text)["anna"] == ["1", "40", "50.0 % of 2", "0.0 % n = 1"]
    wrong = Claim.objects.filter(annotator__username="anna", use="attention").exclude(judgement__label=F("item__gold")).get()
    Item.objects.filter(pk=wrong.item_id).update(use="training")
    Claim.objects.filter(item=wrong.item_id).update(use="training")
    assert people(sign_in(organiser).get("/campaigns/harbour/").text)["anna"][2] == "100.0 % of 1"


@pytest.mark.parametrize(("skipped", "shown"), [(1, "100.0 % of 1, 1 skipped"), (2, "2 checks skipped")])
def test_a_check_that_somebody_skipped_is_told(
    skipped: int, shown: str, judged: Campaign, organiser: User, sign_in: SignIn
) -> None:
    anna = judged.memberships.get(user__username="anna")
    checks = list(anna.user.claims.order_by("pk")[:2])
    for claim in checks:
        Item.objects.filter(pk=claim.item_id).update(use="attention", gold=claim.judgement.label)
        Claim.objects.filter(item=claim.item_id).update(use="attention")
    for claim in checks[:skipped]:
        claim.judgement.delete()
        Claim.objects.filter(pk=claim.pk).update(state=Claim.State.SKIPPED)
    client = sign_in(organiser)
    assert people(client.get("/campaigns/harbour/").text)["anna"][2] == shown
    page = client.get(f"/campaigns/harbour/people/{anna.pk}/").text
    checks_told = re.findall(r"<dt>Skipped</dt><dd>(.*?)</dd>", page)
    assert checks_told == ["1 attention check" if skipped == 1 else "2 attention checks"]
    boris = judged.memberships.get(user__username="boris")
    assert "<dt>Skipped</dt>" not in client.get(f"/campaigns/harbour/people/{boris.pk}/").text


def test_claims_that_ran_out_are_released_now(
    campaign: Campaign, annotator: User, make_annotator: Callable[..., User], organiser: User, sign_in: SignIn
) -> None:
    client = sign_in(organiser)
    first = claim_next(campaign=campaign, annotator=annotator)
    second = claim_next(campaign=campaign, annotator=make_annotator(campaign, "boris"))
    with time_machine.travel(timezone.now() + timedelta(minutes=61), tick=False):
        page = client.get("/campaigns/harbour/").text
        assert "2 items are with somebody; the time of 2 has run out" in page
        page = client.post("/campaigns/harbour/claims/release/", {"claim": first.pk}, follow=True).text
        assert "1 item is free again" in page
        assert list(Claim.objects.order_by("pk").values_list("state", flat=True)) == ["released", "live"]
        client.post("/campaigns/harbour/claims/release/")
    second.refresh_from_db()
    assert second.state == "released"
    assert "nothing to give back" in client.post("/campaigns/harbour/claims/release/", {"claim": first.pk}, follow=True).text


@pytest.mark.parametrize("claim", ["x", "-1", "1 OR 1", "9" * 5_000])
def test_what_is_no_claim_is_not_released(claim: str, campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    assert sign_in(organiser).post("/campaigns/harbour/claims/release/", {"claim": claim}).status_code == 404


def test_pace_and_the_estimated_end(
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    answer: Answer,
    organiser: User,
    sign_in: SignIn,
) -> None:
    campaign = make_campaign(items=10)
    start = timezone.now().replace(hour=12, minute=0)
    with time_machine.travel(start - timedelta(days=2), tick=False):
        answer(campaign, make_annotator(campaign, "anna"), "preserve")
    with time_machine.travel(start - timedelta(hours=3), tick=False):
        ben = make_annotator(campaign, "ben")
        for _ in range(4):
            answer(campaign, ben, "preserve")
    with time_machine.travel(start, tick=False):
        page = sign_in(organiser).get("/campaigns/harbour/").text
        # Of 20 answers 15 are missing; four came in the last day.
        ends = start + timedelta(days=15 / 4)
    assert f"At this pace all answers are there on {ends.day} {ends:%B %Y}." in page
    assert re.findall(r'class="nowrap">\w+ (\d+ \w+)</th><td>(\d+)</td>', page) == [
        (f"{day.day} {day:%b}", count)
        for day, count in ((start - timedelta(days=2), "1"), (start - timedelta(days=1), "0"), (start, "4"))
    ]


def test_no_day_is_listed_on_which_there_was_no_campaign(
    make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    noon = timezone.now().replace(hour=12, minute=0)
    with time_machine.travel(noon, tick=False):
        make_campaign(items=0, opened=False)
        page = sign_in(organiser).get("/campaigns/harbour/").text
    assert re.findall(r'class="nowrap">\w+ (\d+ \w+)</th><td>(\d+)</td>', page) == [(f"{noon.day} {noon:%b}", "0")]
    assert ("All answers are there" in page, "No answer is wanted yet." in page) == (False, True)


def test_items_with_a_known_answer_are_no_unfinished_work(
    make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    campaign = make_campaign(items=3)
    client = sign_in(organiser)
    assert "known answer and" not in client.get("/campaigns/harbour/").text
    for number, use in ((1, "training"), (2, "attention")):
        set_gold(item=campaign.items.get(number=number), by=organiser, label=campaign.labels.get(key="change"), use=use)
    page = client.get("/campaigns/harbour/").text
    assert 'aria-label="0 of 1 items"' in page
    assert re.findall(r'href="([^"]+)">2 more</a> have a known answer', page) == ["/campaigns/harbour/items/?show=known"]


def test_flags_are_shown_until_they_are_resolved(campaign: Campaign, annotator: User, organiser: User, sign_in: SignIn) -> None:
    flag = Flag.objects.create(item=campaign.items.get(number=2), user=annotator, text="<b>Cut</b> in the middle")
    client = sign_in(organiser)
    assert "&lt;b&gt;Cut&lt;/b&gt; in the middle" in client.get("/campaigns/harbour/").text
    flagged = "/campaigns/harbour/items/?show=flagged"
    assert (client.get(flagged).text.count("data-item"), client.get(flagged).text.count(">flagged</span>")) == (1, 1)
    client.post(f"/campaigns/harbour/flags/{flag.pk}/resolve/")
    assert "No item is flagged." in client.get("/campaigns/harbour/").text
    everything = client.get("/campaigns/harbour/items/").text
    assert ("data-item" in client.get(flagged).text, ">flagged</span>" in everything) == (False, False)


def test_each_figure_of_agreement_leads_to_its_card(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    page = client.get("/campaigns/harbour/").text
    links = re.findall(r'<dt><a href="/campaigns/harbour/([^"]+)">', page[page.index("<h2>Agreement</h2>") :])
    assert links == [f"agreement/#figure-{key}" for key in ("kappa", "raw_agreement", "ac1", "kept")]
    cards = client.get("/campaigns/harbour/agreement/").text
    assert [link for link in links if "#" in link and f'id="{link.split("#")[1]}"' not in cards] == []


def test_of_many_answers_the_figures_are_those_last_computed(
    judged: Campaign, organiser: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    client = sign_in(organiser)
    assert 'data-glance="kappa"><b>0.500</b>' in client.get("/campaigns/harbour/").text
    monkeypatch.setattr(figures, "LIVE_UP_TO", 2)
    page = client.get("/campaigns/harbour/").text
    assert ("Compute the agreement" in page, "data-glance" in page) == (True, False)
    client.get("/campaigns/harbour/agreement/")
    page = client.get("/campaigns/harbour/").text
    assert ("As of " in page, 'data-glance="kappa"><b>0.500</b>' in page) == (True, True)


def test_an_empty_campaign_says_what_to_do_first(
    make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    make_campaign(items=0, opened=False)
    page = sign_in(organiser).get("/campaigns/harbour/").text
    assert "There are no items yet" in page and "Nobody has joined yet" in page


def test_the_number_of_queries_does_not_grow(
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    answer: Answer,
    same_queries: SameQueries,
) -> None:
    def build(count: int) -> str:
        campaign = make_campaign(items=count, name=f"c{count}")
        team = [make_annotator(campaign, f"p{count}-{number}") for number in range(max(count, 2))]
        for person in team[:2]:
            for _ in range(count):
                answer(campaign, person, "preserve" if person is team[0] else "change")
        claim_next(campaign=campaign, annotator=make_annotator(campaign, f"third-{count}"))
        Flag.objects.bulk_create(Flag(item=item, user=team[0], text="x") for item in campaign.items.all())
        return f"/campaigns/c{count}/"

    pages = same_queries(build, at_most=26)
    assert {count: len(people(page)) for count, page in pages.items()} == {1: 3, 3: 4, 30: 31}


def test_items_that_everybody_here_has_met_need_somebody_new(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], answer: Answer, organiser: User, sign_in: SignIn
) -> None:
    campaign = make_campaign(items=2, name="stuck")
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    for label in ("preserve", "preserve"):
        answer(campaign, ada, label)
    page = sign_in(organiser).get("/campaigns/stuck/").text
    assert ("somebody new" in page, "At this pace" in page) == (False, True)
    for label in ("change", "preserve"):
        answer(campaign, ben, label)
    page = sign_in(organiser).get("/campaigns/stuck/").text
    assert ("1 item needs somebody new: everybody here has answered or skipped it." in page, "At this pace" in page) == (
        True,
        False,
    )
    make_annotator(campaign, "cem")
    assert "somebody new" not in sign_in(organiser).get("/campaigns/stuck/").text
