"""Looking through items: filters from a fixed list, pages by number, and one item with everything about it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Campaign, Claim, EarlierAnswer, Flag, Item, Judgement, Membership, Original, User, Variant
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items
from annotation.services.claiming import claim_next
from annotation.services.practice import set_gold
from annotation.services.revising import skip
from tests.annotation.conftest import variant

from .conftest import SameQueries

SignIn = Callable[[User], Client]
Answer = Callable[..., object]


@pytest.fixture
def judged(campaign: Campaign, annotator: User, make_annotator: Callable[..., User], answer: Answer) -> Campaign:
    """Three items: the first two in order of handing out agree, on the third people disagree."""
    second = make_annotator(campaign, "boris")
    for label in ("preserve", "change", "preserve"):
        answer(campaign, annotator, label, 4)
    for label in ("preserve", "change", "no_sense"):
        answer(campaign, second, label, 2)
    return campaign


def items(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'data-item="(\d+)"', page)]


def counts(page: str) -> dict[str, str]:
    choices = re.search(r'aria-label="How items stand">(.*?)</nav>', page, re.S)
    assert choices
    return dict(re.findall(r"<a [^>]*>([^<]+?) <span>([\d,]+)</span>", choices[1]))


def test_the_items_page_shows_answers_and_decisions(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    page = client.get("/campaigns/harbour/items/").text
    assert items(page) == [1, 2, 3]
    conflict = Judgement.objects.get(label__key="no_sense").claim.item
    assert items(client.get("/campaigns/harbour/items/?show=disagreed").text) == [conflict.number]
    assert items(client.get("/campaigns/harbour/items/?show=undecided").text) == [conflict.number]
    assert page.count("· agreed</span>") == 2
    assert "waiting for one more answer" in page
    rows = page[page.index('<ol class="list">') :]
    assert "anna" not in rows and "boris" not in rows


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", {"All": "4", "Still open": "2", "All answers there": "2", "People disagreed": "1", "Not decided": "2",
              "Flagged": "1", "Skipped by somebody": "1"}),
        ("answers=2", {"All": "3", "Still open": "1", "All answers there": "2", "People disagreed": "1", "Not decided": "1",
                       "Flagged": "1"}),
        ("answers=2&show=complete", {"All": "3", "Still open": "1", "All answers there": "2", "People disagreed": "1",
                                     "Not decided": "1", "Flagged": "1"}),
        ("answers=0", {"All": "1", "Still open": "1", "Not decided": "1", "Skipped by somebody": "1"}),
        ("answers=7", {"All": "0"}),
    ],
)  # fmt: skip
def test_the_counts_are_those_of_what_the_filter_leaves(
    query: str, shown: dict[str, str], judged: Campaign, annotator: User, organiser: User, sign_in: SignIn
) -> None:
    first = judged.items.get(number=1)
    original = Original.objects.create(task="headlines", key="further")
    texts = [variant(original, kind, f"{kind} text") for kind in (Variant.UNCHANGED, "bae")]
    [more] = add_items(campaign=judged, items=[NewItem(original, *texts)])
    Flag.objects.create(item=first, user=annotator, text="Cut.")
    skip(claim_id=claim_next(campaign=judged, annotator=annotator).pk, annotator=annotator)
    assert more.claims.get().state == "skipped"
    client = sign_in(organiser)
    assert counts(client.get(f"/campaigns/harbour/items/?{query}").text) == shown


def test_where_a_filter_leaves_very_many_nothing_is_counted(
    judged: Campaign, organiser: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = sign_in(organiser)
    monkeypatch.setattr("annotation.queries.items.COUNTED", 2)
    page = client.get("/campaigns/harbour/items/?answers=2").text
    assert (counts(page), items(page)) == ({}, [1, 2, 3])
    assert '<a href="?show=disagreed&amp;answers=2">People disagreed</a>' in page
    assert counts(client.get("/campaigns/harbour/items/").text)["All"] == "3"
    assert counts(client.get("/campaigns/harbour/items/?answers=2&first=3").text)["All"] == "1"


def test_a_third_judgement_is_no_conflict_of_an_agreed_item(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], answer: Answer, organiser: User, sign_in: SignIn
) -> None:
    campaign = make_campaign(items=1, slots=3)
    for name, label in (("a", "preserve"), ("b", "preserve"), ("c", "change")):
        answer(campaign, make_annotator(campaign, name), label)
    assert items(sign_in(organiser).get("/campaigns/harbour/items/?show=disagreed").text) == []


def test_an_answer_that_does_not_count_is_marked_and_stands_last(
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    answer: Answer,
    organiser: User,
    sign_in: SignIn,
) -> None:
    campaign = make_campaign(items=1)
    late = claim_next(campaign=campaign, annotator=make_annotator(campaign, "late"))
    Claim.objects.update(expires_at=timezone.now())
    for name in ("anna", "boris"):
        answer(campaign, make_annotator(campaign, name), "change")
    submit(claim_id=late.pk, annotator=late.annotator, data={"label": "preserve", "confidence": "4"})
    page = sign_in(organiser).get("/campaigns/harbour/items/").text
    assert re.findall(r"<dt>(\w+)</dt><dd>([^<]+?) <", page) == [
        ("1", "changes the meaning"),
        ("2", "changes the meaning"),
        ("surplus", "keeps the meaning"),
    ]


@pytest.mark.parametrize(
    "query",
    [
        "?show=user__password", "?show=all", "?show=1%20OR%201", "?label=huh", "?made_by=nobody", "?task=x", "?use=gold",
        "?annotator=0", "?annotator=anna", "?after=x", "?before=-1", "?after=99999999999999999999",
    ],
)  # fmt: skip
def test_other_filters_do_not_exist(query: str, judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    assert sign_in(organiser).get(f"/campaigns/harbour/items/{query}").status_code == 404


def test_unknown_names_filter_nothing(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    assert items(sign_in(organiser).get("/campaigns/harbour/items/?original__key=harbour-1&claims__annotator=1").text) == [
        1,
        2,
        3,
    ]


def test_a_number_that_is_none_says_so(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    page = sign_in(organiser).get("/campaigns/harbour/items/?first=two").text
    assert (items(page), "Enter a whole number." in page) == ([], True)


def test_items_come_in_pages(make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn) -> None:
    make_campaign(items=60)
    client = sign_in(organiser)

    def page(query: str) -> tuple[list[int], dict[str, str]]:
        text = client.get(f"/campaigns/harbour/items/{query}").text
        return items(text), dict(re.findall(r'<a href="([^"]+)" rel="(prev|next)"', text))

    assert page("") == (list(range(1, 26)), {"?after=25": "next"})
    assert page("?after=25") == (list(range(26, 51)), {"?before=26": "prev", "?after=50": "next"})
    assert page("?after=50") == (list(range(51, 61)), {"?before=51": "prev"})
    assert page("?before=51")[0] == list(range(26, 51))
    assert page("?before=26") == (list(range(1, 26)), {"?after=25": "next"})
    assert page("?after=60") == ([], {})
    assert page("?first=10&after=34") == (
        list(range(35, 60)),
        {"?first=10&amp;before=35": "prev", "?first=10&amp;after=59": "next"},
    )


@pytest.fixture
def varied(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], answer: Answer, organiser: User
) -> Campaign:
    """Six items that differ in everything that can be filtered by."""
    campaign = make_campaign(items=6)
    rows = {item.number: item for item in campaign.items.all()}
    Item.objects.filter(pk=rows[2].pk).update(made_by="textfooler", task="rumours")
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    Flag.objects.create(item=rows[5], user=ada, text="Two texts in one.")
    for person, labels in ((ada, {1: "preserve", 2: "change"}), (ben, {1: "preserve", 2: "no_sense", 4: "change"})):
        for number, label in labels.items():
            others = campaign.slots.exclude(item=rows[number])
            states = {slot.pk: slot.state for slot in others}
            others.update(state="filled")
            answer(campaign, person, label)
            for pk, state in states.items():
                campaign.slots.filter(pk=pk).update(state=state)
    set_gold(item=rows[3], by=organiser, label=campaign.labels.get(key="change"), use="training")
    claim = Claim.objects.filter(annotator=ben, item=rows[4]).get()
    Claim.objects.create(
        slot=rows[6].slots.earliest("position"), item=rows[6], campaign=campaign, original=rows[6].original, annotator=ada,
        state="skipped", skip_reason="unclear", expires_at=claim.expires_at,
    )  # fmt: skip
    return campaign


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [1, 2, 3, 4, 5, 6]),
        ("show=open", [2, 4, 5, 6]),
        ("show=complete", [1]),
        ("show=disagreed", [2]),
        ("show=undecided", [2, 4, 5, 6]),
        ("show=flagged", [5]),
        ("show=skipped", [6]),
        ("show=stale", []),
        ("show=known", [3]),
        ("label=preserve", [1]),
        ("label=change", []),
        ("made_by=textfooler", [2]),
        ("task=rumours", [2]),
        ("use=training", [3]),
        ("answers=0", [3, 5, 6]),
        ("answers=0&use=work", [5, 6]),
        ("answers=1", [4]),
        ("answers=2", [1, 2]),
        ("first=3&last=4", [3, 4]),
        ("q=NUMBER+4", [4]),
        ("q=brdige+number+5", [5]),
        ("q=bridge+number+6", [6]),
        ("q=%25", []),
        ("q=_", []),
        ("show=open&made_by=deepwordbug&answers=1", [4]),
    ],
)
def test_every_filter(query: str, expected: list[int], varied: Campaign, organiser: User, sign_in: SignIn) -> None:
    page = sign_in(organiser).get(f"/campaigns/harbour/items/?{query}")
    assert (page.status_code, items(page.text)) == (200, expected)


def test_the_filter_by_person_shows_what_they_answered(varied: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    members = {member.user.username: member.pk for member in Membership.objects.filter(campaign=varied)}
    assert items(client.get(f"/campaigns/harbour/items/?annotator={members['ada']}").text) == [1, 2]
    assert items(client.get(f"/campaigns/harbour/items/?annotator={members['ben']}").text) == [1, 2, 4]


def test_the_counts_are_those_of_the_filters(varied: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    assert counts(client.get("/campaigns/harbour/items/").text) == {
        "All": "6", "Still open": "4", "All answers there": "1", "People disagreed": "1", "Not decided": "4", "Flagged": "1",
        "Skipped by somebody": "1", "Known answer": "1",
    }  # fmt: skip


def test_one_item_shows_everything_about_it(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    judgement = Judgement.objects.filter(claim__annotator__username="anna").earliest("pk")
    EarlierAnswer.objects.create(
        judgement=judgement, number=1, label=judged.labels.get(key="no_sense"), confidence=1, submitted_at=timezone.now()
    )
    Judgement.objects.filter(pk=judgement.pk).update(comment="Only a letter <b>moved</b>.", active_seconds=17.2)
    Flag.objects.create(item=judgement.claim.item, user=judgement.claim.annotator, text="Looks cut.")
    page = sign_in(organiser).get(f"/campaigns/harbour/items/{judgement.claim.item.number}/").text
    for part in (
        "Only a letter &lt;b&gt;moved&lt;/b&gt;.", "before: makes no sense, sure 1 of 5", "Looks cut.", "<td>17</td>", "anna",
        "boris", "both annotators agreed", "<del>", "<ins>",
    ):  # fmt: skip
        assert part in page


def test_taking_an_answer_out_and_in_again(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    judgement = Judgement.objects.earliest("pk")
    number = judgement.claim.item.number
    response = client.post(f"/campaigns/harbour/answers/{judgement.pk}/exclude/")
    assert response.headers["Location"] == f"/campaigns/harbour/items/{number}/"
    page = client.get(f"/campaigns/harbour/items/{number}/").text
    assert ("no: an organiser took it out" in page, "waiting for a judgement" in page) == (True, True)
    client.post(f"/campaigns/harbour/answers/{judgement.pk}/include/")
    assert Judgement.objects.get(pk=judgement.pk).uncounted == ""


def test_taking_a_person_out_and_in_again(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    member = Membership.objects.get(user__username="anna")
    page = client.post(f"/campaigns/harbour/answers/of/{member.pk}/exclude/", follow=True).text
    assert ("Taken out of every figure: 3 answers of anna." in page, items(page)) == (True, [1, 2, 3])
    assert Judgement.objects.filter(uncounted="excluded", claim__annotator=member.user).count() == 3
    page = client.post(f"/campaigns/harbour/answers/of/{member.pk}/include/", follow=True).text
    assert ("Counted again: 3 answers of anna." in page, Judgement.objects.filter(uncounted="").count()) == (True, 6)


def test_resolving_a_flag_and_setting_a_known_answer(
    campaign: Campaign, organiser: User, annotator: User, sign_in: SignIn
) -> None:
    client = sign_in(organiser)
    item = campaign.items.get(number=2)
    flag = Flag.objects.create(item=item, user=annotator, text="Cut.")
    client.post(f"/campaigns/harbour/flags/{flag.pk}/resolve/")
    assert Flag.objects.get().resolved_by == organiser
    form = {"use": "training", "label": "change", "explanation": "Monday is not Friday."}
    page = client.post("/campaigns/harbour/items/2/gold/", form, follow=True).text
    item.refresh_from_db()
    assert (item.use, item.gold and item.gold.key, item.explanation, item.wanted) == (
        "training", "change", "Monday is not Friday.", 0
    )  # fmt: skip
    assert "The item is used for training." in page
    page = client.post("/campaigns/harbour/items/2/gold/", {"use": "training"}, follow=True).text
    assert "Say which answer is right" in page


@pytest.mark.parametrize(
    "address", ["items/", "items/1/", "answers/{answer}/exclude/", "answers/of/{member}/exclude/", "flags/{flag}/resolve/"]
)
def test_nobody_else_sees_or_changes_them(
    address: str, judged: Campaign, annotator: User, other_organiser: User, sign_in: SignIn
) -> None:
    flag = Flag.objects.create(item=judged.items.get(number=1), user=annotator, text="Cut.")
    ids = {"answer": Judgement.objects.earliest("pk").pk, "member": Membership.objects.get(user=annotator).pk, "flag": flag.pk}
    for stranger in (annotator, other_organiser):
        client = sign_in(stranger)
        ask = client.get if address.startswith("items") else client.post
        assert ask(f"/campaigns/harbour/{address.format(**ids)}").status_code == 404
        if not address.startswith("items"):
            assert client.post(f"/campaigns/elsewhere/{address.format(**ids)}").status_code == 404
    assert not Judgement.objects.exclude(uncounted="").exists()
    assert Flag.objects.get().resolved_at is None


@pytest.mark.parametrize("query", ["", "?show=disagreed", "?q=bridge&first=1&made_by=deepwordbug"])
def test_the_number_of_queries_does_not_grow(
    query: str,
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    answer: Answer,
    same_queries: SameQueries,
) -> None:
    def build(count: int) -> str:
        campaign = make_campaign(items=count, name=f"c{count}")
        for name, label in (("anna", "preserve"), ("boris", "change")):
            user = make_annotator(campaign, f"{name}{count}")
            for _ in range(count):
                answer(campaign, user, label)
        return f"/campaigns/c{count}/items/{query}"

    pages = same_queries(build, at_most=18)
    assert {count: len(items(page)) for count, page in pages.items()} == {1: 1, 3: 3, 30: 25}


def facts(page: str) -> dict[str, str]:
    rows = re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", page, re.S)
    return {name: " ".join(re.sub("<[^>]+>", " ", text).split()) for name, text in rows}


def test_an_item_with_a_known_answer_waits_for_nobody(varied: Campaign, organiser: User, sign_in: SignIn) -> None:
    item = varied.items.get(number=3)
    Item.objects.filter(pk=item.pk).update(explanation="It says another day.")
    client = sign_in(organiser)
    shown = facts(client.get("/campaigns/harbour/items/3/").text)
    assert {name: shown.get(name) for name in ("Right", "Why it is right", "Answers", "Decided")} == {
        "Right": "changes the meaning", "Why it is right": "It says another day.", "Answers": "0, in no figure", "Decided": None,
    }  # fmt: skip
    assert "of 2 wanted" in facts(client.get("/campaigns/harbour/items/4/").text)["Answers"]
    row = client.get("/campaigns/harbour/items/?show=known").text
    assert "<dt>=</dt><dd><b>changes the meaning</b>" in row


@pytest.mark.parametrize("page", ["", "items/", "people/"])
def test_the_items_of_a_campaign_are_those_for_work(page: str, varied: Campaign, organiser: User, sign_in: SignIn) -> None:
    assert "· 5 items and 1 with a known answer ·" in sign_in(organiser).get(f"/campaigns/harbour/{page}").text


def test_the_items_beside_one_are_one_step_away(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    Item.objects.filter(campaign=campaign, number=2).update(number=7)  # numbers may have gaps

    def beside(number: int) -> dict[str, str]:
        page = client.get(f"/campaigns/harbour/items/{number}/").text
        return dict(re.findall(r'href="/campaigns/harbour/items/(\d+)/" rel="\w+">(\w+ item)<', page))

    assert [beside(number) for number in (1, 3, 7)] == [
        {"3": "Next item"}, {"1": "Previous item", "7": "Next item"}, {"3": "Previous item"},
    ]  # fmt: skip


def test_what_was_changed_is_said_as_typed_edits(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    item = campaign.items.get(number=1)
    Item.objects.filter(pk=item.pk).update(edits={"split": 1, "invisible": 2})
    client, said = sign_in(organiser), "2 changes of invisible characters, 1 word split"
    assert f">{said}</p>" in client.get("/campaigns/harbour/items/1/").text
    assert f" · {said}" in client.get("/campaigns/harbour/items/").text
    Item.objects.filter(pk=item.pk).update(edits=None)
    assert re.findall(r">(\d+ places? changed)</p>", client.get("/campaigns/harbour/items/1/").text) == ["1 place changed"]
