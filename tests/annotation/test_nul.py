"""NUL is refused wherever text comes in: by pages, by the API, in files. Nothing of it is stored."""

from __future__ import annotations

import json
from http import HTTPStatus

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Campaign, Claim, Flag, Item, Upload, User
from annotation.services.claiming import claim_next

SENT = {
    "the title": ("settings", {"title": "A\0title"}),
    "a field's name": ("settings", {"title": "A title", "x\0": "1"}),
    "a link": ("link_campaign", {"with": ["\0", "x\0"]}),
}


@pytest.mark.parametrize(("address", "data"), SENT.values(), ids=SENT)
def test_a_page_refuses_it_in_every_field(address: str, data: dict[str, str], campaign: Campaign, organiser: User) -> None:
    client = Client()
    client.force_login(organiser)
    response = client.post(reverse(address, args=[campaign.name]), data)
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert Campaign.objects.get().title == "About harbour"


def test_an_annotators_page_refuses_it(campaign: Campaign, annotator: User) -> None:
    client = Client()
    client.force_login(annotator)
    claim = claim_next(campaign=campaign, annotator=annotator)
    for address, field in (("answer", "comment"), ("draft", "comment"), ("flag_item", "text"), ("skip_item", "note")):
        response = client.post(reverse(address, args=[campaign.name, claim.pk]), {"label": "preserve", field: "x\0"})
        assert (address, response.status_code) == (address, HTTPStatus.BAD_REQUEST)
    claim.refresh_from_db()
    assert (claim.state, claim.draft, Flag.objects.count()) == (Claim.State.LIVE, {}, 0)


@pytest.mark.parametrize("address", ["/?x=%00", "/accounts/login/?next=%00"])
def test_an_address_refuses_it(address: str, db: None) -> None:
    assert Client().get(address).status_code == HTTPStatus.BAD_REQUEST


def test_the_api_refuses_it(campaign: Campaign, organiser: User) -> None:
    client = Client()
    client.force_login(organiser)
    response = client.patch(
        reverse("api_campaign", args=[campaign.name]), json.dumps({"title": "A\0title"}), content_type="application/json"
    )
    assert (response.status_code, response.headers["Content-Type"]) == (HTTPStatus.BAD_REQUEST, "application/problem+json")
    assert Campaign.objects.get().title == "About harbour"


def test_an_import_refuses_it(campaign: Campaign, organiser: User, tmp_path: object, settings: object) -> None:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    client = Client()
    client.force_login(organiser)
    before = Item.objects.count()
    file = SimpleUploadedFile("p.csv", b"original,adversarial\nRain.,Ra\0n.\n")
    client.post(reverse("uploads", args=[campaign.name]), {"file": file})
    upload = Upload.objects.get()
    page = client.get(reverse("upload", args=[campaign.name, upload.pk]))
    assert "p.csv: line 2: a NUL character, which no text holds." in page.content.decode()
    assert Item.objects.count() == before


@pytest.mark.parametrize("query", ["state=%00", "page=%00", "x%00=1"])
def test_the_api_refuses_it_in_an_address_in_its_own_words(query: str, organiser: User) -> None:
    client = Client()
    client.force_login(organiser)
    response = client.get(f"{reverse('api_campaigns')}?{query}")
    assert (response.status_code, response.headers["Content-Type"]) == (HTTPStatus.BAD_REQUEST, "application/problem+json")
