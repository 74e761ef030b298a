"""A draft that files are imported into, in a browser without script."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Campaign, Job, Upload, User
from annotation.services.running import run_job
from tests.annotation.conftest import MakeCampaign

SignIn = Callable[[User], Client]
PAIRS = "before,after,who\nRain today.,Raim today.,bug\nHail today.,Hall today.,fooler\n"


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def draft(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=0, opened=False)


@pytest.fixture
def client(draft: Campaign, organiser: User, sign_in: SignIn) -> Client:
    return sign_in(organiser)


def send(client: Client, name: str, text: str | bytes, campaign: str = "harbour") -> Upload:
    data = text if isinstance(text, bytes) else text.encode()
    response = client.post(f"/campaigns/{campaign}/import/", {"file": SimpleUploadedFile(name, data)})
    upload = Upload.objects.latest("pk")
    assert response.headers["Location"] == f"/campaigns/{campaign}/import/{upload.pk}/"
    return upload


def describe(client: Client, upload: Upload, campaign: str = "harbour", **given: str) -> str:
    """Send the mapping and give back the preview."""
    at = f"/campaigns/{campaign}/import/{upload.pk}/"
    response = client.post(at, {"format": "table", "encoding": ""} | given, follow=True)
    assert response.redirect_chain == [(f"{at}preview/", 302)], response.text
    return response.text


def counts(page: str) -> list[str]:
    return re.findall(r'<p class="figure">([\d,]+)</p>', page)


def work() -> None:
    """What a worker does with every waiting job."""
    for job in Job.objects.filter(state="queued"):
        run_job.func(job.pk, job.attempt)


COLUMNS = {"column_original": "before", "column_adversarial": "after", "column_attacker": "who"}
