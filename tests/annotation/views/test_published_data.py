"""The published files, uploaded through the page: the agreement page shows the published figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Job, User
from annotation.services.running import run_job

pytestmark = pytest.mark.published_data


def agreement_of(client: Client, path: Path, format: str) -> str:
    file = SimpleUploadedFile(path.name, path.read_bytes())
    client.post("/campaigns/new/file/", {"title": "Published", "name": "published", "format": format, "file": file})
    for job in Job.objects.filter(state=Job.State.QUEUED):  # files that take long are imported by a worker
        run_job.call(job.pk, job.attempt)
    return client.get("/campaigns/published/agreement/").text


def figure(page: str, key: str) -> str:
    return re.findall(rf'data-figure="{key}".*?<p class="figure[^"]*">([^<]+)</p>', page, re.S)[0]


def counts(page: str, table: str) -> list[list[str]]:
    """The cells of a table's rows, without intervals and bars."""
    body = re.findall(rf'data-table="{table}".*?<tbody>(.*?)</tbody>', page, re.S)[0]
    return [re.findall(r"<t[hd][^>]*>([^<]*)", row) for row in body.split("</tr>") if "<th" in row]


def test_incrediblae(published_data: Callable[[str], Path], organiser: User, client: Client) -> None:
    client.force_login(organiser)
    page = agreement_of(client, published_data("incrediblae_manual_evaluation.csv"), "incrediblae")
    assert (figure(page, "kappa"), figure(page, "raw_agreement")) == ("0.524", "70.1 %")
    assert [row[1] for row in counts(page, "decisions")] == ["318", "246", "116"]
    assert [row[1] for row in counts(page, "thirds")] == ["203", "63"]
    assert "680 of 680 equal the published decisions." in page


def test_mturk_suspicion(published_data: Callable[[str], Path], organiser: User, client: Client) -> None:
    client.force_login(organiser)
    page = agreement_of(client, published_data("suspicion_mturk_dev.csv"), "mturk-suspicion")
    assert figure(page, "deviation") == "0.556"
    assert counts(page, "deviation")[-1][:7] == ["all", "14", "16", "9", "18", "3", "60"]
