"""A form that is refused marks the field that is wrong, says at the field what is wrong, and keeps what was typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from django.test import Client

from annotation.models import Campaign, Job, LearnedModel, Team, User

from .test_settings import fields_of

SignIn = Callable[[User], Client]
SHEET = {"on_withdrawal": "erase", "consent_form": "I agree.", "language": "en", "publish": "yes"}


class Page(HTMLParser):
    """The attributes of every tag, and the text below every tag that has an id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[dict[str, str]] = []
        self.text = text
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append({name: value or "" for name, value in attrs})

    def said_at(self, field: str) -> list[str]:
        """What the ids say that the wrong field, or the group that it is in, is described by; nothing where it is not marked."""
        found: list[str] = []
        marked = [tag for tag in self.tags if tag.get("name") == field and tag.get("aria-invalid") == "true"]
        for tag in self.tags:
            if tag in marked or (marked and tag.get("id") == f"id_{field}"):
                for name in tag.get("aria-describedby", "").split():
                    (text,) = re.findall(rf'id="{re.escape(name)}"[^>]*>(.*?)</(?:p|ul|span|div)>', self.text, re.S)
                    found.append(" ".join(re.sub("<[^>]+>", " ", text).split()))
        return found


CASES = [
    ("/campaigns/new/", {"preset": "meaning/four-point", "title": "Kept", "name": "a b"}, "name", "Use only letters", "Kept"),
    ("/campaigns/new/", {"title": "Kept", "name": "ok"}, "preset", "Choose what people are asked.", "Kept"),
    ("/campaigns/new/file/", {"title": "Kept", "name": "harbour", "format": "pairs"}, "file", "This field is required.", "Kept"),
    ("/campaigns/harbour/settings/", {"title": "Kept", "slots": "many"}, "slots", "whole number", "many"),
    ("/campaigns/harbour/settings/", {"title": ""}, "title", "", "harbour"),
    ("/campaigns/harbour/settings/", {"title": "Kept", "conflicts": "dice"}, "conflicts", "", "Kept"),
    ("/campaigns/harbour/copy/", {"title": "Kept", "name": "harbour"}, "name", "already a campaign named", "Kept"),
    ("/campaigns/harbour/invite/", {"role": "annotator", "uses": "0", "days": "7"}, "uses", "greater than", '"0"'),
    ("/campaigns/harbour/teams/", {"name": "home"}, "name", "There is a team “home” already", "home"),
    ("/campaigns/harbour/groups/", {"seed": "-4"}, "seed", "greater than", "-4"),
    ("/campaigns/harbour/entrance/", {"pay_per_item": "0.5"}, "currency", "Say in which currency", "0.5"),
    ("/campaigns/harbour/entrance/", {"kind": "dice"}, "kind", "valid choice", ""),
    (
        "/campaigns/harbour/sheet/edit/",
        SHEET | {"language": "a-language-of-ours"},
        "language",
        "at most 12",
        "a-language-of-ours",
    ),
    ("/campaigns/harbour/import/", {}, "file", "Choose a file first.", ""),
    ("/campaigns/harbour/train/", {"model": "a/b"}, "model", "cannot name a model: at most 120 characters, no slash", "a/b"),
    ("/campaigns/harbour/train/", {"model": "taken"}, "model", "There is already a model named “taken”.", "taken"),
    ("/campaigns/harbour/train/", {"model": "x" * 121}, "model", "at most 120 characters", "x" * 121),
    ("/campaigns/harbour/train/", {"model": "名" * 81}, "model", "take 243 bytes, and a folder", "名" * 81),
    ("/models/upload/", {"name": "名" * 81}, "name", "take 243 bytes, and a folder", "名" * 81),
    ("/password/", {"old_password": "x", "new_password1": "1", "new_password2": "1"}, "old_password", "", ""),
    ("/tokens/", {"name": "Kept", "days": "0"}, "days", "greater than", "Kept"),
]


@pytest.mark.parametrize(("address", "given", "field", "says", "kept"), CASES)
def test_the_wrong_field_is_marked(
    address: str, given: dict[str, str], field: str, says: str, kept: str, campaign: Campaign, organiser: User, sign_in: SignIn
) -> None:
    Team.objects.create(campaign=campaign, name="home")
    LearnedModel.objects.create(name="taken", kind="meaning", folder="x", sha256="e" * 64)
    response = sign_in(organiser).post(address, given)
    assert response.status_code == 422
    page = Page(response.text)
    said = page.said_at(field)
    assert said and any(text and says in text for text in said), (said, page.text)
    assert kept in page.text


@pytest.mark.parametrize("sent", ["9", "x"])
def test_a_degree_of_confidence_that_there_is_not_is_marked(
    sent: str, make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn
) -> None:
    make_campaign("suspicion", name="sure", settings={"confidence": True})
    response = sign_in(organiser).post("/campaigns/sure/train/", {"model": "Kept", "confidence_at_least": sent})
    [said] = Page(response.text).said_at("confidence_at_least")
    assert (response.status_code, said, "Kept" in response.text, Job.objects.count()) == (
        422, f"Select a valid choice. {sent} is not one of the available choices.", True, 0
    )  # fmt: skip


@pytest.mark.parametrize(
    ("row", "field", "typed", "says"),
    [
        (2, "value", "x", "The number of “changes the meaning” is a whole one, at most four digits long."),
        (3, "key", "no sense", "The name in files of “makes no sense” consists of"),
        (2, "name", "n" * 81, "What the button of “change” says has from 1 to 80 characters."),
        (3, "definition", "d" * 301, "The definition of “makes no sense” has at most 300 characters."),
        (1, "hotkey", "u", "The key u does something else on the page. Choose another for “keeps the meaning”."),
        (3, "key", "change", "Two answers have the same name in files."),
        (3, "value", "0", "Two answers have the same number."),
    ],
)
def test_the_wrong_label_is_marked(
    row: int, field: str, typed: str, says: str, campaign: Campaign, organiser: User, sign_in: SignIn
) -> None:
    client = sign_in(organiser)
    form = fields_of(client.get("/campaigns/harbour/settings/").text)
    response = client.post("/campaigns/harbour/settings/", form | {f"labels-{row}-{field}": [typed]})
    page = Page(response.text)
    marked = [tag["name"] for tag in page.tags if tag.get("aria-invalid") == "true"]
    assert (response.status_code, marked) == (422, [f"labels-{row}-{field}"])
    [said] = page.said_at(f"labels-{row}-{field}")
    assert said.startswith(says)
    assert f'<a href="#label-{row}-{field}">Answers</a>: {said}' in page.text


def test_nothing_is_marked_before_anything_was_sent(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    Team.objects.create(campaign=campaign, name="home")
    client = sign_in(organiser)
    for address in (
        "new/",
        "new/file/",
        "harbour/",
        "harbour/settings/",
        "harbour/people/",
        "harbour/entrance/",
        "harbour/sheet/edit/",
    ):
        assert "aria-invalid" not in client.get(f"/campaigns/{address}").text


def test_a_refused_known_answer_keeps_what_was_typed(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    given = {"use": "training", "label": "", "explanation": "Typed with care."}
    response = sign_in(organiser).post("/campaigns/harbour/items/1/gold/", given)
    page = Page(response.text)
    assert (response.status_code, page.said_at("label")) == (
        422, ["Say which answer is right; without it nobody can be told whether theirs was."],
    )  # fmt: skip
    assert re.search(r'<details [^>]*id="known" open>', page.text)
    assert 'value="training" selected' in page.text and ">Typed with care.</textarea>" in page.text
    assert campaign.items.get(number=1).use == "work"
