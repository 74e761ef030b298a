from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Campaign, Claim, CrowdVisit, Entrance, Judgement, Slot, User
from annotation.services.campaigns import close_campaign
from annotation.services.claiming import claim_next
from annotation.services.people import consent
from annotation.services.practice import set_gold

SignIn = Callable[[User], Client]
WORK = "/campaigns/harbour/work/"
ANSWER = {"label": "preserve", "confidence": "4"}


def held(user: User) -> Claim:
    return Claim.objects.get(annotator=user, state=Claim.State.LIVE)


def test_the_page_shows_one_item_with_its_question_and_keys(campaign: Campaign, annotator: User, sign_in: SignIn) -> None:
    page = sign_in(annotator).get(WORK).text
    assert "Compared with the original, the modified text…" in page
    assert re.findall(r'name="label" value="(\w+)" data-key="(\d)"', page) == [
        ("preserve", "1"),
        ("change", "2"),
        ("no_sense", "3"),
    ]
    assert re.findall(r'name="confidence" value="(\d)"', page) == ["1", "2", "3", "4", "5"]
    assert "<del>bridge</del>" in page and "<ins>brdige</ins>" in page
    assert "0 of 3" in page


def test_loading_it_again_keeps_the_item(campaign: Campaign, annotator: User, sign_in: SignIn) -> None:
    client = sign_in(annotator)
    first, second = client.get(WORK).text, client.get(WORK).text
    address = re.compile(r'action="(/campaigns/harbour/work/\d+/)"')
    assert address.findall(first) == address.findall(second) == [f"{WORK}{held(annotator).pk}/"]
    assert Claim.objects.count() == 1


def test_an_answer_is_stored_and_the_next_item_comes(campaign: Campaign, annotator: User, sign_in: SignIn) -> None:
    client = sign_in(annotator)
    client.get(WORK)
    claim = held(annotator)
    response = client.post(f"{WORK}{claim.pk}/", ANSWER, follow=True)
    stored = Judgement.objects.get()
    assert (stored.claim, stored.label.key, stored.confidence, stored.uncounted) == (claim, "preserve", 4, "")
    assert "1 of 3" in response.text
    unsaid = r'class="notice bad"( id="[a-z-]+-problem")? role="alert" data-problem hidden'
    assert 'class="notice' not in re.sub(unsaid, "", response.text)
    assert held(annotator) != claim


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({}, "Choose one of the answers first."),
        ({"label": "preserve"}, "Say how sure you are, from 1 to 5."),
        ({"label": "lovely", "confidence": "4"}, "“lovely” is not an answer to this item."),
        ({"label": "preserve", "confidence": "6"}, "Say how sure you are, from 1 to 5."),
    ],
)
def test_an_incomplete_answer_is_refused_and_what_was_chosen_stays(
    form: dict[str, str], says: str, campaign: Campaign, annotator: User, sign_in: SignIn
) -> None:
    client = sign_in(annotator)
    client.get(WORK)
    response = client.post(f"{WORK}{held(annotator).pk}/", form)
    assert (response.status_code, says in response.text, Judgement.objects.count()) == (422, True, 0)
    checked = re.findall(r'name="label" value="(\w+)" data-key="\d" checked', response.text)
    assert checked == ([form["label"]] if form.get("label") == "preserve" else [])


def test_submitting_twice_gives_the_first_result_and_says_so(campaign: Campaign, annotator: User, sign_in: SignIn) -> None:
    client = sign_in(annotator)
    client.get(WORK)
    address = f"{WORK}{held(annotator).pk}/"
    client.post(address, ANSWER)
    response = client.post(address, {"label": "change", "confidence": "1"}, follow=True)
    assert "You had answered that item already. Your first answer stands" in response.text
    assert [(row.label.key, row.confidence) for row in Judgement.objects.all()] == [("preserve", 4)]


def test_an_answer_after_closing_is_kept_and_the_page_says_so(campaign: Campaign, annotator: User, sign_in: SignIn) -> None:
    client = sign_in(annotator)
    client.get(WORK)
    claim = held(annotator)
    close_campaign(campaign=campaign)
    response = client.post(f"{WORK}{claim.pk}/", ANSWER, follow=True)
    assert Judgement.objects.get().uncounted == "closed"
    assert "It is kept, marked as late, and does not count." in response.text
    assert "This campaign is closed" in response.text


