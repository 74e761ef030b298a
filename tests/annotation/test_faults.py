"""A full disk is told as such, to people and to programs; every other fault stays one of ours."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from annotation.models import Campaign, User


class PostgreSQLDiskFull(Exception):
    sqlstate = "53100"


def caused(by: Exception) -> Exception:
    fault = RuntimeError("an import failed")
    fault.__cause__ = by
    return fault


FULL = [
    OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EDQUOT, "Disk quota exceeded"), PostgreSQLDiskFull(),
    OperationalError("database or disk is full"), caused(OSError(errno.ENOSPC, "No space left on device")),
]  # fmt: skip
OTHER = [OSError(errno.EACCES, "Permission denied"), OperationalError("database is locked"), ValueError("x")]


@pytest.fixture
def failing(campaign: Campaign, organiser: User, client: Client, monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], Any]:
    """What the server answers to a page and to a call when a service raises this."""

    def answers(fault: Exception) -> tuple[Any, Any]:
        def fails(**given: Any) -> None:
            raise fault

        monkeypatch.setattr("annotation.views.campaigns.pause_campaign", fails)
        monkeypatch.setattr("annotation.api.campaigns.create_campaign", fails)
        client.force_login(organiser)
        client.raise_request_exception = False
        body = {"name": "new-one", "title": "New", "protocol": "meaning"}
        return client.post("/campaigns/harbour/pause/"), client.post("/api/campaigns/", body, content_type="application/json")

    return answers


@pytest.mark.parametrize("fault", FULL, ids=repr)
def test_a_full_disk_is_told(fault: Exception, failing: Callable[[Exception], Any]) -> None:
    page, call = failing(fault)
    assert (page.status_code, call.status_code) == (507, 507)
    assert "The disk of this server is full; nothing was stored." in page.text
    assert call.headers["Content-Type"] == "application/problem+json"
    assert (call.json()["code"], call.json()["title"]) == ("disk_full", "Insufficient Storage")


@pytest.mark.parametrize("fault", OTHER, ids=repr)
def test_other_faults_are_not_put_down_to_the_disk(fault: Exception, failing: Callable[[Exception], Any]) -> None:
    page, call = failing(fault)
    assert (page.status_code, call.status_code) == (500, 500)
    assert "The fault is the server's" in page.text


def test_whatever_the_database_says_without_room_is_the_disk(
    failing: Callable[[Exception], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.faults.LEAST_FREE", 10**18)
    page, _ = failing(OperationalError("disk I/O error"))
    assert page.status_code == 507
