"""The conflicts page: names hidden, nothing chosen beforehand, the next conflict after saving."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core import signing
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, Decision, Judgement, Membership, Role, Ruling, User
from annotation.services.moderating import exclude_answer
from annotation.views.conflicts import SINCE

SignIn = Callable[[User], Client]
Answer = Callable[..., object]
LONG_AGO = 1_700_000_000.0


@pytest.fixture
def judge(db: None) -> User:
    return User.objects.create_user(username="judy", password="a-long-password-1")


@pytest.fixture
def campaign(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], answer: Answer, judge: User
) -> Campaign:
    """A four-point campaign whose items are one, two and three steps apart, and one on which people agree."""
    settings = {"conflicts": "adjudicate", "conflict_distance": 1, "weights": "quadratic"}
    campaign = make_campaign(items=4, preset="four-point", settings=settings)
    Membership.objects.create(campaign=campaign, user=judge, role=Role.ADJUDICATOR)
    keys = list(campaign.labels.order_by("value").values_list("key", flat=True))
    for name, labels in (("anna", (0, 0, 0, 3)), ("boris", (1, 3, 2, 3))):
        person = make_annotator(campaign, name)
        for label in labels:
            answer(campaign, person, keys[label])
    return campaign


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(seen|since|sure)" value="([^"]*)"', page))


def numbers(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'data-item="(\d+)"', page)]


def by_agreement(campaign: Campaign) -> list[int]:
    return list(campaign.items.filter(how="conflict").order_by("agreement").values_list("number", flat=True))


def save(client: Client, number: int, label: str, **changed: str) -> object:
    page = client.get(f"/campaigns/harbour/conflicts/{number}/").text
    form = hidden(page) | {"since": signing.dumps(LONG_AGO, salt=SINCE), "label": label} | changed
    return client.post(f"/campaigns/harbour/conflicts/{number}/", form)


def test_the_list_begins_where_people_agree_least(campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    page = sign_in(judge).get("/campaigns/harbour/conflicts/").text
    assert numbers(page) == by_agreement(campaign)
    assert list(campaign.items.filter(how="conflict").order_by("agreement").values_list("agreement", flat=True)) == [
        0.0, pytest.approx(5 / 9), pytest.approx(8 / 9)
    ]  # fmt: skip


def test_adjudicators_see_no_name_and_no_other_tab(campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    client = sign_in(judge)
    (number, *_) = by_agreement(campaign)
    for address in ("conflicts/", f"conflicts/{number}/"):
        page = client.get(f"/campaigns/harbour/{address}").text
        assert not re.findall("anna|boris|olga", page)
        tabs = re.search(r'<nav class="tabs".*?</nav>', page, re.S)
        assert tabs and re.findall(r">([^<]+)</a>", tabs[0]) == ["Conflicts"]
    for address in ("", "items/", f"items/{number}/", "agreement/", "log/", "people/"):
        assert client.get(f"/campaigns/harbour/{address}").status_code == 404


def test_a_conflict_shows_both_answers_and_nothing_is_chosen(campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    (number, *_) = by_agreement(campaign)
    Judgement.objects.filter(claim__item__number=number, claim__annotator__username="anna").update(
        comment="Monday <i>is</i> kept", active_seconds=21.0, confidence=2
    )
    page = sign_in(judge).get(f"/campaigns/harbour/conflicts/{number}/").text
    chips = re.findall(r"<li><b>(Annotator \w)</b>(.*?)</li>", page, re.S)
    assert [letter for letter, _ in chips] == ["Annotator A", "Annotator B"]
    assert all(part in chips[0][1] for part in ("sure 2 of 5", "21 s", "Monday &lt;i&gt;is&lt;/i&gt; kept"))
    assert len(re.findall(r'type="radio" name="label"', page)) == 4
    assert "checked" not in page


def test_saving_decides_and_goes_on_to_the_next(campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    client = sign_in(judge)
    order = by_agreement(campaign)
    label = campaign.labels.earliest("value")
    addresses = [save(client, number, label.key, note="as anna says").headers["Location"] for number in order]  # type: ignore[attr-defined]
    assert addresses == [f"/campaigns/harbour/conflicts/{number}/" for number in order[1:]] + ["/campaigns/harbour/conflicts/"]
    decisions = Decision.objects.filter(item__number__in=order).values_list("how", "label__key", "stale")
    assert set(decisions) == {("adjudicated", label.key, False)}
    ruling = Ruling.objects.earliest("pk")
    assert (ruling.by, ruling.note, ruling.seconds and ruling.seconds > 1000) == (judge, "as anna says", True)
    assert numbers(client.get("/campaigns/harbour/conflicts/").text) == []
    assert numbers(client.get("/campaigns/harbour/conflicts/?show=decided").text) == order


def test_nothing_chosen_is_refused_in_words(campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    response = save(sign_in(judge), by_agreement(campaign)[0], "", note="why not")
    assert (response.status_code, Ruling.objects.count()) == (422, 0)  # type: ignore[attr-defined]
    assert "Choose one of the answers first." in response.text and "why not" in response.text  # type: ignore[attr-defined]


def test_too_quick_warns_once(campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    client = sign_in(judge)
    number, key = by_agreement(campaign)[0], campaign.labels.earliest("value").key
    page = client.get(f"/campaigns/harbour/conflicts/{number}/").text
    response = client.post(f"/campaigns/harbour/conflicts/{number}/", hidden(page) | {"label": key})
    assert (response.status_code, "You decided after" in response.text, Ruling.objects.count()) == (422, True, 0)
    again = client.post(f"/campaigns/harbour/conflicts/{number}/", hidden(response.text) | {"label": key})
    assert (again.status_code, Ruling.objects.count()) == (302, 1)


@pytest.mark.parametrize("since", ["", "forged", "1700000000"])
def test_a_forged_time_counts_as_just_now(since: str, campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    response = save(sign_in(judge), by_agreement(campaign)[0], campaign.labels.earliest("value").key, since=since)
    assert (response.status_code, Ruling.objects.count()) == (422, 0)  # type: ignore[attr-defined]


def test_the_second_of_two_is_told_and_sees_the_first(campaign: Campaign, judge: User, organiser: User, sign_in: SignIn) -> None:
    number, keys = by_agreement(campaign)[0], list(campaign.labels.values_list("key", flat=True))
    seen = hidden(sign_in(organiser).get(f"/campaigns/harbour/conflicts/{number}/").text)["seen"]
    save(sign_in(judge), number, keys[0])
    response = save(sign_in(organiser), number, keys[1], seen=seen)
    assert (response.status_code, Ruling.objects.count()) == (409, 1)  # type: ignore[attr-defined]
    assert "somebody else has decided" in response.text and "in force" in response.text  # type: ignore[attr-defined]
    assert save(sign_in(organiser), number, keys[1]).status_code == 302  # type: ignore[attr-defined]


def test_stale_rulings_have_a_list_and_come_back(campaign: Campaign, judge: User, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(judge)
    number, key = by_agreement(campaign)[0], campaign.labels.earliest("value").key
    save(client, number, key)
    exclude_answer(judgement=Judgement.objects.filter(claim__item__number=number).earliest("pk"), by=organiser)
    page = client.get("/campaigns/harbour/conflicts/?show=stale").text
    assert (numbers(page), "answers changed since" in page) == ([number], True)
    organisers = sign_in(organiser).get("/campaigns/harbour/items/?show=stale").text
    assert numbers(organisers) == [number]


@pytest.mark.parametrize(
    "address",
    ["conflicts/?show=huh", "conflicts/?start=x", "conflicts/?start=-1", "conflicts/?start=" + "9" * 5_000, "conflicts/0/"],
)
def test_what_there_is_not(address: str, campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    assert sign_in(judge).get(f"/campaigns/harbour/{address}").status_code == 404


def test_an_agreed_item_is_not_shown_here(campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    agreed = campaign.items.get(how="agreed")
    assert sign_in(judge).get(f"/campaigns/harbour/conflicts/{agreed.number}/").status_code == 404


def test_others_see_no_conflicts(campaign: Campaign, other_organiser: User, judge: User, sign_in: SignIn) -> None:
    (number, *_) = by_agreement(campaign)
    for stranger in (User.objects.get(username="anna"), other_organiser):
        client = sign_in(stranger)
        for address in ("conflicts/", f"conflicts/{number}/"):
            assert client.get(f"/campaigns/harbour/{address}").status_code == 404
        assert client.post(f"/campaigns/harbour/conflicts/{number}/", {"label": "identical"}).status_code == 404
    assert Ruling.objects.count() == 0


def test_where_a_third_person_decides_the_page_says_so(
    make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    make_campaign(name="blind")
    assert "a rule settles conflicts" in sign_in(organiser).get("/campaigns/blind/conflicts/").text


@pytest.fixture
def tied(make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], answer: Answer) -> Campaign:
    """An item to which three people gave three answers, and nothing tells which of them counts."""
    campaign = make_campaign(name="tied", items=1, settings={"confidence": False})
    for name, label in (("ada", "preserve"), ("ben", "change"), ("cem", "no_sense")):
        answer(campaign, make_annotator(campaign, name), label, None)
    return campaign


def test_a_tie_is_listed_and_one_more_person_can_be_asked(
    tied: Campaign, make_annotator: Callable[..., User], organiser: User, sign_in: SignIn
) -> None:
    client, button = sign_in(organiser), "Ask one more person</button>"
    assert numbers(client.get("/campaigns/tied/conflicts/").text) == [1]
    assert button in client.get("/campaigns/tied/items/1/").text
    refused = client.post("/campaigns/tied/items/1/ask/", follow=True).text
    assert "Nobody here may answer item 1" in refused and button in refused
    make_annotator(tied, "dora")
    asked = client.post("/campaigns/tied/items/1/ask/", follow=True).text
    assert "Item 1 waits for one more answer" in asked and button not in asked
    listed = client.get("/campaigns/tied/conflicts/").text
    assert (numbers(listed), listed.count("one more answer is awaited")) == ([1], 1)


def test_only_organisers_ask_one_more_person(tied: Campaign, other_organiser: User, sign_in: SignIn) -> None:
    for stranger in (User.objects.get(username="ada"), other_organiser):
        assert sign_in(stranger).post("/campaigns/tied/items/1/ask/").status_code == 404


@pytest.mark.parametrize("protocol", ["suspicion", "binary", "preference", "mark_words", "question"])
def test_where_there_are_no_conflicts_there_is_no_tab_and_the_page_says_so(
    protocol: str, make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    make_campaign(protocol, name="calm")
    page = sign_in(organiser).get("/campaigns/calm/conflicts/").text
    tabs = re.search(r'<nav class="tabs".*?</nav>', page, re.S)
    assert tabs and re.findall(r">([^<]+)</a>", tabs[0]) == [
        "Overview", "Items", "Agreement", "Report", "People", "Import", "Export", "Settings", "Log"
    ]  # fmt: skip
    assert "There are no conflicts in this campaign: people may well differ" in page


def test_the_number_of_queries_does_not_grow(
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    answer: Answer,
    organiser: User,
    sign_in: SignIn,
) -> None:
    taken = {}
    for count in (1, 3, 30):
        campaign = make_campaign(items=count, name=f"c{count}", settings={"conflicts": "adjudicate"})
        for name, label in (("anna", "preserve"), ("boris", "change")):
            user = make_annotator(campaign, f"{name}{count}")
            for _ in range(count):
                answer(campaign, user, label)
        client = sign_in(organiser)
        with CaptureQueriesContext(connection) as listed:
            page = client.get(f"/campaigns/c{count}/conflicts/").text
        with CaptureQueriesContext(connection) as one:
            client.get(f"/campaigns/c{count}/conflicts/1/")
        assert len(numbers(page)) == min(count, 25)
        taken[count] = len(listed), len(one)
    assert set(taken.values()) == {(10, 15)}


def test_the_decided_say_when_and_why(campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    client = sign_in(judge)
    (number, *_) = by_agreement(campaign)
    keys = list(campaign.labels.order_by("value").values_list("key", flat=True))
    save(client, number, keys[0], note="First thoughts")
    save(client, number, keys[1], note="It says <b>Monday</b> twice.")
    ruling = Ruling.objects.get(superseded=False)
    row = client.get("/campaigns/harbour/conflicts/?show=decided").text
    when = f"{ruling.made_at.day} {ruling.made_at:%b %Y, %H:%M}"
    assert re.findall(r'<br><span class="small quiet">(.*?)</span></span>', row) == [
        f'{when}: <span dir="auto">“It says &lt;b&gt;Monday&lt;/b&gt; twice.”'
    ]


def test_a_conflict_has_the_guidelines_and_its_keys(campaign: Campaign, judge: User, sign_in: SignIn) -> None:
    campaign.settings |= {"guidelines": "Mind the day.", "differences": True, "confidence": True}
    campaign.save()
    client = sign_in(judge)
    page = client.get(f"/campaigns/harbour/conflicts/{by_agreement(campaign)[0]}/").text
    dialog = page[page.index('<dialog id="guidelines"') :]
    assert "Mind the day." in dialog
    keys = re.findall(r"<dt>(?:<kbd>.</kbd> )*<kbd>([^<]+)</kbd> ?</dt>", dialog)
    assert keys == ["4", "Enter", "d", "?"]
    assert re.findall(r'data-hotkey="(.)"', page) == ["d", "?"]
    link = re.search(r'href="([^"]+)#guidelines" data-hotkey', page)
    assert link and "Mind the day." in client.get(link[1]).text


def test_the_overview_counts_what_is_to_be_decided_and_no_more(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    Decision.objects.filter(item__number=by_agreement(campaign)[0]).update(how="open")
    campaign.items.filter(number=by_agreement(campaign)[0]).update(how="open")
    waiting = len(by_agreement(campaign))
    assert 0 < waiting < 4
    page = sign_in(organiser).get("/campaigns/harbour/").text
    assert re.findall(r">(\d+) conflicts? to decide<", page) == [str(waiting)]
