from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Campaign, Event, User
from annotation.services.activity import in_words, log

SignIn = Callable[[User], Client]


def lines(page: str) -> list[tuple[str, str]]:
    return re.findall(r'<td data-verb="(\w+)">([^<]*)</td>', page)


def test_it_says_who_did_what_the_newest_first(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    log(campaign=campaign, by=organiser, verb="ruled", item=3, label="keeps <b>the</b> meaning")
    log(campaign=campaign, by=None, verb="released", claims=2)
    page = sign_in(organiser).get("/campaigns/harbour/log/").text
    assert lines(page)[:2] == [
        ("released", "gave back 2 items"),
        ("ruled", "decided item 3: keeps &lt;b&gt;the&lt;/b&gt; meaning"),
    ]
    assert ("the system" in page, ">olga<" in page) == (True, True)


def test_it_can_be_narrowed_to_one_verb(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    log(campaign=campaign, by=organiser, verb="closed")
    client = sign_in(organiser)
    assert lines(client.get("/campaigns/harbour/log/?verb=closed").text) == [("closed", "closed the campaign")]
    assert lines(client.get("/campaigns/harbour/log/?verb=withdrew").text) == []


def test_kinds_of_events_are_offered_by_their_titles(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    log(campaign=campaign, by=organiser, verb="quota", person="ada", quota="5")
    page = sign_in(organiser).get("/campaigns/harbour/log/").text
    assert re.findall(r'<option value="(\w*)">([^<]*)</option>', page) == [
        ("", "Everything"),
        ("created", "Campaign made"),
        ("opened", "Campaign opened"),
        ("quota", "Quota set"),
    ]


@pytest.mark.parametrize(
    ("verb", "detail", "says"),
    [
        ("released", {"claims": 1}, "gave back 1 item"),
        ("excluded", {"answers": 1626, "person": "ada"}, "took 1,626 answers of ada out"),
        ("imported", {"added": 1, "file": "a.csv", "already_there": 1}, "imported 1 item from a.csv (1 more was there already)"),
        ("imported", {"added": 2, "file": "b", "already_there": 0}, "imported 2 items from b"),
        (
            "imported",
            {"added": 3, "file": "b", "known": 2, "already_there": 2},
            "imported 3 items from b, 2 of them with a known answer (2 more were there already)",
        ),
        ("grouped", {"groups": 1, "items": 1, "seed": 2026}, "drew 1 group and dealt 1 item to them (seed 2026)"),
        ("invited", {"role": "annotator", "uses": 1}, "made an invitation link (annotator, 1 use)"),
    ],
)
def test_counts_are_in_words(verb: str, detail: dict[str, object], says: str, campaign: Campaign) -> None:
    assert in_words(log(campaign=campaign, by=None, verb=verb, **detail)) == says


def test_it_comes_in_pages_and_takes_a_fixed_number_of_queries(
    campaign: Campaign,
    organiser: User,
    sign_in: SignIn,
    django_assert_num_queries: Callable[..., object],
) -> None:
    Event.objects.all().delete()
    client = sign_in(organiser)
    for count in (1, 3, 120):
        while Event.objects.count() < count:
            log(campaign=campaign, by=organiser, verb="ruled", item=Event.objects.count() + 1, label="x")
        with django_assert_num_queries(6):  # type: ignore[attr-defined]
            page = client.get("/campaigns/harbour/log/").text
        assert len(lines(page)) == min(count, 50)
    assert lines(page)[0][1] == "decided item 120: x"
    (older,) = re.findall(r'<a href="(\?before=\d+)" rel="next">', page)
    assert [text for _, text in lines(client.get(f"/campaigns/harbour/log/{older}").text)] == [
        f"decided item {number}: x" for number in range(70, 20, -1)
    ]


@pytest.mark.parametrize("query", ["?verb=huh", "?before=x", "?before=-1", "?before=1%20OR%201", "?before=" + "9" * 5_000])
def test_other_questions_do_not_exist(query: str, campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    assert sign_in(organiser).get(f"/campaigns/harbour/log/{query}").status_code == 404


def test_nobody_else_reads_it(campaign: Campaign, annotator: User, other_organiser: User, sign_in: SignIn) -> None:
    for stranger in (annotator, other_organiser):
        assert sign_in(stranger).get("/campaigns/harbour/log/").status_code == 404
