"""Items with a known answer come with a file, and the preview tells them apart."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from annotation.models import Campaign, Item, Slot, Upload

from .conftest import describe, send

KNOWN = "before,after,used for,right answer,why\n"
KNOWN_COLUMNS = {
    "column_original": "before", "column_adversarial": "after", "column_use": "used for", "column_known": "right answer",
    "column_explanation": "why",
}  # fmt: skip


def test_checks_that_nobody_would_meet_are_warned_of_until_the_setting_says_when(client: Client, draft: Campaign) -> None:
    upload = send(client, "known.csv", KNOWN + "Rain.,Raim.,attention,preserve,\nHail.,Snow.,attention,change,\nFog.,Fgo.,,,\n")
    unmet = r'data-checks-unmet><p><b>([^<]+)</b>.*?<a href="(/campaigns/harbour/settings/#id_attention_every)"'
    opening = "/campaigns/harbour/open/"
    said = [re.findall(unmet, describe(client, upload, **KNOWN_COLUMNS)), re.findall(unmet, client.get(opening).text)]
    done = client.post(f"/campaigns/harbour/import/{upload.pk}/preview/", follow=True).text
    said += [re.findall(unmet, done), re.findall(unmet, client.get(opening).text)]
    warning = [("Nobody will meet 2 attention checks.", "/campaigns/harbour/settings/#id_attention_every")]
    assert said == [warning, [], warning, warning]
    assert 'id="id_attention_every"' in client.get("/campaigns/harbour/settings/").text
    draft.refresh_from_db()
    draft.settings["attention_every"] = 5
    draft.save()
    assert [re.findall(unmet, client.get(page).text) for page in (opening, "/campaigns/harbour/import/")] == [[], []]


def test_known_answers_are_imported_with_their_items(client: Client, draft: Campaign) -> None:
    rows = "Rain.,Raim.,training,preserve,Only a letter.\nHail.,Snow.,Attention,Changes the meaning,\nFog.,Fgo.,,,\n"
    upload = send(client, "known.csv", KNOWN + rows)
    page = describe(client, upload, **KNOWN_COLUMNS)
    assert "Import 1 item and 2 with a known answer</button>" in page
    uses = page[page.index('<h2 id="uses">') : page.index("as people will see them")]
    assert re.findall(r'<th scope="row">([^<]+)</th><td>(\d+)</td><td class="words">([^<]*)</td>', uses) == [
        ("training", "1", "2"), ("attention check", "1", "3")
    ]  # fmt: skip
    shown = page[page.index("as people will see them") :]
    assert re.findall(r'Line (\d) <span class="chip">([^<]+)</span> right: ([^<]+)</p>', shown) == [
        ("2", "training", "keeps the meaning"), ("3", "attention check", "changes the meaning")
    ]  # fmt: skip
    done = client.post(f"/campaigns/harbour/import/{upload.pk}/preview/", follow=True).text
    assert "Imported 1 item and 2 with a known answer from “known.csv”." in done
    assert "imported: 1 item and 2 with a known answer added" in done
    assert "· 1 item and 2 with a known answer ·" in done
    assert "imported 3 items from known.csv, 2 of them with a known answer" in client.get("/campaigns/harbour/log/").text
    items = draft.items.order_by("number").values_list("use", "gold__key", "explanation", "wanted")
    assert list(items) == [("training", "preserve", "Only a letter.", 0), ("attention", "change", "", 0), ("work", None, "", 2)]
    assert Slot.objects.count() == 2


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("Rain.,Raim.,practice,preserve,", "'practice' is not one of work, training, test, attention"),
        ("Rain.,Raim.,training,,", "which answer is right"),
        ("Rain.,Raim.,,preserve,", "say for training, test or attention"),
        ("Rain.,Raim.,test,perhaps,", "'perhaps' is not one of preserve, change, no_sense"),
    ],
)
def test_a_known_answer_that_cannot_be_is_refused(row: str, says: str, client: Client) -> None:
    upload = send(client, "known.csv", f"{KNOWN}{row}\n")
    page = html.unescape(describe(client, upload, **KNOWN_COLUMNS))
    assert (says in page, "known.csv: line 2" in page) == (True, True)
    assert Item.objects.count() == 0


def test_known_answers_are_not_kept_for_a_sample(client: Client) -> None:
    upload = send(client, "known.csv", f"{KNOWN}Rain.,Raim.,test,preserve,\n")
    describe(client, upload, kept="on", **KNOWN_COLUMNS)
    page = client.post(f"/campaigns/harbour/import/{upload.pk}/preview/", follow=True).text
    assert "A sample is drawn for work" in page
    assert Upload.objects.get().imported_at is None
