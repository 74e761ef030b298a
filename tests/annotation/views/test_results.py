from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.exchange.downloads import DOWNLOADS
from annotation.exchange.origin import SIMULATED, SIMULATED_MODEL
from annotation.models import Campaign, LearnedModel, User
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.services.campaigns import create_campaign
from scoring.result import Estimate, Interval

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


def shown(page: str) -> dict[str, str]:
    return dict(re.findall(r'data-figure="(\w+)".*?<p class="figure[^"]*">([^<]+)</p>', page, re.S))


def items(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'data-item="(\d+)"', page)]


def test_the_agreement_page_shows_the_protocols_figures(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    page = sign_in(organiser).get("/campaigns/harbour/agreement/").text
    analysis = protocol_of(judged).analyse(judged, votes_of(judged))
    assert {figure.key for figure in analysis.figures} == set(shown(page))
    assert (shown(page)["kappa"], shown(page)["raw_agreement"]) == ("0.500", "66.7 %")
    assert "n = 3" in page and "See the conflicts" in page


def test_another_campaign_of_the_protocol_can_be_set_beside(
    make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    client = sign_in(organiser)
    make_campaign("suspicion")
    make_campaign(name="pairs")
    address = "/campaigns/harbour/agreement/"
    assert "Beside another campaign" not in client.get(address).text
    make_campaign("suspicion", name="reworded")
    assert re.findall(r'<option value="([^"]+)"', client.get(address).text) == ["reworded"]
    page = client.get(f"{address}?beside=reworded").text
    assert "No variant was judged under both instructions" in page
    assert client.get(f"{address}?beside=pairs").status_code == 404


def test_campaigns_of_others_are_not_set_beside(
    make_campaign: Callable[..., Campaign], organiser: User, other_organiser: User, sign_in: SignIn
) -> None:
    make_campaign("suspicion")
    theirs = create_campaign(name="theirs", title="Theirs", protocol="suspicion", created_by=other_organiser)
    client = sign_in(organiser)
    assert "Beside another campaign" not in client.get("/campaigns/harbour/agreement/").text
    assert client.get(f"/campaigns/harbour/agreement/?beside={theirs.name}").status_code == 404


def test_figures_that_are_not_defined_say_why(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    page = sign_in(organiser).get("/campaigns/harbour/agreement/").text
    assert set(shown(page).values()) == {"not defined"}
    assert "nan" not in page.lower().replace("names", "")


def test_a_simulated_campaign_says_so_above_and_on_every_card(
    make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    make_campaign(simulated=True)
    client = sign_in(organiser)
    for tab in ("", "items/", "agreement/", "export/"):
        assert SIMULATED in client.get(f"/campaigns/harbour/{tab}").text
    page = client.get("/campaigns/harbour/agreement/").text
    cards = page.count('class="card"') + page.count("data-table=")
    assert page.count('class="chip simulated"') == cards > 0


def test_a_real_campaign_is_not_called_simulated(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    assert "simulated" not in sign_in(organiser).get("/campaigns/harbour/agreement/").text.lower()


def test_every_file_can_be_downloaded(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    files = re.findall(r"/campaigns/harbour/export/([\w.]+)", client.get("/campaigns/harbour/export/").text)
    assert set(files) == set(DOWNLOADS) and len(files) == len(DOWNLOADS)
    for file in files:
        response = client.get(f"/campaigns/harbour/export/{file}")
        sent = b"".join(response.streaming_content)  # type: ignore[attr-defined]
        assert response.headers["Content-Disposition"] == f'attachment; filename="harbour-{file}"'
        assert (len(sent) > 0, b"anna" in sent) == (True, False)


def test_downloads_hold_the_answers(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    response = sign_in(organiser).get("/campaigns/harbour/export/items.jsonl")
    lines = [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]  # type: ignore[attr-defined]
    campaign, *items = lines
    assert campaign["campaign"] == "harbour"
    assert [item["number"] for item in items] == [1, 2, 3]
    assert sum(len(item["judgements"]) for item in items) == 6


def test_a_models_page_shows_its_card_with_n_and_interval(
    make_campaign: Callable[..., Campaign], organiser: User, other_organiser: User, sign_in: SignIn
) -> None:
    def estimate(value: float) -> dict[str, object]:
        return Estimate(value, None, 40, "Pearson r", interval=Interval(value - 0.1, value + 0.1, "bootstrap")).as_dict()

    measures = ("r", "noise_ceiling", "share_of_ceiling", "rmse", "rmse_constant", "rmse_gain")
    card = {
        "model": "text+num",
        "data": {"judgements": 120, "texts": 40, "originals": 20, "label": "median", "scale": [1, 5], "sha256": "d" * 64},
        "evaluation": {key: estimate(0.61) for key in measures}
        | {"protocol": {"kind": "repeated grouped cross-validation", "folds": 5, "repeats": 5}},
        "features": [{"group": "sentence encoder", "name": "MiniLM", "version": "1"}],
        "seed": 0,
        "libraries": {"numpy": "2"},
    }
    campaign = make_campaign("suspicion", simulated=True)
    model = LearnedModel.objects.create(name="first", folder="x", sha256="e" * 64, card=card, simulated=True)
    model.campaigns.add(campaign)
    client = sign_in(organiser)
    page = client.get(f"/models/{model.pk}/").text
    assert shown(page)["r"] == "0.610"
    for part in ("95 % interval 0.510 to 0.710; n = 40", "d" * 64, "e" * 64, SIMULATED_MODEL):
        assert part in page
    listed = client.get("/models/").text
    assert "r = 0.610<br>" in listed and "0.510 to 0.710, n = 40" in listed
    stranger = sign_in(other_organiser)
    assert stranger.get(f"/models/{model.pk}/").status_code == 404
    assert "first" not in stranger.get("/models/").text
    assert client.get("/models/0/").status_code == 404
    assert client.post(f"/models/{model.pk}/").status_code == 405


def test_a_meaning_models_page_shows_auc_calibration_and_the_scores_beside_it(
    campaign: Campaign, organiser: User, sign_in: SignIn
) -> None:
    def estimate(value: float) -> dict[str, object]:
        return Estimate(value, None, 80, "AUC", interval=Interval(value - 0.02, value + 0.02, "analytic")).as_dict()

    three = {"auc": estimate(0.961), "auc_word_level": estimate(0.862), "auc_character_level": estimate(0.913)}
    other = {"score": "BODEGA's character score", **{key: estimate(0.736) for key in three}}
    bins = [
        {"low": 0.0, "high": 0.1, "n": 50, "predicted": 0.04, "preserved": 0.06},
        {"low": 0.1, "high": 0.2, "n": 0, "predicted": None, "preserved": None},
        {"low": 0.9, "high": 1.0, "n": 30, "predicted": 0.95, "preserved": 0.9},
    ]
    card = {
        "data": {"pairs": 80, "preserved": 30, "originals": 40, "sha256": "d" * 64},
        "preserved": ["preserve"],
        "evaluation": three
        | {"brier": estimate(0.055), "reliability": bins, "automatic": {"character_score": other}}
        | {"protocol": {"kind": "repeated cross-validation grouped by original", "folds": 10, "repeats": 10}},
        "features": {"version": "1", "names": ["a", "b"], "encoder": {"name": "MiniLM", "version": "6", "sha256": "c" * 64}},
        "calibration": {"slope": 1.25, "intercept": -0.5},
        "seed": 0,
        "libraries": {"numpy": "2"},
    }
    model = LearnedModel.objects.create(kind="meaning", name="first", folder="x", sha256="e" * 64, card=card)
    model.campaigns.add(campaign)
    client = sign_in(organiser)
    page = client.get(f"/models/{model.pk}/").text
    assert shown(page) == {"auc": "0.961", "auc_word_level": "0.862", "auc_character_level": "0.913", "brier": "0.055"}
    rows = re.findall(r'<tr><th scope="row">([^<]+)</th>', page)
    assert rows == ["this model", "BODEGA&#x27;s character score", "0.0 to 0.1", "0.9 to 1.0"]
    for part in ("80 decided pairs of 40 originals, 30 of them kept", "slope 1.250, intercept −0.500", "Meaning model", "90.0 %"):
        assert part in page
    listed = client.get("/models/").text
    assert "AUC = 0.961<br>" in listed and "0.941 to 0.981, n = 80" in listed and "Meaning model" in listed


def test_pages_carry_a_strict_policy(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    response = sign_in(organiser).get("/campaigns/harbour/agreement/")
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert not re.findall(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", response.text)
