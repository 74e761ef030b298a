"""/api/campaigns/…/items/: listing, filtering, reading, adding."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, Item, User
from annotation.services.campaigns import close_campaign

from .conftest import NO_TOKEN, NOT_FOUND, WRONG_METHOD, Caller, problem

ITEMS = "/api/campaigns/harbour/items/"
PAIR = {"original": "Ships sail.", "adversarial": " =Vessels sail.\n", "attacker": "textfooler"}


def numbers(response: Any) -> list[int]:
    return [item["number"] for item in response.json()["results"]]


def test_items_come_with_their_texts_and_decisions(
    campaign: Campaign, annotator: User, make_annotator: Callable[..., User], answer: Any, organiser: User, calling: Caller
) -> None:
    for person in (annotator, make_annotator(campaign, "boris")):
        answer(campaign, person, "change")
    first, *rest = calling(organiser).get(ITEMS).json()["results"]
    decided = next(item for item in [first, *rest] if item["decision"])
    assert decided["first"]["text"].startswith("The bridge number")
    assert (decided["made_by"], decided["task"], decided["use"]) == ("deepwordbug", "headlines", "work")
    assert [decided["decision"][key] for key in ("label", "how", "n_judgements", "stale")] == ["change", "agreed", 2, False]
    assert sum(item["decision"] is None for item in [first, *rest]) == 2


def test_pages_follow_each_other_until_the_end(make_campaign: Callable[..., Campaign], organiser: User, calling: Caller) -> None:
    make_campaign(items=5)
    client, address, seen = calling(organiser), f"{ITEMS}?limit=2", []
    while address:
        page = client.get(address)
        seen.append(numbers(page))
        address = page.json()["next"]
    assert seen == [[1, 2], [3, 4], [5]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("made_by=deepwordbug", [1, 2, 3]),
        ("made_by=nobody", []),
        ("task=headlines&from_number=2", [2, 3]),
        ("original=harbour-2", [2]),
        ("use=work", [1, 2, 3]),
        ("use=test", []),
        ("how=agreed", []),
        ("decided=change", []),
        ("complete=false", [1, 2, 3]),
        ("disagreed=true", []),
    ],
)
def test_the_list_can_be_narrowed(query: str, expected: list[int], campaign: Campaign, organiser: User, calling: Caller) -> None:
    assert numbers(calling(organiser).get(f"{ITEMS}?{query}")) == expected


@pytest.mark.parametrize(
    "query",
    [
        "campaign__created_by__password__startswith=a",
        "claims__annotator__username=anna",
        "ordering=gold",
        "use=secret",
        "use=",
        "from_number=-1",
        "from_number=99999999999999999999999",
        "made_by=%00",
        "cursor=cD1hYmM=",
        "cursor=cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5OXg=",
        "limit=201",
    ],
)
def test_other_parameters_and_values_are_refused(query: str, campaign: Campaign, organiser: User, calling: Caller) -> None:
    refused = calling(organiser).get(f"{ITEMS}?{query}")
    assert refused.status_code == 400
    problem(refused)


@pytest.mark.parametrize("position", [10**6, 10**30])
def test_a_cursor_past_the_end_gives_an_empty_page(position: int, campaign: Campaign, organiser: User, calling: Caller) -> None:
    cursor = base64.b64encode(f"p={position}".encode()).decode()
    assert numbers(calling(organiser).get(ITEMS, {"cursor": cursor})) == []


def test_an_item_is_read_by_its_number(campaign: Campaign, organiser: User, calling: Caller) -> None:
    assert calling(organiser).get(f"{ITEMS}2/").json()["number"] == 2


@pytest.mark.parametrize("number", ["0", "4", "99999999999999999999999999", "-1", "x"])
def test_a_number_that_is_none_is_not_found(number: str, campaign: Campaign, organiser: User, calling: Caller) -> None:
    assert problem(calling(organiser).get(f"{ITEMS}{number}/")) == NOT_FOUND


def test_added_items_keep_their_texts_byte_for_byte(
    make_campaign: Callable[..., Campaign], organiser: User, calling: Caller
) -> None:
    make_campaign(items=1, opened=False)
    more = PAIR | {"adversarial": "Ships fly.", "original_key": "k7", "task": "HN", "victim": "BiLSTM", "queries": 31}
    made = calling(organiser).post(ITEMS, {"examples": [PAIR, more]}, content_type="application/json")
    assert (made.status_code, made.json()) == (201, {"added": 2, "already_there": 0, "twice": 0, "dry_run": False})
    stored = list(Item.objects.filter(number__gt=1).order_by("number").select_related("second", "original", "example"))
    texts = [(item.second.text, item.made_by, item.slots.count()) for item in stored if item.second]
    assert texts == [(" =Vessels sail.\n", "textfooler", 2), ("Ships fly.", "textfooler", 2)]
    example = stored[1].example
    assert example is not None
    assert (stored[1].task, stored[1].original.key, example.victim, example.queries) == ("HN", "k7", "BiLSTM", 31)


def test_what_is_there_already_is_not_added_again(campaign: Campaign, organiser: User, calling: Caller) -> None:
    client, body = calling(organiser), {"examples": [PAIR, PAIR]}
    answers = [client.post(ITEMS, body, content_type="application/json").json() for _ in range(2)]
    assert [[answer[key] for key in ("added", "already_there", "twice")] for answer in answers] == [[1, 0, 1], [0, 2, 0]]
    assert campaign.items.count() == 4


def test_a_dry_run_only_says_what_would_be_added(campaign: Campaign, organiser: User, calling: Caller) -> None:
    told = calling(organiser).post(ITEMS, {"examples": [PAIR], "dry_run": True}, content_type="application/json")
    assert (told.status_code, told.json()) == (200, {"added": 1, "already_there": 0, "twice": 0, "dry_run": True})
    assert (campaign.items.count(), campaign.uploads.count()) == (3, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"examples": []},
        {"examples": {}},
        {"examples": [PAIR, {}]},
        {"examples": [PAIR, {"adversarial": "a"}]},
        {"examples": [PAIR, PAIR | {"adversarial": ""}]},
        {"examples": [PAIR, PAIR | {"adversarial": " \n\u00a0"}]},
        {"examples": [PAIR, PAIR | {"original": "\t"}]},
        {"examples": [PAIR, PAIR | {"adversarial": "a\0"}]},
        {"examples": [PAIR, PAIR | {"adversarial": "\ud83d"}]},
        {"examples": [PAIR, PAIR | {"attacker": "original"}]},
        {"examples": [PAIR, PAIR | {"attacker": "x" * 61}]},
        {"examples": [PAIR, PAIR | {"queries": 10**30}]},
        {"examples": [PAIR, PAIR | {"bodega_score": 1e400}]},
        {"examples": [PAIR, PAIR | {"original": 5, "adversarial": [1]}]},
    ],
    ids=lambda body: str(body)[-40:],
)
def test_one_wrong_example_and_nothing_is_written(
    wrong: dict[str, Any], campaign: Campaign, organiser: User, calling: Caller
) -> None:
    refused = calling(organiser).post(ITEMS, wrong, content_type="application/json")
    assert refused.status_code == 400
    problem(refused)
    assert (campaign.items.count(), campaign.uploads.count()) == (3, 0)


def test_a_closed_campaign_takes_no_items(campaign: Campaign, organiser: User, calling: Caller) -> None:
    close_campaign(campaign=campaign)
    refused = calling(organiser).post(ITEMS, {"examples": [PAIR]}, content_type="application/json")
    assert problem(refused) == (409, "refused")
    assert (campaign.items.count(), campaign.uploads.count()) == (3, 0)


def test_an_item_becomes_one_for_training_with_its_known_answer(campaign: Campaign, organiser: User, calling: Caller) -> None:
    change = {"use": "training", "gold": "change", "explanation": "The bridge has another name."}
    body = calling(organiser).patch(f"{ITEMS}2/", change, content_type="application/json").json()
    assert [body[key] for key in ("number", "use", "gold", "explanation", "wanted")] == [2, *change.values(), 0]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"use": "training"}, (409, "refused")),
        ({"use": "training", "gold": "elsewhere"}, (400, "invalid")),
        ({"use": "decoration", "gold": "change"}, (400, "invalid")),
    ],
    ids=str,
)
def test_practice_needs_a_known_answer(
    change: dict[str, str], expected: tuple[int, str], campaign: Campaign, organiser: User, calling: Caller
) -> None:
    assert problem(calling(organiser).patch(f"{ITEMS}2/", change, content_type="application/json")) == expected
    assert set(campaign.items.values_list("use", flat=True)) == {"work"}


def test_others_find_nothing_there(campaign: Campaign, strangers: list[Client]) -> None:
    body = {"examples": [PAIR]}
    for stranger in strangers:
        assert problem(stranger.get(ITEMS)) == NOT_FOUND
        assert problem(stranger.get(f"{ITEMS}1/")) == NOT_FOUND
        assert problem(stranger.post(ITEMS, body, content_type="application/json")) == NOT_FOUND
        gold = {"use": "training", "gold": "change"}
        assert problem(stranger.patch(f"{ITEMS}1/", gold, content_type="application/json")) == NOT_FOUND
    assert campaign.items.count() == 3


def test_other_methods_are_refused(campaign: Campaign, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    assert [problem(client.delete(ITEMS)), problem(client.post(f"{ITEMS}1/"))] == [WRONG_METHOD] * 2


def test_nobody_comes_in_without_a_token(campaign: Campaign, client: Client) -> None:
    assert [problem(client.get(ITEMS)), problem(client.post(ITEMS)), problem(client.get(f"{ITEMS}1/"))] == [NO_TOKEN] * 3


def test_queries_do_not_grow_with_the_list(make_campaign: Callable[..., Campaign], organiser: User, calling: Caller) -> None:
    counts = {}
    for size in (1, 3, 30):
        make_campaign(items=size, name=f"harbour{size}")
        client = calling(organiser)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert len(numbers(client.get(f"/api/campaigns/harbour{size}/items/"))) == size
        counts[size] = len(captured)
    assert len(set(counts.values())) == 1, counts
