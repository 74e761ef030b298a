"""A campaign in which nobody has answered goes for good, with what only it shows."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.errors import DomainError, NotYours
from annotation.exchange.imports import import_upload
from annotation.models import Campaign, Claim, Example, Item, Judgement, LearnedModel, Original, Slot, Upload, User, Variant
from annotation.services import forgetting
from annotation.services.answering import submit
from annotation.services.campaigns import close_campaign, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.copying import copy_campaign
from annotation.services.deleting import clear_away, delete_campaign, going_with
from annotation.services.people import consent
from annotation.services.revising import skip
from annotation.services.uploads import store_upload
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


@pytest.fixture(autouse=True)
def some_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "AT_ONCE", 2)


@pytest.fixture
def closed(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, settings: object, tmp_path: Path) -> Campaign:
    """Somebody has joined, agreed, been given an item and skipped it; a file was uploaded, an example kept."""
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    campaign = make_campaign(items=3)
    ada = make_annotator(campaign, "ada")
    consent(sheet=campaign.sheets.get(), user=ada)
    skip(claim_id=claim_next(campaign=campaign, annotator=ada).pk, annotator=ada)
    upload = store_upload(campaign=campaign, name="p.csv", chunks=[b"x"], most=9, by=None)
    original = Original.objects.create(task="t", key="kept")
    texts = [Variant.objects.create(original=original, kind=kind, text=kind, sha256=kind) for kind in ("original", "bae")]
    Example.objects.create(upload=upload, before=texts[0], after=texts[1], status="success")
    close_campaign(campaign=campaign)
    return campaign


def test_all_of_it_goes(closed: Campaign, organiser: User, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    going = going_with(closed)
    assert (going.items, going.people, going.files) == (3, 2, 1)
    with caplog.at_level(logging.INFO, "annotation.services.deleting"):
        delete_campaign(campaign=closed, by=organiser)
    models = (Campaign, Item, Slot, Original, Variant, Example, Upload)
    assert [model.objects.count() for model in models] == [0] * len(models)
    assert {user.username for user in User.objects.all()} == {"olga", "ada"}
    assert [record.getMessage() for record in caplog.records] == ["olga deleted the campaign harbour."]


@pytest.mark.django_db(transaction=True)
def test_its_files_go_unless_another_campaign_has_the_same(
    closed: Campaign, organiser: User, tmp_path: Path, make_campaign: MakeCampaign
) -> None:
    [file] = (tmp_path / "uploads").iterdir()
    other = store_upload(campaign=make_campaign(name="other", opened=False), name="q.csv", chunks=[b"x"], most=9, by=None)
    delete_campaign(campaign=closed, by=organiser)
    assert file.exists()
    delete_campaign(campaign=other.campaign, by=organiser)
    assert not file.exists()


def test_texts_that_a_copy_shows_stay(closed: Campaign, organiser: User) -> None:
    copy = copy_campaign(campaign=closed, by=organiser, name="copy", title="Copy")
    delete_campaign(campaign=closed, by=organiser)
    assert (list(Campaign.objects.all()), copy.items.count(), Variant.objects.count()) == ([copy], 3, 6)


def test_an_answer_keeps_the_campaign(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User, client: Client
) -> None:
    campaign = make_campaign()
    answer(campaign, make_annotator(campaign, "ada"), "preserve")
    close_campaign(campaign=campaign)
    _refused(
        campaign, organiser, client, "There is 1 answer in it, and answers are never thrown away. Close the campaign instead"
    )


def test_an_open_campaign_is_closed_first(make_campaign: MakeCampaign, organiser: User, client: Client) -> None:
    _refused(make_campaign(), organiser, client, "Close the campaign first.")


def test_only_its_owner_deletes_it(closed: Campaign, other_organiser: User, client: Client) -> None:
    closed.memberships.create(user=other_organiser, role="organiser")
    _refused(closed, other_organiser, client, "Only olga, whose campaign it is, can delete it.")


def test_a_model_that_was_trained_from_it_keeps_it(closed: Campaign, organiser: User, client: Client) -> None:
    """Also when all who answered have withdrawn and had their answers erased."""
    LearnedModel.objects.create(name="m", folder="models/m", sha256="x").campaigns.add(closed)
    _refused(closed, organiser, client, "A model was trained from its answers")


def test_what_has_no_owner_any_organiser_of_it_deletes(closed: Campaign, other_organiser: User) -> None:
    Campaign.objects.filter(pk=closed.pk).update(created_by=None)
    delete_campaign(campaign=closed, by=other_organiser)
    assert not Campaign.every.filter(pk=closed.pk).exists()


def _refused(campaign: Campaign, by: User, client: Client, why: str) -> None:
    with pytest.raises(DomainError, match=why):
        delete_campaign(campaign=campaign, by=by)
    client.force_login(by)
    address = reverse("delete_campaign", args=[campaign.name])
    page = client.get(address)
    assert (why in page.content.decode(), b'<form method="post">' in page.content) == (True, False)
    assert why in client.post(address, follow=True).content.decode()
    assert Item.objects.filter(campaign=campaign).count() == 3


def test_the_page_says_what_goes_and_then_deletes_it(closed: Campaign, organiser: User, client: Client) -> None:
    client.force_login(organiser)
    address = reverse("delete_campaign", args=[closed.name])
    page = client.get(address).content.decode()
    assert "<li>3 items, and the texts that no other campaign or attack run shows</li>" in page
    assert Campaign.objects.filter(pk=closed.pk).exists()
    after = client.post(address, follow=True)
    assert after.redirect_chain == [(reverse("start"), 302)]
    assert "The campaign “About harbour” is deleted." in after.content.decode()
    assert not Campaign.objects.filter(pk=closed.pk).exists()


def test_from_the_first_moment_on_nobody_finds_it(
    closed: Campaign, organiser: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(organiser)
    live = Claim.objects.create(
        slot=Slot.objects.filter(item__campaign=closed)[5], item=closed.items.get(number=3), campaign=closed,
        original=closed.items.get(number=3).original, annotator=User.objects.get(username="ada"), expires_at=timezone.now(),
    )  # fmt: skip
    refused = "This campaign was deleted a moment ago."
    tried: list[int] = []

    def meanwhile() -> None:
        tried.append(Item.objects.filter(campaign=closed).count())
        if len(tried) > 1:
            return
        for verb in (open_campaign, close_campaign):
            with pytest.raises(DomainError, match=refused):
                verb(campaign=closed)
        with pytest.raises(DomainError, match=refused):
            delete_campaign(campaign=closed, by=organiser)
        with pytest.raises(NotYours):
            submit(claim_id=live.pk, annotator=live.annotator, data={"label": "preserve", "confidence": "3"})
        addresses = ["/campaigns/harbour/", "/campaigns/harbour/work/", "/api/campaigns/harbour/"]
        assert [client.get(address).status_code for address in addresses] == [404, 404, 404]

    monkeypatch.setattr(forgetting, "pause", meanwhile)
    delete_campaign(campaign=closed, by=organiser)
    assert (tried[0], Campaign.every.count(), Judgement.objects.count()) == (1, 0, 0)


def test_what_a_stopped_process_left_goes_next_time(closed: Campaign, organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(forgetting, "pause", stopped)
        with pytest.raises(KeyboardInterrupt):
            delete_campaign(campaign=closed, by=organiser)
    assert (Campaign.objects.count(), Campaign.every.count(), Item.objects.count()) == (0, 1, 1)
    again = create_campaign(name="harbour", title="Once more", protocol="meaning", created_by=organiser)  # the name is free
    clear_away()
    assert (list(Campaign.every.all()), Item.objects.count()) == ([again], 0)


def test_the_page_of_a_second_deletion_finds_nothing(closed: Campaign, organiser: User, client: Client) -> None:
    client.force_login(organiser)
    address = reverse("delete_campaign", args=[closed.name])
    assert [client.post(address).status_code for _ in range(2)] == [302, 404]


def test_a_file_from_which_another_campaigns_items_come_stays_with_that_one(
    organiser: User, settings: object, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    first = create_campaign(name="first", title="First", protocol="meaning", created_by=organiser)
    data = b"original,adversarial\nRain.,Raim.\nWind.,Wimd.\n"
    columns = {"columns": {"original": "original", "adversarial": "adversarial"}}
    upload = store_upload(campaign=first, name="p.csv", chunks=[data], most=99, by=None, format="table", mapping=columns)
    import_upload(upload, by=None)
    copy = copy_campaign(campaign=first, by=organiser, name="copy", title="Copy")
    delete_campaign(campaign=first, by=organiser)
    assert (list(Campaign.every.all()), list(copy.uploads.all())) == ([copy], [upload])
    assert [item.example.upload.name for item in copy.items.all()] == ["p.csv", "p.csv"]
    delete_campaign(campaign=copy, by=organiser)
    assert [model.objects.count() for model in (Item, Example, Upload, Original)] == [0, 0, 0, 0]


def test_one_that_cannot_go_keeps_no_other_from_going(
    make_campaign: MakeCampaign, organiser: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("stuck", "free"):
        Campaign.objects.filter(pk=make_campaign(name=name, opened=False).pk).update(state=Campaign.State.DELETED)
    delete = Campaign.delete
    monkeypatch.setattr(Campaign, "delete", lambda self: 1 / 0 if self.name == "stuck" else delete(self))
    clear_away()
    assert [campaign.name for campaign in Campaign.every.all()] == ["stuck"]
    assert [record.levelname for record in caplog.records if record.name == "annotation.services.deleting"] == ["ERROR"]
    monkeypatch.undo()
    clear_away()
    assert not Campaign.every.exists()