def test_an_answer_to_an_item_that_others_filled_is_kept_and_the_page_says_so(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], sign_in: SignIn, answer: Callable[..., object]
) -> None:
    campaign = make_campaign(items=1, slots=1)
    slow, quick = make_annotator(campaign, "slow"), make_annotator(campaign, "quick")
    consent(sheet=campaign.sheets.get(), user=slow)
    client = sign_in(slow)
    client.get(WORK)
    claim = held(slow)
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.EXPIRED)
    Slot.objects.update(state=Slot.State.OPEN)
    answer(campaign, quick, "change")
    response = client.post(f"{WORK}{claim.pk}/", ANSWER, follow=True)
    assert claim.judgement.uncounted == "surplus"
    assert "It is kept, marked as surplus, and does not count." in response.text


def test_the_draft_is_kept_and_comes_back(campaign: Campaign, annotator: User, sign_in: SignIn) -> None:
    client = sign_in(annotator)
    client.get(WORK)
    response = client.post(f"{WORK}{held(annotator).pk}/draft/", {"label": "change"})
    assert (response.status_code, held(annotator).draft) == (204, {"label": "change"})
    assert 'value="change" data-key="2" checked' in sign_in(annotator).get(WORK).text


def test_a_script_without_a_session_is_told_so_instead_of_being_redirected(
    campaign: Campaign, annotator: User, client: Client
) -> None:
    claim = claim_next(campaign=campaign, annotator=annotator)
    assert client.post(f"{WORK}{claim.pk}/draft/", ANSWER, headers={"Sec-Fetch-Mode": "cors"}).status_code == 401
    assert client.post(f"{WORK}{claim.pk}/", ANSWER, headers={"HX-Request": "true"}).status_code == 401
    assert Judgement.objects.count() == 0


@pytest.mark.parametrize("name", ["", "draft/", "beat/", "extend/", "change/"])
def test_addresses_of_answers_refuse_get_and_bad_ids(name: str, annotator: User, sign_in: SignIn) -> None:
    client = sign_in(annotator)
    client.get(WORK)
    assert client.get(f"{WORK}{held(annotator).pk}/{name}").status_code == 405
    assert client.post(f"{WORK}0/{name}").status_code == 404


def test_the_end_when_all_is_answered(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], answer: Callable[..., object], sign_in: SignIn
) -> None:
    campaign = make_campaign(items=1, slots=1)
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    answer(campaign, user, "preserve")
    page = sign_in(user).get(WORK).text
    assert ">All done</h1>" in page and "You gave 1 answer; it is stored." in page


def test_the_end_when_the_rest_is_for_others(
    campaign: Campaign, annotator: User, answer: Callable[..., object], sign_in: SignIn
) -> None:
    for _ in range(3):
        answer(campaign, annotator, "preserve")
    page = sign_in(annotator).get(WORK).text
    assert ">All done</h1>" in page and "The rest is for other people. Thank you." in page
    assert "You gave 3 answers; all of them are stored." in page


def test_the_end_while_others_hold_what_is_left_says_until_when(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], sign_in: SignIn
) -> None:
    campaign = make_campaign(items=1, slots=1)
    other, user = make_annotator(campaign, "other"), make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    held_by_other = claim_next(campaign=campaign, annotator=other)
    page = sign_in(user).get(WORK).text
    assert ">Nothing for you now</h1>" in page and "Look again" in page and "All done" not in page
    assert f"{held_by_other.expires_at:%H:%M} UTC</time> at the latest" in page


def test_the_end_of_ones_share_gives_the_crowd_its_code(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], answer: Callable[..., object], sign_in: SignIn
) -> None:
    campaign = make_campaign(settings={"quota": 2})
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    Entrance.objects.create(campaign=campaign, kind=Entrance.Kind.CROWD, completion_code="C0DE-42")
    CrowdVisit.objects.create(campaign=campaign, user=user, participant="p1")
    client = sign_in(user)
    answer(campaign, user, "preserve")
    assert "C0DE-42" not in client.get(WORK).text
    answer(campaign, user, "preserve")
    page = client.get(WORK).text
    assert ">Your share is done</h1>" in page and "C0DE-42" in page


def test_before_the_campaign_opens(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], sign_in: SignIn
) -> None:
    campaign = make_campaign(opened=False)
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    assert ">Not open yet</h1>" in sign_in(user).get(WORK).text


def test_suspicion_shows_one_text_with_nothing_marked(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], sign_in: SignIn
) -> None:
    campaign = make_campaign("suspicion", items=1)
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    page = sign_in(user).get(WORK).text
    assert re.findall(r'<p class="text"[^>]*>(.*?)</p>', page) == ["The brdige number 1 closes on Monday."]
    assert ("Hide differences" in page, "How sure are you?" in page) == (False, False)
    assert campaign.labels.get(value=5).definition in page


