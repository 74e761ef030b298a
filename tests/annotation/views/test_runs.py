from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotation.exchange.origin import SIMULATED_MODEL
from annotation.models import AttackRun, Campaign, LearnedModel, User
from scoring.result import Estimate, Interval, Reason

SignIn = Callable[[User], Client]


def estimate(value: float, n: int = 40) -> dict[str, Any]:
    return Estimate(value, None, n, "mean", interval=Interval(value - 0.1, value + 0.1, "bootstrap")).as_dict()


def side(shift: float) -> dict[str, Any]:
    means = {"success": 0.9, "success_kept": 0.8, "bodega": 0.7, "queries": 31.0, "suspicion": 2.5}
    return {name: estimate(value + shift) for name, value in means.items()} | {"set_aside": 3}


def comparison(**changed: Any) -> dict[str, Any]:
    paired = {"first": estimate(2.5, 22), "second": estimate(2.3, 22), "difference": estimate(-0.2, 22)}
    counts = {"lowered": 9, "equal": 12, "raised": 1, "tau": 2.5, "to_lower": 12, "brought_under": 7}
    return {"first": side(0.0), "second": side(0.05), "paired": paired, "model_sha256": "e" * 64} | counts | changed


SUMMARY = {
    "statuses": {"success": 22, "failed": 3, "skipped": 0},
    **{name: estimate(0.5) for name in ("success", "bodega", "semantic", "character")},
    "queries": {kind: estimate(31.0) for kind in ("asked", "unique", "sent")},
    "run": {
        "task": {"name": "headlines", "n": 25},
        "victim": {"name": "bilstm", "sha256": "a" * 64},
        "attacker": {"name": "deepwordbug", "parameters": {"max_distance": 30}, "keeps_its_path": True},
        "constraints": [{"name": "suspicion", "tau": 2.5, "model_sha256": "e" * 64}],
        "scenario": "untargeted",
        "budget": None,
        "seed": 7,
        "semantic_scorer": {"name": "cosine of MiniLM", "version": "1", "sha256": "b" * 64},
    },
}


@pytest.fixture
def make_pair(make_campaign: Callable[..., Campaign]) -> Callable[..., AttackRun]:
    """A run under the constraint, with its baseline."""

    def make(number: int = 0, *, simulated: bool = False, **changed: Any) -> AttackRun:
        campaign = make_campaign("suspicion", name=f"s{number}", simulated=simulated)
        card = {"evaluation": {"r": estimate(0.3)}}
        model = LearnedModel.objects.create(name=f"m{number}", folder="x", sha256="e" * 64, card=card, simulated=simulated)
        model.campaigns.add(campaign)
        common = {"task": "headlines", "victim": "bilstm", "attacker": "deepwordbug", "folder": "x", "summary": SUMMARY}
        baseline = AttackRun.objects.create(name=f"plain-{number}", **common)
        return AttackRun.objects.create(
            name=f"bound-{number}", constraint="suspicion at most 2.5", model=model, baseline=baseline,
            comparison=comparison(**changed), **common,
        )  # fmt: skip

    return make


def test_two_runs_stand_side_by_side(make_pair: Callable[..., AttackRun], organiser: User, sign_in: SignIn) -> None:
    make_pair()
    page = sign_in(organiser).get("/attacks/").text
    lines = re.findall(r'<tr><th scope="row">([^<]+)</th><td>([^<]+)<br>[^/]*?>([^<]+)</span></td><td>([^<]+)<br>', page)
    assert lines == [
        ("attacks that succeed", "90.0 %", "80.0 % to 100.0 %", "95.0 %"),
        ("without successes set aside", "80.0 %", "70.0 % to 90.0 %", "85.0 %"),
        ("BODEGA score", "0.700", "0.600 to 0.800", "0.750"),
        ("queries per text", "31.0", "30.9 to 31.1", "31.1"),
        ("predicted suspicion of successes", "2.500", "2.400 to 2.600", "2.550"),
    ]
    assert "9 texts are lower, 12 the same, 1 higher." in page
    assert "12 successes of the first attack lie above 2.500; the second succeeds on 7 of these texts at or below it." in page
    assert SIMULATED_MODEL not in page


def test_a_limit_above_each_original_is_told_as_such(
    make_pair: Callable[..., AttackRun], organiser: User, sign_in: SignIn
) -> None:
    make_pair(tau=None)
    page = sign_in(organiser).get("/attacks/").text
    assert ("at most so far above its original" in page, "at or below its limit" in page) == (True, False)


def test_a_comparison_by_a_model_of_simulated_readers_is_marked(
    make_pair: Callable[..., AttackRun], organiser: User, sign_in: SignIn
) -> None:
    run = make_pair(simulated=True)
    client = sign_in(organiser)
    for path in ("/", "/attacks/", f"/attacks/{run.pk}/"):
        page = client.get(path).text
        assert (SIMULATED_MODEL in page, 'class="chip simulated"' in page) == (True, True)
    own = sign_in(organiser).get(f"/attacks/{run.pk}/").text
    cards = own.count("data-figure=")
    # Every card, the table of statuses and the comparison.
    assert own.count('class="chip simulated"') == cards + 2
    assert cards > 0


def test_what_has_no_value_says_why(make_pair: Callable[..., AttackRun], organiser: User, sign_in: SignIn) -> None:
    none = Estimate(None, Reason("nothing_to_average", "There is no such example."), 0, "mean").as_dict()
    make_pair(paired={"first": none, "second": none, "difference": none}, first=side(0.0) | {"suspicion": none}, tau=None)
    page = sign_in(organiser).get("/attacks/").text
    assert "There is no text on which both attacks succeed." in page
    assert '<td>not defined<br><span class="small quiet">There is no such example.</span></td>' in page
    assert "lie above" not in page


def test_a_runs_page_shows_figures_statuses_and_provenance(
    make_pair: Callable[..., AttackRun], organiser: User, annotator: User, sign_in: SignIn
) -> None:
    run = make_pair()
    client = sign_in(organiser)
    page = client.get(f"/attacks/{run.pk}/").text
    texts = f"/attacks/{run.pk}/texts/?show="
    assert re.findall(r'<tr><th scope="row"><a href="([^"]+)">(\w+)</a></th><td>(\d+)</td>', page) == [
        (f"{texts}success", "Success", "22"), (f"{texts}failed", "Failed", "3"),
    ]  # fmt: skip
    assert '<tr><th scope="row">Skipped</th><td>0</td></tr>' in page
    for part in (
        "50.0 %",
        "95 % interval",
        "by cosine of MiniLM",
        "a" * 64,
        "deepwordbug: parameters max distance 30, keeps its path yes",
        f"<dd>suspicion at most 2.5, model SHA-256 {'e' * 64}</dd>",
    ):
        assert part in page
    assert sign_in(annotator).get(f"/attacks/{run.pk}/").status_code == 403
    assert client.get("/attacks/0/").status_code == 404
    assert client.post(f"/attacks/{run.pk}/").status_code == 405


@pytest.mark.parametrize("count", [1, 3, 30])
def test_the_number_of_queries_does_not_grow(
    count: int,
    make_pair: Callable[..., AttackRun],
    organiser: User,
    sign_in: SignIn,
    django_assert_num_queries: Callable[..., Any],
) -> None:
    for number in range(count):
        make_pair(number)
    client = sign_in(organiser)
    with django_assert_num_queries(5):
        page = client.get("/attacks/").text
    assert page.count("data-comparison=") == count
