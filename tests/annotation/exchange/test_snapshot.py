"""A file that is made while people answer shows one moment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from annotation.exchange import records
from annotation.exchange.downloads import pieces_of
from annotation.models import Campaign, Claim
from annotation.services.answering import submit
from annotation.services.claiming import claim_next
from tests.annotation.at_once import at_once
from tests.annotation.conftest import MakeAnnotator, MakeCampaign

ROOT = Path(__file__).parents[3]


def held_while_exported(campaign: Campaign, claim: Claim, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Of each item of a file: how many answers it has there, and of how many its decision was made. While the file is made,
    after its answers were asked for and before its items are, somebody new answers the claim."""
    skips = records._skips

    def answered_first(campaign: Campaign, by: str) -> object:
        data = {"label": "preserve", "confidence": 3}
        at_once(lambda: submit(claim_id=claim.pk, annotator=claim.annotator, data=data))
        return skips(campaign, by)

    monkeypatch.setattr(records, "_skips", answered_first)
    lines = b"".join(pieces_of(campaign, "items.jsonl")).decode().splitlines()
    items = [json.loads(line) for line in lines[1:]]
    return [(len(item["judgements"]), (item["decision"] or {"n_judgements": 0})["n_judgements"]) for item in items]


def one_answer_and_a_claim(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> tuple[Campaign, Claim]:
    campaign = make_campaign(items=1)
    for name in ("ann", "ben"):
        claim = claim_next(campaign=campaign, annotator=make_annotator(campaign, name))
        if name == "ann":
            submit(claim_id=claim.pk, annotator=claim.annotator, data={"label": "preserve", "confidence": 3})
    return campaign, claim


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("on_postgresql")
def test_answers_and_decisions_of_a_file_are_of_one_moment(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, claim = one_answer_and_a_claim(make_campaign, make_annotator)
    assert held_while_exported(campaign, claim, monkeypatch) == [(1, 1)]
    monkeypatch.undo()
    assert b'"n_judgements": 2' in b"".join(pieces_of(campaign, "items.jsonl"))


SCRIPT = """
import django
django.setup()
import pytest
from annotation.models import Original, User, Variant
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.people import admit
from tests.annotation.exchange.test_snapshot import held_while_exported, one_answer_and_a_claim

def make_campaign(items):
    campaign = create_campaign(name="c", title="C", protocol="meaning", created_by=User.objects.create(username="olga"))
    original = Original.objects.create(task="headlines", key="1")
    first, second = (Variant.objects.create(original=original, kind=kind, text=kind, sha256=kind) for kind in ("original", "x"))
    add_items(campaign=campaign, items=[NewItem(original, first, second)])
    open_campaign(campaign=campaign)
    return campaign

def make_annotator(campaign, name):
    user = User.objects.create(username=name)
    admit(campaign=campaign, user=user)
    return user

campaign, claim = one_answer_and_a_claim(make_campaign, make_annotator)
with pytest.MonkeyPatch.context() as patch:
    print(held_while_exported(campaign, claim, patch))
"""


def test_on_sqlite_nobody_is_kept_from_answering_either(tmp_path: Path, migrated: Path) -> None:
    """In a process and a file of its own: the tests' database is in memory, where whoever reads keeps others from writing."""
    shutil.copy(migrated, tmp_path / "db.sqlite3")
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "PASSABLE_DATA": str(tmp_path),
    }
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.strip()) == (0, "[(1, 1)]"), run.stderr