@pytest.mark.parametrize("swapped", [False, True])
def test_preference_stores_the_variant_whatever_its_side(
    swapped: bool, make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], sign_in: SignIn
) -> None:
    campaign = make_campaign("preference", items=1)
    Slot.objects.update(swapped=swapped)
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    client = sign_in(user)
    page = client.get(WORK).text
    left = re.findall(r'<p class="text"[^>]*>(.*?)</p>', page)[0]
    assert left == ("The brdige number 1 closes on Monday." if swapped else "The bridge number 1 closes on Monday.")
    assert re.findall(r'value="(\w+)" data-key="1"', page) == ["second" if swapped else "first"]


def test_a_text_is_shown_exactly_as_it_is_stored(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], sign_in: SignIn
) -> None:
    campaign = make_campaign("suspicion", items=1)
    nasty = "</p><script>alert(1)</script> {{ 7 }}  two  spaces\n\nze\u200bro \u202eright to left"
    variant = campaign.items.get().first
    type(variant).objects.filter(pk=variant.pk).update(text=nasty)
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    page = sign_in(user).get(WORK).text
    escaped = nasty.replace("<", "&lt;").replace(">", "&gt;")
    assert re.findall(r'<p class="text"[^>]*>(.*?)</p>', page, re.S) == [escaped]


@pytest.mark.parametrize("items", [1, 3, 30])
def test_the_number_of_queries_does_not_grow(
    items: int,
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    sign_in: SignIn,
    django_assert_num_queries: Callable[..., object],
) -> None:
    campaign = make_campaign(items=items)
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    client = sign_in(user)
    client.get(WORK)
    with django_assert_num_queries(9):  # type: ignore[attr-defined]
        assert client.get(WORK).status_code == 200


@pytest.mark.parametrize("items", [2, 3, 30])
def test_claiming_takes_ten_queries_and_submitting_twelve(
    items: int,
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    sign_in: SignIn,
    django_assert_num_queries: Callable[..., object],
) -> None:
    """Session, person and the transaction's own two statements are among them."""
    campaign = make_campaign(items=items)
    users = [make_annotator(campaign, name) for name in ("anna", "ben")]
    clients = []
    for user in users:
        consent(sheet=campaign.sheets.get(), user=user)
        clients.append(sign_in(user))
    for client, user in zip(clients, users, strict=True):
        with django_assert_num_queries(10):  # type: ignore[attr-defined]
            assert client.get(WORK).status_code == 200
        address = f"{WORK}{held(user).pk}/"
        with django_assert_num_queries(12):  # type: ignore[attr-defined]
            assert client.post(address, ANSWER).status_code == 302
    assert Judgement.objects.filter(claim__item__decision__how="agreed").count() == 2


def test_with_a_script_an_answer_and_the_next_item_are_one_request(
    campaign: Campaign, annotator: User, sign_in: SignIn, django_assert_num_queries: Callable[..., object]
) -> None:
    client = sign_in(annotator)
    client.get(WORK)
    address = f"{WORK}{held(annotator).pk}/"
    with django_assert_num_queries(20):  # type: ignore[attr-defined]
        response = client.post(address, ANSWER, headers={"HX-Request": "true"})
    assert response.status_code == 200
    assert f'action="{WORK}{held(annotator).pk}/"' in response.text
    assert "1 of 3" in response.text and "<html" not in response.text


def test_every_page_says_the_same_number_of_answers(
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    organiser: User,
    answer: Callable[..., object],
    sign_in: SignIn,
) -> None:
    campaign = make_campaign(items=6, settings={"attention_every": 1, "quota": 2})
    label = campaign.labels.get(key="preserve")
    for number, use in ((1, "training"), (2, "test"), (3, "attention")):
        set_gold(item=campaign.items.get(number=number), by=organiser, label=label, use=use, explanation="Because.")
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    for _ in range(4):  # training, test, work, attention
        answer(campaign, user, "preserve")
    client = sign_in(user)
    assert ">2 of 3<" in re.sub(r" · about \d+ min left", "", client.get(WORK).text)
    answer(campaign, user, "preserve")
    pages = {"/": "You gave 3 answers.", WORK: "You gave 3 answers;", f"{WORK}history/": ">3 answers, the newest first"}
    for page, said in (pages | {"/campaigns/harbour/withdraw/": "<li>3 answers, with"}).items():
        assert said in client.get(page).text, page
