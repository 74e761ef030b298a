"""The planner's page: what an organiser wants goes in, items and judgements come out."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import User
from scoring.judgements.plan import Clustering, Plan, plan_kappa, plan_preference, plan_share

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]


def told(page: str) -> list[tuple[str, str]]:
    return list(re.findall(r'role="status"><p><b>([^<]*)</b> ([^<]*)</p>', page))


def said(plan: Plan, reached: str) -> tuple[str, str]:
    return f"{plan.items:,} items and {plan.judgements:,} judgements.", reached


def test_the_page_asks_without_answering(organiser: User, sign_in: SignIn) -> None:
    page = sign_in(organiser).get("/plan/").text
    assert (told(page), re.findall(r'data-plan="(\w+)"', page)) == ([], ["kappa", "share", "preference"])
    assert 'href="/plan/"' in sign_in(organiser).get("/campaigns/new/").text


def test_the_half_width_of_kappa_is_half_of_the_intervals(organiser: User, sign_in: SignIn) -> None:
    asked = {
        "wanted": "kappa",
        "kappa": "0.6",
        "half_width": "0.08",
        "parts": "0.6, 0.3,0.1",
        "per_original": "4",
        "alike": "0.5",
    }
    expected = plan_kappa(0.6, 0.16, [0.6, 0.3, 0.1], Clustering(4, 0.5))
    page = sign_in(organiser).get("/plan/", asked).text
    assert told(page) == [said(expected, f"The 95 % interval is then {expected.reached:.3f} wide.")]
    assert "4 items of each original, alike by 0.5" in page
    assert 'value="0.08"' in page


def test_a_share_and_a_preference_are_planned_too(organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    asked = SHARE | {"share": "0.3", "half_width": "0.05", "judgements": "3"}
    share = plan_share(0.3, 0.1, judgements=3)
    assert told(client.get("/plan/", asked).text) == [said(share, f"The 95 % interval is then {share.reached:.3f} wide.")]
    test = plan_preference(0.7, 0.9, votes=3)
    page = client.get("/plan/", {"wanted": "preference", "preferred": "0.7", "power": "0.9", "votes": "3"}).text
    assert told(page) == [said(test, f"That finds the preference in {100 * test.reached:.1f} % of studies.")]


KAPPA = {"wanted": "kappa", "kappa": "0.6", "half_width": "0.1", "parts": "0.5, 0.5", "per_original": "1", "alike": "0"}
SHARE = {"wanted": "share", "share": "0.5", "half_width": "0.1", "judgements": "1", "per_original": "1", "alike": "0"}
PREFERENCE = {"wanted": "preference", "preferred": "0.7", "power": "0.8", "votes": "1"}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (KAPPA | {"parts": "a, b"}, "Write numbers"),
        (KAPPA | {"parts": "0.5, 0.5, 0_0"}, "Write numbers"),
        (KAPPA | {"parts": "0.5, 0.6"}, "add up to 1"),
        (KAPPA | {"kappa": "nan"}, "Enter a number"),
        (KAPPA | {"half_width": "0"}, "between 0 and 2"),
        (SHARE | {"half_width": "0.0001"}, "more than 1,000,000 items"),
        (PREFERENCE | {"preferred": "0.5"}, "no preference to be found"),
        (PREFERENCE | {"votes": "2"}, "odd in number"),
        ({"wanted": "preference"}, "This field is required"),
    ],
)
def test_what_cannot_be_planned_is_told(asked: dict[str, str], message: str, organiser: User, sign_in: SignIn) -> None:
    response = sign_in(organiser).get("/plan/", asked)
    assert (response.status_code, message in response.text, told(response.text)) == (422, True, [])
